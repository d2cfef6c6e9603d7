import { afterAll, describe, expect, test } from 'bun:test';
import { oneProcess, startServer } from '../support/server.ts';
import { visit } from '../support/visit.ts';
import { createCode, createPanelClient, type PanelClient, password, signedIn } from './client.ts';
import { fieldOf, headingOf, linkOf, parsePage, sentFields, textOf } from './page.ts';
import { turnOn } from './second-factor.ts';

const server = await startServer(oneProcess);
afterAll(server.close);
const operator = await signedIn(server, 'olga@example.org', { isOperator: true });

const pathOf = async (email: string) => {
  const { text } = await operator.get(`/account/accounts?q=${email}`);
  return /\/account\/accounts\/\d+/.exec(text)?.[0] ?? '';
};
const setPlan = async (email: string, plan: string) =>
  operator.post(`${await pathOf(email)}/plan`, { csrf: await operator.csrf(), plan });

test('an operator creates an account, whose link sets a password once', async () => {
  const form = { csrf: await operator.csrf(), email: 'ben@example.org', plan: '2099-12-31' };
  const created = await operator.post('/account/accounts', form);
  expect(created.text).toContain('31 Dec 2099');
  const link = /\/account\/link\/[0-9a-f]{64}/.exec(created.text)?.[0] ?? '';
  const ben = createPanelClient(server.origin);
  expect((await ben.get(link)).text).toContain('For ben@example.org.');
  const short = await ben.post(link, { password: 'short' });
  expect([short.status, short.text]).toEqual([422, expect.stringContaining('10 characters')]);
  for (const guess of ['qwertyuiop', 'ben@example.org']) {
    const { status, text } = await ben.post(link, { password: guess });
    expect([status, text]).toEqual([422, expect.stringContaining('Choose another')]);
  }
  expect((await ben.post(link, { password })).to).toBe('/account');
  expect((await ben.get('/account')).text).not.toContain('/account/accounts');
  const used = await ben.get(link);
  expect([used.status, used.text]).toEqual([410, expect.stringContaining('no longer valid')]);
});

test.each([
  ['no e-mail', '2099-12-31', 'This is not an e-mail address.'],
  ['nina@müller..example', '2099-12-31', 'This is not an e-mail address.'],
  ['nina@example.org', '2099-02-31', 'This is not a date.'],
  ['OLGA@example.org', '2099-12-31', 'There is already an account olga@example.org.'],
])('an account that cannot be created: %s, %p', async (email, plan, problem) => {
  const form = { csrf: await operator.csrf(), email, plan, operator: 'yes' };
  const { status, text } = await operator.post('/account/accounts', form);
  expect([status, text]).toEqual([422, expect.stringContaining(problem)]);
  expect((await operator.get('/account/accounts?q=nina')).text).toContain('No accounts found');
});

test.each([
  // Version 1.1 stored addresses that browsers do not accept.
  ['jörg@müller_.example', ' JÖRG@müller_.example'],
  // Chromium turns the domain into letters of ASCII in a field for e-mail addresses.
  ['anna@xn--mller-kva.example', 'Anna@Müller.example'],
])('%p signs in as %p', async (email, typed) => {
  const passwordHash = await Bun.password.hash(password);
  await server.addAccount(email, { passwordHash });
  const browser = createPanelClient(server.origin);
  // A field for e-mail addresses would refuse it, or send another form of it.
  const field = fieldOf((await browser.get('/account/sign-in')).text, 'email');
  expect(field).toMatchObject({ type: 'text' });
  const entered = await browser.post('/account/sign-in', { email: typed, password });
  expect(entered.to).toBe('/account');
});

test('accounts are found by a part of their e-mail, ignoring case', async () => {
  const isFound = async (search: string) => {
    const { text } = await operator.get(`/account/accounts?${new URLSearchParams({ q: search })}`);
    return linkOf(text, 'olga@example.org') !== undefined;
  };
  expect(await isFound(' OLGA@Exa ')).toBe(true);
  expect(await isFound('olgb')).toBe(false);
});

