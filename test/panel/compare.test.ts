import { afterAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { addPastScans } from '../support/past-scans.ts';
import { oneProcess, startServer } from '../support/server.ts';
import { createCode, type PanelClient, signedIn } from './client.ts';
import { headingOf, linkOf, textOf } from './page.ts';

const server = await startServer(oneProcess);
afterAll(server.close);

const dayMs = 86_400_000;
/** Noon of a day ago, or of more days. */
const daysAgo = (days: number) => Math.floor(Date.now() / dayMs) * dayMs - days * dayMs + dayMs / 2;

const ada = await signedIn(server, 'ada@example.org');
const create = (name: string, folder = '', client: PanelClient = ada) =>
  createCode(client, `https://example.org/${encodeURIComponent(name)}`, { name, folder });
const poster = await create('Poster');
const cards = [await create('Card 1', 'Table cards'), await create('Card 2', 'Table cards')];
const wine = await create('Wine list');
await addPastScans(server, poster, [
  [daysAgo(1), 40],
  [daysAgo(2), 80],
  [daysAgo(50), 1000],
]);
await addPastScans(server, cards[0] ?? '', [
  [daysAgo(1), 20],
  [daysAgo(2), 25],
]);
await addPastScans(server, cards[1] ?? '', [[daysAgo(1), 15]]);
const both = `/account/compare?code=${poster}&folder=in%3ATable+cards`;

/** Returns the table by day of a page, its columns after the day. */
function tableOf(text: string): number[][] {
  const body = text.slice(text.lastIndexOf('<tbody>'), text.lastIndexOf('</tbody>'));
  return [...body.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = '']) =>
    [...row.matchAll(/class="number">([\d,.]+)</g)].map(([, cell]) =>
      Number(cell?.replace(',', '')),
    ),
  );
}

const sumsOf = (rows: readonly (readonly number[])[]) =>
  rows.reduce<number[]>((sums, row) => row.map((cell, at) => cell + (sums[at] ?? 0)), []);

test('codes and folders are compared by day, by code and day, and in total', async () => {
  const { status, text } = await ada.get(`${both}&days=30`);
  expect([status, headingOf(text)]).toEqual([200, 'Compare']);
  const shown = textOf(text);
  expect(shown).toContain('Poster was scanned twice as often as Table cards');
  expect(shown).toContain('example.org/Poster1204 a day4');
  expect(shown).toContain('Table cardsFolder, 2 codes601 a day each1');
  expect(shown).toContain('Each day, all on one scale of 0 to 80');
  expect(text).toMatch(/data-tip="[A-Z][a-z]{2} \d+ [A-Z][a-z]+ · 80 scans"/);
  const table = tableOf(text);
  expect(table).toHaveLength(30);
  expect(table.slice(-3)).toEqual([
    [80, 25],
    [40, 35],
    [0, 0],
  ]);
  expect(sumsOf(table)).toEqual([120, 60]);

  const perCode = (await ada.get(`${both}&days=30&per=code`)).text;
  expect(textOf(perCode)).toContain('Per code, Poster was scanned 4 times as often as Table cards');
  expect(tableOf(perCode).slice(-2)).toEqual([
    [40, 18],
    [0, 0],
  ]);
  const longer = textOf((await ada.get(`${both}&days=365`)).text);
  expect(longer).toContain('Poster was scanned 19 times as often as Table cards');
  expect(longer).toContain('Each week, all on one scale of 0 to ');
});

test.each([
  [[wine, cards[1] ?? ''], 'Only Card 2 was scanned'],
  [[wine, poster], 'Only Poster was scanned'],
  [[cards[0] ?? '', cards[1] ?? ''], 'Card 1 was scanned 3 times as often as Card 2'],
])('the sentence of %p says the result: %s', async (codes, sentence) => {
  const query = codes.map((code) => `code=${code}`).join('&');
  const { text } = await ada.get(`/account/compare?${query}&days=30`);
  expect(textOf(text)).toContain(sentence);
});

