import { describe, expect, test } from 'bun:test';
import { encodeIn } from '../support/encode.ts';
import { sharedServer } from '../support/server.ts';
import { xlsx } from '../support/spreadsheets.ts';
import { parsedTable } from '../support/tables.ts';
import { until } from '../support/until.ts';
import { createCode, signedIn } from './client.ts';
import {
  fieldOf,
  headingOf,
  invalidFields,
  linkOf,
  parsePage,
  sentFields,
  textOf,
} from './page.ts';

const server = await sharedServer();
const anna = await signedIn(server, 'batches@example.org');
const csrf = await anna.csrf();

const check = (table: string, fields: Record<string, string | Blob> = {}) =>
  anna.post('/account/batches', { csrf, table, ...fields });
/** Checks a table and returns the path of its batch. */
const draft = async (table: string, fields: Record<string, string | Blob> = {}) => {
  const { to, status, text } = await check(table, fields);
  if (to === null || !/^\/account\/batches\/\d+$/.test(to)) throw new Error(`${status} ${text}`);
  return to;
};
/** Sends the form of a draft as its page has it, with other texts in some fields. */
const send = async (path: string, action: string, changes: Record<string, string> = {}) => {
  const form = parsePage((await anna.get(path)).text).forms.find((one) => one.action === path);
  return anna.post(path, { ...sentFields(form), do: action, ...changes });
};
const start = (path: string, fields: Record<string, string> = {}) => send(path, 'create', fields);
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
  expect(textOf(text)).toContain('30 rows ready');
  expect(textOf(text)).toContain('Phones can read it.');
  expect(await total()).toBe(before);
  expect((await start(path, { folder: 'Garden' })).to).toBe(path);
  // Once more, as an impatient click does.
  expect((await anna.post(path, { csrf, do: 'create' })).to).toBe(path);
  expect(textOf(await ended(path))).toContain('30 codes created');
  expect(await total()).toBe(before + 30);
  const list = (await anna.get('/account/codes?q=Tisch+30')).text;
  for (const label of ['Tisch 30', 'Garten', 'Garden']) expect(list).toContain(label);
  const batch = path.split('/').at(-1) ?? '';
  const forms = parsePage((await anna.get(path)).text).forms;
  const download = forms.find(({ action }) => action.endsWith('/images.zip'));
  const zip = await anna.post(download?.action ?? '', sentFields(download));
  expect(zip.headers.get('content-type')).toBe('application/zip');
  const selected = await anna.post('/account/selection', { csrf, batch });
  expect(headingOf(selected.text)).toBe('30 codes of a batch');
  expect((await anna.get('/account/batches')).text).toContain('30 of 30 codes created');
});

