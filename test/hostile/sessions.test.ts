import { Database } from 'bun:sqlite';
import { afterAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import {
  createPanelClient,
  type PanelClient,
  password,
  signedIn,
  signIn,
} from '../panel/client.ts';
import { startServer } from '../support/server.ts';

// Security checks 20 and 25 (ASVS 7.2.4, 11.4.2); test/panel/attacks.test.ts has 21 to 24.
const server = await startServer();
afterAll(server.close);
const email = 'anna@example.org';
await signedIn(server, email);

describe('security check 20: session fixation', () => {
  test('signing in replaces a planted token', async () => {
    const planted = 'f'.repeat(64);
    const victim = createPanelClient(server.origin);
    victim.cookies.set('waymark-session', planted);
    expect((await victim.post('/account/sign-in', { email, password })).status).toBe(303);
    expect(victim.cookies.get('waymark-session')).toMatch(/^[0-9a-f]{64}$/);
    expect(victim.cookies.get('waymark-session')).not.toBe(planted);

    const attacker = createPanelClient(server.origin);
    attacker.cookies.set('waymark-session', planted);
    expect((await attacker.get('/account')).to).toBe('/account/sign-in');
  });

  test.each(['', 'x', 'f'.repeat(63), 'F'.repeat(64), `${'f'.repeat(64)}0`, '../../x', '%00'])(
    'a token of %j is not signed in',
    async (token) => {
      const client = createPanelClient(server.origin);
      client.cookies.set('waymark-session', token);
      expect((await client.get('/account')).to).toBe('/account/sign-in');
    },
  );
});

test('security check 25: passwords are stored as argon2id with 19 MiB and their own salt', async () => {
  for (const holder of ['salt1@example.org', 'salt2@example.org'])
    await server.cli(['account', 'create', holder, '--password-stdin'], { stdin: password });
  const database = new Database(join(server.dataFolder, 'waymark.db'), { readonly: true });
  const select = "SELECT password_hash FROM accounts WHERE email LIKE 'salt%'";
  const kept = database.query(select).values().flat().map(String);
  database.close();
  expect(kept).toHaveLength(2);
  // OWASP, "Password Storage": at least 19 MiB with two rounds.
  for (const hash of kept) expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(new Set(kept).size).toBe(2);
});

describe('a session ends when its browser gets a new one', () => {
  /** Signs in, replaces the session, and returns where the first token is redirected to. */
  const afterwards = async (replace: (browser: PanelClient) => Promise<{ status: number }>) => {
    const browser = await signIn(server, email);
    const thief = createPanelClient(server.origin);
    for (const [name, value] of browser.cookies) thief.cookies.set(name, value);
    expect((await thief.get('/account')).status).toBe(200);
    expect((await replace(browser)).status).toBe(303);
    expect((await browser.get('/account')).status).toBe(200);
    return (await thief.get('/account')).to;
  };

  test('by a password, which creates another token', async () => {
    const fields = { email, password };
    expect(await afterwards((browser) => browser.post('/account/sign-in', fields))).toBe(
      '/account/sign-in',
    );
  });

  test('by a one-time link of another account', async () => {
    await server.cli(['account', 'create', 'ben@example.org']);
    const { stdout } = await server.cli(['account', 'link', 'ben@example.org', '--json']);
    const link = /\/account\/link\/[0-9a-f]{64}/.exec(stdout)?.[0] ?? '';
    expect(await afterwards((browser) => browser.post(link, { password }))).toBe(
      '/account/sign-in',
    );
  });
});
