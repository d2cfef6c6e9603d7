import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Server, startServer } from '../support/server.ts';
import { xlsx } from '../support/spreadsheets.ts';
import { until } from '../support/until.ts';
import { createCode, type PanelClient, signedIn } from './client.ts';
import { fieldOf, headingOf, parsePage, textOf } from './page.ts';

let server: Server;
let anna: PanelClient;
let csrf: string;
beforeAll(async () => {
  server = await startServer();
  anna = await signedIn(server, 'anna@example.org');
  csrf = await anna.csrf();
}, 120_000);
afterAll(() => server.close());

const check = (table: string, fields: Record<string, string | Blob> = {}) =>
  anna.post('/account/batches', { csrf, table, ...fields });
/** Checks a table and returns the path of its batch. */
const draft = async (table: string, fields: Record<string, string | Blob> = {}) => {
  const { to, status, text } = await check(table, fields);
  if (to === null || !/^\/account\/batches\/\d+$/.test(to)) throw new Error(`${status} ${text}`);
  return to;
};
const start = (path: string, fields: Record<string, string> = {}) =>
  anna.post(`${path}/start`, { csrf, ...fields });
/** Waits until a batch has ended. Returns its page. */
const ended = async (path: string) => {
  let text = '';
  await until(async () => {
    ({ text } = await anna.get(path));
    return headingOf(text) !== 'Creating codes';
  });
  return text;
};
const total = async () =>
  Number(/<\/h1><span class="soft">(\d+)</.exec((await anna.get('/account/codes')).text)?.[1]);

test('a pasted table is checked, created in the background and selected to print', async () => {
  const rows = Array.from(
    { length: 30 },
    (_, at) => `Tisch ${at + 1}\thttps://example.org/${at + 1}\tGarten`,
  );
  const path = await draft(['name\tdestination\tnote', ...rows].join('\n'));
  const before = await total();
  const { text } = await anna.get(path);
  expect(text).toContain('30 codes can be created.');
  expect(text).toContain('Phones can read codes of this design');
  expect(await total()).toBe(before);
  expect((await start(path)).to).toBe(path);
  // Once more, as an impatient click does.
  expect((await start(path)).to).toBe(path);
  expect(await ended(path)).toContain('30 codes created');
  expect(await total()).toBe(before + 30);
  const list = (await anna.get('/account/codes?q=Tisch+30')).text;
  expect(list).toContain('Tisch 30');
  expect(list).toContain('Garten');
  const batch = path.split('/').at(-1) ?? '';
  const selected = await anna.post('/account/selection', { csrf, batch });
  expect(headingOf(selected.text)).toBe('30 codes of a batch');
  expect((await anna.get('/account/batches')).text).toContain('30 of 30 codes created');
});

test('rows with a problem are shown with the reason, and left out on request', async () => {
  const file = new Blob([
    '\ufeffname;destination\r\nA;https://example.org/a\r\nB;javascript:alert(1)\r\nA;https://example.org/a\r\n',
  ]);
  const path = await draft('', { file });
  const { text } = await anna.get(path);
  expect(text).toContain('1 code can be created.');
  expect(text).toContain('2 rows have a problem');
  expect(text).toContain('Create only the 1 good one');
  const refused = (await anna.get(`${path}?show=refused`)).text;
  expect(refused).toContain('must begin with http');
  expect(refused).not.toContain('>good<');
  const all = await start(path);
  expect([all.status, all.text.includes('2 of 3 rows have a problem')]).toEqual([422, true]);
  await start(path, { only: 'good' });
  expect(await ended(path)).toContain('2 rows left out because of a problem');
});

test('a spreadsheet is read, with what was recognized, left out and refused', async () => {
  const rows = [
    ['Inventory 2026'],
    ['Tisch', 'Ziel-URL', 'Nr.', 'Größe'],
    ['Sheet 1', 'example.org/sheet', '1', 'L'],
    ['Sheet 2', 'mailto:anna@example.org', '2', 'M'],
  ];
  const file = new Blob([xlsx([{ name: 'Tables', rows }]).slice()]);
  const path = await draft('', { file });
  const { text } = await anna.get(path);
  const shown = textOf(text);
  expect(shown).toContain('1 code can be created.');
  expect(shown).toContain('Row 1, "Inventory 2026", is no data and is left out.');
  expect(shown).toContain('The columns "Tisch", "Nr.", "Größe" are ignored.');
  expect(shown).toContain('https:// was put before the address of row 3.');
  const refused = await anna.get(`${path}/refused.csv`);
  expect(refused.headers.get('content-disposition')).toMatch(
    /^attachment; filename="refused-rows-/,
  );
  expect(refused.text.split('\r\n').slice(1, 2)).toEqual([
    '4,,,,mailto:anna@example.org,The URL must begin with http:// or https://.',
  ]);
  await start(path, { only: 'good' });
  await ended(path);

  const second = await draft('', { file });
  expect((await anna.get(second)).text).toContain(
    '1 row has the name and destination of an existing code and is left out.',
  );
  const none = await start(second, { only: 'good' });
  expect([none.status, none.text.includes('exist already')]).toEqual([422, true]);
  const again = await draft('', { file, again: 'yes' });
  expect((await anna.get(again)).text).toContain('1 code can be created.');
});