describe('rows with a problem', () => {
  const table =
    'name;destination\r\nA;https://example.org/a\r\nB;osteria,example\r\nA;https://example.org/a\r\n';
  const problemOf = (text: string, field: string) => fieldOf(text, field)?.descriptions.at(-1);

  test('are corrected where they are shown, and nothing is created before all are right', async () => {
    const path = await draft(table);
    const { text } = await anna.get(path);
    expect(textOf(text)).toContain('1 ready2 to fix');
    expect(problemOf(text, 'destination-3')).toContain(
      'There is a comma in the host name.Use osteria.example',
    );
    expect(problemOf(text, 'destination-4')).toBe('Row 2 has the same name and destination.');
    const wrong = await start(path, {
      'name-3': 'a'.repeat(121),
      'destination-3': 'osteria.example/b',
      'note-4': 'Kept.',
      folder: 'Kept too',
    });
    expect(wrong.status).toBe(422);
    expect(problemOf(wrong.text, 'name-3')).toContain('name is too long');
    expect(fieldOf(wrong.text, 'name-3')?.value).toBe('a'.repeat(121));
    expect(fieldOf(wrong.text, 'note-4')?.value).toBe('Kept.');
    expect(fieldOf(wrong.text, 'folder')?.value).toBe('Kept too');
    const half = await send(path, 'check', { 'name-3': 'B', 'destination-3': 'osteria.example/b' });
    expect(textOf(half.text)).toContain('2 ready1 to fix');
    expect(textOf(half.text)).toContain('Row 3Ready');
    // Nothing typed is lost when the page is left.
    expect(fieldOf((await anna.get(path)).text, 'note-4')?.value).toBe('Kept.');
    expect((await start(path, { 'name-4': 'C', 'folder-4': 'Bar' })).to).toBe(path);
    const done = textOf(await ended(path));
    expect(done).toContain('3 codes created');
    expect(done).toContain('Bosteria.example/b');
  });

  test('have a field for the destination first, and for each column that the file has', async () => {
    const fieldsOf = (text: string) =>
      parsePage(text)
        .forms.flatMap(({ fields }) => fields.map(({ name }) => name))
        .filter((name) => /^[a-z]+-\d+$/.test(name));
    const path = await draft('destination,note,path\nbad,,\nworse,A note,');
    const { text } = await anna.get(path);
    expect(fieldsOf(text)).toEqual(['destination-2', 'note-2', 'destination-3', 'note-3']);
    // Nor is a column lost that another page showed.
    const typed = await send(path, 'check', { 'name-3': 'Kept' });
    expect(fieldsOf(typed.text)).toContain('name-2');
    expect(fieldOf(typed.text, 'name-3')?.value).toBe('Kept');
  });

  test('are left out and put back, one or all', async () => {
    const path = await draft(`${table.replaceAll('/a', '/left')}D;https://\r\n`);
    const left = await send(path, 'leave 3', { 'name-3': 'Corrected' });
    expect(textOf(left.text)).toContain('1 ready2 to fix');
    expect(textOf(left.text)).toContain('Put back row 3');
    expect(fieldOf(left.text, 'name-4')?.isFocused).toBe(true);
    const back = await send(path, 'back 3');
    expect(fieldOf(back.text, 'name-3')?.value).toBe('Corrected');
    const all = await send(path, 'leave-all');
    expect(textOf(all.text)).toContain('Nothing left to fix');
    expect(textOf(all.text)).toContain('Create 1 code');
    await start(path);
    expect(textOf(await ended(path))).toMatch(
      /^.*1 code created.*Left out3 rows.*Row 3 · CorrectedYou left it out\. osteria,exampleCreate it now/s,
    );
  });

  test('go along with the others to another table', async () => {
    const rows = 'Ä "1"\tbad\t=1\nB\thttps://example.org/\t';
    const path = await draft(`name\tdestination\tnote\n${rows}`);
    const { text } = await anna.get(linkOf((await anna.get(path)).text, 'Use another table') ?? '');
    const kept = parsedTable(fieldOf(text, 'table')?.value ?? '').rows;
    expect(kept.map(({ name, destination, note }) => [name, destination, note])).toEqual([
      ['Ä "1"', 'bad', '=1'],
      ['B', 'https://example.org/', null],
    ]);
  });

  test('leave nothing to create when all are left out', async () => {
    const path = await draft('nonsense');
    const { text } = await send(path, 'leave 1');
    expect(textOf(text)).toContain('There is nothing to create: every row is left out.');
    expect((await start(path)).status).toBe(422);
  });
});

/** Checks a table and returns the path of the page that asks about it. */
const asked = async (table: string, fields: Record<string, string | Blob> = {}) => {
  const { to, status, text } = await check(table, fields);
  if (to === null || !/^\/account\/batches\/\d+\/columns$/.test(to))
    throw new Error(`${status} ${text}`);
  return to;
};
const optionsOf = (text: string) => {
  const fields = parsePage(text).forms.flatMap(({ fields }) => fields);
  return fields.flatMap(({ name, value }) => (name.startsWith('column-') ? value : []));
};

