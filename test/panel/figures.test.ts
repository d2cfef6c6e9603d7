import { Database } from 'bun:sqlite';
import { afterAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { fillLargeAccount } from '../stores/large-account.ts';
import { addPastScans } from '../support/past-scans.ts';
import { usesPostgres } from '../support/postgres.ts';
import { oneProcess, startServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { visit } from '../support/visit.ts';
import { createCode, signedIn } from './client.ts';
import { textOf } from './page.ts';

const server = await startServer(oneProcess);
afterAll(server.close);

const dayMs = 86_400_000;
/** Noon of a day ago, or of more days. */
const daysAgo = (days: number) => Math.floor(Date.now() / dayMs) * dayMs - days * dayMs + dayMs / 2;

test('people who saw the warning are counted apart from scans', async () => {
  const client = await signedIn(server, 'warned@example.org');
  const code = await createCode(client, 'https://warned.example/');
  const shownScans = async () => textOf((await client.get(`/account/codes/${code}`)).text);
  await server.cli(['safety', 'block', 'warned.example']);
  await server.cli(['safety', 'recheck']);
  for (let people = 1; people <= 6; people++)
    expect((await visit(`${server.origin}/${code}`)).status).toBe(200);
  await visit(`${server.origin}/${code}`, {}, 'HEAD');
  expect(await shownScans()).toMatch(/No scans yet\..*6 saw the warning\./);
  await server.cli(['safety', 'remove', 'warned.example']);
  await server.cli(['safety', 'recheck']);
  expect((await visit(`${server.origin}/${code}`)).status).toBe(302);
  await until(async () => (await shownScans()).includes('All time1'));
  const shown = await shownScans();
  expect(shown).toContain('6 saw the warning.');
  expect(shown).toContain('1 preview or bot was not counted');
});

test('a folder shows the total of its period, as a code does', async () => {
  const client = await signedIn(server, 'folder-total@example.org');
  const codes = [
    await createCode(client, 'https://example.org/1', { folder: 'Cards' }),
    await createCode(client, 'https://example.org/2', { folder: 'Cards' }),
  ];
  for (const [at, code] of codes.entries())
    await addPastScans(server, code, [
      [daysAgo(1), 10 + at],
      [daysAgo(8), 4],
      [daysAgo(40), 20],
      [daysAgo(100), 500],
    ]);
  for (const [query, title, total, mean] of [
    ['days=7', 'Last 7 days', '21 13', '1.5'],
    ['days=30', 'Last 30 days', '29 28%', '0.5'],
    ['days=365', 'Last 365 days', '1,069', '1.5'],
  ] as const) {
    const path = `/account/codes?folder=in%3ACards&${query}`;
    const shown = textOf((await client.get(path)).text);
    expect(shown).toContain(`${title}${total}`);
    expect(shown).toContain(`A code, a day${mean}`);
  }
});

test('the small bars of a page have one scale', async () => {
  const client = await signedIn(server, 'scale@example.org');
  const poster = await createCode(client, 'https://example.org/poster');
  const card = await createCode(client, 'https://example.org/card');
  await addPastScans(server, poster, [[daysAgo(2), 240]]);
  await addPastScans(server, card, [[daysAgo(2), 60]]);
  const { text } = await client.get('/account/codes');
  const heights = [...text.matchAll(/<svg class="mini"[^>]*><path d="M[\d.]+ 26v-(\d+)"/g)];
  expect(heights.map(([, height]) => Number(height))).toEqual([6, 24]);
});

test('a list shows the scans of a period, and sorts by them', async () => {
  const client = await signedIn(server, 'period@example.org');
  const create = (name: string) => createCode(client, `https://example.org/${name}`, { name });
  const [old, poster, card] = [await create('Old'), await create('Poster'), await create('Card')];
  await addPastScans(server, old, [[daysAgo(100), 900]]);
  await addPastScans(server, card, [
    [daysAgo(60), 70],
    [daysAgo(3), 4],
  ]);
  await addPastScans(server, poster, [
    [daysAgo(20), 30],
    [daysAgo(1), 2],
  ]);
  const shown = async (query: string) => {
    const { text } = await client.get(`/account/codes?${query}`);
    const rows = text.matchAll(/dir="auto">(\w+)<\/a>.*?<td class="c-scans"><b>([\d,]+)<\/b>/gs);
    return [...rows].map(([, name, scans]) => `${name} ${scans}`);
  };
  expect(await shown('')).toEqual(['Card 74', 'Poster 32', 'Old 900']);
  expect(await shown('sort=scans')).toEqual(['Old 900', 'Card 74', 'Poster 32']);
  expect(await shown('period=7&sort=scans')).toEqual(['Card 4', 'Poster 2', 'Old 0']);
  expect(await shown('period=30&sort=scans')).toEqual(['Poster 32', 'Card 4', 'Old 0']);
  expect(await shown('period=90&sort=scans&q=example')).toEqual(['Card 74', 'Poster 32', 'Old 0']);
  expect(await shown('period=7')).toEqual(['Card 4', 'Poster 2', 'Old 0']);
  expect(await shown('period=30&sort=scans&scans=never')).toEqual([]);
  const { text } = await client.get('/account/codes?period=30');
  expect(textOf(text)).toContain('Scans in the last 30 days');
  const { text: csv } = await client.get('/account/codes.csv?period=30&sort=scans');
  const names = csv.trimEnd().split('\r\n').slice(1);
  expect(names.map((line) => line.split(',')[0])).toEqual(['Poster', 'Card', 'Old']);
  expect((await client.get('/account/codes?period=31')).status).toBe(404);
});

test.skipIf(usesPostgres)(
  'a list of many codes is sorted by a period in the background',
  async () => {
    const email = 'many@example.org';
    const client = await signedIn(server, email);
    const owner = await server.onStores(async ({ accounts, designs }) => {
      const accountId = (await accounts.findByEmail(email))?.id ?? 0;
      return { accountId, designId: (await designs.findDefault(accountId)).id };
    });
    const database = new Database(join(server.dataFolder, 'waymark.db'));
    fillLargeAccount(database, owner, 3000, Date.now());
    database.close();
    const path = '/account/codes?period=7&sort=scans';
    const open = () => client.get(path);
    let answer = await open();
    expect(answer.status).toBe(200);
    expect(answer.headers.get('refresh')).toBe('5');
    expect(textOf(answer.text)).toContain('The scans of these days are being counted.');
    await until(async () => {
      answer = await open();
      return answer.headers.get('refresh') === null;
    });
    const scans = [...answer.text.matchAll(/<td class="c-scans"><b>([\d,]+)<\/b>/g)];
    const counts = scans.map(([, count]) => Number(count?.replace(',', '')));
    expect(counts).toHaveLength(25);
    expect(counts).toEqual(counts.toSorted((one, other) => other - one));
    expect(counts[0]).toBeGreaterThan(0);
  },
);
