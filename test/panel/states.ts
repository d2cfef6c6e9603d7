import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Server } from '../support/server.ts';
import { password, signedIn } from './client.ts';
import { enter } from './enter.ts';

/** Who looks at a page: nobody in particular, or an account that there is reason to look as. */
export type Who = 'stranger' | 'operator' | 'ended' | 'fresh' | 'faint';

/** A page in one of its states. */
export interface State {
  readonly name: string;
  readonly who: Who;
  readonly path: string;
  /** What is done there first. */
  act?(page: Page): Promise<unknown>;
}

const emails = {
  operator: 'olga@example.org',
  ended: 'ended@example.org',
  fresh: 'fresh@example.org',
  faint: 'faint@example.org',
} as const;

/** Fills a server with what the pages have to show, and a browser with those who look at them. */
export async function createStates(server: Server, browser: Browser) {
  const contexts = new Map<Who, BrowserContext>([['stranger', await browser.newContext()]]);
  const join = async (who: keyof typeof emails, flags: readonly string[] = []) => {
    const context = await browser.newContext();
    contexts.set(who, context);
    return enter(context, server, emails[who], flags);
  };
  const operator = await join('operator', ['--operator']);
  const ended = await join('ended', ['--plan-until', '2099-12-31']);
  await join('fresh');
  await join('faint');
  await signedIn(server, `${'a-long-name-'.repeat(9)}@example.org`);

  const create = async (client: typeof operator, url: string) => {
    const made = await client.post('/account/codes', { csrf: await client.csrf(), url });
    const code = /^\/account\/codes\/([0-9a-z]{8})\?/.exec(made.to ?? '')?.[1];
    if (code === undefined) throw new Error(`${made.status} ${made.text}`);
    return code;
  };
  const active = await create(operator, `https://example.org/${'a-long-path-'.repeat(20)}`);
  const paused = await create(operator, 'https://example.org/paused');
  const blocked = await create(operator, 'https://example.org/blocked');
  const flagged = await create(operator, 'https://later.example/');
  const lengthy = await create(
    operator,
    `https://lengthy.example/?${'campaign=spring&'.repeat(120)}`.slice(0, 1900),
  );
  const printed = await create(ended, 'https://example.org/printed');
  const csrf = await operator.csrf();
  const destination = `/account/codes/${active}/destination`;
  for (const url of ['https://example.org/summer', `https://example.org/${'b'.repeat(200)}`])
    await operator.post(destination, { csrf, url });
  await operator.post(`/account/codes/${paused}/pause`, { csrf });
  await fetch(`${server.origin}/${active}`, { redirect: 'manual' });
  for (const command of [
    ['safety', 'block-code', blocked],
    ['safety', 'block', 'later.example'],
    [
      'safety',
      'block',
      `https://lengthy.example/?${'campaign=spring&'.repeat(120)}`.slice(0, 1900),
    ],
    ['safety', 'recheck'],
    ['key', 'generate', emails.ended],
    ['account', 'plan', emails.ended, '--until', '2026-01-31'],
    ['design', 'set', emails.faint, '--foreground', '#f0f0f0'],
  ]) {
    const { exitCode, stderr } = await server.cli(command);
    if (exitCode !== 0) throw new Error(stderr);
  }
  const accounts = (await operator.get('/account/accounts')).text;
  const longest = /\/account\/accounts\/\d+(?=">a-long-name-)/.exec(accounts)?.[0] ?? '';
  const handedOut = await operator.post(`${longest}/link`, { csrf });
  const link = /\/account\/link\/[0-9a-f]{64}/.exec(handedOut.text)?.[0] ?? '';

  return {
    contexts,
    states: statesOf({ active, paused, blocked, flagged, lengthy, printed, link, longest }),
  };
}

interface Places {
  readonly active: string;
  readonly paused: string;
  readonly blocked: string;
  readonly flagged: string;
  /** Flagged as well, and leads to an address of 1,900 characters. */
  readonly lengthy: string;
  readonly printed: string;
  readonly link: string;
  readonly longest: string;
}

function statesOf(places: Places): State[] {
  const { active, paused, blocked, flagged, lengthy, printed, link, longest } = places;
  const press = (page: Page, name: string) =>
    page.getByRole('button', { name, exact: true }).click();
  /** Past the browser's own check of a form. */
  const anyhow = (page: Page, form: string) =>
    page.evaluate(`document.querySelector('${form}').noValidate = true`);
  const code = (which: string) => `/account/codes/${which}`;

  return [
    { name: 'the bare address', who: 'stranger', path: '/' },
    { name: 'no such code', who: 'stranger', path: '/zzzzzzzz' },
    { name: 'a paused code', who: 'stranger', path: `/${paused}` },
    { name: 'a blocked code', who: 'stranger', path: `/${blocked}` },
    { name: 'a flagged code', who: 'stranger', path: `/${flagged}` },
    {
      name: 'a flagged code that leads to a very long address',
      who: 'stranger',
      path: `/${lengthy}`,
      act: (page) => page.getByText('The whole address').click(),
    },
    {
      name: 'a session that has ended',
      who: 'stranger',
      path: '/account/sign-in?ended=1',
      act: (page) => page.getByText('Your session has ended').waitFor(),
    },
    { name: 'signed out', who: 'stranger', path: '/account/sign-in?signedOut=1' },
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
    { name: 'a sign-in link', who: 'stranger', path: link },
    {
      name: 'a password that is too short',
      who: 'stranger',
      path: link,
      act: async (page) => {
        await anyhow(page, 'form');
        await page.getByLabel('Password').fill('short');
        await press(page, 'Set the password');
        await page.locator('#password-problem').waitFor();
      },
    },
    { name: 'a dead link', who: 'stranger', path: `/account/link/${'f'.repeat(64)}` },
    { name: 'the codes', who: 'operator', path: '/account' },
    { name: 'nothing found', who: 'operator', path: '/account?q=nowhere' },
    { name: 'something found', who: 'operator', path: '/account?q=paused' },
    { name: 'no codes yet', who: 'fresh', path: '/account' },
    {
      name: 'a destination that is refused',
      who: 'operator',
      path: '/account',
      act: async (page) => {
        await anyhow(page, '.create');
        await page.getByLabel('Create a code').fill('not an address');
        await press(page, 'Create');
        await page.locator('#url-problem').waitFor();
      },
    },
    {
      name: 'a design that is refused',
      who: 'faint',
      path: '/account',
      act: async (page) => {
        await page.getByLabel('Where should').fill('https://example.org/');
        await press(page, 'Create');
        await page.locator('#url-problem').waitFor();
      },
    },
    { name: 'a code by the hour', who: 'operator', path: `${code(active)}?by=hour` },
    {
      name: 'a code and its chart as a table',
      who: 'operator',
      path: code(active),
      act: (page) => page.getByText('As a table').click(),
    },
    { name: "a paused code's page", who: 'operator', path: code(paused) },
    { name: "a blocked code's page", who: 'operator', path: code(blocked) },
    { name: "a flagged code's page", who: 'operator', path: code(flagged) },
    { name: 'a code that leads to a very long address', who: 'operator', path: code(lengthy) },
    { name: 'the design', who: 'operator', path: '/account/design' },
    { name: 'a design that cannot be read', who: 'faint', path: '/account/design' },
    {
      name: 'a design while it is drawn anew',
      who: 'operator',
      path: '/account/design',
      // As the page's own script marks it, and kept so until it has been looked at.
      act: (page) =>
        page.evaluate(`(async () => {
          document.querySelector('.preview-place').setAttribute('aria-busy', 'true');
          await new Promise(requestAnimationFrame);
          await Promise.all(document.getAnimations().map((animation) => animation.finished));
        })()`),
    },
    {
      name: 'a logo that is none',
      who: 'operator',
      path: '/account/design',
      act: async (page) => {
        const file = { name: 'a.gif', mimeType: 'image/gif', buffer: Buffer.from('GIF89a…') };
        await page.locator('#logo').setInputFiles(file);
        await page.locator('#logo-problem:not([hidden])').waitFor();
      },
    },
    {
      name: 'a colour that is none',
      who: 'operator',
      path: '/account/design',
      act: async (page) => {
        await page.locator('#foreground').fill('#aa00');
        await page.locator('.score.behind').waitFor();
      },
    },
    { name: 'no key', who: 'fresh', path: '/account/key' },
    {
      name: 'a key that is shown once',
      who: 'operator',
      path: '/account/key',
      act: async (page) => {
        await press(page, 'Make a key');
        await page.locator('.fresh').waitFor();
      },
    },
    {
      name: 'a key that may be replaced',
      who: 'operator',
      path: '/account/key',
      act: async (page) => {
        for (const question of await page.locator('summary').all()) await question.click();
      },
    },
    { name: 'the key of an ended plan', who: 'ended', path: '/account/key' },
    { name: 'the codes of an ended plan', who: 'ended', path: '/account' },
    { name: 'a code of an ended plan', who: 'ended', path: code(printed) },
    { name: 'the settings of an ended plan', who: 'ended', path: '/account/settings' },
    {
      name: 'a current password that is wrong',
      who: 'fresh',
      path: '/account/settings',
      act: async (page) => {
        await page.getByLabel('Current password').fill('not the password');
        await page.getByLabel('New password').fill(password);
        await press(page, 'Change the password');
        await page.locator('#present-problem').waitFor();
      },
    },
    { name: 'the accounts', who: 'operator', path: '/account/accounts' },
    {
      name: 'an account that exists',
      who: 'operator',
      path: '/account/accounts',
      act: async (page) => {
        await page.getByLabel('E-mail', { exact: true }).fill(emails.fresh);
        await press(page, 'Create the account');
        await page.locator('#email-problem').waitFor();
      },
    },
    {
      name: 'an account with a link to hand out',
      who: 'operator',
      path: longest,
      act: async (page) => {
        await press(page, 'Make a sign-in link');
        await page.locator('.fresh').waitFor();
      },
    },
    { name: 'safety', who: 'operator', path: '/account/safety' },
    { name: 'a code looked up', who: 'operator', path: `/account/safety?q=${flagged}` },
    { name: 'an address looked up', who: 'operator', path: '/account/safety?q=later.example' },
    { name: 'no such page', who: 'operator', path: '/account/nothing' },
    {
      name: 'a form that is out of date',
      who: 'operator',
      path: '/account/key',
      act: async (page) => {
        await page.evaluate(
          'for (const token of document.querySelectorAll("[name=csrf]")) token.value = "x"',
        );
        await press(page, 'Sign out');
        await page.waitForURL(/sign-out/);
      },
    },
  ];
}
