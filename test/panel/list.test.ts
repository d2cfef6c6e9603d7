import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Server, startServer } from '../support/server.ts';
import { type PanelClient, signedIn } from './client.ts';

let server: Server;
let anna: PanelClient;
let codes: string[];
beforeAll(async () => {
  server = await startServer();
  anna = await signedIn(server, 'anna@example.org');
  const api = server.api(await server.generateKey('anna@example.org'));
  const made: string[] = [];
  for (let at = 0; at < 27; at++)
    made.push((await api.create(`https://example.org/${at},"quoted"`)).code);
  codes = made.reverse();
}, 120_000);
afterAll(() => server.close());

const listed = (text: string) =>
  [...text.matchAll(/<span class="code-name">([0-9a-z]{8})</g)].map(([, code]) => code ?? '');

describe('the search', () => {
  test('tells how much it found', async () => {
    const { text } = await anna.get('/account?q=/11,');
    expect(text).toContain('1 code found.');
  });

  test('passes over blanks around what was typed', async () => {
    expect(listed((await anna.get('/account?q=%20/11,+')).text)).toEqual(codes.slice(15, 16));
  });
});

describe('the list', () => {
  test('has pages, newest first', async () => {
    const first = await anna.get('/account');
    expect(listed(first.text)).toEqual(codes.slice(0, 25));
    expect(first.text).toContain('Page 1 of 2');
    const second = await anna.get('/account?page=2');
    expect(listed(second.text)).toEqual(codes.slice(25));
    expect(first.text).toContain('href="/account?page=2"');
    expect(second.text).not.toContain('page=3');
  });

  test.each([
    ['', 'Codes'],
    ['?page=2', 'Codes, page 2'],
    ['?q=/11,', 'Codes: /11,'],
    ['?q=example.org&page=2', 'Codes: example.org, page 2'],
  ])('names itself by what it shows: %p', async (query, title) => {
    expect((await anna.get(`/account${query}`)).text).toContain(
      `<title>${title} · Waymark</title>`,
    );
  });

  test('says so where there is no such page', async () => {
    for (const query of ['page=9', 'page=9&q=example.org']) {
      const { text } = await anna.get(`/account?${query}`);
      expect(text).toContain('The list has no such page.');
      expect(text).not.toContain('Page 9');
    }
  });

  test.each(['0', '-1', 'x', '1e9', '', '9'.repeat(400)])('page %p is no failure', async (page) => {
    expect((await anna.get(`/account?page=${page}`)).status).toBe(200);
  });

  test('keeps the search from page to page', async () => {
    const { text } = await anna.get('/account?q=EXAMPLE.org');
    expect(text).toContain('href="/account?q=EXAMPLE.org&amp;page=2"');
    expect(listed(text)).toEqual(codes.slice(0, 25));
    const second = await anna.get('/account?q=EXAMPLE.org&page=2');
    expect(listed(second.text)).toEqual(codes.slice(25));
    expect(second.text).not.toContain('page=3');
  });
});

test('the export has every code once, quoted where needed', async () => {
  const { text, headers } = await anna.get('/account/codes.csv');
  expect(headers.get('content-disposition')).toMatch(
    /^attachment; filename="waymark-codes-.*\.csv"$/,
  );
  const lines = text.trimEnd().split('\r\n').slice(1);
  expect(lines.map((line) => line.slice(0, 8))).toEqual(codes);
  expect(lines[0]).toContain('"https://example.org/26,""quoted"""');
});

test('a code whose destination changes all the time shows the latest', async () => {
  const api = server.api(await server.generateKey('anna@example.org'));
  const { code } = await api.create('https://example.org/0');
  for (let change = 1; change <= 51; change++)
    await api.call(`PATCH /qrs/${code}`, { url: `https://example.org/${change}` });
  const { text } = await anna.get(`/account/codes/${code}`);
  expect(text).toContain('The latest 50 are shown.');
  expect(text).toContain('>https://example.org/50<');
  expect(text).toContain('>https://example.org/1<');
  expect(text).not.toContain('>https://example.org/0<');
});

describe('a form that is sent twice', () => {
  test('creates one code', async () => {
    const csrf = await anna.csrf();
    const attempt = 'a'.repeat(64);
    const send = () =>
      anna.post('/account/codes', { csrf, attempt, url: 'https://example.org/once' });
    const [first, second] = [await send(), await send()];
    expect(second.to).toBe(first.to ?? '');
    expect(listed((await anna.get('/account?q=once')).text)).toHaveLength(1);
  });
});
