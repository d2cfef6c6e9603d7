import { beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { Page, Request } from 'playwright-core';
import { acting, newInvitation } from '../stores/rows.ts';
import { sampleOf } from '../support/sample.ts';
import { sharedServer } from '../support/server.ts';
import {
  inFirefox,
  type SignedInPage,
  signInContext,
  useBrowser,
  withoutBrowser,
} from './browser.ts';
import { createCode, password } from './client.ts';

const server = await sharedServer();

describe.skipIf(withoutBrowser)('the answer to a form', () => {
  const browser = useBrowser(server);
  let own: SignedInPage;
  let page: Page;
  let code: string;
  beforeAll(async () => {
    own = await browser.openSignedIn('answers@example.org');
    ({ page } = own);
    code = await createCode(own.client, 'https://example.org/first', { name: 'Door' });
  });

  const codePath = () => `${server.origin}/account/codes/${code}`;
  const press = (name: string, on = page) => on.getByRole('button', { name, exact: true }).click();
  const openDestination = async () => {
    await page.goto(codePath());
    await page.getByRole('link', { name: 'Change', exact: true }).click();
    await page.locator('dialog [name=url]').waitFor();
  };
  /** Returns the requests of the panel that something causes, without pictures and assets. */
  const requestsOf = async (act: () => Promise<unknown>) => {
    const seen: string[] = [];
    const record = (request: Request) => {
      const { pathname } = new URL(request.url());
      if (!/assets|image|picture|presets/.test(pathname))
        seen.push(`${request.method()} ${pathname}`);
    };
    page.on('request', record);
    await act();
    page.off('request', record);
    return seen;
  };

  test('comes after one request, and the page that follows has the message and its own address', async () => {
    await openDestination();
    await page.locator('dialog [name=url]').fill('https://example.org/second');
    const path = `/account/codes/${code}`;
    const seen = await requestsOf(async () => {
      await press('Save');
      await page.getByText('Destination saved.').waitFor();
    });
    expect(seen).toEqual([`POST ${path}/destination`, `GET ${path}`]);
    expect(page.url()).toBe(codePath());
    expect(await page.locator('dialog').count()).toBe(0);
    // Undo leads to the one before, and the address bar leads there and back.
    await press('Undo');
    await page.getByText('example.org/first').first().waitFor();
    await page.getByRole('link', { name: 'Codes', exact: true }).first().click();
    await page.waitForURL('**/account/codes');
    await page.goBack();
    await page.getByText('example.org/first').first().waitFor();
  });

  test('is a rejection in the dialog, after one request', async () => {
    await openDestination();
    await page.locator('dialog [name=url]').fill('not an address');
    const seen = await requestsOf(async () => {
      await press('Save');
      await page.locator('dialog .error').first().waitFor();
    });
    expect(seen).toEqual([`POST /account/codes/${code}/destination`]);
    expect(await page.locator('dialog [name=url]').inputValue()).toBe('not an address');
    expect(page.url()).toBe(codePath());
  });

  test.each(sampleOf([413, 402, 403, 500, 503], 3))(
    'is shown over the form, which stays as it was typed, and is not sent twice: %d',
    async (status) => {
      await openDestination();
      await page.locator('dialog [name=url]').fill('https://example.org/typed');
      let posts = 0;
      const body = `<section class="card" data-failure><h1>Refused with ${status}</h1><a class="button" href="/" data-close>Back</a></section>`;
      await page.route('**/destination', async (route) => {
        if (route.request().method() !== 'POST') return route.fallback();
        posts++;
        return route.fulfill({ status, contentType: 'text/html', body });
      });
      await press('Save');
      await page.getByRole('heading', { name: `Refused with ${status}` }).waitFor();
      await page.getByRole('link', { name: 'Back', exact: true }).click();
      await page
        .getByRole('heading', { name: `Refused with ${status}` })
        .waitFor({ state: 'detached' });
      expect(await page.locator('dialog [name=url]').inputValue()).toBe(
        'https://example.org/typed',
      );
      expect(posts).toBe(1);
      await page.unroute('**/destination');
      await press('Save');
      await page.getByText('Destination saved.').waitFor();
    },
  );

  test('may be lost: it says so over the form, and does not send it again', async () => {
    await openDestination();
    await page.locator('dialog [name=url]').fill('https://example.org/lost');
    let posts = 0;
    await page.route('**/destination', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      posts++;
      return route.abort();
    });
    await press('Save');
    await page.getByRole('heading', { name: 'The server did not answer' }).waitFor();
    await press('Back');
    expect(await page.locator('dialog [name=url]').inputValue()).toBe('https://example.org/lost');
    expect(posts).toBe(1);
    await page.unroute('**/destination');
  });

  test('after the session has ended is the sign-in, and the same account sends the form once', async () => {
    await openDestination();
    await page.locator('dialog [name=url]').fill('https://example.org/again');
    await own.context.clearCookies();
    const seen = await requestsOf(async () => {
      await press('Save');
      await page.getByText('Your changes are kept.').waitFor();
      expect(await page.getByText('Sign in, then press Back').isVisible()).toBe(false);
      await page.getByLabel('E-mail').fill('answers@example.org');
      await page.locator('dialog [name=password]').fill(password);
      await press('Sign in');
      await page.getByText('Destination saved.').waitFor();
    });
    const path = `/account/codes/${code}`;
    const posts = seen.filter((one) => one.startsWith('POST'));
    expect(posts).toEqual([
      `POST ${path}/destination`,
      'POST /account/sign-in',
      `POST ${path}/destination`,
    ]);
    expect(await page.getByText('example.org/again').first().isVisible()).toBe(true);
  });

  test('may be the question who it is, and the form is sent once after the answer', async () => {
    const operator = await browser.openSignedIn('answers-operator@example.org', {
      isOperator: true,
      ageMs: 11 * 60_000,
    });
    const on = operator.page;
    await on.goto(`${server.origin}/account/accounts`);
    await on.locator('#email').fill('answers-new@example.org');
    await on.getByText('Operator: can manage').click();
    await press('Create account', on);
    await on.getByRole('heading', { name: 'Confirm that it’s you' }).waitFor();
    await on.getByText('Your changes are kept.').waitFor();
    expect(await on.getByText('Confirm, then press Back').isVisible()).toBe(false);
    await on.locator('dialog [name=password]').fill('not the password');
    await press('Confirm', on);
    await on.getByText('The current password is wrong.').waitFor();
    await on.locator('dialog [name=password]').fill(password);
    await press('Confirm', on);
    await on.getByRole('heading', { name: 'answers-new@example.org' }).waitFor();
    expect(await on.locator('dialog').count()).toBe(0);
    // What follows is not asked again.
    await press('Sign out everywhere', on);
    await on.getByText('The account is signed out everywhere.').waitFor();
    expect(operator.consoleErrors.filter((line) => !/401|422/.test(line))).toEqual([]);
  });

  test('with another account is the page of that one, and nothing is sent', async () => {
    const other = 'answers-other@example.org';
    const { client } = await browser.openSignedIn(other);
    const theirs = await createCode(client, 'https://example.org/theirs');
    await page.goto(`${server.origin}/account/codes/${code}`);
    await page.getByRole('link', { name: 'Change', exact: true }).click();
    await page.locator('dialog [name=url]').fill('https://example.org/stolen');
    await own.context.clearCookies();
    await press('Save');
    await page.getByLabel('E-mail').fill(other);
    await page.locator('dialog [name=password]').fill(password);
    const seen = await requestsOf(async () => {
      await press('Sign in');
      await page.getByText(`You are signed in as ${other}`).waitFor();
    });
    expect(seen.filter((one) => one.startsWith('POST'))).toEqual(['POST /account/sign-in']);
    expect(await page.locator('dialog').count()).toBe(0);
    const csv = (await client.get('/account/codes.csv')).text;
    expect([csv.includes(theirs), csv.includes('stolen')]).toEqual([true, false]);
    await own.context.clearCookies();
  });

  test('in the account of somebody else is sent in it after signing in again, and never in another', async () => {
    const email = 'answers-member@example.org';
    const member = await browser.openSignedIn(email);
    const ownId = await server.onStores(async ({ accounts, people }) => {
      const { id: accountId = 0 } = (await accounts.findByEmail('answers@example.org')) ?? {};
      const { id = 0 } = (await accounts.findByEmail(email)) ?? {};
      await people.invite(acting(accountId), newInvitation(email, { expiresAtMs: Date.now() * 2 }));
      await people.join(`to ${email}`, id, 'no session', Date.now());
      return id;
    });
    const on = member.page;
    await on.goto(`${server.origin}/account`);
    const choose = (name: string) => on.locator('#me .account', { hasText: name }).click();
    const openMenu = () => on.getByRole('button', { name: /Account answers-member/ }).click();
    await openMenu();
    await choose('answers@example.org');
    await on.getByText('In the account of').first().waitFor({ state: 'attached' });
    const change = async (url: string) => {
      await on.goto(codePath());
      await on.getByRole('link', { name: 'Change', exact: true }).click();
      await on.locator('dialog [name=url]').fill(url);
    };
    await change('https://example.org/by-the-member');
    await member.context.clearCookies();
    await press('Save', on);
    await on.getByLabel('E-mail').fill(email);
    await on.locator('dialog [name=password]').fill(password);
    await press('Sign in', on);
    await on.getByText('Destination saved.').waitFor();
    expect(await on.getByText('example.org/by-the-member').first().isVisible()).toBe(true);
    // Another tab goes to the own account.
    await change('https://example.org/not-sent');
    const tab = await member.context.newPage();
    await tab.goto(`${server.origin}/account`);
    await tab.getByRole('button', { name: /Account answers-member/ }).click();
    await tab.locator(`#me form:has([name=enter][value="${ownId}"]) button`).click();
    await tab.getByRole('heading', { name: 'Welcome to Waymark' }).waitFor();
    await press('Save', on);
    await on
      .getByRole('heading', { name: 'This form is of the account of answers@example.org' })
      .waitFor();
    expect((await own.client.get('/account/codes.csv')).text).not.toContain('not-sent');
    await tab.close();
  });

  test('of another account, signed in meanwhile in another tab, is refused over the form', async () => {
    const anna = await browser.openSignedIn('answers-anna@example.org');
    await anna.page.goto(`${server.origin}/account/new`);
    await anna.page.getByLabel('Where should it lead?').fill('https://example.org/anna');
    const ben = await signInContext(anna.context, server, 'answers-ben@example.org');
    await press('Create', anna.page);
    await anna.page.getByRole('heading', { name: 'This form is of another account' }).waitFor();
    await anna.page.getByRole('link', { name: 'Back', exact: true }).click();
    const typed = anna.page.getByLabel('Where should it lead?');
    expect(await typed.inputValue()).toBe('https://example.org/anna');
    expect((await ben.get('/account/codes.csv')).text).not.toContain('anna');
  });

  test('of an earlier session of the account can be sent again at once', async () => {
    const email = 'answers-twice@example.org';
    const again = await browser.openSignedIn(email);
    await again.page.goto(`${server.origin}/account/new`);
    await again.page.getByLabel('Where should it lead?').fill('https://example.org/twice');
    const response = await again.context.request.post(`${server.origin}/account/sign-in`, {
      form: { email, password },
      headers: { 'Sec-Fetch-Site': 'same-origin' },
    });
    expect(response.status()).toBe(200);
    await press('Create', again.page);
    await again.page.getByRole('heading', { name: 'This form is out of date' }).waitFor();
    await again.page.getByRole('link', { name: 'Back', exact: true }).click();
    await press('Create', again.page);
    await again.page.getByText('Your code is ready.').waitFor();
  });

  test('is not waited for with a file that is too large: the field says so', async () => {
    const many = await browser.openSignedIn('answers-file@example.org');
    await many.page.goto(`${server.origin}/account/batches`);
    let posts = 0;
    many.page.on('request', (request) => {
      if (request.method() === 'POST') posts++;
    });
    await many.page.getByLabel('Paste a table').fill('https://example.org/pasted');
    const file = many.page.locator('input[type=file]');
    const table = join(server.folder, 'table.csv');
    await Bun.write(table, new Uint8Array(10_000_001));
    await file.setInputFiles(table);
    const message = () =>
      many.page.evaluate<string>(`document.querySelector('input[type=file]').validationMessage`);
    expect(await message()).toBe('A file can be up to 10 MB. Choose a smaller one.');
    await press('Check the table', many.page);
    expect(posts).toBe(0);
    await file.setInputFiles([]);
    expect(await message()).toBe('');
    await press('Check the table', many.page);
    await many.page.getByText('1 row ready').waitFor();
  });

  // Playwright cannot turn scripts off in Firefox.
  test.skipIf(inFirefox)(
    'needs no script: one signs in and presses Back, where the browser kept the fields',
    async () => {
      const email = 'answers-plain@example.org';
      const context = await browser.newContext({ javaScriptEnabled: false });
      await signInContext(context, server, email);
      const plain = await context.newPage();
      await plain.goto(`${server.origin}/account/new`);
      await plain.getByLabel('Where should it lead?').fill('https://example.org/plain');
      await context.clearCookies();
      await press('Create', plain);
      await plain.getByText('Sign in, then press Back').waitFor();
      expect(await plain.getByText('Your changes are kept').isVisible()).toBe(false);
      await plain.getByLabel('E-mail').fill(email);
      await plain.locator('[name=password]').fill(password);
      const [tab] = await Promise.all([context.waitForEvent('page'), press('Sign in', plain)]);
      await tab.getByText('press Back in the one before').waitFor();
      await tab.close();
      await plain.goBack();
      expect(plain.url()).toEndWith('/account/new');
      const typed = plain.getByLabel('Where should it lead?');
      expect(await typed.inputValue()).toBe('https://example.org/plain');
      await press('Create', plain);
      await plain.getByText('Your code is ready.').waitFor();
    },
  );
});
