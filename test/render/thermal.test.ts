import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeLayout } from '../../src/core/codes/print/sheet-layout.ts';
import { blackAndWhiteCaution } from '../../src/core/designs/black-and-white.ts';
import { type Design, type Logo, plainDesign } from '../../src/core/designs/design.ts';
import { encodeRgbaPng } from '../../src/render/png/rgba.ts';
import { drawPage, logoImages, type SheetPage } from '../../src/render/sheet/page.ts';
import { createSheetPrinter } from '../../src/render/sheet/sheet.ts';
import { decoders } from '../support/decoders.ts';
import { isInstalled } from '../support/installed.ts';
import { decodePng, pngSize } from '../support/png.ts';

// Prints codes as a thermal printer of 203 dpi does, in the smallest size that sheets accept: each dot is black or not.

const dpi = 203;
const smallestMm = 21;
const link = 'https://qr.example.com/7h3k9m2x';
const printer = await createSheetPrinter(
  {
    page: async (page: SheetPage) => drawPage(page),
    logo: async (logo: Logo) => logoImages(logo),
  },
  [import.meta.dir],
);
const png = readFileSync(join(import.meta.dir, '../golden/logo.png'));
const logo = { png, ...pngSize(png) };

// jsQR reads no dots of four pixels, in any colour.
const all = decoders.filter(({ name, present }) => present && name !== 'jsqr');

/** Returns the decoders that read a design after printing. */
async function readers(design: Design): Promise<string[]> {
  const code = { shortLink: link, design, captions: [] };
  const pieces = await Array.fromAsync(printer.pdf(codeLayout(smallestMm), 'Code', 0, [code]));
  const args = ['-r', String(dpi), '-gray', '-png', '-singlefile', '-'];
  const stdin = Buffer.concat(pieces);
  const { stdout } = Bun.spawn(['pdftoppm', ...args], { stdin, stdout: 'pipe' });
  const { rgba, widthPx, heightPx } = decodePng(await new Response(stdout).bytes());
  const dots = new Uint8Array(rgba.map((value) => (value < 128 ? 0 : 255)));
  const printed = encodeRgbaPng({ widthPx, heightPx, rgba: dots });
  const texts = all.map(async ({ name, read }) =>
    (await read(printed)).text === link ? name : null,
  );
  return (await Promise.all(texts)).filter((name) => name !== null);
}

const shapes = [
  ['square', 'square'],
  ['rounded', 'rounded'],
  ['dots', 'circle'],
] as const;

describe.skipIf(!isInstalled('pdftoppm'))('on a thermal printer', () => {
  // The palest grey without a caution, a brown, and a pale background.
  const darkEnough: Partial<Design>[] = [
    { foreground: '#707070' },
    { foreground: '#9a3412', finderColor: '#1b3a57' },
    { foreground: '#000000', background: '#a0a0a0' },
  ];
  const patches = ['none', 'square', 'circle'] as const;
  const designs = shapes.flatMap((shape, at) =>
    [null, patches[at] ?? 'none'].map((patch) => ({ ...darkEnough[at], shape, patch })),
  );
  test.each(designs)(
    'a design without a caution is read: %j',
    async ({ shape, patch, ...colors }) => {
      const [moduleShape, finderShape] = shape;
      const withLogo = patch === null ? {} : { logo, logoPatch: patch };
      const design: Design = { ...plainDesign, ...colors, moduleShape, finderShape, ...withLogo };
      expect(blackAndWhiteCaution(design)).toBeNull();
      expect(await readers(design)).toEqual(all.map(({ name }) => name));
    },
  );

  test.each(['#ff8800', '#9acd32', '#00b8d4', '#d4a017', '#858585'])(
    '%s vanishes, and has a caution',
    async (foreground) => {
      const design: Design = { ...plainDesign, foreground };
      expect(blackAndWhiteCaution(design)).toMatchObject({ color: foreground, becomes: 'white' });
      expect(await readers(design)).toEqual([]);
    },
  );
});
