import { describe, expect, test } from 'bun:test';
import { inflateSync } from 'node:zlib';
import { captionStripModules, parseCaption } from '../../src/core/designs/caption.ts';
import { captionPlaces, type Design, plainDesign } from '../../src/core/designs/design.ts';
import { hasGlyphInCaptions } from '../../src/core/designs/print-face.ts';
import { isStoredDesign, toStoredDesign } from '../../src/core/designs/stored-design.ts';
import { type Picture, pictureOf, totalModules } from '../../src/render/path/picture.ts';
import { pngOf } from '../../src/render/path/png.ts';
import { rasterize, toRgba } from '../../src/render/path/raster.ts';
import { svgOf } from '../../src/render/path/svg.ts';
import { checkReadabilityWithResvg } from '../../src/render/readability/check.ts';
import { drawWithResvg } from '../../src/render/resvg.ts';
import { loadCaption } from '../../src/render/sheet/fonts/outline.ts';
import { drawPage, loadCaptions } from '../../src/render/sheet/page.ts';
import { refusalOf } from '../support/refusal.ts';
import { discLogo, sampleLink } from './design-arbitraries.ts';

const captioned = (caption: string, changes: Partial<Design> = {}): Design => ({
  ...plainDesign,
  captionPlace: 'below',
  ...changes,
  caption,
});

async function draw(design: Design): Promise<Picture> {
  const outline = design.caption === undefined ? undefined : await loadCaption(design.caption);
  return pictureOf(sampleLink, design, undefined, outline);
}

describe('the text of a caption', () => {
  test.each([
    ['Scan for the menu', 'Scan for the menu'],
    ['  Zum \n Menü ', 'Zum Menü'],
    ['Cafe\u0301', 'Café'],
    ['Меню здесь', 'Меню здесь'],
    ['', null],
    [' \t ', null],
    ['x'.repeat(24), 'x'.repeat(24)],
    ['e\u0301'.repeat(24), 'é'.repeat(24)],
  ])('%j is read as %j', (text, caption) => {
    expect(parseCaption(text)).toBe(caption);
  });

  test.each([
    ['x'.repeat(25), /up to 24 characters/],
    ['x'.repeat(100_000), /up to 24 characters/],
    ['扫码', /lacks these characters: 扫 码/],
    ['Scan 🍕', /lacks these characters: 🍕/],
    ['मेनू', /lacks/],
    ['قائمة', /lacks/],
    ['100 ₾', /lacks these characters: ₾/],
    ['a\u200bb', /U\+200B/],
    ['a\u202eb', /U\+202E/],
    ['a\0b', /U\+0000/],
    ['x\u0336', /U\+0336/],
  ])('%j is refused in words', async (text, message) => {
    expect((await refusalOf(() => parseCaption(text))).said).toMatch(message);
  });

  test('has a letter in a face for everything that is accepted, within the strip', async () => {
    let [height, depth, count] = [0, 0, 0];
    for (let code = 0; code < 0x20000; code++) {
      const character = String.fromCodePoint(code);
      if (!hasGlyphInCaptions(character)) continue;
      count++;
      for (const command of (await loadCaption(`Ж${character}`)).path) {
        if (!('y' in command)) continue;
        height = Math.max(height, -command.y);
        depth = Math.max(depth, command.y);
      }
    }
    expect(count).toBeGreaterThan(1_000);
    expect([height < 1_150, depth < 280]).toEqual([true, true]);
  });
});

