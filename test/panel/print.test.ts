import { describe, expect, test } from 'bun:test';
import { layouts } from '../../src/core/codes/print/sheet-layout.ts';
import { colorsOf, decodePicture } from '../support/pixels.ts';
import { sharedServer } from '../support/server.ts';
import { createCode, signedIn } from './client.ts';
import { fieldOf, headingOf, invalidFields, parsePage, textOf } from './page.ts';

const server = await sharedServer();
const anna = await signedIn(server, 'print@example.org');
const csrf = await anna.csrf();
const colors = { foreground: '#7a1f5c', background: '#ffffff' };
await anna.post('/account/design', { csrf, do: 'default', ...colors });
const name = 'Tisch "7" / Café';
const code = await createCode(anna, 'https://example.org/7', { name });
for (let at = 0; at < 12; at++) await createCode(anna, `https://example.org/more/${at}`);

/** Sends the form of the page, with the fields of a query. */
const send = async (query: string, client = anna) => {
  const fields = Object.fromEntries(new URLSearchParams(query));
  return client.post('/account/print', { ...fields, csrf: await client.csrf() });
};
const shown = async (query: string) => (await send(query)).text;

test('an image is named by its code’s name (RFC 6266)', async () => {
  const names = async (file: string) =>
    (await anna.get(`/account/codes/${code}/${file}`)).headers.get('content-disposition');
  expect(await names('image.svg')).toBe(
    `inline; filename="Tisch 7 Caf_ - ${code}.svg"; filename*=UTF-8''Tisch%207%20Caf%C3%A9%20-%20${code}.svg`,
  );
  // Sizes are limited as in the API.
  for (const [size, widthPx] of [
    ['512', 512],
    ['-5', 128],
    ['3.5', 1024],
  ])
    expect(await names(`image.png?size=${size}`)).toContain(
      `Caf%C3%A9%20-%20${code}-${widthPx}px.png`,
    );
});

describe('the images of a selection', () => {
  test('are one ZIP file, named by name, with a table', async () => {
    const response = await send('all=yes&q=example.org&do=zip');
    expect(response.headers.get('content-type')).toBe('application/zip');
    expect(response.headers.get('content-disposition')).toMatch(
      /^attachment; filename="codes-.*\.zip"/,
    );
    expect(response.text).toContain(`Tisch 7 Café - ${code}.svg`);
    expect(response.text).toContain('codes.csv');
  });

  test.each([
    ['svg', ' width="86.7mm"'],
    ['png-512', 'pHYs'],
    ['pdf', '/TrimBox [0 0 245.7638 245.7638]'],
  ])('have the format %s', async (format, content) => {
    expect(await shown(`code=${code}&format=${format}&do=zip`)).toContain(content);
  });

  test('are rejected in words when there are none', async () => {
    const response = await send('all=yes&q=nothing-like-it&do=zip');
    expect(response.status).toBe(422);
    expect(response.text).toContain('No codes with an image were found');
  });
});

describe('the PDF of one code', () => {
  const download = (size: string) => anna.post(`/account/codes/${code}/pdf`, { csrf, size });

  test('is as large as wanted, and named by the code', async () => {
    const { headers, text } = await download('30,5');
    expect(headers.get('content-type')).toBe('application/pdf');
    expect(headers.get('content-disposition')).toContain(`${code}-30.5mm.pdf`);
    expect(text).toStartWith('%PDF-');
    expect(text).toContain('/TrimBox [0 0 86.4567 86.4567]');
  });

  test.each([
    ['15', 'too small for Tisch &quot;7&quot; / Café: phones read it reliably from 21 mm.'],
    ['wide', 'The size must be a number of mm from 5 to 1,000.'],
  ])('is refused at the field: %s', async (size, problem) => {
    const { status, text } = await download(size);
    expect([status, text.includes(problem)]).toEqual([422, true]);
    expect(invalidFields(text)).toMatchObject([{ name: 'size', value: size }]);
  });
});