describe('a table whose columns are not plain', () => {
  const table =
    'Was,Page,Website,Folder\nA,https://example.org/page,https://example.org/website,Bar';

  test('is asked about without a script, and remembered for the same headers', async () => {
    const path = await asked(table);
    const { text } = await anna.get(path);
    expect(headingOf(text)).toBe('What is in the columns?');
    expect(textOf(text)).toContain('Two columns have addresses. Which one should phones open?');
    expect(textOf(text)).toContain('Still open: the destination, and 1 other column.');
    expect(optionsOf(text)).toEqual(['', '', '', 'folder']);
    const batch = path.replace('/columns', '');
    expect((await anna.get(batch)).to).toBe(path);
    expect(textOf((await anna.get('/account/batches')).text)).toContain('columns to choose');
    const missing = await send(path, 'go');
    expect(missing.status).toBe(422);
    expect(textOf(missing.text)).toContain('Choose the destination');
    expect(invalidFields(missing.text).map(({ name }) => name)).toEqual(['column-1', 'column-2']);
    const first = await send(path, 'destination 1');
    expect(optionsOf(first.text)).toEqual(['', 'destination', '', 'folder']);
    const form = parsePage(first.text).forms.find((one) => one.action === path);
    // One choice that is used twice moves.
    const moved = await anna.post(path, {
      ...sentFields(form),
      'column-2': 'destination',
      'column-0': 'name',
      do: 'check',
    });
    expect(optionsOf(moved.text)).toEqual(['name', '', 'destination', 'folder']);
    expect(textOf(moved.text)).toContain('Choose for “Page”');
    const next = parsePage(moved.text).forms.find((one) => one.action === path);
    const done = await anna.post(path, { ...sentFields(next), 'column-1': 'ignore', do: 'go' });
    expect(done.to).toBe(batch);
    const shown = textOf((await anna.get(batch)).text);
    expect(shown).toContain('https://example.org/website');
    expect(shown).toContain('The column "Page" is ignored.');

    const again = await draft(table.replaceAll('example.org/', 'example.org/again/'));
    const link = linkOf((await anna.get(again)).text, 'Columns');
    expect(textOf((await anna.get(link ?? '')).text)).toContain('as last time');
    expect(textOf((await anna.get(again)).text)).toContain('https://example.org/again/website');
  });

  test('may have columns that are ignored together', async () => {
    const path = await asked('Artikel,Preis,Seite\nA,7,https://example.org/seite');
    const { text } = await anna.get(path);
    expect(optionsOf(text)).toEqual(['', '', 'destination']);
    expect(textOf(text)).toContain('Ignore the other 2');
    expect((await send(path, 'go')).status).toBe(422);
    expect((await send(path, 'ignore')).to).toBe(path.replace('/columns', ''));
  });

  test('is split, and has a header, as somebody says', async () => {
    const path = await asked('https://example.org/1,Menu\nhttps://example.org/2,Card');
    expect(optionsOf((await anna.get(path)).text)).toEqual(['destination', '']);
    const whole = await send(path, 'check', { separator: 'none' });
    expect(optionsOf(whole.text)).toEqual(['destination']);
    const form = parsePage(whole.text).forms.find((one) => one.action === path);
    const fields = { ...sentFields(form), header: 'yes', do: 'check' };
    const headed = await anna.post(path, fields);
    expect(textOf(headed.text)).toContain('The first of 1 row, as they are in the file.');
    const kept = await send(path, 'ignore', { 'column-1': 'name' });
    expect(kept.to).toBe(path.replace('/columns', ''));
    expect(textOf((await anna.get(kept.to ?? '')).text)).toContain('Card');
  });

  test('is asked for its letters', async () => {
    const bytes = encodeIn('windows-1250', 'name;destination\nGołąbki;https://example.org/letter');
    const file = new File([bytes.slice()], 'karta.csv');
    const path = await asked('', { file });
    expect(textOf((await anna.get(path)).text)).toContain(
      'karta.csv doesn’t say how its letters are stored.',
    );
    const { text } = await anna.get(path, { 'Accept-Language': 'pl,en;q=0.8' });
    const radios = [...text.matchAll(/type="radio" name="encoding" value="([^"]+)"/g)];
    expect(radios[0]?.[1]).toBe('windows-1250');
    expect(text).not.toMatch(/type="radio"[^>]* checked/);
    const missing = await send(path, 'go');
    expect([missing.status, textOf(missing.text)]).toEqual([
      422,
      expect.stringContaining('Choose the right line'),
    ]);
    const wrong = await send(path, 'go', { 'other-encoding': 'utf-16le' });
    expect([wrong.status, textOf(wrong.text)]).toEqual([
      422,
      expect.stringContaining('The file is not in the encoding utf-16le.'),
    ]);
    const right = await send(path, 'go', { encoding: 'windows-1250' });
    expect(textOf((await anna.get(right.to ?? '')).text)).toContain('Gołąbki');
  });

  test('of another account is not found, and is asked again where its file is gone', async () => {
    const path = await asked(table.replace('Was', 'Wer'));
    const ben = await signedIn(server, 'columns-ben@example.org');
    expect((await ben.get(path)).status).toBe(404);
    const fields = { csrf: await ben.csrf(), do: 'go' };
    expect((await ben.post(path, fields)).status).toBe(404);
    const started = await draft('https://example.org/started');
    await start(started);
    expect((await anna.post(`${started}/columns`, { csrf, do: 'go' })).to).toBe(started);
  });
});