test('what was searched for stays when a new account is rejected', async () => {
  const { text } = await operator.get('/account/accounts?q=olga');
  const forms = parsePage(text).forms.filter(({ method }) => method === 'post');
  const form = forms.find(({ fields }) => fields.some(({ name }) => name === 'plan'));
  const typed = { csrf: await operator.csrf(), email: 'no address', plan: '2030-01-01' };
  const rejected = await operator.post(form?.action ?? '', typed);
  expect([rejected.status, fieldOf(rejected.text, 'q')?.value]).toEqual([422, 'olga']);
  expect(fieldOf(rejected.text, 'plan')?.value).toBe('2030-01-01');
});

test('an operator signs an account out everywhere', async () => {
  const dora = await signedIn(server, 'dora@example.org');
  const page = await pathOf('dora@example.org');
  expect(textOf((await operator.get(page)).text)).toContain('API keynone');
  await operator.post(`${page}/sign-out`, { csrf: await operator.csrf() });
  expect((await dora.get('/account')).to).toContain('/account/sign-in');
  const { text } = await operator.get(page);
  expect(textOf(text)).toContain('The account is signed out everywhere.');
});

test('after the end of a plan, codes still redirect, and nothing new can be created', async () => {
  const carl = await signedIn(server, 'carl@example.org');
  const code = await createCode(carl, 'https://example.org/still');
  expect((await setPlan('carl@example.org', '12027-01-31')).status).toBe(422);
  expect((await setPlan('carl@example.org', '2026-01-31')).to).toMatch(
    /^\/account\/accounts\/\d+$/,
  );
  expect((await operator.get('/account/accounts')).text).toContain('Plan saved.');
  const { text } = await carl.get('/account');
  expect(text).toContain('Your plan expired on 31 Jan 2026');
  expect(text).not.toContain('New code');
  expect((await visit(`${server.origin}/${code}`)).to).toBe('https://example.org/still');

  const csrf = await carl.csrf();
  const form = { csrf, url: 'https://example.org/new' };
  for (const path of ['/account/codes', `/account/codes/${code}/destination`])
    expect((await carl.post(path, form)).status).toBe(402);
  expect((await carl.post('/account/key', { csrf, replaces: '' })).status).toBe(402);
  expect((await carl.post(`/account/codes/${code}/pause`, { csrf })).status).toBe(303);
  expect((await carl.get(`/account/codes/${code}/image.png`)).status).toBe(200);

  await setPlan('carl@example.org', '');
  expect((await carl.get('/account')).text).not.toContain('Your plan expired');
});

describe('a form whose session has ended', () => {
  const url = 'https://example.org/kept?a=1&b=ü';
  const signInHere = (client: PanelClient, shown: string, email: string, typed = password) => {
    const form = parsePage(shown).forms.find(({ action }) => action === '/account/sign-in');
    return client.post('/account/sign-in', { ...sentFields(form), email, password: typed });
  };

  test('is answered with 401 and the sign-in form, and nothing that was typed is in the page', async () => {
    const visitor = createPanelClient(server.origin);
    const typed = { url, name: 'typed <b>', password, present: password };
    for (const path of ['/account/codes', '/account/key', '/account/settings/password']) {
      const { status, text } = await visitor.post(path, typed);
      expect([status, headingOf(text)]).toEqual([401, 'Sign in again']);
      expect(textOf(text)).toContain('Nothing was changed. Sign in, then press Back.');
      for (const secret of ['example.org/kept', 'typed', password])
        expect(text).not.toContain(secret);
    }
  });

  test('is not sent by signing in, neither in the same account nor in another one', async () => {
    for (const email of ['ended@example.org', 'next@example.org']) {
      const owner = await signedIn(server, email);
      const visitor = createPanelClient(server.origin);
      const refused = await visitor.post('/account/codes', { url });
      const wrong = await signInHere(visitor, refused.text, email, 'not the password');
      expect([wrong.status, headingOf(wrong.text)]).toEqual([422, 'Sign in again']);
      const { to } = await signInHere(visitor, wrong.text, email);
      expect(to).toBe('/account/codes');
      expect((await visitor.get('/account/codes')).text).toContain('press Back in the one before');
      expect((await owner.get('/account/codes.csv')).text).not.toContain('kept');
    }
  });

  test('says so when another account has signed in, with a second factor too', async () => {
    const other = await signedIn(server, 'other@example.org');
    const { recoveryCodes } = await turnOn(other, password);
    const owner = await signedIn(server, 'first@example.org');
    const account = fieldOf((await owner.get('/account/new')).text, 'account')?.value ?? '';
    const visitor = createPanelClient(server.origin);
    const fields = { email: 'other@example.org', password, next: '/account/key', again: account };
    const asked = await visitor.post('/account/sign-in', fields);
    const form = parsePage(asked.text).forms.find(({ action }) => action.endsWith('/code'));
    const sent = { ...sentFields(form), code: recoveryCodes[0] ?? '' };
    const { to } = await visitor.post('/account/sign-in/code', sent);
    expect(to).toBe('/account');
    expect(textOf((await visitor.get('/account')).text)).toContain(
      'You are signed in as other@example.orgThe form was of another account.',
    );
  });
});

