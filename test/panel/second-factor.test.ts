import { afterAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { oneProcess, startServer } from '../support/server.ts';
import { createPanelClient, type PanelClient, password, signedIn, signIn } from './client.ts';
import { fieldOf, headingOf, textOf } from './page.ts';
import { codeOf, recoveryCodesOf, turnOn } from './second-factor.ts';

const server = await startServer(oneProcess);
afterAll(server.close);
const operator = await signedIn(server, 'olga@example.org', { isOperator: true });

const page = '/account/settings/second-factor';
const visitor = () => createPanelClient(server.origin);
const wrong = 'This code is wrong, or was used already.';
const isSignedIn = async (client: PanelClient) => (await client.get('/account')).status === 200;

/** Returns the page of the only account in a list. */
const pathIn = (list: string) => /\/account\/accounts\/\d+/.exec(list)?.[0] ?? '';

/** Gives the right password, and returns how to send codes. */
async function passPassword(client: PanelClient, email: string, fields = {}) {
  const asked = await client.post('/account/sign-in', { email, password, ...fields });
  const proof = fieldOf(asked.text, 'proof')?.value ?? '';
  const next = fieldOf(asked.text, 'next')?.value ?? '';
  const again = fieldOf(asked.text, 'again')?.value ?? '';
  const send = (code: string) => client.post('/account/sign-in/code', { proof, next, again, code });
  return { asked, proof, send };
}

/** Creates an account with a second factor. */
async function withFactor(email: string) {
  const browser = await signedIn(server, email);
  return { browser, email, ...(await turnOn(browser, password)) };
}

test('turning it on needs the code of the app and the password, and stores nothing before', async () => {
  const browser = await signedIn(server, 'on@example.org');
  const key = await server.generateKey('on@example.org');
  const shown = (await browser.get(page)).text;
  expect(shown).toContain('src="data:image/svg+xml;base64,');
  const secret = fieldOf(shown, 'secret')?.value ?? '';
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  const right = { csrf: await browser.csrf(), secret, code: codeOf(secret), password };
  for (const [fields, status, problem] of [
    [{ password: 'not the password' }, 422, 'The current password is wrong.'],
    [{ code: '000000' }, 422, 'This is not the code that the app shows.'],
    [{ code: '' }, 422, 'This is not the code that the app shows.'],
    [{ secret: 'short' }, 422, 'Open the page of the second factor again.'],
    [{ csrf: 'x' }, 403, 'out of date'],
  ] as const) {
    const answer = await browser.post(page, { ...right, ...fields });
    expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(problem)]);
    // The app has this secret, so it stays.
    if (status === 422 && !('secret' in fields))
      expect(fieldOf(answer.text, 'secret')?.value).toBe(secret);
  }
  expect(await isSignedIn(await signIn(server, 'on@example.org'))).toBe(true);

  const on = await browser.post(page, right);
  const codes = recoveryCodesOf(on.text);
  expect(codes).toHaveLength(10);
  // Printed codes name what they are for.
  expect(textOf(on.text)).toContain(`For on@example.org at ${server.origin}`);
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) expect(code).toMatch(/^([0-9a-f]{5}-){3}[0-9a-f]{5}$/);
  expect((await browser.get(page)).text).toContain('10 recovery codes are left.');
  // API keys and the session of before need no code.
  expect((await server.api(key).call('GET /qrs')).status).toBe(200);
  expect(await isSignedIn(browser)).toBe(true);
  // A page that was reloaded changes nothing.
  const again = await browser.post(page, right);
  expect([again.status, again.text]).toEqual([422, expect.stringContaining('is on already')]);
  expect((await browser.get('/account/settings')).text).toContain('10 recovery codes are left.');
  const stored = join(server.folder, 'stored.db');
  await server.cli(['backup', stored]);
  const bytes = await Bun.file(stored).text();
  expect(bytes.includes(secret)).toBe(false);
  for (const code of codes) expect(bytes).not.toContain(code.replaceAll('-', ''));
});