test('a cell that could not be read stays refused until somebody corrects it', async () => {
  const url = 'https://example.org/cell';
  const link = (name: string, formula: string, text: string) => [
    name,
    `<c t="str"><f>${formula}</f><v>${text}</v></c>`,
  ];
  const rows = [
    ['Name', 'Destination'],
    link('Computed', 'HYPERLINK("x"&amp;ROW(),"https://example.org/")', 'https://example.org/'),
    ['<c><f>B1</f></c>', url],
    ['#N/A', url],
    ['KÃ¤se', url],
  ];
  const file = new Blob([xlsx([{ name: 'A', rows }]).slice()]);
  const path = await draft('', { file });
  const problems = /link is computed.*result is not in the file.*shows #N\/A.*wrong encoding/s;
  for (const action of ['check', 'create']) {
    expect(textOf((await anna.get(path)).text)).toMatch(problems);
    await send(path, action);
  }
  const shown = textOf((await anna.get(path)).text);
  expect(shown).toMatch(problems);
  expect(shown).toContain('0 rows ready');
});

test('a spreadsheet in which several sheets have rows asks for the sheet', async () => {
  const codes = (name: string) => ({
    name,
    rows: [
      ['Name', 'Destination'],
      ['A', `https://example.org/${name}`],
    ],
  });
  const sheets = [{ name: 'Cover', rows: [['Inventory', 'x']] }, codes('Old'), codes('New')];
  const file = new Blob([xlsx(sheets).slice()]);
  const path = await asked('', { file });
  const { text } = await anna.get(path);
  expect(text).toMatch(/<option value="Cover" selected[^>]*>Cover<\/option>/);
  const other = await send(path, 'check', { sheet: 'New' });
  expect(optionsOf(other.text)).toEqual(['name', 'destination']);
  const form = parsePage(other.text).forms.find((one) => one.action === path);
  const done = await anna.post(path, { ...sentFields(form), do: 'go' });
  const shown = textOf((await anna.get(done.to ?? '')).text);
  expect(shown).toContain('https://example.org/New');
  expect(shown).toContain('The sheet "New" was read; 2 other sheets are not.');
});