test('without scans, and with as many, nothing is ahead', async () => {
  const quiet = await create('Quiet');
  const path = `/account/compare?code=${quiet}&code=${wine}&days=7`;
  expect(textOf((await ada.get(path)).text)).toContain('None of these was scanned');
  const [one, other] = [await create('One'), await create('Other')];
  for (const code of [one, other]) await addPastScans(server, code, [[daysAgo(1), 7]]);
  const equal = `/account/compare?code=${one}&code=${other}`;
  expect(textOf((await ada.get(equal)).text)).toContain('One and Other were scanned equally often');
});

test('two to five are compared, and others are refused in words', async () => {
  const many = [poster, wine, ...cards];
  for (let number = many.length; number < 7; number++) many.push(await create(`More ${number}`));
  const csrf = await ada.csrf();
  const refusals: [query: string, chosen: number, sentence: string][] = [
    ['', 0, 'Nothing is chosen. Choose two to five codes or folders to compare.'],
    [`code=${poster}&code=${poster}`, 1, 'Only one code or folder is chosen.'],
    [
      many.map((code) => `code=${code}`).join('&'),
      7,
      '7 codes or folders are chosen. At most five can be compared.',
    ],
  ];
  for (const [query, chosen, sentence] of refusals) {
    const { status, text } = await ada.get(`/account/compare?${query}`);
    expect([status, textOf(text)]).toEqual([422, expect.stringContaining(sentence)]);
    expect(linkOf(text, 'Add a code or folder') !== undefined).toBe(chosen < 2);
  }
  const one = await ada.post('/account/compare', { csrf, code: wine, list: '/account/codes' });
  expect([one.status, textOf(one.text)]).toEqual([
    422,
    expect.stringContaining('Only one code or folder is chosen.'),
  ]);
  const all = await ada.post('/account/compare', { csrf, all: 'yes', list: '/account/codes' });
  expect([all.status, textOf(all.text)]).toEqual([
    422,
    expect.stringContaining('All codes of the list are selected. Tick two to five of them'),
  ]);
  const five = many.slice(0, 5).map((code) => `code=${code}`);
  const { status, text } = await ada.get(`/account/compare?${five.join('&')}`);
  expect(status).toBe(200);
  expect(linkOf(text, 'Add a code or folder')).toBeUndefined();
  const [, rest] = /aria-label="Remove Wine list"[^>]*href="([^"]+)"/.exec(text) ?? [];
  expect(rest).toContain(poster);
  expect(rest).not.toContain(wine);
});

test('what does not exist, or is of another account, is not compared', async () => {
  const other = await signedIn(server, 'other@example.org');
  const foreign = await create('Foreign', '', other);
  for (const query of [
    `code=${poster}&code=${foreign}`,
    `code=${poster}&code=zzzzzzzz`,
    `code=${poster}&folder=in%3ANowhere`,
    `code=${poster}&folder=Table+cards`,
    `code=${poster}&code=${wine}&per=day`,
  ]) {
    expect([query, (await ada.get(`/account/compare?${query}`)).status]).toEqual([query, 404]);
  }
  expect((await other.get(both)).status).toBe(404);
});

test('a code or folder is added by its link, found by a search, from any chart', async () => {
  const { text: page } = await ada.get(`/account/codes/${poster}?days=7`);
  const add = linkOf(page, 'Compare…') ?? '';
  expect(add).toBe(`/account/compare/add?code=${poster}&days=7`);
  const { text } = await ada.get(add);
  expect(textOf(text)).toContain('It is compared with Poster.');
  expect(linkOf(text, 'Poster')).toBeUndefined();
  const folder = linkOf(text, 'Table cards') ?? '';
  expect(textOf((await ada.get(folder)).text)).toContain('Last 7 days');
  const found = (await ada.get(`${add}&q=wine`)).text;
  expect(linkOf(found, 'Table cards')).toBeUndefined();
  const compared = (await ada.get(linkOf(found, 'Wine list') ?? '')).text;
  expect(textOf(compared)).toContain('Only Poster was scanned');
  expect(textOf((await ada.get(`${add}&q=nowhere`)).text)).toContain('Nothing matches “nowhere”.');
  const inFolder = (await ada.get('/account/codes?folder=in%3ATable+cards&days=30')).text;
  expect(linkOf(inFolder, 'Compare…')).toBe('/account/compare/add?folder=in%3ATable+cards&days=30');
});

