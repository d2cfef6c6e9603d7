import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { cliSentence } from '../../src/cli/sentences/sentences.ts';
import { Refused } from '../../src/core/errors.ts';
import { ownWork } from '../../src/core/fair-queue.ts';
import { convertLogo } from '../../src/render/logo/logo.ts';
import { colorTypes, pngChunk, pngFile } from '../../src/render/png/file.ts';
import { decodeRgbaPng, encodeRgbaPng, type Pixels } from '../../src/render/png/rgba.ts';
import { createFileReaders } from '../../src/workers/file-readers.ts';
import { refusalOf } from '../support/refusal.ts';

type Rgba = readonly [red: number, green: number, blue: number, alpha: number];

const blue: Rgba = [10, 40, 220, 255];

function rgbaPng(widthPx: number, heightPx: number, at: (x: number, y: number) => Rgba) {
  const rgba = new Uint8Array(widthPx * heightPx * 4);
  for (let pixel = 0; pixel < widthPx * heightPx; pixel++)
    rgba.set(at(pixel % widthPx, Math.floor(pixel / widthPx)), pixel * 4);
  return encodeRgbaPng({ widthPx, heightPx, rgba });
}

/** A picture with an edge in each direction, so that a turn or a cut would show. */
function corner(widthPx: number, heightPx: number): Uint8Array {
  return rgbaPng(widthPx, heightPx, (x, y) =>
    x < widthPx / 2 && y < heightPx / 2 ? [255, 0, 0, 255] : [0, 0, 255, 255],
  );
}

const asJpeg = (png: Uint8Array) => new Bun.Image(png).jpeg({ quality: 90 }).bytes();

/** A PNG header of a size, without pixels. */
function emptyPng(widthPx: number, heightPx: number): Uint8Array {
  const header = { widthPx, heightPx, depth: 8, colorType: colorTypes.rgba } as const;
  return pngFile(header, [['IDAT', Bun.deflateSync(new Uint8Array(9), { library: 'zlib' })]]);
}

/** Inserts EXIF data (little-endian TIFF) that holds nothing but an orientation. */
function withOrientation(jpeg: Uint8Array, orientation: number): Uint8Array {
  const exif = Buffer.from(`ffe1${'0022'}457869660000${'49492a0008000000'}${'0100'}`, 'hex');
  const entry = Buffer.from([0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0, 0, 0, 0, 0]);
  return Buffer.concat([jpeg.subarray(0, 2), exif, entry, jpeg.subarray(2)]);
}

/** Converts a logo that must be accepted, and returns its pixels. */
async function pixelsOf(bytes: Uint8Array): Promise<Pixels> {
  return decodeRgbaPng((await convertLogo(bytes)).png);
}

/** The pixel at a place given as fractions of the sides. */
function pixelAt({ widthPx, heightPx, rgba }: Pixels, right: number, down: number): number[] {
  const at = (Math.floor(down * heightPx) * widthPx + Math.floor(right * widthPx)) * 4;
  return [...rgba.subarray(at, at + 4)];
}

const text = (source: string) => new TextEncoder().encode(source);

async function expectRejected(file: Uint8Array, message: RegExp): Promise<void> {
  expect((await refusalOf(() => convertLogo(file))).said).toMatch(message);
}

