import { describe, expect, test } from 'bun:test';
import { deflateSync } from 'node:zlib';
import { normalizeLogo } from '../../src/render/logo/logo.ts';
import {
  asJpeg,
  asWebp,
  blue,
  chunkTypes,
  clear,
  cmykJpeg,
  corner,
  orientationTiff,
  pixelAt,
  pixelsOf,
  pngChunk,
  pngOf,
  rgbaPng,
  webpOf,
  withSegment,
} from './logo-fixtures.ts';

const flat = (sidePx: number) => rgbaPng(sidePx, sidePx, () => blue);

describe('an accepted logo', () => {
  const kinds = {
    png: () => corner(60, 40),
    jpeg: () => asJpeg(corner(60, 40)),
    'progressive jpeg': () => asJpeg(corner(60, 40), true),
    'lossless webp': () => asWebp(corner(60, 40)),
    'lossy webp': () => asWebp(corner(60, 40), false),
  };
  for (const [kind, make] of Object.entries(kinds)) {
    test(`may be a ${kind}, and keeps size and colours`, async () => {
      const bytes = await make();
      const logo = await normalizeLogo(bytes);
      expect([logo.widthPx, logo.heightPx]).toEqual([60, 40]);
      const pixels = await pixelsOf(bytes);
      const [red = 0, , , alpha] = pixelAt(pixels, 0.1, 0.1);
      expect(red).toBeGreaterThan(240);
      expect(alpha).toBe(255);
      const [otherRed = 255, , otherBlue = 0] = pixelAt(pixels, 0.9, 0.9);
      expect(otherRed).toBeLessThan(15);
      expect(otherBlue).toBeGreaterThan(240);
    });
  }

  test('is an 8-bit RGBA PNG without metadata, the same bytes each time', async () => {
    const text = pngChunk('tEXt', Buffer.from('Comment\0taken at home'));
    const bytes = rgbaPng(40, 40, (x) => [x, 0, 0, 255], [text]);
    const logo = await normalizeLogo(bytes);
    expect(new Set(chunkTypes(logo.png))).toEqual(new Set(['IHDR', 'IDAT', 'IEND']));
    expect([...logo.png.subarray(24, 26)]).toEqual([8, 6]);
    expect(await normalizeLogo(bytes)).toEqual(logo);
  });

  test('is reduced to 512 pixels, and never enlarged', async () => {
    expect(await normalizeLogo(corner(1000, 500))).toMatchObject({ widthPx: 512, heightPx: 256 });
    expect(await normalizeLogo(corner(16, 16))).toMatchObject({ widthPx: 16, heightPx: 16 });
  });

  test('stays below 300 kB even as noise', async () => {
    let state = 1;
    // Marsaglia's xorshift: repeatable, and nothing that a compressor could use.
    const noise = () => {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      return state & 0xff;
    };
    const logo = await normalizeLogo(rgbaPng(490, 490, () => [noise(), noise(), noise(), noise()]));
    expect(logo.png.length).toBeLessThanOrEqual(300_000);
    expect(logo.widthPx).toBe(256);
  });

  test('does not show the colour of invisible pixels at its edges when it is reduced', async () => {
    const edge = rgbaPng(900, 900, (x) => (x < 451 ? [255, 0, 0, 0] : [255, 255, 255, 255]));
    const { rgba } = await pixelsOf(edge);
    for (let at = 0; at < rgba.length; at += 4) {
      if (rgba[at + 3] !== 0) expect([...rgba.subarray(at, at + 3)]).toEqual([255, 255, 255]);
    }
  });

  test('hides nothing under invisible pixels', async () => {
    const pixels = await pixelsOf(rgbaPng(20, 20, (x) => (x < 10 ? blue : [99, 98, 97, 0])));
    expect(pixelAt(pixels, 0.9, 0.5)).toEqual([...clear]);
  });

  test('may have 1, 2, 4 or 16 bits, a palette, or grey with alpha', async () => {
    const row = (length: number, value: number) =>
      Buffer.concat([Buffer.alloc(1), Buffer.alloc(length, value)]);
    const rows = (length: number, value: number) =>
      Buffer.concat(Array.from({ length: 16 }, () => row(length, value)));
    const palette = { extra: [pngChunk('PLTE', Buffer.from([1, 2, 3, 200, 100, 50]))] };
    const cases = [
      {
        png: pngOf(16, 16, rows(2, 0xff), { bitDepth: 1, colorType: 0 }),
        color: [255, 255, 255, 255],
      },
      {
        png: pngOf(16, 16, rows(4, 0xff), { bitDepth: 2, colorType: 0 }),
        color: [255, 255, 255, 255],
      },
      {
        png: pngOf(16, 16, rows(8, 0x11), { bitDepth: 4, colorType: 3, ...palette }),
        color: [200, 100, 50, 255],
      },
      { png: pngOf(16, 16, rows(32, 0x80), { colorType: 4 }), color: [128, 128, 128, 128] },
      {
        png: pngOf(16, 16, rows(96, 0x80), { bitDepth: 16, colorType: 2 }),
        color: [128, 128, 128, 255],
      },
    ];
    for (const { png, color } of cases)
      expect(pixelAt(await pixelsOf(png), 0.5, 0.5)).toEqual(color);
  });

  test('may be interlaced', async () => {
    // Adam7 (W3C PNG, clause 8.1): first column, first row, step right, step down of the seven passes.
    const passes = [
      [0, 0, 8, 8],
      [4, 0, 8, 8],
      [0, 4, 4, 8],
      [2, 0, 4, 4],
      [0, 2, 2, 4],
      [1, 0, 2, 2],
      [0, 1, 1, 2],
    ] as const;
    const bytes: number[] = [];
    for (const [left, top, right, down] of passes) {
      for (let y = top; y < 16; y += down) {
        bytes.push(0);
        for (let x = left; x < 16; x += right) bytes.push(x * 16, y * 16, 0, 255);
      }
    }
    const pixels = await pixelsOf(pngOf(16, 16, Uint8Array.from(bytes), { interlaced: true }));
    expect(pixelAt(pixels, 5 / 16, 9 / 16)).toEqual([80, 144, 0, 255]);
  });

  test('is told by its content alone, and loses what is appended to it', async () => {
    const polyglot = Buffer.concat([flat(16), Buffer.from('<script>alert(1)</script>')]);
    const { png } = await normalizeLogo(polyglot);
    expect(Buffer.from(png).includes('script')).toBe(false);
  });
});