describe('a form', () => {
  test('names its account, and another account cannot send it, whatever it is', async () => {
    const anna = await signedIn(server, 'names-anna@example.org');
    const ben = await signedIn(server, 'names-ben@example.org');
    const code = await createCode(ben, 'https://example.org/ben');
    const { forms } = parsePage((await anna.get('/account/new')).text);
    const posted = forms.filter(({ method }) => method === 'post');
    const account = fieldOf((await anna.get('/account/new')).text, 'account')?.value ?? '';
    expect(posted.map((form) => sentFields(form)['account'])).toEqual(posted.map(() => account));
    const csrf = await ben.csrf();
    const before = (await ben.get('/account/codes.csv')).text;
    for (const [path, fields] of [
      ['/account/codes', { url: 'https://example.org/anna' }],
      [`/account/codes/${code}/archive`, {}],
      [`/account/codes/${code}/destination`, { url: 'https://example.org/anna' }],
      ['/account/selection/apply', { all: 'yes', do: 'pause' }],
    ] as const) {
      const { status, text } = await ben.post(path, { csrf, account, ...fields });
      expect([status, headingOf(text)]).toEqual([403, 'This form is of another account']);
      expect(textOf(text)).toContain('you are now signed in as names-ben@example.org');
    }
    expect((await ben.get('/account/codes.csv')).text).toBe(before);
  });

  test('of a page of the version before, which names no account, is sent', async () => {
    const client = await signedIn(server, 'before@example.org');
    const fields = { csrf: await client.csrf(), url: 'https://example.org/before' };
    expect((await client.post('/account/codes', fields)).status).toBe(303);
  });

  test('of an earlier session of the account is not sent, and can be after going back', async () => {
    const email = 'again@example.org';
    const client = await signedIn(server, email);
    const csrf = await client.csrf();
    await client.post('/account/sign-in', { email, password });
    const { status, text } = await client.post('/account/codes', { csrf, url: 'example.org' });
    expect([status, headingOf(text)]).toEqual([403, 'This form is out of date']);
    expect(text).not.toContain('value="example.org"');
  });
});

