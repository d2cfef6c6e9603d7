import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Holder, type Server, startServer } from '../support/server.ts';
import { visit } from '../support/visit.ts';

const maxPageBytes = 8000;
const languages = {
  ...{ ar: 'rtl', cs: 'ltr', de: 'ltr', el: 'ltr', en: 'ltr', es: 'ltr', fa: 'rtl', fr: 'ltr' },
  ...{ he: 'rtl', hi: 'ltr', hu: 'ltr', it: 'ltr', ja: 'ltr', ko: 'ltr', nl: 'ltr', pl: 'ltr' },
  ...{ pt: 'ltr', ro: 'ltr', ru: 'ltr', sv: 'ltr', tr: 'ltr', uk: 'ltr' },
  ...{ 'zh-Hans': 'ltr', 'zh-Hant': 'ltr' },
};

let server: Server;
let holder: Holder;
/** Addresses of the pages, with their status. */
const pages: Record<string, { url: string; status: number }> = {};
beforeAll(async () => {
  server = await startServer();
  holder = await server.account();
  const { api } = holder;
  const command = async (...args: string[]) => {
    const { exitCode, stderr } = await server.cli(args);
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  };
  const paused = await api.create('https://example.org/paused');
  await command('code', 'pause', paused.code);
  const flagged = await api.create('https://flagged-later.example/a?b=1');
  const parameters = '&utm_campaign=spring'.repeat(200);
  const longest = await api.create(`https://flagged-later.example/?a${parameters}`.slice(0, 2048));
  await command('safety', 'block', 'flagged-later.example');
  await command('safety', 'recheck');
  const { api: left } = await server.account('left@example.com');
  const stopped = await left.create('https://example.org/stopped');
  await command('account', 'delete', 'left@example.com', '--codes', 'stop', '--yes');
  Object.assign(pages, {
    root: { url: `${server.origin}/`, status: 200 },
    unknown: { url: `${server.origin}/zzzzzzzz`, status: 404 },
    path: { url: `${server.origin}/menu/nothing`, status: 404 },
    paused: { url: paused.url, status: 410 },
    stopped: { url: stopped.url, status: 410 },
    flagged: { url: flagged.url, status: 200 },
    'flagged, with the longest address': { url: longest.url, status: 200 },
  });
});
afterAll(() => server.close());

describe('each page', () => {
  test.each(Object.entries(languages))('in %s', async (language, direction) => {
    for (const { url, status } of Object.values(pages)) {
      const page = await visit(url, { 'Accept-Language': `${language},en;q=0.5` });
      expect(page.status).toBe(status);
      expect(page.headers.get('content-language')).toBe(language);
      expect(page.headers.get('vary')).toContain('Accept-Language');
      expect(page.headers.get('cache-control')).toBe('no-store');
      expect(page.body).toContain(`<html lang="${language}" dir="${direction}">`);
    }
  });

  test('is one response without scripts, and small', async () => {
    for (const { url } of Object.values(pages))
      for (const language of Object.keys(languages)) {
        const { body, headers } = await visit(url, { 'Accept-Language': language });
        expect(Buffer.byteLength(body)).toBeLessThan(maxPageBytes);
        expect(body).not.toMatch(/<script|\bon\w+=|\bstyle=|<link|\bsrc=|@import|url\(/i);
        expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src/);
      }
  });

  test('has a sentence of its own in each language', async () => {
    for (const { url } of Object.values(pages)) {
      const texts = await Promise.all(
        Object.keys(languages).map(async (language) => {
          const { body } = await visit(url, { 'Accept-Language': language });
          return /<p class="soft">(.*?)<\/p>/s.exec(body)?.[1];
        }),
      );
      expect(new Set(texts).size).toBe(texts.length);
    }
  });
});