describe('EXIF orientation', () => {
  /** Where the red corner is once the picture is upright: right and down as fractions. */
  const corners = {
    1: [0, 0],
    2: [1, 0],
    3: [1, 1],
    4: [0, 1],
    5: [0, 0],
    6: [1, 0],
    7: [1, 1],
    8: [0, 1],
  };
  const red = (place: readonly number[]) => (place[0] === 1 ? 0.9 : 0.1);
  for (const [value, place] of Object.entries(corners)) {
    test(`${value} is applied in JPEG, PNG and WebP`, async () => {
      const tiff = orientationTiff(Number(value));
      const upright = corner(64, 32);
      const image = (await asWebp(upright)).subarray(20);
      const lossless = image.subarray(0, Buffer.from(await asWebp(upright)).readUInt32LE(16));
      const extended = Buffer.from([0x08, 0, 0, 0, 63, 0, 0, 31, 0, 0]);
      const files = [
        withSegment(await asJpeg(upright), 0xe1, Buffer.concat([Buffer.from('Exif\0\0'), tiff])),
        Buffer.concat([upright.subarray(0, 33), pngChunk('eXIf', tiff), upright.subarray(33)]),
        webpOf([
          ['VP8X', extended],
          ['VP8L', lossless],
          ['EXIF', tiff],
        ]),
      ];
      for (const file of files) {
        const pixels = await pixelsOf(file);
        const turned = Number(value) >= 5;
        expect([pixels.widthPx, pixels.heightPx]).toEqual(turned ? [32, 64] : [64, 32]);
        const [strength = 0] = pixelAt(pixels, red(place), place[1] === 1 ? 0.9 : 0.1);
        expect(strength).toBeGreaterThan(200);
        const [elsewhere = 255] = pixelAt(pixels, 1 - red(place), place[1] === 1 ? 0.1 : 0.9);
        expect(elsewhere).toBeLessThan(60);
      }
    });
  }
});

