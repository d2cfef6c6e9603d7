import { afterAll, expect, test } from 'bun:test';
import { startServer } from '../support/server.ts';
import { createPanelClient, password, signedIn } from './client.ts';

// Behind https and below a path.
const server = await startServer({
  WAYMARK_PUBLIC_URL: 'https://qr.example.com/q',
  WAYMARK_TRUST_PROXY: '127.0.0.1',
});
afterAll(server.close);
await signedIn(server, 'anna@example.org');

test('cookies are for this host and https only', async () => {
  const client = createPanelClient(server.origin);
  const response = await client.post('/account/sign-in', { email: 'anna@example.org', password });
  const cookies = response.headers.getSetCookie();
  expect(cookies.map((cookie) => cookie.replace(/=[0-9a-f]{64};/, '=…;'))).toEqual([
    '__Host-waymark-session=…; Path=/; Max-Age=2592000; Secure; HttpOnly; SameSite=Lax',
    '__Host-waymark-device=…; Path=/; Max-Age=31536000; Secure; HttpOnly; SameSite=Lax',
  ]);
  // A cookie that another host can set does not count.
  const [, token = ''] = /=([0-9a-f]{64});/.exec(cookies[0] ?? '') ?? [];
  const other = createPanelClient(server.origin);
  other.cookies.set('waymark-session', token);
  expect((await other.get('/account')).status).toBe(303);
  expect(response.to).toBe('/q/account');
});

test.each(['', '/q'])('pages asked for at %p link below the path', async (prefix) => {
  const { text } = await createPanelClient(server.origin).get(`${prefix}/account/sign-in`);
  expect(text).toContain('action="/q/account/sign-in"');
  for (const [, path = ''] of text.matchAll(/(?:href|src)="([^"#][^"]*)"/g))
    expect(path).toStartWith('/q/account');
  const style = /href="([^"]+\.css)"/.exec(text)?.[1] ?? '';
  expect((await createPanelClient(server.origin).get(style)).status).toBe(200);
});

test('a browser that sends Origin only names the public origin', async () => {
  const client = createPanelClient(server.origin);
  const fields = { email: 'anna@example.org', password };
  const from = (Origin: string) =>
    client.post('/account/sign-in', fields, { 'Sec-Fetch-Site': null, Origin });
  const elsewhere = await from(server.origin);
  expect(elsewhere.status).toBe(403);
  expect(elsewhere.text).toContain('Open the panel at https://qr.example.com/q/account');
  expect((await from('https://qr.example.com')).status).toBe(303);
});

test('guesses are throttled by the address that the proxy saw', async () => {
  // Their passwords are cheaper to check than that of an address without an account.
  for (let at = 0; at < 6; at++) await signedIn(server, `guessed${at}@example.org`);
  const client = createPanelClient(server.origin);
  const guess = (address: string, email: string) =>
    client.post(
      '/account/sign-in',
      { email, password: 'a wrong guess' },
      { 'X-Forwarded-For': `1.2.3.4, ${address}` },
    );
  const statuses: number[] = [];
  // One attempt comes back every 20 s, and on a busy machine the guesses take that long.
  for (let tries = 0; tries < 60 && statuses.at(-1) !== 429; tries++)
    statuses.push((await guess('203.0.113.5', `guessed${tries % 6}@example.org`)).status);
  expect(statuses.slice(0, 30)).toEqual(Array(30).fill(422));
  expect(statuses.at(-1)).toBe(429);
  expect((await guess('203.0.113.6', 'nobody@example.org')).status).toBe(422);
});

test('a proxy that is no address is rejected at the start', async () => {
  await expect(startServer({ WAYMARK_TRUST_PROXY: 'nginx' })).rejects.toThrow(
    'WAYMARK_TRUST_PROXY is "nginx"',
  );
});
