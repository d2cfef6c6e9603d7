import { describe, expect, test } from 'bun:test';
import type { CaptionText, SheetCode, TextLayout, TextLine } from '../../src/core/codes/ports.ts';
import {
  type ArchiveFormat,
  createArchives,
  fileNameOf,
} from '../../src/core/codes/print/archive.ts';
import type { PrintOrder } from '../../src/core/codes/print/selection.ts';
import { type SheetOptions, sheetLayout } from '../../src/core/codes/print/sheet-layout.ts';
import { createSheets, tighterStart } from '../../src/core/codes/print/sheets.ts';
import type { Qr } from '../../src/core/codes/qr.ts';
import { type Design, plainDesign } from '../../src/core/designs/design.ts';
import { sampleImage, sampleQr } from './sample-qr.ts';

type Named = string | null | readonly [name: string | null, fields: Partial<Qr>];

/** Returns codes with names and other fields, oldest first; null for a code without a name. */
const codesNamed = (...names: Named[]): Qr[] =>
  names.map((named, id) => {
    const [name, fields] = Array.isArray(named) ? named : [named, {}];
    const code = `code000${id}`;
    return { ...sampleQr, id, code, name, shortLink: `https://q.example/${code}`, ...fields };
  });

const lineAtCorner = {
  ...{ leftMm: 1, baselineMm: 3, widthMm: 20, fontPt: 8, isRightToLeft: false },
  ...({ weight: 'medium', tone: 'ink' } as const),
};

/** Services on codes, and what they draw. */
function printing(codes: readonly Qr[]) {
  const drawn: SheetCode[] = [];
  const printer = {
    isPrintable: (text: string) => !text.includes('卓'),
    layOutTexts: ({ aboveText }: TextLayout, captions: readonly CaptionText[]) => {
      const texts = [aboveText, ...captions.map(({ text }) => text)].filter(
        (text) => text !== null,
      );
      const lines = texts.map((text): TextLine => ({ ...lineAtCorner, text }));
      return { lines, isCut: texts.some((text) => text.includes('too long')), namePt: 8 };
    },
    pdf: async function* (_: unknown, __: string, ___: number, sheet: Iterable<SheetCode>) {
      for (const code of sheet) drawn.push(code);
      yield new Uint8Array();
    },
  };
  const deps = {
    clock: { nowMs: () => 0 },
    printerFor: async () => printer,
    store: {
      searchBatch: async (_: number, cursor: unknown) => ({
        // Two batches, newest first.
        found: cursor === null ? codes.slice(1).reverse() : codes.slice(0, 1),
        next: cursor === null ? { createdAtMs: 0, code: '' } : null,
      }),
      findMany: async (_: number, wanted: readonly string[]) =>
        codes.filter(({ code }) => wanted.includes(code)),
    },
    designs: { find: async () => testDesign },
    symbolSide: (_: string, isCompact: boolean) => (isCompact ? 25 : 33),
  };
  const sheets = createSheets(deps);
  const archives = createArchives({
    ...deps,
    rendererFor: () => ({
      printImage: async (link, _, { format, widthPx, widthMm }) =>
        new TextEncoder().encode(`${format} ${widthPx} ${widthMm} ${link}`),
    }),
  });
  return { drawn, sheets, archives };
}

let testDesign: Design = { ...plainDesign, moduleShape: 'dots', foreground: '#c04000' };

const textsOf = (captions: readonly CaptionText[]) => captions.map(({ text }) => text);

const everything = { accountId: 1, search: '' };