describe('a colour profile', () => {
  const profile = (primaries: readonly (readonly number[])[], gamma: number, space = 'RGB ') => {
    const names = ['rXYZ', 'gXYZ', 'bXYZ', 'rTRC', 'gTRC', 'bTRC'];
    const bytes = Buffer.alloc(132 + 72 + 6 * 20);
    bytes.write(space, 16, 'latin1');
    bytes.write('XYZ ', 20, 'latin1');
    bytes.writeUInt32BE(6, 128);
    names.forEach((name, index) => {
      const offset = 204 + index * 20;
      bytes.write(name, 132 + index * 12, 'latin1');
      bytes.writeUInt32BE(offset, 136 + index * 12);
      bytes.writeUInt32BE(20, 140 + index * 12);
      const primary = primaries[index];
      if (primary) {
        for (const [axis, value] of primary.entries()) {
          bytes.writeInt32BE(Math.round(value * 65_536), offset + 8 + axis * 4);
        }
        return;
      }
      bytes.write('curv', offset, 'latin1');
      bytes.writeUInt32BE(1, offset + 8);
      bytes.writeUInt16BE(Math.round(gamma * 256), offset + 12);
    });
    return pngChunk('iCCP', Buffer.concat([Buffer.from('profile\0\0'), deflateSync(bytes)]));
  };
  // D50-adapted primaries of Display P3 and sRGB, as their ICC profiles state them.
  const displayP3 = [
    [0.51512, 0.2412, -0.00105],
    [0.29198, 0.69225, 0.04189],
    [0.1571, 0.06657, 0.78407],
  ];
  const srgb = [
    [0.43607, 0.22249, 0.01392],
    [0.38515, 0.71687, 0.09708],
    [0.14307, 0.06061, 0.7141],
  ];

  test('that is wider than sRGB is applied: Display P3 grey stays, its orange grows', async () => {
    const color = (rgba: readonly [number, number, number, number]) =>
      pixelsOf(rgbaPng(16, 16, () => rgba, [profile(displayP3, 2.2)]));
    const grey = pixelAt(await color([128, 128, 128, 255]), 0.5, 0.5);
    for (const value of grey.slice(0, 3)) expect(Math.abs(value - 128)).toBeLessThanOrEqual(2);
    const orange = pixelAt(await color([200, 100, 50, 255]), 0.5, 0.5);
    // By the matrix of CSS Color 4 from linear Display P3 to linear sRGB, worked out by hand.
    const expected = [216, 93, 24, 255];
    for (const [index, value] of orange.entries()) {
      expect(Math.abs(value - (expected[index] ?? 0))).toBeLessThanOrEqual(2);
    }
  });

  test('that is sRGB in all but name leaves the pixels alone', async () => {
    const bytes = rgbaPng(16, 16, () => [200, 100, 50, 255], [profile(srgb, 2.2)]);
    expect(pixelAt(await pixelsOf(bytes), 0.5, 0.5)).toEqual([200, 100, 50, 255]);
  });

  test('that cannot be followed is refused, and so is one that inflates without end', async () => {
    const lookup = rgbaPng(16, 16, () => blue, [profile(srgb, 2.2, 'Lab ')]);
    await expect(normalizeLogo(lookup)).rejects.toThrow('sRGB');
    const bomb = Buffer.concat([Buffer.from('x\0\0'), deflateSync(Buffer.alloc(50_000_000))]);
    const inflating = rgbaPng(16, 16, () => blue, [pngChunk('iCCP', bomb)]);
    await expect(normalizeLogo(inflating)).rejects.toThrow('colour profile');
  });
});

