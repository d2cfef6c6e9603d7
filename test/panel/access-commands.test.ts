import { afterAll, describe, expect, test } from 'bun:test';
import { oneProcess, startServer } from '../support/server.ts';
import { createPanelClient, type PanelClient, password, signedIn } from './client.ts';
import { fieldOf, textOf } from './page.ts';

const server = await startServer(oneProcess);
afterAll(server.close);
const email = 'anna@example.org';

const pathOfLink = async (account: string): Promise<string> => {
  const { stdout } = await server.cli(['account', 'link', account, '--json']);
  const { link }: { link: string } = JSON.parse(stdout);
  expect(link).toStartWith(`${server.origin}/account/link/`);
  return new URL(link).pathname;
};
const redeem = async (path: string, secret = password) =>
  (await createPanelClient(server.origin).post(path, { password: secret })).status;

test('a link of the command line signs an account in, once', async () => {
  await server.addAccount(email);
  const earlier = await pathOfLink(email);
  const link = await pathOfLink(email.toUpperCase());
  expect([await redeem(earlier), await redeem(link), await redeem(link)]).toEqual([410, 303, 410]);
});

test('links of the command line have an address of the server that runs, whatever the settings say', async () => {
  await server.addAccount('owner@example.org');
  for (const command of [
    ['account', 'link', 'owner@example.org'],
    ['account', 'invite', 'owner@example.org', '--to', 'guest@example.org', '--role', 'viewer'],
  ]) {
    const { stdout } = await server.cli(command, {
      env: { WAYMARK_PUBLIC_URL: 'http://127.0.0.1:8080' },
    });
    expect(stdout).toStartWith(`${server.origin}/account/`);
  }
});

test('the command line makes an account an operator, from the next request on', async () => {
  const anna = await signedIn(server, 'olga@example.org');
  const accountsPage = async () => (await anna.get('/account/accounts')).status;
  expect(await accountsPage()).toBe(404);
  await server.cli(['account', 'operator', 'olga@example.org']);
  expect(await accountsPage()).toBe(200);
  const { exitCode, stderr } = await server.cli([
    ...['account', 'operator', 'olga@example.org', '--remove'],
  ]);
  expect([exitCode, stderr]).toEqual([0, expect.stringContaining('no account is an operator now')]);
  expect(await accountsPage()).toBe(404);
});

test.each(['link', 'operator', 'second-factor'])(
  'account %s rejects an unknown account',
  async (verb) => {
    const { exitCode, stderr } = await server.cli(['account', verb, 'eve@example.org']);
    expect([exitCode, stderr]).toEqual([1, 'waymark: There is no account eve@example.org.\n']);
  },
);

