import { afterAll, describe, expect, test } from 'bun:test';
import { type Language, languages } from '../../src/languages/languages.ts';
import { languageTags } from '../../src/languages/negotiation.ts';
import { textsOf } from '../../src/languages/texts.ts';
import { oneProcess, startServer } from '../support/server.ts';
import { createPanelClient, type PanelClient, password, signedIn } from './client.ts';
import { textOf } from './page.ts';

const server = await startServer(oneProcess);
afterAll(server.close);

const german = { 'Accept-Language': 'de-CH,de;q=0.9,en;q=0.8' };
const path = '/account/language';

/** Returns the language of the page at a path, with the language that the browser asks for. */
async function languageOf(client: PanelClient, at: string, headers = {}): Promise<string> {
  const { text } = await client.get(at, headers);
  return /<html lang="([^"]*)"/.exec(text)?.[1] ?? '';
}

const storedLanguage = (email: string) =>
  server.onStores(async ({ accounts }) => (await accounts.findByEmail(email))?.language);

describe('before signing in, the language', () => {
  test.each([
    ['de-CH,de;q=0.9,en;q=0.8', 'de'],
    ['DE', 'de'],
    ['xx, de;q=0.5, en;q=0.4', 'de'],
    ['en-US,en;q=0.9,de;q=0.8', 'en'],
    ['de;q=0, en', 'en'],
    ['zh-TW, de;q=0.5', 'de'],
    ['*', 'en'],
    ['', 'en'],
    ['de;q=oops', 'en'],
    [`${'x,'.repeat(5000)}de`, 'en'],
  ])('that a browser asks for by %p is %p', async (header, tag) => {
    const client = createPanelClient(server.origin);
    const { text, status } = await client.get('/account/sign-in', { 'Accept-Language': header });
    expect(status).toBe(200);
    const language = languages[tag as Language];
    expect(text).toContain(`<html lang="${tag}" dir="${language.direction}">`);
    expect(textOf(text)).toContain(textsOf(tag as Language).signIn.codesKeepWorking);
  });

  test('is chosen on the sign-in page, and leads back to it', async () => {
    const client = createPanelClient(server.origin);
    const at = '/account/sign-in?next=%2Faccount%2Fcodes';
    const dialog = await client.get(`${path}?next=${encodeURIComponent(at)}`);
    for (const tag of languageTags)
      expect(dialog.text).toContain(`<bdi lang="${tag}">${languages[tag].name}</bdi>`);
    const chosen = await client.post(path, { language: 'de', next: at });
    expect(chosen.to).toBe(at);
    expect(await languageOf(client, at)).toBe('de');
    expect(await languageOf(client, '/account/link/none')).toBe('de');
    await client.post(path, { language: '', next: at });
    expect(await languageOf(client, at)).toBe('en');
  });

  test.each(['xx', 'DE', 'de-CH', '../de', 'x'.repeat(5000)])(
    'is none that does not exist: %p',
    async (language) => {
      const client = createPanelClient(server.origin);
      expect((await client.post(path, { language })).status).toBe(422);
      expect(await languageOf(client, '/account/sign-in')).toBe('en');
      // A cookie of a later version, or of somebody who plays with it.
      client.cookies.set('waymark-language', encodeURIComponent(language).slice(0, 100));
      expect(await languageOf(client, '/account/sign-in')).toBe('en');
    },
  );

  test.each(['//evil.example', '/\\evil.example', 'https://evil.example/'])(
    'leads to no other site: %p',
    async (next) => {
      const client = createPanelClient(server.origin);
      expect((await client.post(path, { language: 'de', next })).to).toBe('/account');
    },
  );
});