describe('a raster logo', () => {
  test.each([
    ['PNG', async (png: Uint8Array) => png],
    ['JPEG', asJpeg],
  ])('may be a %s and keeps size and colours', async (_, convert) => {
    const pixels = await pixelsOf(await convert(corner(60, 40)));
    expect([pixels.widthPx, pixels.heightPx]).toEqual([60, 40]);
    const [left = 0, , , alpha] = pixelAt(pixels, 0.1, 0.1);
    expect(left).toBeGreaterThan(240);
    expect(alpha).toBe(255);
    const [right = 255, , blueness = 0] = pixelAt(pixels, 0.9, 0.9);
    expect(right).toBeLessThan(15);
    expect(blueness).toBeGreaterThan(240);
  });

  test('is stored as an 8-bit RGBA PNG without trailing data, deterministically', async () => {
    const file = Buffer.concat([corner(40, 40), Buffer.from('<script>alert(1)</script>')]);
    const { png } = await convertLogo(file);
    expect([...png.subarray(24, 26)]).toEqual([8, colorTypes.rgba]);
    expect(Buffer.from(png).includes('script')).toBe(false);
    expect(await convertLogo(file)).toEqual({ png, widthPx: 40, heightPx: 40 });
  });

  test('is reduced to 512 pixels and never enlarged', async () => {
    expect(await convertLogo(corner(1000, 500))).toMatchObject({ widthPx: 512, heightPx: 256 });
    const jpeg = await asJpeg(corner(1000, 500));
    expect(await convertLogo(jpeg)).toMatchObject({ widthPx: 512, heightPx: 256 });
    expect(await convertLogo(corner(16, 16))).toMatchObject({ widthPx: 16, heightPx: 16 });
  });

  test('keeps fine lines alike in each format when it is reduced', async () => {
    const lines = rgbaPng(1500, 75, (x) => (x % 9 < 2 ? [0, 0, 0, 255] : [255, 255, 255, 255]));
    const { rgba } = await pixelsOf(lines);
    const other = (await pixelsOf(await asJpeg(lines))).rgba;
    const differences = rgba.map((value, at) => Math.abs(value - (other[at] ?? 0)));
    expect(differences.reduce((most, one) => Math.max(most, one), 0)).toBeLessThan(13);
  });

  test('stays below 300 kB even as noise', async () => {
    const noise = crypto.getRandomValues(new Uint8Array(60_000));
    const at = (x: number, y: number) => (((x * 7 + y * 491) * 4) % 60_000) as number;
    const picture = rgbaPng(490, 490, (x, y) => {
      const [r = 0, g = 0, b = 0, a = 0] = noise.subarray(at(x, y), at(x, y) + 4);
      return [r ^ x, g ^ y, b ^ (x * y), a];
    });
    expect((await convertLogo(picture)).png.length).toBeLessThanOrEqual(300_000);
  });

  test('shows no colour of invisible pixels, neither reduced nor kept', async () => {
    const edge = rgbaPng(900, 900, (x) => (x < 451 ? [255, 0, 0, 0] : [255, 255, 255, 255]));
    const { rgba } = await pixelsOf(edge);
    for (let at = 0; at < rgba.length; at += 4) {
      const wanted = rgba[at + 3] === 0 ? [0, 0, 0] : [255, 255, 255];
      if (rgba[at] !== wanted[0]) expect([...rgba.subarray(at, at + 3)]).toEqual(wanted);
    }
  });

  test.each([
    [1, 0.1],
    [2, 0.9],
    [6, 0.9],
  ])('follows the EXIF orientation %i of a JPEG', async (orientation, right) => {
    const pixels = await pixelsOf(withOrientation(await asJpeg(corner(64, 32)), orientation));
    expect([pixels.widthPx, pixels.heightPx]).toEqual(orientation === 6 ? [32, 64] : [64, 32]);
    expect(pixelAt(pixels, right, 0.1)[0]).toBeGreaterThan(200);
    expect(pixelAt(pixels, 1 - right, 0.1)[0]).toBeLessThan(60);
  });

  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>';
  const panelOrPng = /panel with JavaScript.*PNG/;
  test.each([
    ['an SVG', text(svg), panelOrPng],
    ['a compressed SVG', Bun.gzipSync(text(svg)), panelOrPng],
    ['a WebP', text('RIFF\x40\0\0\0WEBPVP8L'), panelOrPng],
    ['a PDF', Buffer.from('%PDF-1.7'), panelOrPng],
    ['a text', text('Our logo'), panelOrPng],
    ['a PNG for iOS', Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\x04CgBI', 'latin1'), /damaged.*PNG/],
    ['1 × 1', rgbaPng(1, 1, () => blue), /1 × 1 pixels.*8/],
    ['a thin line', rgbaPng(400, 8, () => blue), /20 times/],
    ['30,000 × 30,000 pixels', emptyPng(30_000, 30_000), /too large/],
    ['a PNG with too few rows', emptyPng(16, 16), /damaged/],
    ['a truncated PNG', corner(64, 64).subarray(0, 99), /damaged/],
    ['a transparent picture', rgbaPng(16, 16, () => [0, 0, 0, 0]), /transparent/],
  ])('is rejected: %s', (_, file, message) => expectRejected(file, message));

  const colors = join(import.meta.dir, 'colors');
  const accepted = ['gamma-near-srgb.png', 'icc-after-scan.jpg', 'srgb-before-gamma.png'];
  test.each(readdirSync(colors))(
    'is rejected unless its colours are surely sRGB: %s',
    async (file) => {
      const bytes = readFileSync(join(colors, file));
      if (accepted.includes(file)) expect((await convertLogo(bytes)).widthPx).toBeGreaterThan(40);
      else await expectRejected(bytes, /(panel with JavaScript|damaged).*PNG/);
    },
  );

  test('is rejected when it was cut off, in each format', async () => {
    const picture = corner(90, 60);
    const progressive = await new Bun.Image(picture).jpeg({ progressive: true }).bytes();
    for (const file of [picture, await asJpeg(picture), progressive]) {
      for (const share of [0.3, 0.6, 0.9]) {
        const rest = file.subarray(0, Math.floor(file.length * share));
        await expectRejected(rest, /damaged or incomplete/);
      }
      await expectRejected(file.subarray(0, -1), /damaged or incomplete/);
    }
  });

  test('may be a JPEG with bytes after its end, and with a small picture in its EXIF data', async () => {
    const jpeg = await asJpeg(corner(60, 40));
    const small = await asJpeg(corner(16, 16));
    const length = Buffer.of(0, 0);
    length.writeUInt16BE(2 + small.length);
    const exif = Buffer.concat([Buffer.of(0xff, 0xe1), length, small]);
    const file = Buffer.concat([jpeg.subarray(0, 2), exif, jpeg.subarray(2), Buffer.from('more')]);
    expect(await convertLogo(file)).toMatchObject({ widthPx: 60, heightPx: 40 });
    await expectRejected(file.subarray(0, file.length - 40), /incomplete/);
  });
});

describe('a colour profile', () => {
  const srgb = [
    [0.4361, 0.2225, 0.0139],
    [0.3851, 0.7169, 0.0971],
    [0.1431, 0.0606, 0.7141],
  ] as const;
  const displayP3 = [
    [0.5151, 0.2412, -0.0011],
    [0.292, 0.6922, 0.0419],
    [0.1571, 0.0666, 0.7841],
  ] as const;
  const srgbLight = (value: number) =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;

  const fixed = (values: readonly number[]) => {
    const bytes = Buffer.alloc(4 * values.length);
    for (const [at, value] of values.entries())
      bytes.writeInt32BE(Math.round(value * 65_536), 4 * at);
    return bytes;
  };
  const number = (value: number) => fixed([value / 65_536]);
  const named = (type: string, ...data: Buffer[]) =>
    Buffer.concat([Buffer.from(type), Buffer.alloc(4), ...data]);
  const formula = (...parameters: number[]) =>
    named('para', Buffer.of(0, 3, 0, 0), fixed(parameters));
  const srgbFormula = formula(2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045);
  const table = (entries: number, light: (value: number) => number) => {
    const values = Buffer.alloc(2 * entries);
    for (let at = 0; at < entries; at++)
      values.writeUInt16BE(Math.round(65_535 * light(at / (entries - 1))), 2 * at);
    return named('curv', number(entries), values);
  };

  /** Builds a profile of RGB samples by primaries and one curve. */
  function profile(
    primaries: readonly (readonly number[])[],
    curve: Buffer,
    more: Readonly<Record<string, Buffer>> = {},
  ): Buffer {
    const named3 = (names: readonly string[], data: (index: number) => Buffer) =>
      Object.fromEntries(names.map((name, index) => [name, data(index)]));
    const tags = Object.entries({
      ...more,
      ...named3(['rXYZ', 'gXYZ', 'bXYZ'], (at) => named('XYZ ', fixed(primaries[at] ?? []))),
      ...named3(['rTRC', 'gTRC', 'bTRC'], () => curve),
    });
    const header = Buffer.alloc(128);
    header.write('RGB XYZ ', 16, 'latin1');
    header.write('acsp', 36, 'latin1');
    let start = 132 + 12 * tags.length;
    const directory = tags.map(([name, data]) => {
      const entry = Buffer.concat([Buffer.from(name), number(start), number(data.length)]);
      start += data.length;
      return entry;
    });
    return Buffer.concat([
      header,
      number(tags.length),
      ...directory,
      ...tags.map(([, data]) => data),
    ]);
  }

  /** Inserts the chunk of a profile behind the header of a PNG. */
  function withProfile(png: Uint8Array, icc: Buffer): Buffer {
    const data = Buffer.concat([Buffer.from('sRGB\0\0'), deflateSync(icc)]);
    return Buffer.concat([png.subarray(0, 33), pngChunk('iCCP', data), png.subarray(33)]);
  }
  /** Inserts the segment of a profile behind the start of a JPEG. */
  function withSegment(jpeg: Uint8Array, icc: Buffer, number = 1, count = 1): Buffer {
    const data = Buffer.concat([Buffer.from('ICC_PROFILE\0'), Buffer.of(number, count), icc]);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(data.length + 2);
    return Buffer.concat([
      jpeg.subarray(0, 2),
      Buffer.of(0xff, 0xe2),
      length,
      data,
      jpeg.subarray(2),
    ]);
  }

  test.each([
    ['as a formula', srgbFormula],
    ['as a table of 1,024', table(1_024, srgbLight)],
    ['as a table of 256', table(256, srgbLight)],
  ])('may be that of sRGB, %s', async (_, curve) => {
    const icc = profile(srgb, curve);
    const png = corner(60, 40);
    const jpeg = await asJpeg(png);
    expect(await convertLogo(withProfile(png, icc))).toEqual(await convertLogo(png));
    expect(await convertLogo(withSegment(jpeg, icc))).toEqual(await convertLogo(jpeg));
  });

  test.each([
    ['has wider primaries', profile(displayP3, srgbFormula)],
    [
      'is linear',
      profile(
        srgb,
        table(2, (value) => value),
      ),
    ],
    ['has a gamma of 2.2', profile(srgb, named('curv', number(1), Buffer.of(2, 51)))],
    [
      'has a table of a gamma of 2.2',
      profile(
        srgb,
        table(1_024, (value) => value ** 2.2),
      ),
    ],
    ['has another formula', profile(srgb, formula(1.8, 1, 0, 1, 0))],
    ['has tables beside its curves', profile(srgb, srgbFormula, { A2B0: named('mft2') })],
    [
      'has codes of video',
      profile(srgb, srgbFormula, { cicp: named('cicp', Buffer.of(9, 16, 0, 1)) }),
    ],
    ['is cut off', profile(srgb, srgbFormula).subarray(0, 200)],
    ['is empty', Buffer.alloc(0)],
    [
      'claims too many tags',
      Buffer.concat([profile(srgb, srgbFormula).subarray(0, 128), number(-1)]),
    ],
  ])('is rejected when it %s', async (_, icc) => {
    const message = /not sRGB.*panel with JavaScript.*PNG in sRGB/;
    await expectRejected(withProfile(corner(60, 40), icc), message);
    await expectRejected(withSegment(await asJpeg(corner(60, 40)), icc), message);
  });

  test('is rejected in parts, and when it inflates to megabytes', async () => {
    const icc = profile(srgb, srgbFormula);
    const jpeg = await asJpeg(corner(60, 40));
    await expectRejected(withSegment(jpeg, icc, 1, 2), /not sRGB/);
    const bomb = Buffer.concat([icc, Buffer.alloc(9_000_000)]);
    await expectRejected(withProfile(corner(60, 40), bomb), /not sRGB/);
  });

  const chunk = (type: string, data: Uint8Array) => (png: Uint8Array) =>
    Buffer.concat([png.subarray(0, 33), pngChunk(type, data), png.subarray(33)]);
  /** EXIF data that holds nothing but an orientation. */
  const exif = (orientation: number) =>
    Buffer.from(
      `4d4d002a00000008${'0001'}${'011200030000000100'}0${orientation}0000${'00000000'}`,
      'hex',
    );
  test.each([
    ['an sRGB chunk', chunk('sRGB', Buffer.of(0)), true],
    ['the gamma of sRGB', chunk('gAMA', Buffer.of(0, 0, 0xb1, 0x8f)), true],
    ['another gamma', chunk('gAMA', Buffer.of(0, 1, 0x86, 0xa0)), false],
    ['the codes of sRGB', chunk('cICP', Buffer.of(1, 13, 0, 1)), true],
    ['the codes of HDR', chunk('cICP', Buffer.of(9, 16, 0, 1)), false],
    ['no turn in EXIF data', chunk('eXIf', exif(1)), true],
    ['a turn in EXIF data', chunk('eXIf', exif(6)), false],
    ['an animation', chunk('acTL', Buffer.alloc(8)), false],
  ])('of a PNG with %s', async (_, change, isAccepted) => {
    const file = change(corner(60, 40));
    if (isAccepted) expect(await convertLogo(file)).toEqual(await convertLogo(corner(60, 40)));
    else await expectRejected(file, /panel with JavaScript/);
  });
});

test('any bytes become a logo or are rejected with a message', async () => {
  const starts = ['', '\x89PNG\r\n\x1a\n', '\xff\xd8\xff', '<svg>'];
  const start = fc.constantFrom(...starts.map((prefix) => Buffer.from(prefix, 'latin1')));
  const files = [corner(24, 24), await asJpeg(corner(24, 24))];
  const mutant = fc
    .tuple(fc.constantFrom(...files), fc.nat(9_999), fc.uint8Array({ minLength: 1, maxLength: 8 }))
    .map(([file, place, bytes]) => {
      const changed = Buffer.from(file);
      changed.set(bytes, Math.floor((place / 10_000) * (file.length - 8)));
      return changed;
    });
  const random = fc
    .tuple(start, fc.uint8Array({ maxLength: 200 }))
    .map(([first, rest]) => Buffer.concat([first, rest]));
  await fc.assert(
    fc.asyncProperty(fc.oneof(random, mutant), async (file) => {
      const outcome = await convertLogo(file).catch((error: unknown) => error);
      if (outcome instanceof Refused)
        expect(cliSentence(outcome.reason).length).toBeGreaterThan(20);
      else expect(outcome).toContainAllKeys(['png', 'widthPx', 'heightPx']);
    }),
    { numRuns: 100 },
  );
});

describe('the conversion process', () => {
  test('returns the same logo as a conversion in this process', async () => {
    expect(await createFileReaders().convertLogo(corner(60, 40), ownWork)).toEqual(
      await convertLogo(corner(60, 40)),
    );
  });

  test('returns a logo that it made without converting it again', async () => {
    const convert = createFileReaders().convertLogo;
    const logo = await convert(corner(60, 40), ownWork);
    expect(await convert(logo.png, ownWork)).toBe(logo);
  });

  test('reports why a file is rejected', async () => {
    const convert = createFileReaders().convertLogo;
    const said = async (file: Uint8Array) => (await refusalOf(() => convert(file, ownWork))).said;
    expect(await said(text('<svg/>'))).toContain('panel');
    expect(await said(new Uint8Array())).toContain('empty');
    expect(await said(new Uint8Array(20_000_000))).toContain('20,000,000 bytes');
  });
});