describe('five API keys in an hour are the most for an account', () => {
  const limited = /This account got 5 API keys in the last hour.* possible in \d+ minutes/;
  const command = (account: string, ...flags: string[]) =>
    server.cli(['key', 'generate', account, ...flags, '--json']);
  /** Sends the form that replaces the key, and returns the key of the page that follows. */
  const replaceKey = async (browser: PanelClient, fields: Record<string, string> = {}) => {
    const { text } = await browser.get('/account/key/replace');
    const replaces = fieldOf(text, 'replaces')?.value ?? '';
    const form = { csrf: await browser.csrf(), replaces, password, ...fields };
    const made = await browser.post('/account/key', form);
    return { ...made, key: /wmk_[0-9a-f]{40}/.exec(made.text)?.[0] ?? '' };
  };
  const works = async (key: string) => (await server.api(key).call('GET /qrs')).status === 200;

  test('in the panel and on the command line together', async () => {
    const holder = 'keys@example.org';
    const browser = await signedIn(server, holder);
    const csrf = await browser.csrf();
    const generate = () => replaceKey(browser);
    const revoke = () => browser.post('/account/key/revoke', { csrf });
    for (let made = 0; made < 3; made++) expect((await generate()).status).toBe(200);
    await revoke();
    expect((await command(holder)).exitCode).toBe(0);
    const { status, key } = await generate();
    expect(status).toBe(200);

    const refused = await generate();
    expect([refused.status, refused.text]).toEqual([429, expect.stringMatching(limited)]);
    expect(await works(key)).toBe(true);
    await revoke();
    const { exitCode, stderr } = await command(holder);
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(limited)]);
    expect((await generate()).status).toBe(429);

    // An operator is not limited, and another account has its own limit.
    const { stdout } = await command(holder, '--replace');
    expect(await works(JSON.parse(stdout).key)).toBe(true);
    await server.addAccount('other@example.org');
    expect((await command('other@example.org')).exitCode).toBe(0);
  });

  test('only with the password; the replaced key works on for a while, or until it is ended', async () => {
    const browser = await signedIn(server, 'overlap@example.org');
    const csrf = await browser.csrf();
    const generate = (fields = {}) => replaceKey(browser, fields);
    const refused = await generate({ password: 'not the password' });
    expect([refused.status, refused.text]).toEqual([
      422,
      expect.stringContaining('The current password is wrong.'),
    ]);
    const first = await generate();
    expect((await browser.get('/account/key')).text).not.toContain(first.key);
    const again = await browser.post('/account/key', { csrf, replaces: '', password });
    expect([again.status, again.text]).toEqual([
      409,
      expect.stringContaining('Nothing was changed: this page showed an earlier key.'),
    ]);
    const second = await generate({ overlap: '24' });
    expect(second.text).toContain(`<code>${first.key.slice(-4)}</code> works beside it until`);
    expect([await works(first.key), await works(second.key)]).toEqual([true, true]);
    await browser.post('/account/key/end-old', { csrf });
    expect([await works(first.key), await works(second.key)]).toEqual([false, true]);
    const third = await generate({ overlap: '0' });
    expect([await works(second.key), await works(third.key)]).toEqual([false, true]);
  });

  test('also of requests at the same moment, and after a restart', async () => {
    const holder = 'many@example.org';
    const browser = await signedIn(server, holder);
    const csrf = await browser.csrf();
    const generate = () => browser.post('/account/key', { csrf, replaces: '', password });
    const revoke = () => browser.post('/account/key/revoke', { csrf });
    let made = 0;
    for (let round = 0; round < 6; round++) {
      const responses = await Promise.all([generate(), generate(), generate()]);
      made += responses.filter(({ status }) => status === 200).length;
      await revoke();
    }
    expect(made).toBe(5);
    expect(await server.stop()).toBe(0);
    await server.start();
    expect((await generate()).status).toBe(429);
  });
});

test('the page of a new key has requests that are ready to paste, and counts them', async () => {
  const browser = await signedIn(server, 'paste@example.org');
  const form = { csrf: await browser.csrf(), replaces: '', password };
  const { text } = await browser.post('/account/key', form);
  const [, highlighted = ''] = /data-key=(.*?)<\/section>/s.exec(text) ?? [];
  const [, curl = '', script = ''] = [...highlighted.matchAll(/<code[^>]*>(.*?)<\/code>/gs)].map(
    ([, code = '']) => textOf(code),
  );
  for (const command of [
    ['sh', '-c', `${curl} --silent`],
    [process.execPath, '-e', script],
  ])
    expect(Bun.spawnSync(command).stdout.toString()).toContain('active');
  expect(textOf((await browser.get('/account/key')).text)).toMatch(/minute2 of [\d,]+ requests/);
});

describe('a one-time link ends', () => {
  const holder = 'carl@example.org';

  test('when the password is changed in the panel', async () => {
    const browser = await signedIn(server, holder);
    const link = await pathOfLink(holder);
    const change = async (present: string) =>
      browser.post('/account/settings/password', {
        csrf: await browser.csrf(),
        present,
        next: 'another few words',
      });
    expect((await change('not the password')).status).toBe(422);
    expect((await browser.get(link)).status).toBe(200);
    expect((await change(password)).status).toBe(303);
    const gone = await browser.get(link);
    expect([gone.status, gone.text]).toEqual([410, expect.stringContaining('has been changed')]);
    expect(await redeem(link)).toBe(410);
    expect((await browser.get('/account')).status).toBe(200);
  });

  test('when a command sets the password; a new link works', async () => {
    const link = await pathOfLink(holder);
    const command = ['account', 'password', holder, '--password-stdin'];
    const set = await server.cli(command, { stdin: password });
    expect(set).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('sign-in links') });
    expect(await redeem(link)).toBe(410);
    expect(await redeem(await pathOfLink(holder))).toBe(303);
  });
});

test('a password is only read from standard input', async () => {
  const { exitCode, stderr } = await server.cli(['account', 'password', email]);
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/^error: .*--password-stdin.*waymark account link anna@example\.org/);
});
