import { afterAll, describe, expect, test } from 'bun:test';
import { startServer } from '../support/server.ts';
import { createPanelClient, password, signedIn } from './client.ts';

const server = await startServer();
afterAll(server.close);
const email = 'anna@example.org';

/** A command that has to succeed; its JSON. */
async function json(...args: string[]): Promise<Record<string, unknown>> {
  const { exitCode, stdout, stderr } = await server.cli([...args, '--json']);
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  // Every command that is run here prints an object.
  return JSON.parse(stdout) as Record<string, unknown>;
}

describe('an account that was made without rights and without a password, beside the server', () => {
  const browser = createPanelClient(server.origin);
  const accountsPage = async () => (await browser.get('/account/accounts')).status;

  test('gets in by a link of the command line, which works once', async () => {
    const { stdout } = await server.cli(['account', 'create', email]);
    expect(stdout).toContain('There is no operator yet. "waymark account operator EMAIL"');
    const earlier = new URL(String((await json('account', 'link', email))['link']));
    const made = await json('account', 'link', email.toUpperCase());
    expect(made).toEqual({
      email,
      link: expect.stringMatching(/^http:\/\/[\d.:]+\/account\/link\/[0-9a-f]{64}$/),
    });
    const link = new URL(String(made['link']));
    expect(link.origin).toBe(server.origin);
    expect((await browser.post(earlier.pathname, { password })).status).toBe(410);
    expect((await browser.post(link.pathname, { password })).status).toBe(303);
    expect((await createPanelClient(server.origin).post(link.pathname, { password })).status).toBe(
      410,
    );
    expect(await accountsPage()).toBe(404);
  });

  test('manages the server from the next request on, until that is taken away', async () => {
    expect(await json('account', 'operator', email)).toEqual({ email, operator: true });
    expect(await accountsPage()).toBe(200);
    const { stdout } = await server.cli(['account', 'list']);
    expect(stdout).toBe("anna@example.org  0 QRs  The plan doesn't expire.  operator\n");
    await server.cli(['account', 'create', 'ben@example.org', '--operator']);
    const removed = await server.cli(['account', 'operator', email, '--remove']);
    expect(removed).toEqual({ exitCode: 0, stdout: `${email} is no operator.\n`, stderr: '' });
    expect(await accountsPage()).toBe(404);
  });

  test('the last operator is not taken away without a word', async () => {
    const { exitCode, stderr } = await server.cli([
      ...['account', 'operator', 'ben@example.org', '--remove'],
    ]);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: expect.stringContaining('no account is an operator now'),
    });
  });

  test('an account that is not there is refused', async () => {
    for (const verb of ['link', 'operator']) {
      const { exitCode, stderr } = await server.cli(['account', verb, 'eve@example.org']);
      expect([exitCode, stderr]).toEqual([1, 'waymark: There is no account eve@example.org.\n']);
    }
  });
});

describe('a link that was handed out', () => {
  const holder = 'carl@example.org';
  const next = 'another few words';
  const redeem = async (path: string) =>
    (await createPanelClient(server.origin).post(path, { password: 'words of a stranger' })).status;
  const linkTo = async (email: string) =>
    new URL(String((await json('account', 'link', email))['link'])).pathname;

  test('ends when its holder changes the password in the panel', async () => {
    const browser = await signedIn(server, holder);
    const before = await linkTo(holder);
    const change = async (present: string) =>
      browser.post('/account/settings/password', { csrf: await browser.csrf(), present, next });
    expect((await change('not the password')).status).toBe(422);
    expect((await browser.get(before)).status).toBe(200);
    expect((await change(password)).status).toBe(303);
    const gone = await browser.get(before);
    expect([gone.status, gone.text]).toEqual([410, expect.stringContaining('has been changed')]);
    expect(await redeem(before)).toBe(410);
    expect((await browser.get('/account')).status).toBe(200);
  });

  test('ends when a command sets the password, and one that is made afterwards works', async () => {
    const before = await linkTo(holder);
    const set = await server.cli(['account', 'password', holder, '--password-stdin'], {
      stdin: password,
    });
    expect(await redeem(before)).toBe(410);
    expect(set).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('sign-in links') });
    expect(await redeem(await linkTo(holder))).toBe(303);
  });
});

test('a password that is not on standard input: what to do instead', async () => {
  const { exitCode, stdout, stderr } = await server.cli(['account', 'password', email]);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toMatch(/^error: .*--password-stdin.*waymark account link anna@example\.org/);
});