describe('the language is the best one of Accept-Language', () => {
  test.each([
    ['', 'en'],
    ['xx', 'en'],
    ['*', 'en'],
    ['de-CH', 'de'],
    ['DE-ch, en;q=0.9', 'de'],
    ['en;q=0.5, fr;q=0.8, it;q=0.7', 'fr'],
    ['xx-YY, it ; q=0.3', 'it'],
    ['de;q=0, it;q=0.1', 'it'],
    ['de;q=0', 'en'],
    ['zh', 'zh-Hans'],
    ['zh-CN', 'zh-Hans'],
    ['zh-TW', 'zh-Hant'],
    ['zh-Hant-HK', 'zh-Hant'],
    ['zh-Hans-TW', 'zh-Hans'],
    ['iw', 'he'],
    ['pt-BR,pt;q=0.9', 'pt'],
    ['de;q=high, nl;q=0.1', 'nl'],
    ['__proto__, constructor, toString', 'en'],
    [`${'x,'.repeat(2000)}de`, 'en'],
    [`de${' '.repeat(4000)};q=1`, 'de'],
    ['"><script>alert(1)</script>', 'en'],
  ])('%.40s: %s', async (header, language) => {
    const { headers } = await visit(pages['unknown']?.url ?? '', { 'Accept-Language': header });
    expect(headers.get('content-language')).toBe(language);
  });
});

test('shows the address that somebody typed, but no message in it', async () => {
  const typed = await visit(`${server.origin}/zzzzzzz1`);
  expect(typed.body).toContain('/<b>zzzzzzz1</b>');
  for (const path of ['call%20%2B41%2079%20000', '%3Cb%3Ehello', 'x'.repeat(200)]) {
    const { status, body } = await visit(`${server.origin}/${path}`);
    expect(status).toBe(404);
    expect(body).not.toContain(path);
    expect(body).not.toContain(decodeURIComponent(path));
  }
});

test('the root page offers to sign in, or the panel to who has signed in', async () => {
  const page = await visit(pages['root']?.url ?? '');
  expect(page.body).toContain('/account">Sign in</a>');
  expect(page.body).toContain('/docs">API docs</a>');
  expect(page.body).toContain('<svg');
  const cookie = { Cookie: 'waymark-session=0123' };
  expect((await visit(pages['root']?.url ?? '', cookie)).body).toContain('Open the panel');
});

describe('an operator leads unknown codes and the front page elsewhere', () => {
  const notFound = 'https://example.com/lost?from=qr';
  const front = 'https://example.com/';
  beforeAll(async () => {
    await server.stop();
    await server.start({ WAYMARK_NOT_FOUND_URL: notFound, WAYMARK_ROOT_URL: front });
  });
  /** The origin changes with a restart. */
  const at = (url = '') => server.origin + new URL(url).pathname;

  test.each(['GET', 'HEAD'] as const)('%s: 302 with no-store', async (method) => {
    for (const path of [
      '/zzzzzzzz',
      '/menu/nothing',
      '/caf%C3%A9',
      '/zzzzzzzz/',
      '/zzzzzzzz?a=1',
    ]) {
      const { status, to, headers } = await visit(server.origin + path, {}, method);
      expect([path, status, to]).toEqual([path, 302, notFound]);
      expect(headers.get('cache-control')).toBe('no-store');
    }
    const root = await visit(`${server.origin}/`, {}, method);
    expect([root.status, root.to]).toEqual([302, front]);
    expect(root.headers.get('cache-control')).toBe('no-store');
  });

  test('not codes that exist, the own pages, other methods, and what programs ask for', async () => {
    for (const name of ['paused', 'stopped', 'flagged'])
      expect((await visit(at(pages[name]?.url))).status).toBe(pages[name]?.status ?? 0);
    for (const path of ['/api', '/api/v1/nothing', '/docs/nothing', '/account/nothing'])
      expect([path, (await visit(server.origin + path)).to]).not.toContain(notFound);
    // For programs that keep passwords.
    const password = await visit(`${server.origin}/.well-known/change-password`);
    expect([password.status, password.to]).toEqual([302, `${server.origin}/account/settings`]);
    for (const path of ['/robots.txt', '/favicon.ico', '/.well-known/security.txt'])
      expect([path, (await visit(server.origin + path)).status]).toEqual([path, 404]);
    expect((await fetch(`${server.origin}/nothing`, { method: 'POST' })).status).toBe(404);
    expect((await visit(`${server.origin}/docs`)).status).toBe(200);
  });
});
