import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openForRedirects } from '../../src/redirect/sqlite/redirects.ts';
import { signedIn } from '../panel/client.ts';
import { fieldOf, parsePage } from '../panel/page.ts';
import { type Server, startServer } from '../support/server.ts';
import { visit } from '../support/visit.ts';

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const run = async (...args: string[]) => {
  const { exitCode, stdout, stderr } = await server.cli([...args, '--json']);
  expect({ args, exitCode, stderr }).toMatchObject({ exitCode: 0 });
  return JSON.parse(stdout);
};
const refused = async (...args: string[]) => {
  const { exitCode, stderr } = await server.cli(args);
  expect(exitCode).not.toBe(0);
  return stderr;
};
let accounts = 0;
/** Creates an account with a paused code. */
const pausedCode = async (...flags: string[]) => {
  const email = `paused${accounts++}@example.com`;
  const { api } = await server.account(email);
  const { code, url } = await api.create('https://example.org/');
  await run('code', 'pause', code, ...flags);
  return { email, api, code, url, page: async () => (await visit(url)).body };
};
/** Returns what the redirect server of a folder knows of a code. */
const followedIn = async (folder: string, code: string) => {
  const storage = openForRedirects(folder, {
    durability: 'process',
    log: { info: () => {}, warn: () => {}, error: () => {} },
    isDatabaseRequired: true,
  });
  const { target } = storage.linkStore.follow(code, 'scan', 0);
  const qrId = typeof target === 'object' ? (target?.qrId ?? 0) : 0;
  const page = await storage.linkStore.pausedPage(qrId);
  await storage.close(false);
  return { target, page };
};
const tag = /<[^>]+>/g;
const wordsOf = (page: string) => page.slice(page.indexOf('<body>')).replaceAll(tag, ' ');

describe('the page of a paused code', () => {
  test('without texts names no business', async () => {
    const { page } = await pausedCode();
    expect(wordsOf(await page())).toContain('Its owner has turned it off for now. Try it again');
  });

  test('has name, message and link of the account, and the message in its lines', async () => {
    const { email, page, url } = await pausedCode();
    const message = 'Closed until March.\nCall +41 44 000 00 00';
    const answer = await run(
      ...['account', 'set', email, '--business', ' Osteria <da> "Ada" '],
      ...['--paused-message', message, '--paused-link', 'https://osteria.example/booking?a=1&b=2'],
    );
    expect(answer).toEqual({
      email,
      business: 'Osteria <da> "Ada"',
      paused_message: message,
      paused_link: 'https://osteria.example/booking?a=1&b=2',
    });
    const shown = await page();
    expect(shown).toContain('Osteria &lt;da&gt; &quot;Ada&quot;</bdi> has turned it off for now.<');
    expect(shown).toContain(`<p dir="auto">${message}</p>`);
    expect(shown).toContain('href="https://osteria.example/booking?a=1&amp;b=2"');
    expect(wordsOf(shown)).toContain('osteria.example/booking?a=1&amp;b=2');
    const german = await visit(url, { 'Accept-Language': 'de' });
    expect(wordsOf(german.body)).toContain('hat ihn vorübergehend ausgeschaltet');
    expect(german.body).toContain(message);

    await run(
      'account',
      'set',
      email,
      '--business',
      '',
      '--paused-message',
      '',
      '--paused-link',
      '',
    );
    expect(await page()).not.toMatch(/Osteria|Closed|booking/);
  });

  test('has the logo of the account beside the name, and no other page has it', async () => {
    const { email, api, url } = await pausedCode();
    await run('design', 'set', email, '--logo', join(import.meta.dir, '../golden/logo.png'));
    expect((await visit(url)).body).not.toContain('<img');
    await run('account', 'set', email, '--business', 'Osteria');
    const paused = await visit(url);
    expect(paused.body).toContain('<img src="data:image/png;base64,');
    expect(paused.headers.get('content-security-policy')).toContain('img-src data:;');
    const blocked = await api.create('https://example.org/blocked');
    await run('safety', 'block-code', blocked.code);
    const other = await visit(blocked.url);
    expect([other.status, other.body.includes('Osteria'), other.body.includes('<img')]).toEqual([
      410,
      false,
      false,
    ]);
  });

  test('has the message of the code instead, until it is resumed', async () => {
    const { email, code, page } = await pausedCode('--message', 'Back at 5');
    await run('account', 'set', email, '--paused-message', 'On holiday');
    expect(wordsOf(await page())).toContain('Back at 5');
    await run('code', 'pause', code, '--message', 'Back at 6');
    expect(wordsOf(await page())).toContain('Back at 6');
    await run('code', 'resume', code);
    await run('code', 'pause', code);
    expect(wordsOf(await page())).toContain('On holiday');
  });

  test('loses a link that is flagged later, and keeps the message', async () => {
    const { email, page } = await pausedCode();
    await run(
      'account',
      'set',
      email,
      '--paused-message',
      'Book online',
      '--paused-link',
      'https://taken-over.example/',
    );
    expect(await page()).toContain('taken-over.example');
    await run('safety', 'block', 'taken-over.example');
    await run('safety', 'recheck');
    const shown = await page();
    expect([shown.includes('taken-over.example'), shown.includes('Book online')]).toEqual([
      false,
      true,
    ]);
    const flagged = await refused(
      'account',
      'set',
      email,
      '--paused-link',
      'https://taken-over.example/x',
    );
    expect(flagged).toContain('taken-over.example');
  });

  test('is in backups', async () => {
    const { email, code } = await pausedCode('--message', 'Back at 5');
    await run(
      'account',
      'set',
      email,
      '--business',
      'Osteria',
      '--paused-link',
      'https://osteria.example/',
    );
    const file = `${server.folder}/texts.backup`;
    await run('backup', file);
    await run('verify', file);
    if ('WAYMARK_DATABASE_URL' in server.database) return;
    const folder = `${server.folder}/restored`;
    await run('restore', file, '--data', folder);
    expect((await followedIn(folder, code)).page).toEqual({
      businessName: 'Osteria',
      message: 'Back at 5',
      link: 'https://osteria.example/',
      logo: null,
    });
  });
});