describe('the language of a person', () => {
  test('is the one that was chosen before the first sign-in, in every browser from then on', async () => {
    const email = 'before@example.org';
    await signedIn(server, email);
    const client = createPanelClient(server.origin);
    await client.post(path, { language: 'de' });
    expect((await client.post('/account/sign-in', { email, password })).status).toBe(303);
    expect(await storedLanguage(email)).toBe('de');
    const other = await signInAgain(email);
    expect(await languageOf(other, '/account')).toBe('de');
    // Another one that was chosen at a sign-in page does not change it.
    const third = createPanelClient(server.origin);
    await third.post(path, { language: 'en' });
    await third.post('/account/sign-in', { email, password });
    expect(await languageOf(third, '/account')).toBe('de');
  });

  test('follows the browser until one is chosen', async () => {
    const email = 'follows@example.org';
    const client = await signedIn(server, email);
    expect(await languageOf(client, '/account', german)).toBe('de');
    expect(await storedLanguage(email)).toBeNull();
  });

  test('is changed in the account menu and in the settings, with a message in it', async () => {
    const email = 'menu@example.org';
    const client = await signedIn(server, email);
    expect((await client.get('/account/codes')).text).toContain(
      `href="${path}?next=%2Faccount%2Fcodes"`,
    );
    expect((await client.get('/account/settings')).text).toContain(
      `href="${path}?next=/account/settings"`,
    );
    const csrf = await client.csrf();
    const changed = await client.post(path, { language: 'de', next: '/account/codes', csrf });
    expect(changed.to).toBe('/account/codes');
    const { text } = await client.get('/account/codes');
    expect(textOf(text)).toContain(textsOf('de').messages.languageChanged);
    expect(await storedLanguage(email)).toBe('de');
    // A page of another site cannot change it.
    const elsewhere = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' };
    expect((await client.post(path, { language: 'en' }, elsewhere)).status).toBe(403);
    expect(await storedLanguage(email)).toBe('de');
    await client.post(path, { language: '', csrf });
    expect(await storedLanguage(email)).toBeNull();
    expect(await languageOf(client, '/account')).toBe('en');
  });

  test('that this version does not have is that of the browser', async () => {
    const email = 'later@example.org';
    const client = await signedIn(server, email);
    await server.onStores(async ({ accounts }) => {
      const account = await accounts.findByEmail(email);
      await accounts.changeLanguage(account?.id ?? 0, 'xx');
    });
    expect(await languageOf(client, '/account', german)).toBe('de');
  });

  test('is theirs in the account of somebody else, too', async () => {
    const owner = 'host@example.org';
    const guest = 'guest@example.org';
    await signedIn(server, owner);
    const client = await signedIn(server, guest);
    await server.onStores(async ({ accounts }) => {
      const account = await accounts.findByEmail(owner);
      await accounts.changeLanguage(account?.id ?? 0, 'de');
    });
    expect(await languageOf(client, '/account')).toBe('en');
  });
});

test('the script of a page speaks its language alone, and has an address of its own in each', async () => {
  const client = createPanelClient(server.origin);
  const scriptOf = async (language: string) => {
    const { text } = await client.get('/account/sign-in', { 'Accept-Language': language });
    const [path = ''] = /\/account\/assets\/panel[^"]*\.js/.exec(text) ?? [];
    return { path, response: await client.get(path) };
  };
  for (const tag of languageTags) {
    const { path, response } = await scriptOf(tag);
    expect(path).toContain(`/panel-${tag}.`);
    expect([response.status, response.headers.get('cache-control')]).toEqual([
      200,
      'public, max-age=31536000, immutable',
    ]);
    expect(response.text).toContain(JSON.stringify(textsOf(tag).client.copied));
  }
  const { path } = await scriptOf('de');
  for (const wrong of [path.replace('-de.', '-fr.'), path.replace('-de.', '-xx.'), `${path}x`])
    expect((await client.get(wrong)).status).not.toBe(200);
});

test('errors are in the language of the reader; the API, its document and health are in English', async () => {
  const client = createPanelClient(server.origin);
  const missing = await (await signedIn(server, 'errors@example.org')).get('/account/none', german);
  expect(missing.status).toBe(404);
  expect(missing.text).toContain('<html lang="de"');
  for (const at of ['/api/v1/qrs', '/api/v1/none', '/docs/json', '/healthz']) {
    const [own, english] = await Promise.all([
      client.get(at, german),
      client.get(at, { 'Accept-Language': 'en' }),
    ]);
    const plain = (text: string) => text.replaceAll(/"\w+":\d+/g, '');
    expect(plain(own.text)).toBe(plain(english.text));
  }
});

async function signInAgain(email: string): Promise<PanelClient> {
  const client = createPanelClient(server.origin);
  await client.post('/account/sign-in', { email, password });
  return client;
}
