import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Server } from '../support/server.ts';
import { enter } from './browser.ts';
import { createCode, signedIn } from './client.ts';

/** Who opens a page: a stranger, or an account of one kind. */
export type Who = 'stranger' | 'operator' | 'expired' | 'new' | 'unreadable';

/** A page in one of its states. */
export interface State {
  readonly name: string;
  readonly who: Who;
  readonly path: string;
  /** Brings the page into its state. */
  act?(page: Page): Promise<unknown>;
}

const emails = {
  operator: 'olga@example.org',
  expired: 'expired@example.org',
  new: 'new@example.org',
  unreadable: 'unreadable@example.org',
} as const;

/** Creates accounts and codes in every state, and browser contexts that are signed in. */
export async function createStates(server: Server, browser: Browser) {
  const contexts = new Map<Who, BrowserContext>([['stranger', await browser.newContext()]]);
  const join = async (who: keyof typeof emails, flags: readonly string[] = []) => {
    const context = await browser.newContext();
    contexts.set(who, context);
    return enter(context, server, emails[who], flags);
  };
  const operator = await join('operator', ['--operator']);
  const expired = await join('expired', ['--plan-until', '2099-12-31']);
  await Promise.all([join('new'), join('unreadable')]);
  await signedIn(server, `${'a-long-name-'.repeat(9)}@example.org`);

  const longUrl = `https://lengthy.example/?${'campaign=spring&'.repeat(120)}`.slice(0, 1900);
  const active = await createCode(operator, `https://example.org/${'a-long-path-'.repeat(20)}`);
  const paused = await createCode(operator, 'https://example.org/paused');
  const blocked = await createCode(operator, 'https://example.org/blocked');
  const flagged = await createCode(operator, longUrl);
  const printed = await createCode(expired, 'https://example.org/printed');
  const csrf = await operator.csrf();
  for (const url of ['https://example.org/summer', `https://example.org/${'b'.repeat(200)}`])
    await operator.post(`/account/codes/${active}/destination`, { csrf, url });
  await operator.post(`/account/codes/${paused}/pause`, { csrf });
  await fetch(`${server.origin}/${active}`, { redirect: 'manual' });
  for (const command of [
    ['safety', 'block-code', blocked],
    ['safety', 'block', longUrl],
    ['safety', 'recheck'],
    ['key', 'generate', emails.expired],
    ['account', 'plan', emails.expired, '--until', '2026-01-31'],
    ['design', 'set', emails.unreadable, '--foreground', '#f0f0f0'],
  ]) {
    const { exitCode, stderr } = await server.cli(command);
    if (exitCode !== 0) throw new Error(stderr);
  }
  const accounts = (await operator.get('/account/accounts')).text;
  const longest = /\/account\/accounts\/\d+(?=">a-long-name-)/.exec(accounts)?.[0] ?? '';
  const issued = await operator.post(`${longest}/link`, { csrf });
  const link = /\/account\/link\/[0-9a-f]{64}/.exec(issued.text)?.[0] ?? '';

  const codes = { active, blocked, flagged, printed };
  return { contexts, states: statesOf({ ...codes, link, longest }) };
}

interface Places {
  readonly active: string;
  readonly blocked: string;
  /** Redirects to a URL of 1,900 characters. */
  readonly flagged: string;
  readonly printed: string;
  /** Path of a one-time link. */
  readonly link: string;
  /** Path of the account with the longest e-mail. */
  readonly longest: string;
}

function statesOf({ active, blocked, flagged, printed, link, longest }: Places): State[] {
  const press = (page: Page, name: string) =>
    page.getByRole('button', { name, exact: true }).click();
  const codePath = (code: string) => `/account/codes/${code}`;

  return [
    { name: 'the start page', who: 'stranger', path: '/' },
    {
      name: 'the warning of a flagged code',
      who: 'stranger',
      path: `/${flagged}`,
      act: (page) => page.locator('summary').first().click(),
    },
    {
      name: 'the sign-in page after a session has ended',
      who: 'stranger',
      path: '/account/sign-in?ended=1',
    },
    {
      name: 'a wrong password',
      who: 'stranger',
      path: '/account/sign-in',
      act: async (page) => {
        await page.getByLabel('E-mail').fill('nobody@example.org');
        await page.getByLabel('Password').fill('not the password');
        await press(page, 'Sign in');
        await page.getByRole('alert').waitFor();
      },
    },
    { name: 'a one-time link', who: 'stranger', path: link },
    { name: 'an invalid link', who: 'stranger', path: `/account/link/${'f'.repeat(64)}` },
    { name: 'the codes', who: 'operator', path: '/account' },
    { name: 'no codes found', who: 'operator', path: `/account?q=${'y'.repeat(200)}` },
    { name: 'no codes yet', who: 'new', path: '/account' },
    {
      name: 'a rejected design',
      who: 'unreadable',
      path: '/account',
      act: async (page) => {
        await page.getByLabel('Create a QR code').fill('https://example.org/');
        await press(page, 'Create');
        await page.locator('#url-problem').waitFor();
      },
    },
    {
      name: 'a code by the hour, with the chart as a table',
      who: 'operator',
      path: `${codePath(active)}?by=hour`,
      act: (page) => page.getByText('Show as table').click(),
    },
    { name: 'a blocked code', who: 'operator', path: codePath(blocked) },
    { name: 'a flagged code with a long destination', who: 'operator', path: codePath(flagged) },
    { name: 'the design', who: 'operator', path: '/account/design' },
    { name: 'an unreadable design', who: 'unreadable', path: '/account/design' },
    {
      name: 'an invalid colour',
      who: 'operator',
      path: '/account/design',
      act: async (page) => {
        await page.locator('#foreground').fill('#aa00');
        await page.locator('.verdict.stale').waitFor();
      },
    },
    {
      name: 'a new key',
      who: 'operator',
      path: '/account/key',
      act: async (page) => {
        await press(page, 'Generate key');
        for (const question of await page.locator('summary').all()) await question.click();
      },
    },
    { name: 'a code of an expired plan', who: 'expired', path: codePath(printed) },
    { name: 'the settings of an expired plan', who: 'expired', path: '/account/settings' },
    { name: 'the accounts', who: 'operator', path: '/account/accounts' },
    {
      name: 'an account with a new link',
      who: 'operator',
      path: longest,
      act: async (page) => {
        await press(page, 'Create sign-in link');
        await page.locator('.fresh').waitFor();
      },
    },
    { name: 'safety', who: 'operator', path: '/account/safety' },
    { name: 'a code looked up', who: 'operator', path: `/account/safety?q=${flagged}` },
    { name: 'a URL looked up', who: 'operator', path: '/account/safety?q=lengthy.example' },
    { name: 'no such page', who: 'operator', path: '/account/nothing' },
  ];
}