describe('refused, with what is wrong and what would be right', () => {
  const fill = (type: string, data: Uint8Array) => {
    const png = flat(16);
    return Buffer.concat([png.subarray(0, 33), pngChunk(type, data), png.subarray(33)]);
  };
  const cut = (bytes: Uint8Array, share: number) =>
    bytes.subarray(0, Math.floor(bytes.length * share));
  const jpegFrame = (patch: (frame: DataView) => void) => async () => {
    const jpeg = Buffer.from(await asJpeg(flat(16)));
    const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
    patch(new DataView(jpeg.buffer, jpeg.byteOffset + frame + 4));
    return jpeg;
  };
  const cases: Record<string, [make: () => Uint8Array | Promise<Uint8Array>, says: RegExp]> = {
    'an empty file': [() => new Uint8Array(), /empty.*PNG, JPEG, WebP or SVG/],
    '20 MB': [() => new Uint8Array(20_000_000), /20,000,000 bytes.*1,000,000/],
    'a GIF': [() => Buffer.from('GIF89a'), /a GIF.*PNG/],
    'a PDF': [() => Buffer.from('%PDF-1.7'), /a PDF/],
    'an SVGZ': [() => Bun.gzipSync(Buffer.from('<svg/>')), /compressed/],
    'a web page': [() => Buffer.from('<!doctype html><html></html>'), /web page/],
    nonsense: [() => Buffer.from('hello, logo'), /not a picture/],
    '1 × 1': [() => flat(1), /1 × 1 pixels, too small.*8/],
    'a hair': [() => rgbaPng(400, 8, () => blue), /20 times/],
    '30,000 × 30,000 as PNG': [
      () => pngOf(30_000, 30_000, new Uint8Array(9)),
      /30,000 × 30,000.*too large/,
    ],
    '30,000 × 30,000 as JPEG': [
      jpegFrame((frame) => frame.setUint32(1, (30_000 << 16) | 30_000)),
      /30,000 × 30,000.*too large/,
    ],
    '4 billion pixels wide': [
      () => pngOf(0xffff_ffff, 0xffff_ffff, new Uint8Array(9)),
      /too large/,
    ],
    'a WebP of 16,000 × 16,000': [
      () => webpOf([['VP8X', Buffer.from([0, 0, 0, 0, 0x7f, 0x3e, 0, 0x7f, 0x3e, 0])]]),
      /16,000 × 16,000.*too large/,
    ],
    'no width': [() => pngOf(0, 16, new Uint8Array(9)), /too small/],
    'an animated PNG': [() => fill('acTL', Buffer.alloc(8)), /animated.*still/],
    'an animated WebP': [
      () =>
        webpOf([
          ['VP8X', Buffer.from([2, 0, 0, 0, 15, 0, 0, 15, 0, 0])],
          ['ANIM', Buffer.alloc(6)],
        ]),
      /animated.*still/,
    ],
    'a CMYK JPEG': [() => cmykJpeg, /CMYK.*RGB/],
    'a lossless JPEG': [
      async () => {
        const jpeg = Buffer.from(await asJpeg(flat(16)));
        jpeg[jpeg.indexOf(Buffer.from([0xff, 0xc0])) + 1] = 0xc3;
        return jpeg;
      },
      /ordinary JPEG/,
    ],
    'a 12-bit JPEG': [jpegFrame((frame) => frame.setUint8(0, 12)), /ordinary JPEG/],
    'a PNG with a flipped bit': [
      () => {
        const png = flat(16);
        png.writeUInt8(png.readUInt8(50) ^ 4, 50);
        return png;
      },
      /damaged/,
    ],
    'a PNG with too few rows': [() => pngOf(16, 16, Buffer.alloc(65)), /damaged/],
    'an unknown critical chunk': [() => fill('ABCD', Buffer.alloc(4)), /damaged/],
    'a fully transparent logo': [() => rgbaPng(16, 16, () => clear), /transparent.*nothing to see/],
  };
  for (const [name, [make, says]] of Object.entries(cases)) {
    test(name, async () => {
      const refusal = await normalizeLogo(await make()).catch((error: unknown) => error);
      expect(refusal).toMatchObject({ name: 'InvalidLogo', message: expect.stringMatching(says) });
    });
  }

  test('files that were cut short, wherever the cut is', async () => {
    const picture = rgbaPng(64, 64, (x, y) => [x * 4, y * 4, (x * y) % 256, 255]);
    const files = [
      picture,
      await asJpeg(picture),
      await asJpeg(picture, true),
      await asWebp(picture),
      await asWebp(picture, false),
    ];
    for (const file of files) {
      for (const share of [0.05, 0.2, 0.4, 0.6, 0.8, 0.95, 0.999]) {
        const refusal = await normalizeLogo(cut(file, share)).catch((error: unknown) => error);
        expect(refusal).toMatchObject({ name: 'InvalidLogo' });
      }
    }
  });

  test('a JPEG with a thousand scans', async () => {
    const jpeg = await asJpeg(flat(16), true);
    const scan = jpeg.lastIndexOf(0xda) - 1;
    const scans = Array.from({ length: 1_000 }, () => jpeg.subarray(scan, -2));
    const bomb = Buffer.concat([jpeg.subarray(0, -2), ...scans, jpeg.subarray(-2)]);
    await expect(normalizeLogo(bomb)).rejects.toThrow('damaged');
  });
});
