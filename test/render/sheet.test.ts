import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import type { CaptionText, SheetCode } from '../../src/core/codes/ports.ts';
import { captionLines, sheetLayout } from '../../src/core/codes/print/sheet-layout.ts';
import { type Logo, plainDesign } from '../../src/core/designs/design.ts';
import { drawPage, logoImages, type SheetPage } from '../../src/render/sheet/page.ts';
import { createSheetPrinter } from '../../src/render/sheet/sheet.ts';
import { pngSize } from '../support/png.ts';

const workers = {
  page: async (page: SheetPage) => drawPage(page),
  logo: async (logo: Logo) => logoImages(logo),
};
// A folder without fonts.
const printer = await createSheetPrinter(workers, [import.meta.dir]);

const createdAtMs = Date.UTC(2026, 10, 25, 16, 0, 1);

const png = readFileSync(join(import.meta.dir, '../golden/logo.png'));
const logo = { png, ...pngSize(png) };

async function sheetOf(
  captions: readonly string[],
  design = plainDesign,
  by = printer,
): Promise<Buffer> {
  const codes: SheetCode[] = captions.map((caption, index) => ({
    captions: [{ line: 'name', text: caption }],
    design,
    shortLink: `https://qr.example.com/0000000${index}`,
  }));
  return Buffer.concat(
    await Array.fromAsync(by.pdf(sheetLayout('L7163'), 'Sheet', createdAtMs, codes)),
  );
}

/** Returns the content of all streams that are text. */
function streamsOf(pdf: Buffer): string[] {
  const text = pdf.toString('latin1');
  return [...text.matchAll(/\/Length (\d+) >>\nstream\n/g)].map((match) => {
    const start = match.index + match[0].length;
    return inflateSync(pdf.subarray(start, start + Number(match[1]))).toString('latin1');
  });
}

describe('the PDF', () => {
  test('is equal to the byte for equal codes', async () => {
    expect((await sheetOf(['Table 7'])).equals(await sheetOf(['Table 7']))).toBe(true);
  });

  test('tells programs not to scale the pages', async () => {
    expect((await sheetOf(['a'])).toString('latin1')).toContain('/PrintScaling /None');
  });

  test('says when it was made and where the pages are cut', async () => {
    const text = (await sheetOf(['a'])).toString('latin1');
    expect(text).toContain('/CreationDate (D:20261125160001Z)');
    expect(text).toContain('/TrimBox [0 0 595.2756 841.8898]');
  });

  test('prints black with one ink', async () => {
    const [page = ''] = streamsOf(await sheetOf(['Table 7']));
    expect(page).not.toMatch(/rg|RG/);
    expect(page).toContain('\n1 g 0 0 41 41 re f\n0 g ');
  });

  test('embeds only the glyphs in use', async () => {
    const [one, all] = [await sheetOf(['aaa']), await sheetOf(['abcdefghijklmnopqrstuvwxyz'])];
    expect(one.length).toBeLessThan(all.length - 500);
    expect(all.length).toBeLessThan(40_000);
  });

  test('has no font without captions', async () => {
    const layout = sheetLayout('L7163', { hasCaptions: false });
    const code = {
      captions: [],
      design: plainDesign,
      shortLink: 'https://qr.example.com/00000000',
    };
    const pdf = Buffer.concat(
      await Array.fromAsync(printer.pdf(layout, 'Sheet', createdAtMs, [code])),
    );
    expect(pdf.toString('latin1')).not.toContain('/Type /Font');
  });

  test('names a logo once for all of its codes', async () => {
    const pdf = await sheetOf(['a', 'b', 'c'], { ...plainDesign, logo });
    expect(pdf.toString('latin1').match(/\/SMask/g)).toHaveLength(1);
    const [page = ''] = streamsOf(pdf);
    expect(page.match(/ Do Q/g)).toHaveLength(3);
  });
});

/** Texts as the name, the note and the link of a code. */
const captionsOf = (texts: readonly string[]): CaptionText[] =>
  texts.map((text, index) => ({ line: captionLines[index] ?? 'note', text }));