describe('signing in', () => {
  test('needs a code after the password, each once', async () => {
    const { email, secret } = await withFactor('in@example.org');
    const client = visitor();
    expect((await client.post('/account/sign-in', { email, password: 'wrong' })).text).toContain(
      'Wrong e-mail or password.',
    );
    const { asked, send } = await passPassword(client, email, { next: '/account/codes' });
    expect([asked.status, headingOf(asked.text)]).toEqual([200, 'One more step']);
    expect([client.cookies.size, await isSignedIn(client)]).toEqual([0, false]);
    for (const code of ['', '000000', 'wrong "<i>"', codeOf(secret, 9), '0'.repeat(20)]) {
      const refused = await send(code);
      expect([refused.status, refused.text]).toEqual([422, expect.stringContaining(wrong)]);
      expect(client.cookies.size).toBe(0);
    }
    const code = codeOf(secret, 1);
    const entered = await send(` ${code.slice(0, 3)} ${code.slice(3)} `);
    expect([entered.status, entered.to]).toEqual([303, '/account/codes']);
    expect(await isSignedIn(client)).toBe(true);

    const thief = visitor();
    const replayed = await (await passPassword(thief, email)).send(code);
    expect([replayed.status, replayed.text]).toEqual([422, expect.stringContaining(wrong)]);
    expect(await isSignedIn(thief)).toBe(false);
  });

  test('accepts a recovery code once, and says how many are left', async () => {
    const { email, recoveryCodes } = await withFactor('recover@example.org');
    const [first = '', second = ''] = recoveryCodes;
    const client = visitor();
    await (await passPassword(client, email)).send(first);
    expect((await client.get('/account')).text).toContain(
      'You signed in with a recovery code. 9 are left.',
    );
    const other = visitor();
    const { send } = await passPassword(other, email);
    expect((await send(first)).status).toBe(422);
    // As somebody types it from paper.
    expect((await send(second.replaceAll('-', ' ').toUpperCase())).status).toBe(303);

    for (const line of [
      'second factor turned on address="127.0.0.1" by="recover@example.org"',
      'second factor asked for address="127.0.0.1" account="recover@example.org"',
      'warn sign-in failed address="127.0.0.1" account="recover@example.org" throttled=false second_factor=true',
      'signed in address="127.0.0.1" account="recover@example.org" second_factor="recovery code"',
    ])
      expect(server.log()).toContain(line);
    for (const code of recoveryCodes) expect(server.log()).not.toContain(code);
  });

  test('starts again with a proof that is not the one of a right password', async () => {
    const { email, secret } = await withFactor('proof@example.org');
    const client = visitor();
    const { proof } = await passPassword(client, email);
    for (const madeUp of ['', email, proof.slice(1), proof.toUpperCase()]) {
      const code = codeOf(secret, 1);
      const { status, text } = await client.post('/account/sign-in/code', { proof: madeUp, code });
      expect([status, headingOf(text)]).toEqual([401, 'Sign in']);
      expect(text).toContain('The code came too late, or your password has been changed.');
    }
    expect(client.cookies.size).toBe(0);
  });
});

test('a one-time link needs no code to set the password, but it signs nobody in', async () => {
  const { browser, email, secret } = await withFactor('link@example.org');
  const { stdout } = await server.cli(['account', 'link', email, '--json']);
  const link = /\/account\/link\/[0-9a-f]{64}/.exec(stdout)?.[0] ?? '';
  const client = visitor();
  const set = await client.post(link, { password: 'another few words' });
  expect([set.status, headingOf(set.text)]).toEqual([200, 'One more step']);
  expect([await isSignedIn(client), await isSignedIn(browser)]).toEqual([false, false]);
  const proof = fieldOf(set.text, 'proof')?.value ?? '';
  const code = codeOf(secret, 1);
  expect((await client.post('/account/sign-in/code', { proof, code })).to).toBe('/account');
  expect(await isSignedIn(client)).toBe(true);
});