describe('the page', () => {
  test('is in the navigation, and shows all codes as they will be printed', async () => {
    const { text } = await anna.get('/account/print');
    expect(text).toMatch(/<a class="entry"[^>]* aria-current="page"[^>]* href="\/account\/print">/);
    expect(text).toContain('13 codes on 2 pages');
    expect(text).toContain(`href="/account/codes/${code}/picture?size=medium"`);
    expect(text).toContain('Page 1: 3 columns and 4 rows. Tisch &quot;7&quot; / Café to ');
    expect(text).toMatch(/<text [^>]*textLength="[\d.]+"[^>]*>Tisch &quot;7&quot; \/ Café<\/text>/);
  });

  test('is opened for a code, a batch, a folder or a selection', async () => {
    await anna.post(`/account/codes/${code}/labels`, { csrf, name: 'Terrace', folder: 'Bar' });
    const opened = async (query: string) => (await anna.get(`/account/print?${query}`)).text;
    const one = textOf(await opened(`code=${code}`));
    expect(one).toMatch(/1 code on 1 page, [\d.]+ mm wide\. Phones can read this size /);
    expect(textOf(await opened('codes=none'))).toMatch(
      /, each [\d.]+ mm wide\. Phones can read this size /,
    );
    expect(await opened('codes=in:Bar')).toContain('1 code on 1 page');
    expect(await opened('codes=none')).toContain('12 codes on 1 page');
    const ticked = await shown(`code=${code}&list=/account/codes?page=2`);
    expect(ticked).toContain('1 selected code');
    expect(ticked).toContain('href="/account/codes?page=2"');
    expect(await shown(`code=${code}&codes=all&layout=L7160`)).toContain('13 codes');
  });

  test('begins with a choice of codes where there are folders', async () => {
    const ben = await signedIn(server, 'print-folders@example.org');
    const paths = ['/account/print', '/account/print?codes=in%3ABar'];
    await createCode(ben, 'https://example.org/1');
    expect(textOf((await ben.get('/account/print')).text)).toContain('1 code on 1 page');
    await createCode(ben, 'https://example.org/2', { folder: 'Bar' });
    const [choice = '', chosen = ''] = await Promise.all(
      paths.map(async (path) => textOf((await ben.get(path)).text)),
    );
    expect(choice).toContain('Which codes?All codes, 2No folder, 1 codeFolder Bar, 1 code');
    expect(choice).not.toContain('on 1 page');
    expect(chosen).toContain('1 code on 1 page');
    const all = await send('set=codes%3Dall&layout=L7160', ben);
    expect(textOf(all.text)).toContain('2 codes on 1 page');
    for (const action of ['pdf', 'zip']) {
      const { status, text } = await send(`layout=L7160&do=${action}`, ben);
      expect([status, invalidFields(text).map(({ name }) => name)]).toEqual([422, ['codes']]);
    }
  });

  test('remembers the paper of the last PDF', async () => {
    const cleo = await signedIn(server, 'print-paper@example.org');
    await createCode(cleo, 'https://example.org/1');
    const paper = async () => {
      const { text } = await cleo.get('/account/print');
      return ['layout', 'page', 'own_page'].map((field) => fieldOf(text, field)?.value);
    };
    expect(await paper()).toEqual(['a4-grid', 'a4', '']);
    await send('layout=L7160&page=a4', cleo);
    expect(await paper()).toEqual(['a4-grid', 'a4', '']);
    await send('layout=a4-grid&page=own&own_page=200x300&columns=2&rows=2&do=pdf', cleo);
    expect(await paper()).toEqual(['a4-grid', 'own', '200x300']);
    for (const kept of ['layout=gone', 'layout=a4-grid&page=gone', 'a'.repeat(3000), '%']) {
      cleo.cookies.set('waymark-paper', kept);
      expect(await paper()).toEqual(['a4-grid', 'a4', '']);
    }
  });

  test('takes no choice that it does not offer', async () => {
    for (const [field, value] of [
      ['layout', 'L9999'],
      ['page', 'a9'],
      ['codes', 'in:Nowhere'],
      ['order', 'random'],
      ['text', 'above'],
      ['dpi', '96'],
      ['format', 'gif'],
    ] as const) {
      const fields = { codes: 'all', layout: 'a4-grid', [field]: value, do: 'pdf' };
      const { status, headers, text } = await send(String(new URLSearchParams(fields)));
      expect([field, status, headers.get('content-type')]).toEqual([
        field,
        422,
        'text/html; charset=utf-8',
      ]);
      if (field !== 'text') expect(text).toContain('There is no such ');
    }
  });

  test('offers every layout of the command, grouped', async () => {
    const { text } = await anna.get('/account/print');
    const [form] = parsePage(text).forms.filter(({ id }) => id === 'print');
    const offered = form?.fields.find(({ name }) => name === 'layout')?.options;
    // The free grid has its page as a field of its own.
    expect(offered).toEqual([...layouts.keys()].filter((name) => name !== 'letter-grid'));
    expect(text).toContain('<optgroup label="Avery Zweckform, A4">');
  });

  test('shows texts, copies, used labels and other pages', async () => {
    const query = 'codes=all&layout=L7160&start=5&copies=2&above=Scan%20me&below_link=yes';
    const text = await shown(query);
    expect(text).toContain('and 7 rows. The first 4 labels stay free. ');
    expect(text.match(/>Scan me<\/text>/g)).toHaveLength(17);
    expect(text).toContain('13 codes on 2 pages');
    const xOf = (page: string) => Number(/<text [^>]*?x="([\d.]+)"/.exec(page)?.[1]);
    expect(xOf(text) - xOf(await shown(`${query}&text=below`))).toBeGreaterThan(10);
    const second = await shown(`${query}&page_number=2`);
    expect(second).toContain('Page 2 of 2');
    expect(second.match(/<image /g)).toHaveLength(9);
  });

  test('shows codes in black or compact, as they will be printed', async () => {
    for (const [query, form] of [
      ['black=yes', 'black'],
      ['black=yes&compact=yes', 'compact'],
    ] as const) {
      const text = await shown(`codes=all&layout=L7160&${query}`);
      expect(text).toContain(`/picture?size=medium&amp;form=${form}"`);
    }
    const pictureOf = async (form: string) =>
      decodePicture((await anna.get(`/account/codes/${code}/picture?form=${form}`)).bytes);
    const [design, black, compact] = await Promise.all(
      ['design', 'black', 'compact'].map(pictureOf),
    );
    expect(design && colorsOf(design)).toContain('#7a1f5c');
    expect(black && colorsOf(black)).toEqual(new Set(['#000000', '#ffffff']));
    // Two pixels a module.
    expect(compact?.widthPx).toBeLessThan(black?.widthPx ?? 0);
  });
});