describe('deleting an account', () => {
  const formOf = async (client: PanelClient, email: string, fields: Record<string, string>) => ({
    csrf: await client.csrf(),
    email,
    password,
    ...fields,
  });

  test('an operator sees what it costs, and gives its codes to another account', async () => {
    const gone = await signedIn(server, 'gone@example.org');
    const taker = await signedIn(server, 'taker@example.org');
    const code = await createCode(gone, 'https://example.org/given');
    await visit(`${server.origin}/${code}`);
    const image = await (await gone.get(`/account/codes/${code}/image.svg`)).text;
    const path = `${await pathOf('gone@example.org')}/delete`;
    const shown = await operator.get(path);
    expect(shown.text).toContain('It has 1 printed code. It was scanned once in the last 30 days');
    for (const text of [
      'Account that gets it',
      'It keeps working.',
      'It keeps redirecting',
      'People who scan it read',
    ])
      expect(shown.text).toContain(text);
    // Nobody is chosen at first.
    expect(shown.text).toContain('<option value selected>Choose an account…</option>');
    const recipient = (await pathOf('taker@example.org')).split('/').at(-1) ?? '';
    const give = { codes: 'give', recipient };
    for (const [fields, problem] of [
      [{ email: 'other@example.org' }, 'Type gone@example.org to confirm'],
      [{ recipient: '1e9' }, 'Choose an account of the list.'],
      [{ recipient: '' }, 'Choose who gets the codes.'],
      [{ codes: 'burn' }, 'Choose what happens to the codes.'],
    ] as const) {
      const form = await formOf(operator, 'gone@example.org', { ...give, ...fields });
      const { status, text } = await operator.post(path, form);
      expect([status, text]).toEqual([422, expect.stringContaining(problem)]);
    }
    const form = await formOf(operator, 'gone@example.org', give);
    expect((await operator.post(path, form)).to).toBe('/account/accounts');
    expect((await gone.get('/account')).to).toContain('/account/sign-in');
    expect((await taker.get(`/account/codes/${code}/image.svg`)).text).toBe(image);
    expect((await visit(`${server.origin}/${code}`)).to).toBe('https://example.org/given');
  });

  test('an owner deletes the own account and stops its codes, whose page says so', async () => {
    const owner = await signedIn(server, 'owner@example.org');
    const code = await createCode(owner, 'https://example.org/stopped');
    const { text } = await owner.get('/account/settings/delete');
    expect(text).toContain('This code leads nowhere any more');
    // Only operators know who has an account.
    expect(text).not.toContain('olga@example.org');
    const form = await formOf(owner, 'owner@example.org', { codes: 'give', recipient: '1' });
    expect((await owner.post('/account/settings/delete', form)).status).toBe(422);
    const guess = { ...form, codes: 'stop', password: 'not the password' };
    expect((await owner.post('/account/settings/delete', guess)).text).toContain(
      'The current password is wrong.',
    );
    const deleted = await owner.post('/account/settings/delete', { ...form, codes: 'stop' });
    expect(deleted.to).toContain('/account/sign-in');
    const said = (await owner.get('/account/sign-in')).text.includes('Your account is deleted.');
    // On a busy machine, the owner is signed out before the page that waits has the result.
    expect(said).toBe(deleted.headers.getSetCookie().length > 0);
    const page = await fetch(`${server.origin}/${code}`);
    expect([page.status, await page.text()]).toEqual([
      410,
      expect.stringContaining('This code leads nowhere any more'),
    ]);
  });

  test('an operator reads of the own account as such', async () => {
    const listed = (await operator.get('/account/accounts')).text;
    expect(listed).toMatch(/<table class="accounts">.*<th scope="col">Account<\/th>/s);
    expect(textOf(listed)).toMatch(/olga@example\.orgYour account/);
    const path = await pathOf('olga@example.org');
    const shown = textOf((await operator.get(path)).text);
    expect(shown).toContain('Your account');
    expect(shown).toMatch(/You have (no codes|\d+ printed codes?)/);
    expect(shown).not.toMatch(/\b(them|their|its codes)\b/);
    await signedIn(server, 'to-give@example.org');
    const owner = await signedIn(server, 'given@example.org');
    await createCode(owner, 'https://example.org/give');
    const asked = (await operator.get(`${await pathOf('given@example.org')}/delete`)).text;
    expect(textOf(asked)).toContain('your account, olga@example.org');
  });

  test('the only operator stays', async () => {
    const form = await formOf(operator, 'olga@example.org', { codes: 'keep' });
    const { status, text } = await operator.post('/account/settings/delete', form);
    expect([status, text]).toEqual([422, expect.stringContaining('is the only operator')]);
  });
});