test.each([
  ['--business', 'two\nlines'],
  ['--business', 'x'.repeat(121)],
  ['--paused-message', 'x'.repeat(301)],
  ['--paused-message', 'bell\u0007'],
  ['--paused-link', 'javascript:alert(1)'],
  ['--paused-link', 'osteria'],
])('account set %s %j is refused', async (flag, text) => {
  const { email } = await server.account(`refused${accounts++}@example.com`);
  expect(await refused('account', 'set', email, flag, text)).not.toBe('');
});

test('the panel changes the texts, and asks for a message when a code is paused', async () => {
  const ada = await signedIn(server, `panel${accounts++}@example.org`);
  const csrf = await ada.csrf();
  const saved = await ada.post('/account/settings/visitors', {
    csrf,
    businessName: 'Osteria',
    pausedMessage: 'On holiday',
    pausedLink: 'osteria.example/booking',
  });
  expect(saved.to).toBe('/account/settings');
  const settings = (await ada.get('/account/settings')).text;
  expect(fieldOf(settings, 'pausedLink')?.value).toBe('https://osteria.example/booking');
  const wrong = { csrf, businessName: '', pausedMessage: 'x'.repeat(301), pausedLink: '' };
  const tooLong = await ada.post('/account/settings/visitors', wrong);
  expect([tooLong.status, tooLong.text.includes('300')]).toEqual([422, true]);

  const form = { csrf, url: 'https://example.org/', attempt: crypto.randomUUID() };
  const path = ((await ada.post('/account/codes', form)).to ?? '').replace(/\?.*/, '');
  const dialog = parsePage((await ada.get(`${path}/pause`)).text);
  expect(dialog.forms.map(({ action }) => action)).toContain(`${path}/pause`);
  await ada.post(`${path}/pause`, { csrf, message: 'Back at 5' });
  const code = path.slice(path.lastIndexOf('/') + 1);
  const { body } = await visit(`${server.origin}/${code}`);
  expect(wordsOf(body)).toContain('Back at 5');
  expect(wordsOf(body)).toContain('Osteria  has turned it off');
});

test('the texts are in exports and in copies of the database', async () => {
  const { api, email } = await server.account(`copied${accounts++}@example.com`);
  const [own, other] = [
    await api.create('https://a.example/'),
    await api.create('https://b.example/'),
  ];
  const link = 'https://osteria.example/booking';
  await run(
    ...['account', 'set', email, '--business', 'Osteria', '--paused-message', 'Closed'],
    ...['--paused-link', link],
  );
  await run('code', 'pause', own.code, '--message', 'Back at 5');
  const pages = async (env = {}) => {
    const asked = ['export', '--format', 'json', '--account', email];
    const { stdout } = await server.cli(asked, { env });
    const records = JSON.parse(stdout) as { code: string; paused_page?: unknown }[];
    return new Map(records.map(({ code, paused_page: page }) => [code, page]));
  };
  const expected = new Map([
    [own.code, { business_name: 'Osteria', message: 'Back at 5', link }],
    [other.code, { business_name: 'Osteria', message: 'Closed', link }],
  ]);
  expect(await pages()).toEqual(expected);
  const database = await server.otherDatabase('visitors');
  const file = `${server.folder}/visitors.db`;
  await run('backup', file);
  expect(await server.cli(['restore', file], { env: database })).toMatchObject({ exitCode: 0 });
  expect(await pages(database)).toEqual(expected);
});

test('a schema of version 1.0.0 has no texts', async () => {
  const folder = `${server.folder}/1.0.0`;
  mkdirSync(folder, { mode: 0o700 });
  const stored = await Bun.file(join(import.meta.dir, '../golden/1.0.0/waymark.db.gz')).bytes();
  await Bun.write(`${folder}/waymark.db`, Bun.gunzipSync(stored));
  const { target, page } = await followedIn(folder, 'hqfp5w1a');
  expect([target, page]).toEqual([expect.objectContaining({ status: 'paused' }), null]);
});