describe('a sheet', () => {
  test('says what fits, and is a PDF with as many pages', async () => {
    const query = 'codes=all&layout=a4-grid&page=a4&columns=2&rows=3&marks=yes';
    const text = await shown(query);
    expect(text).toContain('13 codes on 3 pages');
    expect(text).toContain('Page 1: 2 columns and 3 rows');
    expect(text.match(/class="cut-mark"/g)).toHaveLength(20);
    const pdf = await shown(`${query}&do=pdf`);
    expect(pdf).toStartWith('%PDF-');
    expect(pdf.match(/\/Type ?\/Page\b/g)).toHaveLength(3);
  });

  test.each([
    ['page=a5', '[0 0 419.5276 595.2756]'],
    ['page=100x150', '[0 0 283.4646 425.1969]'],
    ['page=own&own_page=200x300', '[0 0 566.9291 850.3937]'],
  ])('has the page %s', async (query, box) => {
    const pdf = await shown(`code=${code}&layout=a4-grid&columns=2&rows=2&${query}&do=pdf`);
    expect(pdf).toContain(`/MediaBox ${box}`);
  });

  test('warns, each time with the button that ends it', async () => {
    const spread = await shown('codes=all&layout=5163&start=9');
    expect(spread).toContain('1 label is alone');
    expect(spread).toContain('name="set" value="start=8"');
    expect(await shown('codes=all&layout=5163&start=9&set=start%3D8')).toContain(
      '13 codes on 2 pages',
    );
    const colors = { foreground: '#e08000', background: '#ffffff' };
    await anna.post('/account/design', { csrf, do: 'default', ...colors });
    const orange = await createCode(anna, 'https://example.org/orange');
    const roll = `code=${orange}&layout=DK-11202`;
    const thermal = await shown(roll);
    expect(thermal).toContain('Not for black-and-white printers: #e08000 becomes white');
    expect(thermal).toContain('name="set" value="black=yes"');
    expect(await shown(`${roll}&black=yes`)).not.toContain('black-and-white');
    const labels = { csrf, name: 'long '.repeat(24), note: '' };
    await anna.post(`/account/codes/${orange}/labels`, labels);
    await anna.post(`/account/codes/${orange}/pause`, { csrf });
    const small = textOf(await shown(`${roll}&layout=DK-11202&black=yes`));
    expect(small).toContain('is paused: visitors see a “paused” page. Resume');
    const resumed = textOf(await shown(`${roll}&black=yes&resume=${orange}`));
    expect(resumed).not.toContain('is paused');
    expect((await anna.get(`/account/codes/${orange}`)).text).toContain('>Active<');
    const cut = textOf(
      await shown(`code=${orange}&layout=roll&own_page=20x30&compact=yes&below_name=yes`),
    );
    expect(cut).toContain('The texts of 1 code are cut');
  });

  test.each([
    ['layout=a4-grid&columns=0', 'columns', 'The number of columns must be from 1 to 50.'],
    ['layout=5160&size=many', 'size', 'The size must be a number of mm'],
    ['layout=5160&size=80', 'size', 'Codes of 80 mm don&#39;t fit'],
    ['layout=5160&size=8', 'size', 'too small'],
    ['layout=5160&start=31', 'start', 'The sheet has 30 labels'],
    ['layout=a4-grid&margin=200', 'margin', 'leave no room'],
    ['layout=roll&own_page=huge', 'own_page', 'The page must be'],
    ['layout=zweckform-3474&marks=yes', null, 'Cut marks need a margin'],
    ['layout=dymo-11353&below_name=yes', null, 'too small'],
  ])('that cannot be printed says why, at the field: %s', async (query, field, problem) => {
    for (const action of ['', '&do=pdf']) {
      const response = await send(`codes=all&${query}${action}`);
      const text = response.text.replaceAll('’', '&#39;').replaceAll("'", '&#39;');
      expect([response.status, text.includes(problem)]).toEqual([422, true]);
      const invalid = invalidFields(text).map(({ name }) => name);
      expect(invalid).toEqual(field === null ? [] : [field]);
    }
  });

  test('whose codes are too small offers the remedies', async () => {
    const text = await shown('codes=all&layout=dymo-11353&below_name=yes&above=Menu');
    for (const set of [
      'compact=yes',
      'above=&amp;below_name=&amp;below_note=&amp;below_link=&amp;below_address=',
    ])
      expect(text).toContain(`name="set" value="${set}"`);
    expect(text).toContain('Choose larger labels, or:');
    expect(text).not.toContain('--');
    const set = encodeURIComponent('above=&below_name=');
    const plain = 'codes=all&layout=dymo-11353&below_name=yes&above=Menu&compact=yes';
    expect((await send(`${plain}&set=${set}`)).status).toBe(200);
  });
});

test('nothing of another account is downloaded', async () => {
  const ben = await signedIn(server, 'print-ben@example.org');
  for (const action of ['zip', 'pdf'])
    expect((await send(`code=${code}&do=${action}`, ben)).status).toBe(422);
  expect((await ben.get(`/account/print?code=${code}`)).text).toContain('No codes to print');
  expect(headingOf((await ben.get('/account/print')).text)).toBe('Print');
  expect((await ben.get('/account/print')).text).toContain('No codes yet');
});