/** Returns the lines of a CSV file, without its head. */
const linesOf = (text: string) =>
  text
    .replace('\uFEFF', '')
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','));

test('the days that are shown are exported, of a comparison, a code and a folder', async () => {
  const { text: page } = await ada.get(`${both}&days=7`);
  const [head, ...lines] = linesOf((await ada.get(linkOf(page, 'Export by day') ?? '')).text);
  expect(head).toEqual(['day', 'code', 'name', 'folder', 'scans']);
  expect(lines).toHaveLength(14);
  const day = (days: number) => new Date(daysAgo(days)).toISOString().slice(0, 10);
  expect(lines.slice(4, 7)).toEqual([
    [day(2), poster, 'Poster', '', '80'],
    [day(1), poster, 'Poster', '', '40'],
    [day(0), poster, 'Poster', '', '0'],
  ]);
  expect(lines.at(-2)).toEqual([day(1), '', '', 'Table cards', '35']);
  const range = `since=${day(2)}&until=${day(1)}`;
  const code = linkOf((await ada.get(`/account/codes/${poster}?${range}`)).text, 'Export by day');
  expect(linesOf((await ada.get(code ?? '')).text)).toHaveLength(3);
  expect((await ada.get(`/account/compare.csv?code=${poster}&since=${day(1)}`)).status).toBe(404);
});

test('the days add up to the totals, in any zone', async () => {
  const counts = fc.array(
    fc.tuple(fc.integer({ min: 0, max: 60 * 24 }), fc.integer({ min: 1, max: 50 })),
    { minLength: 1, maxLength: 20 },
  );
  const zones = fc.constantFrom('UTC', 'Europe/Rome', 'Asia/Kolkata', 'Pacific/Auckland');
  const hourMs = 3_600_000;
  let number = 0;
  await fc.assert(
    fc.asyncProperty(counts, counts, zones, async (one, other, zone) => {
      const client = await signedIn(server, `sums-${number++}@example.org`);
      const csrf = await client.csrf();
      await client.post('/account/settings/time-zone', { csrf, zone });
      const codes = [await create('A', 'F', client), await create('B', 'F', client)];
      for (const [at, scans] of [one, other].entries())
        await addPastScans(
          server,
          codes[at] ?? '',
          scans.map(([hours, count]) => [Date.now() - hours * hourMs, count]),
        );
      const path = `?code=${codes[0]}&folder=in%3AF&code=${codes[1]}&days=30`;
      const { text } = await client.get(`/account/compare${path}`);
      const totals = [...text.matchAll(/<td class="number"><b>([\d,]+)<\/b>/g)].map(([, total]) =>
        Number(total?.replace(',', '')),
      );
      expect(sumsOf(tableOf(text))).toEqual(totals);
      expect(totals[1]).toBe((totals[0] ?? 0) + (totals[2] ?? 0));
      const [, ...lines] = linesOf((await client.get(`/account/compare.csv${path}`)).text);
      const exported = Map.groupBy(lines, ([, code, , folder]) => code || folder);
      const sums = [...exported.values()].map((group) =>
        group.reduce((sum, line) => sum + Number(line[4]), 0),
      );
      expect(sums).toEqual(totals);
      const list = (await client.get('/account/codes?period=30')).text;
      const listed = [...list.matchAll(/<td class="c-scans"><b>([\d,]+)<\/b>/g)];
      expect(listed.map(([, scans]) => Number(scans?.replace(',', '')))).toEqual([
        totals[2] ?? 0,
        totals[0] ?? 0,
      ]);
    }),
    { numRuns: 5 },
  );
});