test('a design is chosen, and an unreadable one is told before anything is created', async () => {
  const save = (foreground: string, design_name: string) =>
    anna.post('/account/design', {
      csrf,
      do: 'save',
      foreground,
      background: '#ffffff',
      design_name,
    });
  await save('#7a1f5c', 'Plum');
  await save('#f0f0f0', 'Pale');
  const pale = await draft('https://example.org/pale', { design: 'Pale' });
  const { text } = await anna.get(pale);
  expect(text).toContain('Phones may not read codes of this design');
  expect(text).not.toContain(`${pale}/start`);
  expect((await start(pale)).status).toBe(422);
  const plum = await draft('https://example.org/plum', { design: 'Plum' });
  await start(plum);
  const code = /\/account\/codes\/([0-9a-z]{8})"/.exec(await ended(plum))?.[1];
  expect((await anna.get(`/account/codes/${code}/image.svg`)).text).toContain('#7a1f5c');
});

test('a file that is too large keeps the pasted table and the design', async () => {
  await anna.post('/account/design', {
    csrf,
    do: 'save',
    foreground: '#1b3a57',
    background: '#ffffff',
    design_name: 'Kept',
  });
  const file = new Blob([new Uint8Array(12_000_000).fill(0x61)]);
  const { status, text } = await check('kept <table>', { file, design: 'Kept' });
  const fields = parsePage(text).forms.flatMap((form) => form.fields);
  const value = (name: string) => fields.find((field) => field.name === name)?.value;
  expect([status, value('table'), value('design')]).toEqual([422, 'kept <table>', 'Kept']);
});

describe('a table is rejected in words', () => {
  test.each([
    ['nothing', '', 'There is no row in the table'],
    ['5,001 rows', 'https://example.org/\n'.repeat(5001), 'more than 5,000 rows'],
    ['100,000 columns', 'a,'.repeat(100_000), 'more than 100 columns'],
    ['a row of 1 MB', `a,${'b'.repeat(1_000_000)}\n`, 'can be created'],
    ['half a spreadsheet', new Uint8Array([0x50, 0x4b, 3, 4, 0, 0]), 'The spreadsheet is broken'],
    [
      'Windows-1251',
      Buffer.from('\xd1\xf2\xee\xeb\n\xce\xea\xed\xee', 'latin1'),
      'none of the encodings',
    ],
    ['50 MB', new Uint8Array(50_000_000).fill(0x61), 'A file can be up to 10 MB'],
  ])('%s', async (_, table, problem) => {
    const response =
      typeof table === 'string' ? await check(table) : await check('', { file: new Blob([table]) });
    const { text } = response.to === null ? response : await anna.get(response.to);
    expect(text).toContain(problem);
  });
});

test('a batch of another account is not found', async () => {
  const path = await draft('https://example.org/private');
  const ben = await signedIn(server, 'ben@example.org');
  const token = await ben.csrf();
  const { text } = await ben.get(path);
  expect(text).not.toContain('example.org/private');
  for (const action of ['start', 'stop'])
    expect((await ben.post(`${path}/${action}`, { csrf: token })).status).toBe(404);
  const batch = path.split('/').at(-1) ?? '';
  expect((await ben.post('/account/selection', { csrf: token, batch })).status).toBe(404);
  expect((await ben.get('/account/batches/x')).status).toBe(404);
});

test('nothing is created while the plan is expired', async () => {
  const carl = await signedIn(server, 'carl@example.org');
  await createCode(carl, 'https://example.org/');
  const fields = { csrf: await carl.csrf(), table: 'https://example.org/' };
  const { to } = await carl.post('/account/batches', fields);
  await server.cli(['account', 'plan', 'carl@example.org', '--until', '2026-01-31']);
  expect((await carl.post('/account/batches', fields)).status).toBe(402);
  expect((await carl.post(`${to}/start`, fields)).status).toBe(402);
  expect(fieldOf((await carl.get('/account/batches')).text, 'table')).toBeUndefined();
});