test('a file is found by its name, and its codes are a page each of 25, with what can be done with them', async () => {
  const rows = Array.from({ length: 27 }, (_, at) => `Seat ${at + 1},https://seat.example/${at}`);
  const table = `name,destination\n${rows.join('\n')}\nOdd,odd`;
  const file = new File([table], `${'📍'.repeat(130)}"<i>.csv`);
  const path = await draft('', { file });
  const latest = textOf((await anna.get('/account/batches')).text);
  expect(latest).toContain(`${'📍'.repeat(120)}28 rows checked`.slice(0, 240));
  expect((await send(path, 'leave 29')).status).toBe(200);
  await start(path);
  const first = await ended(path);
  expect(textOf(first)).toContain('1–25 of 2712Next');
  expect(textOf(first)).toContain('1 row left outNo code was made for it.Row 29 · Odd');
  const filled = (await anna.get(linkOf(first, 'Create it now') ?? '')).text;
  expect(['url', 'name'].map((name) => fieldOf(filled, name)?.value)).toEqual(['odd', 'Odd']);
  const next = linkOf(first, 'Next') ?? '';
  expect(textOf((await anna.get(next)).text)).toContain('26–27 of 27Previous12');
  const listed = async (path: string) =>
    [...(await anna.get(path)).text.matchAll(/class="name"[^>]*>([^<]*)</g)].map(
      ([, name]) => name,
    );
  const names = rows.map((row) => row.split(',')[0]);
  // In the order of the file, in all lists.
  for (const list of [`${path}?`, '/account/codes?q=seat.example&'])
    expect([...(await listed(list)), ...(await listed(`${list}page=2`))]).toEqual(names);
  for (const query of ['page=2x', 'page=3', 'page=999999999'])
    expect((await anna.get(`${path}?${query}`)).status).toBe(404);
});

test('a spreadsheet is read, with what was recognized, left out and refused', async () => {
  const rows = [
    ['Name', 'Destination'],
    ['Sheet 1', 'example.org/sheet'],
    ['Sheet 2', 'ftp://localhost/x'],
    ['Sheet 3', 'http://192.168.0.7/menu'],
  ];
  const file = new Blob([xlsx([{ name: 'Tables', rows }]).slice()]);
  const path = await draft('', { file });
  const shown = textOf((await anna.get(path)).text);
  expect(shown).toContain('1 ready1 to fix1 to check');
  expect(shown).toContain('https:// was put before the address of row 2.');
  expect(shown).toContain('Only phones in your network, or none, can open the address of row 4.');
  const refused = await anna.get(`${path}/refused.csv`);
  expect(refused.headers.get('content-disposition')).toMatch(
    /^attachment; filename="refused-rows-/,
  );
  expect(refused.text.split('\r\n').slice(1, 2)).toEqual([
    '3,Sheet 2,,,ftp://localhost/x,The destination must begin with http:// or https://.',
  ]);
  await send(path, 'leave 3');
  await start(path);
  await ended(path);

  const second = await draft('', { file });
  expect(textOf((await anna.get(second)).text)).toContain(
    '2 rows have the name and destination of existing codes and are left out.',
  );
  const none = await send(second, 'leave 3');
  expect(textOf(none.text)).toContain('There is nothing to create');
  expect(textOf((await send(second, 'again')).text)).toContain('1 row ready');
  await start(second);
  expect(textOf(await ended(second))).toContain('2 codes created');
});

test('a design is chosen, and an unreadable one is told before anything is created', async () => {
  const colors = { csrf, do: 'save', background: '#ffffff' };
  for (const [foreground, design_name] of [
    ['#7a1f5c', 'Plum'],
    ['#f0f0f0', 'Pale'],
  ] as const)
    await anna.post('/account/design', { ...colors, foreground, design_name });
  const path = await draft('https://example.org/plum');
  const checked = textOf((await send(path, 'check', { design: 'Pale' })).text);
  expect(checked).toContain('Phones can’t read “Pale”: its white is too pale for the white');
  expect(checked).toContain('Readability 100 of 100Use Default design');
  expect(checked).toContain('Phones can’t read this design. Choose another');
  const refused = await start(path, { design: 'Pale' });
  expect(refused.status).toBe(422);
  expect(invalidFields(refused.text)).toMatchObject([
    { name: 'design', value: 'Pale', isFocused: true },
  ]);
  await start(path, { design: 'Plum' });
  const code = /\/account\/codes\/([0-9a-z]{8})"/.exec(await ended(path))?.[1];
  expect((await anna.get(`/account/codes/${code}/image.svg`)).text).toContain('#7a1f5c');
});

