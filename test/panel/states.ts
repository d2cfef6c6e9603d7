import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import type { AccountOptions, SharedServer } from '../support/server.ts';
import { type BrowserFixture, signInContext } from './browser.ts';
import { createCode, password, signedIn } from './client.ts';
import { turnOn } from './second-factor.ts';

/** Who opens a page: a visitor who is not signed in, or an account of one kind. */
export type Viewer = 'visitor' | 'operator' | 'expired' | 'new' | 'unreadable';

/** A page in one of its states. */
export interface State {
  readonly name: string;
  /** The operator when left out. */
  readonly viewer?: Viewer;
  readonly path: string;
  /** Puts the page in its state. */
  prepare?(page: Page): Promise<unknown>;
}

const emails = {
  operator: 'olga@example.org',
  expired: 'expired@example.org',
  new: 'new@example.org',
  unreadable: 'unreadable@example.org',
} as const;

/** Creates accounts and codes in every state, and browser contexts that are signed in. */
export async function createStates(server: SharedServer, browser: BrowserFixture) {
  const contexts = new Map<Viewer, BrowserContext>([['visitor', await browser.newContext()]]);
  const addContext = async (viewer: keyof typeof emails, options?: AccountOptions) => {
    const context = await browser.newContext();
    contexts.set(viewer, context);
    return signInContext(context, server, emails[viewer], options);
  };
  const operator = await addContext('operator', { isOperator: true });
  const expired = await addContext('expired', { planUntilMs: Date.parse('2099-12-31') });
  await Promise.all([addContext('new'), addContext('unreadable')]);
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
  const label = (code: string, name: string, note = '', folder = '') =>
    operator.post(`/account/codes/${code}/labels`, { csrf, name, note, folder });
  await label(active, `Table 7 ${'w'.repeat(112)}`, 'a note '.repeat(140));
  await label(flagged, 'לוח 7 📍', 'הערה', 'Menüs');
  for (const design_name of ['Sommerfest', `Long ${'n'.repeat(115)}`])
    await operator.post('/account/design', {
      csrf,
      do: 'save',
      design_name,
      foreground: '#1b3a57',
      background: '#ffffff',
    });
  const links = join(server.folder, 'links.csv');
  await Bun.write(links, `path,destination\n${'Imported/'.repeat(25)},https://example.org/link\n`);
  await server.cli(['link', 'import', links, '--account', emails.operator]);
  await operator.post(`/account/codes/${paused}/pause`, { csrf });
  await fetch(`${server.origin}/${active}`, { redirect: 'manual' });
  // Until the scan is counted, the overview reloads itself.
  await operator.get('/account');
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
  await turnOn(expired, password);
  const accounts = (await operator.get('/account/accounts')).text;
  const longest = /\/account\/accounts\/\d+(?="><bdi>a-long-name-)/.exec(accounts)?.[0] ?? '';
  const issued = await operator.post(`${longest}/link`, { csrf });
  const link = /\/account\/link\/[0-9a-f]{64}/.exec(issued.text)?.[0] ?? '';

  const codes = { active, blocked, flagged, printed };
  return { contexts, states: statesOf({ ...codes, link, longest }) };
}

interface StatePaths {
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

function statesOf({ active, blocked, flagged, printed, link, longest }: StatePaths): State[] {
  const press = (page: Page, name: string) =>
    page.getByRole('button', { name, exact: true }).click();
  const signIn = async (page: Page, email: string, typed: string) => {
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill(typed);
    await press(page, 'Sign in');
  };
  const openedDialog = (page: Page) => page.locator('dialog[open]').waitFor();
  const openQuestions = async (page: Page) => {
    for (const question of await page.locator('summary').all()) await question.click();
  };
  const codePath = (code: string) => `/account/codes/${code}`;
  /** Selects all codes of the list, and presses a button of their bar. */
  const withAll = async (page: Page, name: string) => {
    await page.locator('.codes tbody .box').first().check();
    await page.getByRole('button', { name: /^All \d+$/ }).click();
    await page.getByRole('button', { name, exact: true }).click();
  };
  /** The dialogs of the bar. */
  const dialogs = ['Change destination', 'Folder', 'Download'].map(
    (name): State => ({
      name: `all codes, selected: ${name}`,
      path: '/account/codes',
      prepare: async (page) => {
        await withAll(page, name);
        await openedDialog(page);
      },
    }),
  );

  return [
    { name: 'the start page', viewer: 'visitor', path: '/' },
    {
      name: 'the warning of a flagged code',
      viewer: 'visitor',
      path: `/${flagged}`,
      prepare: (page) => page.locator('summary').first().click(),
    },
    {
      name: 'the sign-in page after a session has ended',
      viewer: 'visitor',
      path: '/account/sign-in?ended=1',
    },
    {
      name: 'a wrong password',
      viewer: 'visitor',
      path: '/account/sign-in',
      prepare: async (page) => {
        await signIn(page, 'nobody@example.org', 'not the password');
        await page.getByRole('alert').waitFor();
      },
    },
    {
      name: 'a second factor that is asked for',
      viewer: 'visitor',
      path: '/account/sign-in',
      prepare: async (page) => {
        await signIn(page, emails.expired, password);
        await page.getByLabel('Code').waitFor();
      },
    },
    { name: 'a one-time link', viewer: 'visitor', path: link },
    { name: 'the overview', path: '/account' },
    { name: 'the overview without codes', viewer: 'new', path: '/account' },
    { name: 'a first code after its scan', path: `/account?first=${active}` },
    {
      name: 'the menu of a phone',
      path: '/account',
      prepare: async (page) => {
        await page.setViewportSize({ width: 320, height: 640 });
        await press(page, 'More');
      },
    },
    { name: 'the codes', path: '/account/codes' },
    {
      name: 'the menu of a code in the list',
      path: '/account/codes',
      prepare: async (page) => {
        const actions = page.getByRole('button', { name: /^Actions for / });
        await actions.first().click();
        await page.getByRole('link', { name: 'Open', exact: true }).waitFor();
      },
    },
    {
      name: 'the form of a new code',
      path: '/account/codes',
      prepare: async (page) => {
        await page.getByRole('link', { name: 'New code' }).click();
        await openedDialog(page);
      },
    },
    ...dialogs,
    {
      name: 'keyboard shortcuts',
      path: '/account/codes',
      prepare: async (page) => {
        await page.keyboard.press('?');
        await openedDialog(page);
      },
    },
    {
      name: 'the form of a folder',
      path: '/account/folders/rename?folder=Men%C3%BCs',
    },
    {
      name: 'the preview of a bulk edit',
      path: '/account/codes',
      prepare: async (page) => {
        await withAll(page, 'Change destination');
        await page.getByText('Find and replace').click();
        await page.getByLabel('Replace').fill('https://');
        await page.getByLabel('With').fill('ftp://');
        await press(page, 'Preview');
        await page.getByText('cannot be changed').first().waitFor();
      },
    },
    { name: 'a print sheet', path: '/account/print' },
    {
      name: 'a print sheet of all that matches, with used labels',
      path: '/account/codes',
      prepare: async (page) => {
        await withAll(page, 'Print');
        await page.getByLabel('Paper', { exact: true }).selectOption('L7160');
        await page.getByLabel('Start at label').fill('19');
        await page.getByRole('button', { name: /^Start at label/ }).waitFor();
      },
    },
    {
      name: 'a print sheet that does not fit',
      path: '/account/print',
      prepare: async (page) => {
        await page.getByText('Size, resolution').click();
        await page.getByLabel('Side of a code').fill('500');
        await page.locator('.notice', { hasText: 'can’t be printed' }).waitFor();
      },
    },
    { name: 'the size of a PDF', path: `${codePath(active)}/pdf` },
    { name: 'create many', path: '/account/batches' },
    {
      name: 'a checked table',
      path: '/account/batches',
      prepare: async (page) => {
        const table = `Bar,https://example.org/,note\nBad,${'x'.repeat(300)}`;
        await page.getByLabel('Paste a table').fill(table);
        await press(page, 'Check the table');
        await page.getByText('1 to fix').waitFor();
      },
    },
    {
      name: 'a table with corrected rows and one that is left out',
      path: '/account/batches',
      prepare: async (page) => {
        const table = `${'w'.repeat(120)},bad\nB,https://example.org/${'x'.repeat(300)}\nC,bad`;
        await page.getByLabel('Paste a table').fill(`name,destination\n${table}`);
        await press(page, 'Check the table');
        await press(page, 'Leave out row 4');
        // The next page has the other rows as well.
        await page.getByRole('button', { name: 'Put back row 4' }).waitFor();
        const row = page.getByRole('group', { name: 'Row 2' });
        await row.getByLabel('Destination').fill('a.example');
        await row.getByLabel('Note').focus();
        await page.getByText('Nothing left to fix').waitFor();
      },
    },
    {
      name: 'a created batch',
      viewer: 'new',
      path: '/account/batches',
      prepare: async (page) => {
        await page.getByLabel('Paste a table').fill('https://example.org/batch');
        await press(page, 'Check the table');
        await press(page, 'Create 1 code');
        await page.getByRole('button', { name: 'Print sheet' }).waitFor();
      },
    },
    { name: 'no codes yet', viewer: 'new', path: '/account/codes' },
    {
      name: 'a code over a week, with the chart as a table',
      path: `${codePath(active)}?by=week`,
      prepare: (page) => page.getByText('Show as table').click(),
    },
    {
      name: 'an imported link with a long path',
      path: codePath(encodeURIComponent('Imported/'.repeat(25))),
    },
    { name: 'a blocked code', path: codePath(blocked) },
    { name: 'a flagged code with a long destination', path: codePath(flagged) },
    { name: 'the design', path: '/account/design' },
    {
      name: 'a saved design, with its questions open',
      path: '/account/design?name=Sommerfest',
      prepare: openQuestions,
    },
    { name: 'an unreadable design', viewer: 'unreadable', path: '/account/design' },
    {
      name: 'an invalid colour',
      path: '/account/design',
      prepare: async (page) => {
        await page.locator('#foreground').fill('#aa00');
        await page.locator('.verdict.stale').waitFor();
      },
    },
    {
      name: 'a new key',
      path: '/account/key',
      prepare: async (page) => {
        await page.getByLabel('Your password').fill(password);
        await press(page, 'Generate key');
        await page.locator('[data-key]').waitFor();
        await openQuestions(page);
      },
    },
    { name: 'a code of an expired plan', viewer: 'expired', path: codePath(printed) },
    { name: 'the settings of an expired plan', viewer: 'expired', path: '/account/settings' },
    { name: 'a second factor', viewer: 'expired', path: '/account/settings/second-factor' },
    { name: 'no second factor', viewer: 'new', path: '/account/settings/second-factor' },
    { name: 'the accounts', path: '/account/accounts' },
    {
      name: 'an account with a new link',
      path: longest,
      prepare: async (page) => {
        await press(page, 'Create a link');
        await page.locator('.highlight').waitFor();
      },
    },
    { name: 'safety', path: '/account/safety' },
    { name: 'a code looked up', path: `/account/safety?q=${flagged}` },
    { name: 'no such page', path: '/account/nothing' },
  ];
}
