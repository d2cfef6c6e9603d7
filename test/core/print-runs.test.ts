import { describe, expect, test } from 'bun:test';
import type { SheetCode } from '../../src/core/codes/ports.ts';
import { createArchives, fileNameOf } from '../../src/core/codes/print/archive.ts';
import { type LayoutName, sheetLayout } from '../../src/core/codes/print/sheet-layout.ts';
import { createSheets } from '../../src/core/codes/print/sheets.ts';
import type { Qr } from '../../src/core/codes/qr.ts';
import { plainDesign } from '../../src/core/designs/design.ts';
import { sampleImage, sampleQr } from './sample-qr.ts';

/** Codes with names, oldest first; null for a code without one. */
function codesNamed(...names: (string | null)[]): Qr[] {
  return names.map((name, index) => {
    const code = `code000${index}`;
    return { ...sampleQr, id: index, code, name, shortLink: `https://q.example/${code}` };
  });
}

/** Services on codes, and what they draw. */
function printing(codes: readonly Qr[]) {
  const drawn: SheetCode[] = [];
  const deps = {
    store: {
      searchBatch: async (_: number, cursor: unknown) => ({
        // Two batches, newest first.
        found: cursor === null ? codes.slice(1).reverse() : codes.slice(0, 1),
        next: cursor === null ? { createdAtMs: 0, code: '' } : null,
      }),
      findMany: async (_: number, wanted: readonly string[]) =>
        codes.filter(({ code }) => wanted.includes(code)),
    },
    designs: { find: async () => plainDesign },
  };
  const printer = {
    isPrintable: (text: string) => !text.includes('卓'),
    pdf: async function* (_: unknown, __: string, sheet: Iterable<SheetCode>) {
      for (const code of sheet) drawn.push(code);
      yield new Uint8Array();
    },
  };
  const sheets = createSheets({
    ...deps,
    printerFor: async () => printer,
    symbolSide: async () => 33,
  });
  const archives = createArchives({
    ...deps,
    rendererFor: () => ({
      svg: async (link) => new TextEncoder().encode(`<svg>${link}</svg>`),
      png: async (link, _, widthPx) => new TextEncoder().encode(`PNG ${widthPx} ${link}`),
    }),
  });
  return { drawn, sheets, archives };
}

const everything = { accountId: 1, text: '' };

describe('a sheet', () => {
  const prepare = async (codes: readonly Qr[], layout: LayoutName = 'L7160', selection = {}) => {
    const { sheets, drawn } = printing(codes);
    const sheet = await sheets.prepare({ ...everything, ...selection }, sheetLayout(layout));
    await Array.fromAsync(sheet.pdf());
    return { sheet, drawn };
  };

  test('has its codes in the order of their names as people count, then those without a name', async () => {
    const { drawn } = await prepare(codesNamed('Table 10', null, 'Table 9', null, 'Bar'));
    const captions = drawn.map(({ caption }) => caption);
    expect(captions).toEqual(['Bar', 'Table 9', 'Table 10', 'code0001', 'code0003']);
  });

  test('counts pages, and says from where phones read the codes', async () => {
    const { sheet } = await prepare(codesNamed(...Array.from({ length: 22 }, () => null)));
    expect(sheet).toMatchObject({ codes: 22, pages: 2, readableFrom: { distanceMm: 200 } });
  });

  test('shows the code where the font cannot show the name, and says so', async () => {
    const { sheet, drawn } = await prepare(codesNamed('卓 7', 'Table 8'));
    expect(sheet.unprintableNames).toEqual(['卓 7']);
    expect(drawn.map(({ caption }) => caption)).toEqual(['Table 8', 'code0000']);
  });

  test('leaves imported links out, and counts them', async () => {
    const [first, second] = codesNamed('a', 'b');
    const { sheet, drawn } = await prepare([
      { ...sampleQr, ...first, image: null },
      { ...sampleQr, ...second },
    ]);
    expect(sheet.withoutImage).toBe(1);
    expect(drawn.map(({ caption }) => caption)).toEqual(['b']);
  });

  test('can be limited to some codes', async () => {
    const { drawn } = await prepare(codesNamed('a', 'b', 'c'), 'L7160', {
      codes: new Set(['code0001']),
    });
    expect(drawn.map(({ caption }) => caption)).toEqual(['b']);
  });

  test('is drawn with the logo placement of each code', async () => {
    const logoPlacement = { sizePercent: 92, rightModules: 0.5, downModules: 0 };
    const [code] = codesNamed('a');
    const { drawn } = await prepare([
      { ...sampleQr, ...code, image: { ...sampleImage, logoPlacement } },
    ]);
    expect(drawn[0]?.design.logoPlacement).toEqual(logoPlacement);
  });

  test('is refused when there is nothing to print', () => {
    expect(prepare([])).rejects.toThrow('No codes to print were found');
  });

  test('is refused when codes would be too small to read', () => {
    const { sheets } = printing(codesNamed('Table 7'));
    // 41 modules of 0.5 mm are 20.5 mm.
    expect(sheets.prepare(everything, sheetLayout('L7160', { sizeMm: 20 }))).rejects.toThrow(
      'A side of 20 mm is too small for Table 7: phones read it reliably from 21 mm.',
    );
  });
});

describe('an archive', () => {
  test('has an image of each code under its name, and a table', async () => {
    const [first, second, imported] = codesNamed('Table 7', '=1+1', 'old');
    const { archives } = printing([
      { ...sampleQr, ...first },
      { ...sampleQr, ...second },
      { ...sampleQr, ...imported, image: null },
    ]);
    const archive = await archives.prepare(everything, 'png', 512);
    const progress: number[] = [];
    const bytes = Buffer.concat(await Array.fromAsync(archive.zip((done) => progress.push(done))));
    expect(archive).toMatchObject({ codes: 2, withoutImage: 1 });
    expect(progress).toEqual([1, 2]);
    const text = bytes.toString('utf8');
    expect(text).toContain('Table 7 - code0000.pngPNG 512 https://q.example/code0000');
    expect(text).toContain(
      [
        '\ufefffile,name,code,url,destination,note,folder',
        "'=1+1 - code0001.png,'=1+1,code0001,https://q.example/code0001,https://example.org/,,",
        ',old,code0002,https://q.example/code0002,https://example.org/,,',
        'Table 7 - code0000.png,Table 7,code0000,https://q.example/code0000,https://example.org/,,',
      ].join('\r\n'),
    );
  });

  test('is refused when there is nothing in it', () => {
    expect(printing([]).archives.prepare(everything, 'svg', 0)).rejects.toThrow('No codes');
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
