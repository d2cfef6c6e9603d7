import { afterAll, expect, test } from 'bun:test';
import { addPastScans } from '../support/past-scans.ts';
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
    ['days=30', 'Last 30 days', '29 28 %', '0.5'],
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