describe('changing it', () => {
  test('needs the password and a code: new recovery codes, and turning off', async () => {
    const { browser, email, secret, recoveryCodes } = await withFactor('change@example.org');
    const [first = '', second = ''] = recoveryCodes;
    const csrf = await browser.csrf();
    for (const path of [`${page}/recovery-codes`, `${page}/off`])
      for (const [fields, problem] of [
        [{ password: 'not the password', code: first }, 'The current password is wrong.'],
        [{ password, code: '000000' }, wrong],
        [{ password, code: '' }, wrong],
      ] as const) {
        const { status, text } = await browser.post(path, { csrf, ...fields });
        expect([status, text]).toEqual([422, expect.stringContaining(problem)]);
      }
    const renewed = await browser.post(`${page}/recovery-codes`, { csrf, password, code: first });
    const next = recoveryCodesOf(renewed.text);
    expect([renewed.status, next.length]).toEqual([200, 10]);
    const off = (code: string) => browser.post(`${page}/off`, { csrf, password, code });
    expect((await off(second)).status).toBe(422);
    expect((await off(next[0] ?? '')).to).toBe('/account/settings');
    expect((await browser.get('/account/settings')).text).toContain('The second factor is off.');
    expect(await isSignedIn(await signIn(server, email))).toBe(true);
    // Another one has another secret.
    expect(fieldOf((await browser.get(page)).text, 'secret')?.value).not.toBe(secret);
  });

  test('is possible for an operator', async () => {
    const { browser, email } = await withFactor('lost@example.org');
    const list = (await operator.get(`/account/accounts?q=${email}`)).text;
    expect(list).toContain('Second factor</span>');
    const path = pathIn(list);
    const reset = async () =>
      operator.post(`${path}/second-factor`, { csrf: await operator.csrf() });
    expect((await passPassword(visitor(), email)).proof).not.toBe('');
    expect((await reset()).to).toBe(path);
    expect((await operator.get(path)).text).not.toContain(`${path}/second-factor`);
    expect(await isSignedIn(await signIn(server, email))).toBe(true);
    expect(server.log()).toMatch(/second factor reset address="127.0.0.1" account="lost@/);
    expect((await browser.post(`${page}/off`, { csrf: await browser.csrf() })).status).toBe(422);
    const own = pathIn((await operator.get('/account/accounts?q=olga')).text);
    const form = { csrf: await operator.csrf() };
    const refused = await operator.post(`${own}/second-factor`, form);
    expect([refused.status, refused.text]).toEqual([
      422,
      expect.stringContaining('in the settings, with a code'),
    ]);
  });

  test('is possible on the command line, which shows whether it is on', async () => {
    const { email } = await withFactor('cli@example.org');
    const json = async (...args: string[]) =>
      JSON.parse((await server.cli([...args, '--json'])).stdout);
    expect(await json('account', 'show', email)).toMatchObject({ second_factor: true });
    const table = (await server.cli(['account', 'list'])).stdout;
    expect(table).toMatch(/cli@example\.org +0 .* on\n/);
    const show = ['account', 'second-factor', email];
    expect((await server.cli(show)).stdout).toBe(`The second factor of ${email} is on.\n`);
    expect(await json(...show, '--reset')).toEqual({ email, second_factor: false });
    expect(await json(...show)).toEqual({ email, second_factor: false });
    expect(await isSignedIn(await signIn(server, email))).toBe(true);
  });
});

test('a restored backup has it', async () => {
  const { email } = await withFactor('backup@example.org');
  const file = join(server.folder, 'backup.db');
  expect((await server.cli(['backup', file])).exitCode).toBe(0);
  const env = await server.otherDatabase('restored');
  const restored = await server.cli(['restore', file], { env });
  expect(restored).toMatchObject({ exitCode: 0 });
  const { stdout } = await server.cli(['account', 'show', email, '--json'], { env });
  expect(JSON.parse(stdout)).toMatchObject({ second_factor: true });
});

test('guesses of the code are limited per account, together with those of the password', async () => {
  const { email, recoveryCodes } = await withFactor('guessed@example.org');
  const { send } = await passPassword(visitor(), email);
  const statuses: number[] = [];
  while (statuses.at(-1) !== 429 && statuses.length < 20)
    statuses.push((await send('000000')).status);
  expect(statuses).toEqual([...Array(10).fill(422), 429]);
  const refused = await send(recoveryCodes[0] ?? '');
  expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([
    429,
    expect.any(Number),
  ]);
  expect(refused.text).toContain('Too many attempts. Wait');
  expect((await visitor().post('/account/sign-in', { email, password })).status).toBe(429);
});

test('the next sign-in names what a thief would have done since the last one of this browser', async () => {
  const { email, secret } = await withFactor('noticed@example.org');
  const notice = 'Since your last sign-in here';
  const first = visitor();
  expect((await (await passPassword(first, email)).send(codeOf(secret, 1))).status).toBe(303);
  const thief = visitor();
  const { send } = await passPassword(thief, email);
  for (let tries = 0; tries < 3; tries++) await send('000000');
  await server.cli(['account', 'link', email]);
  await server.generateKey(email);
  await server.cli(['account', 'second-factor', email, '--reset']);
  const signedInAgain = await thief.post('/account/sign-in', { email, password });
  expect(signedInAgain.status).toBe(303);
  expect(textOf((await thief.get('/account')).text)).toContain(notice);
  await first.post('/account/sign-in', { email, password });
  const told = textOf((await first.get('/account')).text);
  expect(told).toContain(notice);
  expect(told).toContain('3 wrong codes of the second factor. 1 one-time link to sign in.');
  expect(told).toMatch(/New on [^.]+\. If that was not you, change your password\./);
  await first.post('/account/sign-in', { email, password });
  expect(textOf((await first.get('/account')).text)).not.toContain(notice);
});