// test/core/table.test.ts has all that is rejected.
test('a file that is too large is rejected, and the form says how large it may be', async () => {
  const file = new Blob([new Uint8Array(12_000_000).fill(0x61)]);
  const { status, text } = await check('kept <table>', { file });
  expect([status, textOf(text)]).toEqual([413, expect.stringContaining('up to 10 MB')]);
  expect((await anna.get('/account/batches')).text).toContain('data-max-bytes="10000000"');
});

test('a batch of another account is not found', async () => {
  const path = await draft('https://example.org/private');
  const ben = await signedIn(server, 'batches-ben@example.org');
  const token = await ben.csrf();
  const { text } = await ben.get(path);
  expect(text).not.toContain('example.org/private');
  for (const to of [path, `${path}/stop`])
    expect((await ben.post(to, { csrf: token, do: 'create' })).status).toBe(404);
  const batch = path.split('/').at(-1) ?? '';
  expect((await ben.post('/account/selection', { csrf: token, batch })).status).toBe(404);
  expect((await ben.get('/account/batches/x')).status).toBe(404);
});

test('nothing is created while the plan is expired', async () => {
  const carl = await signedIn(server, 'batches-carl@example.org');
  await createCode(carl, 'https://example.org/');
  const fields = { csrf: await carl.csrf(), table: 'https://example.org/' };
  const { to } = await carl.post('/account/batches', fields);
  await server.cli(['account', 'plan', 'batches-carl@example.org', '--until', '2026-01-31']);
  expect((await carl.post('/account/batches', fields)).status).toBe(402);
  expect((await carl.post(to ?? '', { ...fields, do: 'create' })).status).toBe(402);
  const { text } = await carl.get('/account/batches');
  expect(fieldOf(text, 'table')).toBeUndefined();
  expect(textOf(text)).toContain('You can create codes once this account has an active plan.');
});

test.each([
  [1, '1 row to fix', 'The row is checked again first. If it is still wrong'],
  [2, '2 rows to fix', 'The 2 rows are checked again first. If one is still wrong'],
])('the page of a table with wrong rows agrees with their number: %d', async (wrong, head, bar) => {
  const path = await draft(
    ['https://example.org/right', ...Array(wrong).fill('no address')].join('\n'),
  );
  const text = textOf((await anna.get(path)).text);
  expect(text).toContain(head);
  expect(text).toContain(bar);
});

test('rows that phones may not open are shown with a warning, and are created all the same', async () => {
  const table = [
    'A,https://trattoria.example/a',
    'B,http://127.0.0.1/b',
    'C,http://192.168.1.40/c',
    'D,https://trattoria.example/dhttps://trattoria.example/e',
    'E,http://localhost:8080/f',
  ];
  const path = await draft(['name,destination', ...table].join('\n'));
  const shown = textOf((await anna.get(path)).text);
  for (const text of [
    '1 ready',
    '4 to check',
    '127.0.0.1 is the phone itself.',
    'Use trattoria.example/b',
    'Only phones in your own network can open 192.168.1.40.',
    'There are two addresses in this field.',
    'Use trattoria.example/e',
    'localhost is the phone itself.',
  ])
    expect(shown).toContain(text);
  const used = await send(path, 'check', {
    'destination-3-instead': 'https://trattoria.example/b',
  });
  expect(textOf(used.text)).toContain('3 to check');
  const sure = { 'destination-4-sure': 'http://192.168.1.40/c' };
  const kept = await send(path, 'check', sure);
  expect(textOf(kept.text)).toContain('2 to check');
  const form = parsePage(kept.text).forms.find(({ action }) => action === path);
  expect(form?.fields.find(({ name }) => name === 'destination-4-sure')?.value).toBe(
    'http://192.168.1.40/c',
  );
  expect((await start(path)).to).toBe(path);
  expect(textOf(await ended(path))).toContain('5 codes created');
});
