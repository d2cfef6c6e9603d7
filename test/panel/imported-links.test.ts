import { afterAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { oneProcess, startServer } from '../support/server.ts';
import { visit } from '../support/visit.ts';
import { signedIn } from './client.ts';
import { headingOf } from './page.ts';

const paths = [
  'menu-7',
  'a/b/C',
  'menu.png',
  'a/logo.svg',
  'Menü 7 "x"',
  '100%',
  'EVENT200',
  '<b>',
];

const server = await startServer(oneProcess);
afterAll(server.close);
const email = 'anna@example.org';
const anna = await signedIn(server, email, { isOperator: true });
const csrf = await anna.csrf();
/** Imports links from a file of this name. */
const importLinks = async (name: string, content: string) => {
  const file = join(server.folder, name);
  await Bun.write(file, content);
  const imported = await server.cli(['link', 'import', file, '--account', email]);
  expect(imported).toMatchObject({ exitCode: 0 });
};
await importLinks(
  'links.json',
  JSON.stringify(
    paths.map((path) => ({
      path: encodeURI(path),
      destination: 'https://example.com/old',
      scans: 5,
    })),
  ),
);

const pageOf = (path: string) => `/account/codes/${encodeURIComponent(path)}`;
const follow = async (path: string) => {
  const { status, to } = await visit(`${server.origin}/${encodeURI(path)}`);
  return `${status} ${to ?? ''}`.trim();
};

test.each(paths)(
  'the page of /%s shows it, edits it, names it, pauses and resumes it',
  async (path) => {
    const { status, text } = await anna.get(pageOf(path));
    expect(status).toBe(200);
    expect(text).toContain('<div class="figure">5</div>');
    expect(text).not.toContain('No scans yet');
    expect(text).not.toContain('<b></b>');

    const edit = { csrf, url: 'https://example.com/new' };
    expect((await anna.post(`${pageOf(path)}/destination`, edit)).to).toBe(pageOf(path));
    expect(await follow(path)).toBe('302 https://example.com/new');
    const name = `Name of ${paths.indexOf(path)}`;
    await anna.post(`${pageOf(path)}/labels`, { csrf, name, note: '' });
    expect((await anna.get(pageOf(path))).text).toContain(name);

    expect((await anna.post(`${pageOf(path)}/pause`, { csrf })).to).toBe(pageOf(path));
    expect(await follow(path)).toBe('410');
    await anna.post(`${pageOf(path)}/resume`, { csrf });
    expect(await follow(path)).toBe('302 https://example.com/new');
  },
);

test('the list links to each, and there is no image', async () => {
  const { text } = await anna.get('/account/codes');
  for (const path of paths) expect(text).toContain(`href="${pageOf(path)}"`);
  expect((await anna.get(`${pageOf('menu-7')}/image.svg`)).status).toBe(404);
});

test.each(['menü 7', 'ORIGIN/a/B/c', 'ORIGIN/menu-7'])(
  'the list is searched for the path or the printed address: %s',
  async (text) => {
    const q = text.replace('ORIGIN', server.origin.toUpperCase());
    const found = (await anna.get(`/account/codes?${new URLSearchParams({ q })}`)).text;
    expect(found.match(/class="target" title/g)).toHaveLength(1);
  },
);

test('the page of a link offers a code for the same destination', async () => {
  const { text } = await anna.get(pageOf('menu-7'));
  expect(text).toContain('Waymark has no image of it');
  expect(text).not.toContain('Print at least');
  expect(text).toContain('Create a QR code for the same destination');
  const { to } = await anna.post('/account/codes', { csrf, url: 'https://example.com/same' });
  expect((await anna.get(to ?? '')).text).toContain('image.svg');
});

test('links take part in bulk edits, and are left out of sheets', async () => {
  const code = 'a/b/C';
  const selected = await anna.post('/account/selection', { csrf, code });
  expect(headingOf(selected.text)).toBe('1 code');
  const fields = { csrf, code, do: 'replace', replaced: '.com/', replacement: '.net/bulk/' };
  const applied = await anna.post('/account/selection/apply', fields);
  expect(applied.to).toBe('/account/codes');
  expect(await follow(code)).toBe('302 https://example.net/bulk/new');
  const sheet = async (fields: Record<string, string>) =>
    (await anna.post('/account/print', { csrf, ...fields })).text;
  expect(await sheet({ code })).toContain('No codes to print');
  expect(await sheet({ all: 'yes', q: '' })).toContain(`${paths.length} imported links left out`);
});

test('as many long links as a page lists are selected, previewed and edited', async () => {
  const long = Array.from({ length: 25 }, (_, at) => `${'長い道'.repeat(80)}/${at}`);
  const rows = long.map((path) => `${path},https://long.example/`);
  await importLinks('long.csv', `path,destination\n${rows.join('\n')}\n`);
  const send = async (action: string, fields: Record<string, string> = {}) => {
    const body = new URLSearchParams({ csrf, ...fields });
    for (const path of long) body.append('code', path);
    const Cookie = [...anna.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { Cookie, 'Sec-Fetch-Site': 'same-origin' };
    return fetch(`${server.origin}/account/selection${action}`, { method: 'POST', body, headers });
  };
  expect(headingOf(await (await send('')).text())).toBe('25 codes');
  const change = { do: 'replace', replaced: 'long.', replacement: 'longer.' };
  expect(await (await send('/preview', change)).text()).toContain('25 will change.');
  expect((await send('/apply', change)).url).toBe(`${server.origin}/account/codes`);
  expect((await anna.get(pageOf(long[24] ?? ''))).text).toContain('https://longer.example/');
});

test.each(['Menü 7 "x"', '100%'])(
  'an operator finds and blocks /%s by its address',
  async (path) => {
    const address = `${server.origin}/${encodeURI(path)}`;
    const block = await server.cli(['safety', 'block-code', address]);
    expect(block).toMatchObject({ exitCode: 0 });
    expect(await follow(path)).toBe('410');
    expect((await server.cli(['safety', 'unblock-code', path])).exitCode).toBe(0);
    expect(await follow(path)).toStartWith('302');
  },
);