describe('a sheet', () => {
  const prepare = async (
    codes: readonly Qr[],
    layout = 'L7160',
    selection = {},
    options: SheetOptions = {},
  ) => {
    const { sheets, drawn } = printing(codes);
    const sheet = await sheets.prepare(
      { ...everything, ...selection },
      sheetLayout(layout, options),
    );
    await Array.fromAsync(sheet.pdf());
    return { sheet, drawn };
  };

  test('has its codes in the order of their names as people count, then those without a name', async () => {
    const { drawn } = await prepare(codesNamed('Table 10', null, 'Table 9', null, 'Bar'));
    const captions = drawn.map(({ captions }) => textsOf(captions).join(' | '));
    expect(captions).toEqual(['Bar', 'Table 9', 'Table 10', 'code0001', 'code0003']);
  });

  test('has its codes as they were created, if wanted', async () => {
    const codes = codesNamed('b', 'a', null).map((qr) => ({ ...qr, createdAtMs: qr.id }));
    const namesIn = async (order: PrintOrder) =>
      (await prepare(codes, 'L7160', { order })).drawn.map(({ captions }) => captions[0]?.text);
    expect(await namesIn('oldest')).toEqual(['b', 'a', 'code0002']);
    expect(await namesIn('newest')).toEqual(['code0002', 'a', 'b']);
  });

  test('leaves out a line above that no font can show', async () => {
    const { sheet } = await prepare(codesNamed('a'), 'L7160', {}, { above: '卓' });
    expect(sheet.unprintable).toEqual(['卓']);
    expect(sheet.page(0)[0]?.lines.map(({ text }) => text)).toEqual(['a']);
  });

  test('shows each page as it will be: pictures where they are printed, and lines', async () => {
    const codes = codesNamed('a', 'b', 'c');
    const options: SheetOptions = { start: 20, copies: 2, above: 'Scan' };
    const { sheet } = await prepare(codes, 'L7160', {}, options);
    const namesOn = (page: number) => sheet.page(page).map(({ name }) => name);
    expect([namesOn(0), namesOn(1), namesOn(2)]).toEqual([['a', 'a'], ['b', 'b', 'c', 'c'], []]);
    const [label] = sheet.page(1);
    expect(label).toMatchObject({ code: 'code0001', leftMm: 7.25, topMm: 15.15 });
    expect(label?.picture).toEqual({ leftMm: 8.25, topMm: 16.15, sideMm: 36.1 });
    expect(label?.lines.map(({ text }) => text)).toEqual(['Scan', 'b']);
  });

  test('names the first label from which a page less is needed', async () => {
    const startOf = async (names: number, options: SheetOptions) => {
      const { sheet } = await prepare(codesNamed(...Array(names).fill(null)), 'L7160', {}, options);
      return tighterStart(sheet);
    };
    // 40 codes from label 5 on are 44 labels: two of them on a third page of 21.
    expect(await startOf(40, { start: 5 })).toBe(3);
    expect(await startOf(40, { start: 2 })).toBeNull();
    expect(await startOf(21, { start: 2 })).toBe(1);
    expect(await startOf(40, {})).toBeNull();
  });

  test('is not prepared to its end once the client has gone', async () => {
    const { sheets } = printing(codesNamed('a name that is too long'));
    const work = { signal: AbortSignal.abort() };
    const sheet = await sheets.prepare(everything, sheetLayout('L7160'), work);
    expect(sheet.cut).toEqual([]);
  });

  test('is drawn with the logo placement of each code', async () => {
    const logoPlacement = { sizePercent: 92, rightModules: 0.5, downModules: 0 };
    const image = { ...sampleImage, logoPlacement };
    const { drawn } = await prepare(codesNamed(['a', { image }]));
    expect(drawn[0]?.design.logoPlacement).toEqual(logoPlacement);
  });

  test('shows names, notes and short links as wanted, and the code where there is none of them', async () => {
    const codes = codesNamed(['a', { note: 'by the door' }], null);
    const captions = async (options: SheetOptions) =>
      (await prepare(codes, 'L7160', {}, options)).drawn.map(({ captions: lines }) =>
        textsOf(lines),
      );
    expect(await captions({ below: ['name', 'note', 'link'] })).toEqual([
      ['a', 'by the door', 'q.example/code0000'],
      ['code0001', 'q.example/code0001'],
    ]);
    expect(await captions({ below: ['note'] })).toEqual([['by the door'], ['code0001']]);
    expect(await captions({ hasCaptions: false })).toEqual([[], []]);
  });

  test('shows the address to type: with the path of a code, else the short link, and never twice', async () => {
    const codes = codesNamed(['a', { path: 'Menü/heute' }], 'b');
    const captions = async (below: SheetOptions['below']) =>
      (await prepare(codes, 'L7160', {}, { below: below ?? [] })).drawn.map((code) =>
        textsOf(code.captions),
      );
    expect(await captions(['address'])).toEqual([['q.example/Menü/heute'], ['q.example/code0001']]);
    expect(await captions(['link', 'address'])).toEqual([
      ['q.example/code0000', 'q.example/Menü/heute'],
      ['q.example/code0001'],
    ]);
  });

  test('is black on white without logos, or plain, if wanted', async () => {
    const looks = async (form: 'black' | 'compact') =>
      (await prepare(codesNamed('a'), 'L7160', {}, { form })).drawn[0]?.design;
    expect(await looks('black')).toMatchObject({ moduleShape: 'dots', foreground: '#000000' });
    expect(await looks('black')).toMatchObject({ logo: null, finderColor: null });
    expect(await looks('compact')).toMatchObject(plainDesign);
  });

  test('says from how far compact codes can be read, and refuses those that no phone focuses on', async () => {
    const roll = (page: string) =>
      prepare(codesNamed('a'), 'roll', {}, { page, form: 'compact', hasCaptions: false });
    // 33 modules on 10 mm.
    expect((await roll('12x12')).sheet.readableFrom).toMatchObject({ distanceMm: 120 });
    const remedies = ['margins', 'labels'];
    const tooSmall = { kind: 'code too small', smallestMm: 9, remedies };
    expect(roll('10x10')).rejects.toMatchObject({ reason: tooSmall });
  });

  test('warns of colours that vanish on thermal printers, unless it is black', async () => {
    const caution = async (layout: string, form: 'design' | 'black' | 'compact') =>
      (await prepare(codesNamed('a'), layout, {}, { form })).sheet.thermalCaution;
    testDesign = { ...plainDesign, foreground: '#ff8800' };
    const vanishes = { color: '#ff8800', becomes: 'white' };
    for (const layout of ['roll', 'DK-11202'])
      expect(await caution(layout, 'design')).toMatchObject(vanishes);
    for (const form of ['black', 'compact'] as const)
      expect(await caution('roll', form)).toBeNull();
    expect(await caution('L7160', 'design')).toBeNull();
  });

  test('has modules of whole dots', async () => {
    const options = { page: '40x40', dpi: 203, form: 'compact', hasCaptions: false } as const;
    const { sheet } = await prepare(codesNamed('a'), 'roll', {}, options);
    expect((sheet.sideMm / 33 / 25.4) * 203).toBeCloseTo(9, 6);
  });

  test('is refused when it has more codes than wanted', () => {
    expect(prepare(codesNamed('a', 'b', 'c'), 'L7160', { maxCodes: 2 })).rejects.toMatchObject({
      reason: { kind: 'too many codes to print', max: 2 },
    });
  });

  test('is refused when codes would be too small to read', () => {
    const { sheets } = printing(codesNamed('Table 7'));
    // 41 modules of 0.5 mm are 20.5 mm.
    expect(sheets.prepare(everything, sheetLayout('L7160', { sizeMm: 20 }))).rejects.toMatchObject({
      reason: {
        ...{ kind: 'code too small', title: 'Table 7', widthMm: 20, smallestMm: 21 },
        remedies: ['compact', 'text', 'larger', 'labels'],
      },
    });
  });
});

