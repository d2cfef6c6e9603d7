import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { setTimes } from '../support/planned.ts';
import type { AccountOptions, SharedServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { type BrowserFixture, signInContext } from './browser.ts';
import {
  createCode,
  createPanelClient,
  type PanelClient,
  type PanelResponse,
  password,
  signedIn,
} from './client.ts';
import { turnOn } from './second-factor.ts';

/**
 * Who opens a page: a visitor who is not signed in, or an account of one kind. A guest is a viewer in the account of the
 * operator, and somebody who was removed has lost it.
 */
export type Viewer =
  | 'visitor'
  | 'operator'
  | 'expired'
  | 'newcomer'
  | 'unreadable'
  | 'guest'
  | 'removed';

/** A page in one of its states. */
export interface State {
  readonly name: string;
  readonly viewer: Viewer;
  readonly path: string;
  /** Puts the page in its state. */
  readonly prepare: ((page: Page) => Promise<unknown>) | undefined;
}

const emails = {
  operator: 'olga@example.org',
  expired: 'expired@example.org',
  newcomer: 'new@example.org',
  unreadable: 'unreadable@example.org',
  guest: `guest-${'with-a-long-address-'.repeat(4)}@example.org`,
  removed: 'removed@example.org',
} as const;

/** Creates accounts and codes in every state, and browser contexts that are signed in. */
export async function createStates(server: SharedServer, browser: BrowserFixture) {
  const contexts: Readonly<Record<Viewer, BrowserContext>> = {
    visitor: await browser.newContext(),
    operator: await browser.newContext(),
    expired: await browser.newContext(),
    newcomer: await browser.newContext(),
    unreadable: await browser.newContext(),
    guest: await browser.newContext(),
    removed: await browser.newContext(),
  };
  const signIn = (viewer: keyof typeof emails, options?: AccountOptions) =>
    signInContext(contexts[viewer], server, emails[viewer], options);
  const operator = await signIn('operator', { isOperator: true });
  const expired = await signIn('expired', { planUntilMs: Date.parse('2099-12-31') });
  await Promise.all([signIn('newcomer'), signIn('unreadable')]);
  await signedIn(server, `${'a-long-name-'.repeat(9)}@example.org`);

  const longUrl = `https://lengthy.example/?${'campaign=spring&'.repeat(120)}`.slice(0, 1900);
  const domains = {
    here: server.origin.replace('127.0.0.1', 'localhost'),
    // Nothing answers at it, whatever the network.
    elsewhere: 'http://127.0.0.9:9',
    long: `https://${'long-'.repeat(12)}name.example`,
  };
  const ofOperator = ['--account', emails.operator];
  await server.cli(['domain', 'add', domains.here, ...ofOperator]);
  await server.cli(['domain', 'add', domains.elsewhere, ...ofOperator]);
  await server.cli(['domain', 'add', domains.long]);
  const active = await createCode(operator, `https://example.org/${'a-long-path-'.repeat(20)}`);
  const paused = await createCode(operator, 'https://example.org/paused');
  const blocked = await createCode(operator, 'https://example.org/blocked');
  const flagged = await createCode(operator, longUrl);
  const printed = await createCode(expired, 'https://example.org/printed');
  await createCode(operator, 'https://example.org/brand', { domain: domains.long });
  const csrf = await operator.csrf();
  for (const url of ['https://example.org/summer', `https://example.org/${'b'.repeat(200)}`])
    await operator.post(`/account/codes/${active}/destination`, { csrf, url });
  const label = (code: string, name: string, note = '', folder = '') =>
    operator.post(`/account/codes/${code}/labels`, { csrf, name, note, folder });
  await label(active, `Table 7 ${'w'.repeat(112)}`, 'a note '.repeat(140));
  await label(flagged, 'לוח 7 📍', 'הערה', 'Menüs');
  const design = { csrf, do: 'save', foreground: '#1b3a57', background: '#ffffff' };
  for (const design_name of ['Sommerfest', `Long ${'n'.repeat(115)}`])
    await operator.post('/account/design', { ...design, design_name });
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
  await planChanges(server, operator, active);
  const joined = { guest: await signIn('guest'), removed: await signIn('removed') };
  const joinPaths = await invitePeople(server, operator, joined);
  const accounts = (await operator.get('/account/accounts')).text;
  const longest = /\/account\/accounts\/\d+(?="><bdi>a-long-name-)/.exec(accounts)?.[0] ?? '';
  const issued = await operator.post(`${longest}/link`, { csrf });
  const link = /\/account\/link\/[0-9a-f]{64}/.exec(issued.text)?.[0] ?? '';

  const codes = { active, paused, blocked, flagged, printed };
  const answers = {
    ended: await createPanelClient(server.origin).post('/account/codes', {}),
    outdated: await operator.post('/account/codes', {}),
  };
  return { contexts, states: statesOf({ ...codes, ...joinPaths, link, longest, answers }) };
}

/**
 * Lets people join the account of the operator, and removes one of them. Returns the paths of invitations: of somebody
 * without an account, and of the guest to another account.
 */
async function invitePeople(
  server: SharedServer,
  operator: PanelClient,
  joining: Readonly<Record<'guest' | 'removed', PanelClient>>,
) {
  await server.cli(['account', 'set', emails.operator, '--business', `Osteria ${'w'.repeat(90)}`]);
  const csrf = await operator.csrf();
  const invite = async (email: string) => {
    const fields = { csrf, email, role: 'viewer' };
    const { text } = await operator.post('/account/settings/people/invite', fields);
    return /\/account\/join\/[0-9a-f]{64}/.exec(text)?.[0] ?? '';
  };
  for (const [name, client] of Object.entries(joining)) {
    // The cast is safe: they are its own keys.
    const path = await invite(emails[name as keyof typeof joining]);
    await client.post(`${path}/accept`, { csrf: await client.csrf() });
  }
  await server.cli(['account', 'remove', emails.operator, '--member', emails.removed]);
  return {
    unknownJoin: await invite('somebody@example.org'),
    otherJoin: await invite('other@example.org'),
  };
}

/** Plans a change of each kind, and one that is not made because its destination is flagged by then. */
async function planChanges(server: SharedServer, client: PanelClient, code: string): Promise<void> {
  const csrf = await client.csrf();
  const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  const plan = (fields: Readonly<Record<string, string>>) =>
    client.post(`/account/codes/${code}/plan`, { csrf, day, change: 'destination', ...fields });
  const flagged = `https://later.example/${'x'.repeat(300)}`;
  await plan({ time: '12:30', url: flagged });
  await server.onStores(async (stores) => {
    const account = await stores.accounts.findByEmail(emails.operator);
    const later = Number.MAX_SAFE_INTEGER;
    const [change] = await stores.schedule.upcoming(account?.id ?? 0, 0, later, 1);
    await server.cli(['safety', 'block', 'later.example']);
    await setTimes(stores, { [change?.id ?? 0]: Date.now() });
  });
  await plan({ time: '11:30', every: 'day', url: 'https://example.org/lunch' });
  await plan({ time: '15:00', every: 'week', monday: 'yes', url: 'https://example.org/menu' });
  await plan({ time: '18:00', change: 'pause' });
  await until(async () =>
    (await client.get(`/account/codes/${code}`)).text.includes('class="error"'),
  );
}

interface StatePaths {
  readonly active: string;
  readonly paused: string;
  readonly blocked: string;
  /** Redirects to a URL of 1,900 characters. */
  readonly flagged: string;
  readonly printed: string;
  /** Paths of invitations of people without an account. */
  readonly unknownJoin: string;
  readonly otherJoin: string;
  /** Path of a one-time link. */
  readonly link: string;
  /** Path of the account with the longest e-mail. */
  readonly longest: string;
  /** Answers to forms without a session, and of an earlier one. */
  readonly answers: Readonly<Record<'ended' | 'outdated', PanelResponse>>;
}

function statesOf({
  active,
  paused,
  blocked,
  flagged,
  printed,
  unknownJoin,
  otherJoin,
  link,
  longest,
  answers,
}: StatePaths): State[] {
  const statesFor =
    (viewer: Viewer) =>
    (name: string, path: string, prepare?: State['prepare']): State => ({
      name,
      viewer,
      path,
      prepare,
    });
  const [visitor, operator, newcomer] = [
    statesFor('visitor'),
    statesFor('operator'),
    statesFor('newcomer'),
  ];
  const [expired, unreadable] = [statesFor('expired'), statesFor('unreadable')];
  const [guest, removed] = [statesFor('guest'), statesFor('removed')];
  const people = '/account/settings/people';
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
  const comparison = `/account/compare?code=${active}&folder=in%3AMen%C3%BCs&code=${blocked}&folder=none&code=${flagged}`;
  /** Selects all codes of the list, and presses a button of their bar. */
  const withAll = async (page: Page, name: string) => {
    await page.locator('.codes tbody .box').first().check();
    await page.getByRole('button', { name: /^All \d+$/ }).click();
    await page.getByRole('button', { name, exact: true }).click();
  };

  /** Fills in the form of a new code, and answers it. */
  const answered = async (page: Page, { status, text }: PanelResponse) => {
    await page.route('**/account/codes', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status, contentType: 'text/html', body: text })
        : route.fallback(),
    );
    await page.getByRole('link', { name: 'New code' }).click();
    await page.getByLabel('Where should it lead?').fill('https://example.org/typed');
    await press(page, 'Create');
  };

  return [
    visitor('the start page', '/'),
    // The address is too long to be there in full as well.
    visitor('the warning of a flagged code', `/${flagged}`),
    visitor(
      'the answer to a form after its session has ended',
      '/account/sign-in',
      async (page) => {
        await page.evaluate(`(() => {
        const form = Object.assign(document.createElement('form'), { method: 'post', action: '/account/codes' });
        document.body.append(form);
        form.submit();
      })()`);
        await page.getByRole('heading', { name: 'Sign in again' }).waitFor();
      },
    ),
    visitor('a wrong password', '/account/sign-in', async (page) => {
      await signIn(page, 'nobody@example.org', 'not the password');
      await page.getByRole('alert').waitFor();
    }),
    visitor('a second factor that is asked for', '/account/sign-in', async (page) => {
      await signIn(page, emails.expired, password);
      await page.getByLabel('Code').waitFor();
    }),
    visitor('a one-time link', link),
    visitor('an invitation of somebody without an account', unknownJoin),
    guest('an invitation of somebody else', otherJoin),
    operator('the people of an account', people),
    operator('the menu of a person', people, async (page) => {
      await page.getByRole('button', { name: `Actions for ${emails.guest}` }).click();
      await page.getByRole('link', { name: 'Remove…' }).waitFor();
    }),
    operator('the form of an invitation', people, async (page) => {
      await page.getByRole('link', { name: 'Invite' }).click();
      await openedDialog(page);
    }),
    operator('the link of an invitation', people, async (page) => {
      await page.getByRole('link', { name: 'Invite' }).click();
      await page.getByLabel('E-mail').fill('third@example.org');
      await press(page, 'Create the link');
      await page.getByRole('heading', { name: 'A link for third@example.org' }).waitFor();
    }),
    operator('a person to remove', people, async (page) => {
      await page.getByRole('button', { name: `Actions for ${emails.guest}` }).click();
      await page.getByRole('link', { name: 'Remove…' }).click();
      await openedDialog(page);
    }),
    guest('the overview of somebody else', '/account'),
    guest('the codes of somebody else', '/account/codes'),
    guest('a code, for a viewer', codePath(active)),
    guest('the design, for a viewer', '/account/design'),
    guest('the tables, for a viewer', '/account/batches'),
    guest('what a viewer may not open', '/account/new'),
    guest('the settings in the account of somebody else', '/account/settings'),
    guest('the account menu', '/account/codes', async (page) => {
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.getByRole('button', { name: /Account guest/ }).click();
      await page.getByRole('heading', { name: 'Accounts' }).first().waitFor();
    }),
    removed('the own account, after a removal from another', '/account'),
    operator('the overview', '/account'),
    newcomer('the overview without codes', '/account'),
    operator('a first code after its scan', `/account?first=${active}`),
    operator('a first code that waits for its scan', `/account?first=${flagged}`),
    operator('the menu of a phone', '/account', async (page) => {
      await page.setViewportSize({ width: 320, height: 640 });
      await press(page, 'More');
    }),
    operator('the codes', '/account/codes'),
    operator('the filters of a phone', '/account/codes?status=active&scans=never', async (page) => {
      await page.setViewportSize({ width: 320, height: 640 });
      await press(page, 'Filter 2');
      await page.getByLabel('Status').waitFor();
    }),
    operator('the codes by the scans of a period', '/account/codes?period=30&sort=scans'),
    operator('a comparison', comparison),
    operator('a comparison per code, as a table', `${comparison}&per=code&days=365`, openQuestions),
    operator('too few to compare', `/account/compare?code=${active}`),
    operator('what can be compared', `/account/compare/add?code=${active}&folder=in%3AMen%C3%BCs`),
    operator('nothing to compare', `/account/compare/add?code=${active}&q=nowhere`),
    guest('a comparison, for a viewer', comparison),
    operator('the menu of a code in the list', '/account/codes', async (page) => {
      const actions = page.getByRole('button', { name: /^Actions for / });
      await actions.first().click();
      await page.getByRole('link', { name: 'Open', exact: true }).waitFor();
    }),
    operator('signing in again over a form', '/account/codes', async (page) => {
      await answered(page, answers.ended);
      await page.getByRole('heading', { name: 'Sign in again' }).waitFor();
    }),
    operator('an error over a form', '/account/codes', async (page) => {
      await answered(page, answers.outdated);
      await page.getByRole('heading', { name: 'This form is out of date' }).waitFor();
    }),
    operator('the form of a new code', '/account/codes', async (page) => {
      await page.getByRole('link', { name: 'New code' }).click();
      await openedDialog(page);
    }),
    ...['Change destination', 'Folder', 'Download'].map((name) =>
      operator(`all codes, selected: ${name}`, '/account/codes', async (page) => {
        await withAll(page, name);
        await openedDialog(page);
      }),
    ),
    operator('two addresses in the field of a destination', codePath(active), async (page) => {
      await page.getByRole('link', { name: 'Change', exact: true }).first().click();
      const two = `https://example.org/${'x'.repeat(80)}https://example.org/${'y'.repeat(80)}`;
      await page.getByLabel('Destination').fill(two);
      await press(page, 'Save');
      await page.getByText('There are two addresses in this field.').waitFor();
    }),
    operator('a paused code', codePath(paused)),
    operator('the message of a paused code', codePath(paused), async (page) => {
      await page.getByRole('link', { name: 'Change the message' }).click();
      await openedDialog(page);
    }),
    operator('what was typed, before it is thrown away', '/account/codes', async (page) => {
      await page.keyboard.press('n');
      await page.getByLabel('Where should it lead?').fill('example.org');
      await page.keyboard.press('Escape');
      await page.getByText('Throw away what you typed?').waitFor();
    }),
    operator('finding codes, folders and pages', '/account/codes', async (page) => {
      await page.keyboard.press('Control+k');
      await openedDialog(page);
      await page.getByLabel('Codes, folders and pages').fill('men');
      await page.locator('#found').getByText('Menüs').waitFor();
    }),
    operator('finding something near', '/account/find?q=tabel'),
    newcomer('finding nothing', '/account/find?q=nothing-at-all'),
    operator('keyboard shortcuts', '/account/codes', async (page) => {
      await page.keyboard.press('?');
      await openedDialog(page);
    }),
    operator('the form of a folder', '/account/folders/rename?folder=Men%C3%BCs'),
    operator('the preview of a bulk edit', '/account/codes', async (page) => {
      await withAll(page, 'Change destination');
      await page.getByText('Find and replace').click();
      await page.getByLabel('Replace').fill('https://');
      await page.getByLabel('With').fill('ftp://');
      await press(page, 'Preview');
      await page.getByText('cannot be changed').first().waitFor();
    }),
    operator('a choice of codes to print', '/account/print'),
    operator('a print sheet', '/account/print?codes=all'),
    operator(
      'a print sheet of all that matches, with used labels',
      '/account/codes',
      async (page) => {
        await withAll(page, 'Print');
        await page.getByLabel('Paper', { exact: true }).selectOption('L7160');
        await page.getByLabel('Start at label').fill('19');
        await page.getByRole('button', { name: /^Start at label/ }).waitFor();
      },
    ),
    operator('a print sheet that does not fit', '/account/print?codes=all', async (page) => {
      await page.getByText('Size, resolution').click();
      await page.getByLabel('Side of a code').fill('500');
      await page.locator('.notice', { hasText: 'can’t be printed' }).waitFor();
    }),
    operator('the size of a PDF', `${codePath(active)}/pdf`),
    operator('the history of a code', `${codePath(active)}/history`),
    operator('the activity', '/account/activity'),
    operator('a search of the activity without a result', '/account/activity?q=nothing'),
    operator('a search with something near', '/account/codes?q=tabel+7'),
    operator('the activity of a code', `/account/activity?code=${active}`),
    newcomer('the activity without entries of a kind', '/account/activity?kind=designs'),
    operator('create many', '/account/batches'),
    operator('a checked table', '/account/batches', async (page) => {
      const rows = `Bar,https://example.org/,note\nBad,${'x'.repeat(300)},\nLocal,http://127.0.0.1/,`;
      const table = `name,destination,note\n${rows}`;
      await page.getByLabel('Paste a table').fill(table);
      await press(page, 'Check the table');
      await page.getByText('1 to fix').waitFor();
    }),
    operator('a table with columns to choose', '/account/batches', async (page) => {
      const row = `${'w'.repeat(60)},https://example.org/${'x'.repeat(100)},https://app.example/,`;
      await page.getByLabel('Paste a table').fill(`Stage,Web page,App link,Folder\n${row}`);
      await press(page, 'Check the table');
      await page.getByText('Two columns have addresses.').waitFor();
      await press(page, 'App link');
      await page.getByText('Still open: 2 columns.').waitFor();
    }),
    operator('a table with letters to choose', '/account/batches', async (page) => {
      const buffer = Buffer.from('name,destination\nKäse,https://example.org/', 'latin1');
      await page.locator('#file').setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer });
      await press(page, 'Check the table');
      await press(page, 'Choose the right line');
      await page.getByText('None of these').click();
    }),
    operator(
      'a table with corrected rows and one that is left out',
      '/account/batches',
      async (page) => {
        const table = `${'w'.repeat(120)},bad\nB,https://example.org/${'x'.repeat(300)}\nC,bad`;
        await page.getByLabel('Paste a table').fill(`name,destination\n${table}`);
        await press(page, 'Check the table');
        await press(page, 'Leave out row 4');
        // The next page has the other rows as well.
        await page.getByRole('button', { name: 'Put back row 4' }).waitFor();
        const row = page.getByRole('group', { name: 'Row 2' });
        await row.getByLabel('Destination').fill('a.example');
        await row.getByLabel('Name').focus();
        await page.getByText('Nothing left to fix').waitFor();
      },
    ),
    newcomer('a created batch', '/account/batches', async (page) => {
      await page.getByLabel('Paste a table').fill('https://example.org/batch');
      await press(page, 'Check the table');
      await press(page, 'Create 1 code');
      await page.getByRole('button', { name: 'Print 1' }).waitFor();
    }),
    operator('a created table with rows that were left out', '/account/batches', async (page) => {
      const buffer = Buffer.from(`name,destination\n${'w'.repeat(120)},https://a.example\nBad,bad`);
      const name = `${'tables-'.repeat(20)}.csv`;
      await page.locator('#file').setInputFiles({ name, mimeType: 'text/csv', buffer });
      await press(page, 'Check the table');
      await press(page, 'Leave out row 3');
      await page.getByRole('button', { name: 'Put back row 3' }).waitFor();
      await press(page, 'Create 1 code');
      await page.getByText('1 row left out').waitFor();
    }),
    newcomer('no codes yet', '/account/codes'),
    operator(
      'a code over a week, with the chart as a table',
      `${codePath(active)}?by=week`,
      (page) => page.getByText('Show as table').click(),
    ),
    operator(
      'an imported link with a long path',
      codePath(encodeURIComponent('Imported/'.repeat(25))),
    ),
    operator('a code with planned changes', codePath(active)),
    operator('a planned change', codePath(active), async (page) => {
      await page.getByRole('link', { name: 'Plan a change', exact: true }).click();
      await openedDialog(page);
      await page.getByText('Every week').click();
      await page.getByText('And back again at a set time').click();
      await page.getByText('On these days').waitFor();
    }),
    operator('a planned change of many codes', '/account/codes', async (page) => {
      await withAll(page, 'Change destination');
      await page.getByRole('button', { name: 'Plan it for later' }).first().click();
      await page.getByText('All lead to one address').waitFor();
    }),
    operator('all planned changes', '/account/planned'),
    operator('a blocked code', codePath(blocked)),
    operator('a flagged code with a long destination', codePath(flagged)),
    operator('the design', '/account/design'),
    operator(
      'a saved design, with its questions open',
      '/account/design?name=Sommerfest',
      openQuestions,
    ),
    unreadable('an unreadable design', '/account/design'),
    unreadable('a new code in an unreadable design', '/account/codes', async (page) => {
      await page.keyboard.press('n');
      await page.getByText('Phones can’t read your default design').waitFor();
    }),
    unreadable('a checked table in an unreadable design', '/account/batches', async (page) => {
      await page.getByLabel('Paste a table').fill('https://example.org/unreadable');
      await press(page, 'Check the table');
      await page.getByText('Phones can’t read this design.').waitFor();
    }),
    unreadable(
      'a design that is readable again, and not saved',
      '/account/design',
      async (page) => {
        await page.getByRole('button', { name: 'Use this colour' }).last().click();
        await page.getByText('It isn’t saved yet.').waitFor();
      },
    ),
    operator('a new design', '/account/design/new'),
    ...['Rename…', 'Delete…'].map((name) =>
      operator(`a saved design: ${name}`, '/account/design?name=Sommerfest', async (page) => {
        await page.getByRole('button', { name: 'Actions for the design Sommerfest' }).click();
        await page.getByRole('link', { name }).click();
        await openedDialog(page);
      }),
    ),
    operator('an invalid colour', '/account/design', async (page) => {
      await page.locator('#foreground').fill('#aa00');
      await page.locator('.verdict.stale').waitFor();
    }),
    operator('a logo that the browser drew', '/account/design', async (page) => {
      const text =
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 60"><rect width="90" height="60"/><text>Ada</text></svg>';
      const file = { name: `${'pizzeria-'.repeat(9)}neon.svg`, mimeType: 'image/svg+xml' };
      await page.locator('#logo').setInputFiles({ ...file, buffer: Buffer.from(text) });
      await page.locator('#logo-shown', { hasText: 'neon.svg' }).waitFor();
    }),
    operator('a refused logo', '/account/design', async (page) => {
      const file = { name: `${'menu-card-'.repeat(9)}.pdf`, mimeType: 'application/pdf' };
      await page.locator('#logo').setInputFiles({ ...file, buffer: Buffer.from('%PDF') });
      await page.locator('#logo-problem', { hasText: 'menu-card' }).waitFor();
    }),
    operator('the key', '/account/key'),
    operator('a new key', '/account/key', async (page) => {
      await page.getByLabel('Your password').fill(password);
      await press(page, 'Generate key');
      await page.locator('[data-key]').waitFor();
      await openQuestions(page);
    }),
    expired('a code of an expired plan', codePath(printed)),
    expired('the settings of an expired plan', '/account/settings'),
    expired('a second factor', '/account/settings/second-factor'),
    newcomer('no second factor', '/account/settings/second-factor'),
    operator('the settings', '/account/settings', async (page) => {
      await page.getByLabel('Business name').fill('Osteria da Ada');
      await page.getByLabel('Message for paused codes').fill('Closed until March. '.repeat(15));
      await page.getByLabel('Button below it').fill(`https://osteria.example/${'b'.repeat(80)}`);
    }),
    operator('a new password', '/account/settings', async (page) => {
      await page.getByRole('link', { name: 'Change the password' }).click();
      await openedDialog(page);
    }),
    operator('a new e-mail address', '/account/settings', async (page) => {
      await page.getByRole('link', { name: 'Change the e-mail address' }).click();
      await openedDialog(page);
    }),
    operator('where one is signed in', '/account/settings/sessions'),
    operator('the accounts', '/account/accounts'),
    operator('an account with a new link', longest, async (page) => {
      await press(page, 'Create a link');
      await page.locator('.highlight').waitFor();
    }),
    operator('the domains', '/account/domains'),
    operator('a new domain', '/account/domains', async (page) => {
      await page.getByRole('link', { name: 'Add a domain' }).click();
      await openedDialog(page);
    }),
    operator('a domain that leads elsewhere', '/account/domains/127.0.0.9%3A9'),
    operator('a domain to remove', '/account/domains/127.0.0.9%3A9/remove'),
    operator('the domain of a folder', '/account/folders/domain?folder=Men%C3%BCs'),
    operator('safety', '/account/safety'),
    operator('a code looked up', `/account/safety?q=${flagged}`),
    operator('no such page', '/account/nothing'),
  ];
}