describe('a picture with a caption', () => {
  const designs: Design[] = captionPlaces.flatMap((captionPlace) => [
    captioned('Scan for the menu', { captionPlace }),
    captioned('WWWWWWWWWWWWWWWWWWWWWWWW', { captionPlace, quietZoneModules: 8 }),
    captioned('Ǻģ Überraschung (qyj)', {
      ...{ captionPlace, moduleShape: 'rounded', finderShape: 'circle', foreground: '#9a3412' },
      ...{ logo: discLogo, logoSizePercent: 18, finderColor: '#7a1f5c' },
    }),
  ]);

  test.each(designs)('has the symbol and its quiet zone as without it: %j', async (design) => {
    const { caption: _, captionPlace, ...bare } = design;
    const picture = await draw(design);
    const plain = await draw(bare);
    const perModule = 5;
    const total = totalModules(picture.layout);
    expect(total).toBe(totalModules(plain.layout) + captionStripModules);
    const raster = (one: Picture) => {
      const widthPx = totalModules(one.layout) * perModule;
      return toRgba(rasterize(one, { widthPx, pxPerModule: perModule, leftPx: 0 }));
    };
    const [whole, symbol] = [raster(picture), raster(plain)];
    const left = (captionStripModules / 2) * perModule;
    const top = captionPlace === 'above' ? captionStripModules * perModule : 0;
    for (let y = 0; y < symbol.widthPx; y++) {
      const at = ((y + top) * whole.widthPx + left) * 4;
      const row = whole.rgba.subarray(at, at + symbol.widthPx * 4);
      const expected = symbol.rgba.subarray(y * symbol.widthPx * 4, (y + 1) * symbol.widthPx * 4);
      expect(Buffer.from(row).equals(expected)).toBe(true);
    }
    // Letters are in the strip, and the sides and the outermost pixels are free.
    const ground = whole.rgba.subarray(0, 4);
    const isGround = (x: number, y: number) => {
      const at = (y * whole.widthPx + x) * 4;
      return Buffer.from(whole.rgba.subarray(at, at + 4)).equals(ground);
    };
    const strip = captionPlace === 'above' ? 0 : symbol.widthPx;
    let letters = 0;
    for (let y = strip; y < strip + captionStripModules * perModule; y++)
      for (let x = 0; x < whole.widthPx; x++) if (!isGround(x, y)) letters++;
    expect(letters).toBeGreaterThan(50);
    for (let at = 0; at < whole.widthPx; at++)
      expect([isGround(at, 0), isGround(0, at), isGround(at, whole.widthPx - 1)]).toEqual([
        true,
        true,
        true,
      ]);
  });

  test.each(designs)('is proven readable, and larger in print: %j', async (design) => {
    const result = await checkReadabilityWithResvg(await draw(design), sampleLink);
    expect(result).toMatchObject({ isReadable: true, captionModules: captionStripModules });
  });

  test('is not readable when what is drawn in place of the caption hides the symbol', async () => {
    const design = captioned('Scan');
    const picture = await draw(design);
    const side = totalModules(picture.layout);
    const cover = [
      { kind: 'move', x: 0, y: 0 },
      { kind: 'point', x: side, y: 0 },
      { kind: 'point', x: side, y: side / 2 },
      { kind: 'point', x: 0, y: side / 2 },
      { kind: 'close' },
    ] as const;
    const result = await checkReadabilityWithResvg({ ...picture, caption: cover }, sampleLink);
    expect(result.isReadable).toBe(false);
    expect(result.score).toBeLessThan(50);
  });

  test('is drawn alike as PNG, by another program as SVG, and without fonts', async () => {
    for (const design of designs) {
      const picture = await draw(design);
      const svg = svgOf(picture);
      expect(svg).not.toMatch(/<text|font/);
      const widthPx = totalModules(picture.layout) * 8;
      const drawn = await drawWithResvg(svg, widthPx);
      const { rgba } = toRgba(rasterize(picture, { widthPx, pxPerModule: 8, leftPx: 0 }));
      const difference = rgba.reduce(
        (sum, value, at) => sum + Math.abs(value - (drawn.rgba[at] ?? 0)),
        0,
      );
      expect(difference / rgba.length).toBeLessThan(1);
      expect(pngOf(picture, 512)).toEqual(pngOf(await draw(design), 512));
    }
  });

  test('is vector paths on pages, and nothing changes on those of other designs', async () => {
    const page = (design: Design) => {
      const box = { leftMm: 0, topMm: 0, widthMm: 31, heightMm: 31 };
      const layout = { pageHeightMm: 51, code: box, dotMm: null, form: 'design' } as const;
      return {
        codes: [{ shortLink: sampleLink, design, leftMm: 10, topMm: 0 }],
        layout,
        operators: '',
      };
    };
    const design = captioned('Menü');
    const drawn = page(design);
    const operators = String(inflateSync(drawPage(drawn, await loadCaptions(drawn))));
    expect(operators).toContain('1 0 0 1 4 0 cm');
    expect(operators.match(/ c\n/g)?.length).toBeGreaterThan(10);
    const { caption: _, captionPlace: _place, ...bare } = design;
    expect(drawPage(page(bare), await loadCaptions(page(bare)))).toEqual(drawPage(page(bare)));
  });
});

describe('a stored design', () => {
  test('with a caption is one, and one that the program would not store is none', () => {
    const stored = (changes: object) => {
      const { settings, logoPng } = toStoredDesign(plainDesign);
      return isStoredDesign({ ...settings, ...changes }, logoPng);
    };
    expect(stored({})).toBe(true);
    expect(stored({ caption: 'Menü', captionPlace: 'above' })).toBe(true);
    for (const wrong of [
      { caption: 'Menü' },
      { captionPlace: 'above' },
      { caption: 'Menü', captionPlace: 'beside' },
      { caption: '', captionPlace: 'above' },
      { caption: ' Menü', captionPlace: 'above' },
      { caption: 'x'.repeat(25), captionPlace: 'above' },
      { caption: '扫码', captionPlace: 'above' },
      { caption: 7, captionPlace: 'above' },
    ])
      expect([wrong, stored(wrong)]).toEqual([wrong, false]);
  });

  test('without a caption is stored as before there were captions', () => {
    expect(JSON.stringify(toStoredDesign(plainDesign).settings)).not.toContain('caption');
  });
});