describe('the texts of a label', () => {
  const textsOf = (page: string, captions: readonly string[], above?: string) => {
    const layout = sheetLayout('roll', { page, ...(above && { above }) });
    const { lines, isCut } = printer.layOutTexts(layout, captionsOf(captions));
    const bottomMm = Math.max(0, ...lines.map(({ baselineMm }) => baselineMm));
    const rightMm = Math.max(0, ...lines.map(({ leftMm, widthMm }) => leftMm + widthMm));
    expect(bottomMm).toBeLessThan(layout.labelHeightMm);
    expect(rightMm).toBeLessThan(layout.labelWidthMm);
    return { texts: lines.map(({ text }) => text), isCut };
  };

  test('are whole where they fit', () => {
    const whole = { texts: ['Scan', 'Table 7'], isCut: false };
    expect(textsOf('62x29', ['Table 7'], 'Scan')).toEqual(whole);
    expect(textsOf('50x60', ['Table 7'], 'Scan')).toEqual(whole);
  });

  test('beside a code are a small line, a bold name, and a note, as large as they fit', () => {
    const layout = sheetLayout('L7160', { above: 'Scan for the menu' });
    const set = (...texts: string[]) =>
      printer
        .layOutTexts(layout, captionsOf(texts))
        .lines.map(({ text, fontPt, weight, tone }) => [text, fontPt, weight, tone]);
    expect(set('Table 7', 'Terrace', 'qr.osteria.example/6as9yvt9')).toEqual([
      ['Scan for the menu', 8, 'medium', 'pattern'],
      ['Table 7', 20, 'bold', 'ink'],
      ['Terrace', 8.5, 'medium', 'soft'],
      ['qr.osteria.example/', 6.5, 'medium', 'soft'],
      ['6as9yvt9', 6.5, 'bold', 'ink'],
    ]);
    const long = set('Chef’s garden, lower terrace', 'Ring for service');
    expect(long.map(([text]) => text)).toEqual([
      'Scan for the menu',
      'Chef’s garden,',
      'lower terrace',
      'Ring for service',
    ]);
    expect(long[1]?.[1]).toBeGreaterThanOrEqual(11);
  });

  test('of a tall label have the name above the code', () => {
    const options = { page: '62x92', above: 'Scan for the menu' };
    const layout = sheetLayout('roll', { ...options, below: ['name', 'note'] });
    const { lines } = printer.layOutTexts(layout, captionsOf(['Table 7', 'Terrace']));
    const [line, name, note] = lines;
    expect([line?.fontPt, name?.fontPt, note?.fontPt]).toEqual([11, 34, 10.5]);
    expect(name?.baselineMm).toBeLessThan(layout.code.topMm);
    expect(note?.baselineMm).toBeGreaterThan(layout.code.topMm + layout.code.heightMm);
  });

  test('have names of one size on a sheet', () => {
    const layout = { ...sheetLayout('L7160'), namePt: 13 };
    const { lines, namePt } = printer.layOutTexts(layout, captionsOf(['Bar']));
    expect([lines[0]?.fontPt, namePt]).toEqual([13, 13]);
  });

  test('end with an ellipsis where they do not, and are known to be cut', () => {
    for (const page of ['62x29', '50x60']) {
      const { texts, isCut } = textsOf(page, ['word '.repeat(200)]);
      expect([texts.at(-1)?.endsWith('…'), isCut]).toEqual([true, true]);
    }
    const { texts, isCut } = textsOf(
      '25x40',
      ['Table 7'],
      'Scan this for the menu of the day, please',
    );
    expect(texts).toEqual([expect.stringMatching(/^Scan this .*…$/), 'Table 7']);
    expect(isCut).toBe(true);
  });

  test('that have no room at all are left out, and known to be cut', () => {
    expect(textsOf('30x10', ['a', 'b', 'c', 'd'])).toEqual({ texts: ['a', 'b', 'c'], isCut: true });
  });
});

test.each([
  ['Table 7', true],
  ['Größe Åse Łódź Ñandú İstanbul', true],
  ['Стол 7 – Ελλάδα № 5 ½ €', true],
  // Composed before it is drawn.
  ['Cafe\u0301', true],
  ['two\nlines', true],
  ['卓 7', false],
  ['طاولة', false],
  ['โต๊ะ', false],
  ['table 🍕', true],
  ['🍕', false],
  ['7️⃣ © Tol\u00adstoi', true],
  ['x\u0338', false],
  ['\ud800', false],
])('captions can show %j: %p', (text, isPrintable) => {
  expect(printer.isPrintable(text)).toBe(isPrintable);
});

const scripts: readonly (readonly [script: string, text: string, glyphs: number])[] = [
  ['Chinese', '卓七 靠窗', 4],
  ['Japanese', 'テーブル窓側', 6],
  ['Korean', '테이블 창가', 5],
  // Joined letters, lam and alef in one glyph.
  ['Arabic', 'طاولة', 5],
  ['Persian with a joiner', 'می‌خواهم', 7],
  ['Hebrew', 'שולחן', 5],
  ['Thai', 'โต๊ะ', 4],
  // The vowel sign stands before its consonant.
  ['Hindi', 'खिड़की', 5],
  ['Bengali', 'টেবিল', 5],
  ['Tamil', 'மேசை', 4],
];

// Debian packages fonts-noto-core and fonts-noto-cjk.
const noto = ['/usr/share/fonts/truetype/noto', '/usr/share/fonts/opentype/noto'];
const areInstalled = noto.every((folder) => existsSync(folder)) || process.env['CI'] === 'true';

describe.skipIf(!areInstalled)('with the fonts of Noto', () => {
  test.each(scripts)('captions in %s are shaped: %s', async (_, text, glyphs) => {
    const withFonts = await createSheetPrinter(workers, noto);
    expect(printer.isPrintable(text)).toBe(false);
    expect(withFonts.isPrintable(text)).toBe(true);
    const [page = ''] = streamsOf(await sheetOf([text], plainDesign, withFonts));
    expect(page.match(/ cm \/G\S+ Do Q$/gm)).toHaveLength(glyphs);
    // For search and copying.
    const utf16 = Buffer.from(text, 'utf16le').swap16().toString('hex').toUpperCase();
    expect(page).toContain(`/ActualText <FEFF${utf16}>`);
  });

  test('right-to-left text with a Latin part is ordered, and mirrors brackets', async () => {
    const withFonts = await createSheetPrinter(workers, noto);
    const glyphsOf = async (text: string) => {
      const [page = ''] = streamsOf(await sheetOf([text], plainDesign, withFonts));
      return Array.from(page.matchAll(/ cm \/G(\S+) Do Q$/gm), ([, glyph]) => glyph);
    };
    const [letters, number, all] = [
      await glyphsOf('שלט'),
      await glyphsOf('א 12'),
      await glyphsOf('שלט (12)'),
    ];
    // From left to right: bracket, number, bracket, word.
    expect(all.slice(-3)).toEqual(letters);
    expect(all.slice(1, 3)).toEqual(number.slice(0, 2));
    expect(all).toHaveLength(7);
  });
});