describe('an archive', () => {
  test('has an image of each code under its name, and a table', async () => {
    const { archives } = printing(codesNamed('Table 7', '=1+1', ['old', { image: null }]));
    const archive = await archives.prepare(everything, { format: 'png', widthPx: 512 });
    const progress: number[] = [];
    const bytes = Buffer.concat(await Array.fromAsync(archive.zip((done) => progress.push(done))));
    expect(archive).toMatchObject({ codes: 2, withoutImage: 1 });
    expect(progress).toEqual([1, 2]);
    const text = bytes.toString('utf8');
    expect(text).toContain('Table 7 - code0000.pngpng 512 43.3 https://q.example/code0000');
    expect(text).toContain(
      [
        '\ufefffile,name,code,url,destination,note,folder,path,@image',
        "_=1+1 - code0001.png,'=1+1,code0001,https://q.example/code0001,https://example.org/,,,,_=1+1 - code0001.png",
        ',old,code0002,https://q.example/code0002,https://example.org/,,,,',
        'Table 7 - code0000.png,Table 7,code0000,https://q.example/code0000,https://example.org/,,,,Table 7 - code0000.png',
      ].join('\r\n'),
    );
  });

  test('is refused with a width in print that phones cannot read, by the rule of sheets', async () => {
    const { archives } = printing(codesNamed('Table 7'));
    const prepare = (format: ArchiveFormat, widthMm?: number) =>
      archives.prepare(everything, { format, widthPx: 128, widthMm });
    expect(prepare('svg', 20)).rejects.toMatchObject({
      reason: { kind: 'code too small', widthMm: 20, smallestMm: 21, remedies: ['larger'] },
    });
    expect(await prepare('svg', 21)).toMatchObject({ codes: 1, widthMm: 21 });
    expect(prepare('pdf')).rejects.toMatchObject({
      reason: { kind: 'code too small', widthMm: 10.8 },
    });
    // Without a width in print, it may be for a screen.
    expect(await prepare('png')).toMatchObject({ codes: 1 });
  });
});

test.each([
  ['Table 7', 'Table 7 - 0w50gwaj.svg'],
  [null, '0w50gwaj.svg'],
  ['a/b\\c:d*e?"<f>|g', 'a b c d e f g - 0w50gwaj.svg'],
  ['../../etc/passwd', 'etc passwd - 0w50gwaj.svg'],
  ['CON', '_CON - 0w50gwaj.svg'],
  ['nul.txt', '_nul.txt - 0w50gwaj.svg'],
  [' . ', '0w50gwaj.svg'],
  ['two\nlines\t\u202egnp.exe', 'two lines gnp.exe - 0w50gwaj.svg'],
  ['卓 七', '卓 七 - 0w50gwaj.svg'],
  ['ü'.repeat(120), `${'ü'.repeat(80)} - 0w50gwaj.svg`],
])('the name %j becomes the file %j', (name, file) => {
  expect(fileNameOf({ name, code: '0w50gwaj' }, 'svg')).toBe(file);
});
