import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { InvalidLogo } from '../../src/core/errors.ts';
import { convertLogo } from '../../src/render/logo/logo.ts';
import { createLogoConverter } from '../../src/render/logo/process.ts';
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
  svg,
  webpOf,
  withSegment,
} from './logo-fixtures.ts';

const text = (source: string) => new TextEncoder().encode(source);
const flat = (sidePx: number) => rgbaPng(sidePx, sidePx, () => blue);
const withChunk = (type: string, data: Uint8Array) => {
  const png = flat(16);
  return Buffer.concat([png.subarray(0, 33), pngChunk(type, data), png.subarray(33)]);
};
const square = '<rect width="100" height="100" fill="#ff0000"/>';
const red = [255, 0, 0, 255];

async function expectRejected(file: Uint8Array, message: RegExp): Promise<void> {
  const error = await convertLogo(file).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    name: 'InvalidLogo',
    message: expect.stringMatching(message),
  });
}

describe('a raster logo', () => {
  const kinds = {
    PNG: () => corner(60, 40),
    JPEG: () => asJpeg(corner(60, 40)),
    'progressive JPEG': () => asJpeg(corner(60, 40), true),
    'lossless WebP': () => asWebp(corner(60, 40)),
    'lossy WebP': () => asWebp(corner(60, 40), false),
  };
  for (const [kind, make] of Object.entries(kinds)) {
    test(`may be a ${kind} and keeps size and colours`, async () => {
      const pixels = await pixelsOf(await make());
      expect([pixels.widthPx, pixels.heightPx]).toEqual([60, 40]);
      const [left = 0, , , alpha] = pixelAt(pixels, 0.1, 0.1);
      expect(left).toBeGreaterThan(240);
      expect(alpha).toBe(255);
      const [right = 255, , blueness = 0] = pixelAt(pixels, 0.9, 0.9);
      expect(right).toBeLessThan(15);
      expect(blueness).toBeGreaterThan(240);
    });
  }

  test('is stored as an 8-bit RGBA PNG without metadata or trailing data, deterministically', async () => {
    const comment = pngChunk('tEXt', Buffer.from('Comment\0taken at home'));
    const picture = rgbaPng(40, 40, (x) => [x, 0, 0, 255], [comment]);
    const file = Buffer.concat([picture, Buffer.from('<script>alert(1)</script>')]);
    const { png } = await convertLogo(file);
    expect(new Set(chunkTypes(png))).toEqual(new Set(['IHDR', 'IDAT', 'IEND']));
    expect([...png.subarray(24, 26)]).toEqual([8, 6]);
    expect(await convertLogo(file)).toEqual(await convertLogo(file));
  });

  test('is reduced to 512 pixels and never enlarged', async () => {
    expect(await convertLogo(corner(1000, 500))).toMatchObject({ widthPx: 512, heightPx: 256 });
    const jpeg = await asJpeg(corner(1000, 500));
    expect(await convertLogo(jpeg)).toMatchObject({ widthPx: 512, heightPx: 256 });
    expect(await convertLogo(corner(16, 16))).toMatchObject({ widthPx: 16, heightPx: 16 });
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

  test('may have 1 or 16 bits, a palette, or grey with alpha', async () => {
    const rows = (length: number, value: number) =>
      Buffer.concat(
        Array.from({ length: 16 }, () =>
          Buffer.concat([Buffer.alloc(1), Buffer.alloc(length, value)]),
        ),
      );
    const palette = { extra: [pngChunk('PLTE', Buffer.from([1, 2, 3, 200, 100, 50]))] };
    const cases = [
      {
        png: pngOf(16, 16, rows(2, 0xff), { bitDepth: 1, colorType: 0 }),
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

  test('in CMYK comes out in its colours', async () => {
    const [r = 0, g = 255, b = 255] = pixelAt(await pixelsOf(cmykJpeg), 0.5, 0.5);
    expect(r).toBeGreaterThan(180);
    expect(Math.max(g, b)).toBeLessThan(90);
  });

  for (const [orientation, right] of [
    [1, 0.1],
    [2, 0.9],
    [6, 0.9],
  ] as const) {
    test(`follows the EXIF orientation ${orientation} of a JPEG`, async () => {
      const exif = Buffer.concat([Buffer.from('Exif\0\0'), orientationTiff(orientation)]);
      const pixels = await pixelsOf(withSegment(await asJpeg(corner(64, 32)), 0xe1, exif));
      expect([pixels.widthPx, pixels.heightPx]).toEqual(orientation === 6 ? [32, 64] : [64, 32]);
      expect(pixelAt(pixels, right, 0.1)[0]).toBeGreaterThan(200);
      expect(pixelAt(pixels, 1 - right, 0.1)[0]).toBeLessThan(60);
    });
  }

  const rejected: Record<string, [make: () => Uint8Array | Promise<Uint8Array>, message: RegExp]> =
    {
      'a GIF': [
        () =>
          Buffer.from(
            'R0lGODlhEAAQAIAAAP///wAAACH5BAEAAAAALAAAAAAQABAAAAIOhI+py+0Po5y02ouzPgUAOw==',
            'base64',
          ),
        /a GIF.*PNG/,
      ],
      'a PDF': [() => Buffer.from('%PDF-1.7'), /not a picture.*PNG/],
      '1 × 1': [() => flat(1), /1 × 1 pixels.*8/],
      'a thin line': [() => rgbaPng(400, 8, () => blue), /20 times/],
      '30,000 × 30,000 pixels': [() => pngOf(30_000, 30_000, new Uint8Array(9)), /too large/],
      'a WebP of 16,000 × 16,000': [
        () => webpOf([['VP8X', Buffer.from([0, 0, 0, 0, 0x7f, 0x3e, 0, 0x7f, 0x3e, 0])]]),
        /too large/,
      ],
      'no width': [() => pngOf(0, 16, new Uint8Array(9)), /only 0|damaged/],
      'an animated PNG': [() => withChunk('acTL', Buffer.alloc(8)), /animated/],
      'an animated WebP': [
        async () => {
          const frame = (await asWebp(flat(16))).subarray(12);
          const head = Buffer.from([0, 0, 0, 0, 0, 0, 15, 0, 0, 15, 0, 0, 9, 0, 0, 0]);
          return webpOf([
            ['VP8X', Buffer.from([2, 0, 0, 0, 15, 0, 0, 15, 0, 0])],
            ['ANIM', Buffer.alloc(6)],
            ['ANMF', Buffer.concat([head, frame])],
            ['ANMF', Buffer.concat([head, frame])],
          ]);
        },
        /animated/,
      ],
      'a PNG with too few rows': [() => pngOf(16, 16, Buffer.alloc(65)), /damaged/],
      'an unknown critical chunk': [() => withChunk('ABCD', Buffer.alloc(4)), /damaged/],
      'a transparent picture': [() => rgbaPng(16, 16, () => clear), /transparent/],
    };
  for (const [name, [make, message]] of Object.entries(rejected)) {
    test(`is rejected: ${name}`, async () => expectRejected(await make(), message));
  }

  test('is rejected when it is truncated', async () => {
    const picture = rgbaPng(64, 64, (x, y) => [x * 4, y * 4, (x * y) % 256, 255]);
    const jpegs = [await asJpeg(picture), await asJpeg(picture, true)];
    for (const file of [picture, ...jpegs, await asWebp(picture), await asWebp(picture, false)]) {
      for (const share of [0.05, 0.2, 0.4, 0.6, 0.8, 0.95])
        await expectRejected(file.subarray(0, Math.floor(file.length * share)), /./);
    }
  });

  test('has its colours kept when a profile inflates to 50 MB', async () => {
    const bomb = Bun.deflateSync(Buffer.alloc(50_000_000), { library: 'zlib', windowBits: 15 });
    const file = withChunk('iCCP', Buffer.concat([Buffer.from('x\0\0'), bomb]));
    expect(pixelAt(await pixelsOf(file), 0.5, 0.5)).toEqual([...blue]);
  });
});

describe('an SVG logo', () => {
  test('by Inkscape: editor data, metadata, style attributes, layers', async () => {
    const pixels = await pixelsOf(
      text(`<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<svg width="210mm" height="105mm" viewBox="0 0 210 105" version="1.1"
  xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" xmlns:dc="http://purl.org/dc/elements/1.1/"
  xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://www.w3.org/2000/svg">
  <metadata><rdf:RDF><dc:type rdf:resource="http://purl.org/dc/dcmitype/StillImage"/></rdf:RDF></metadata>
  <g inkscape:label="Layer 1" transform="translate(5,5)">
    <path style="opacity:1;fill:#ff0000;-inkscape-stroke:none" d="m 0,0 h 200 v 95 H 0 Z"/></g></svg>`),
    );
    expect([pixels.widthPx, pixels.heightPx]).toEqual([512, 256]);
    expect(pixelAt(pixels, 0.5, 0.5)).toEqual(red);
    expect(pixelAt(pixels, 0.01, 0.01)[3]).toBe(0);
  });

  test('by Illustrator: standard document type, classes in a style sheet', async () => {
    const pixels = await pixelsOf(
      text(`<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<svg version="1.1" xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 100 100">
<style type="text/css"><![CDATA[ .st0{fill:url(#a);} path.st2{fill:#FF0000;clip-path:url(#b);} ]]></style>
<linearGradient id="a"><stop offset="0" style="stop-color:#0000FF"/><stop offset="1" style="stop-color:#0000FE"/></linearGradient>
<defs><rect id="c" width="100" height="50"/></defs><clipPath id="b"><use xlink:href="#c"/></clipPath>
<rect class="st0" width="100" height="100"/><path class="st2" d="M0,0h100v100H0z"/></svg>`),
    );
    expect(pixelAt(pixels, 0.5, 0.25)).toEqual(red);
    expect(pixelAt(pixels, 0.5, 0.75).slice(0, 2)).toEqual([0, 0]);
  });

  test('keeps the colour of translucent parts and edges', async () => {
    const pixels = await pixelsOf(
      svg('<rect width="100" height="100" fill="#ffdd00" opacity=".5"/>'),
    );
    const [r = 0, g = 0, b = 9, alpha] = pixelAt(pixels, 0.5, 0.5);
    expect(Math.max(255 - r, Math.abs(221 - g), b)).toBeLessThanOrEqual(2);
    expect(alpha).toBe(128);
  });

  test('may embed a PNG', async () => {
    const data = flat(16).toString('base64');
    const file = svg(`<image width="100" height="100" href="data:image/png;base64,${data}"/>`);
    expect(pixelAt(await pixelsOf(file), 0.5, 0.5)).toEqual([...blue]);
  });

  test('is drawn at 512 pixels, whatever size it claims', async () => {
    for (const claim of ['width="40000" height="40000"', 'width="1" height="1"']) {
      const file = svg('<rect width="900000" height="900000"/>', claim);
      expect(await convertLogo(file)).toMatchObject({ widthPx: 512, heightPx: 512 });
    }
  });

  const rejected: Record<string, [file: Uint8Array, message: RegExp]> = {
    'markup that is not well-formed': [text('<svg><g></svg>'), /not well-formed/],
    'Latin-1': [Buffer.from('<svg title="\xe9"/>', 'latin1'), /UTF-8/],
    'a web page': [text('<!doctype html><html></html>'), /not well-formed/],
    'other XML': [text('<note/>'), /not an SVG/],
    entities: [
      text('<!DOCTYPE svg [<!ENTITY a "aaa"><!ENTITY b "&a;&a;">]><svg>&b;</svg>'),
      /DOCTYPE/,
    ],
    'an external entity': [
      text('<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg>&x;</svg>'),
      /DOCTYPE/,
    ],
    'an external document type': [
      text('<!DOCTYPE svg SYSTEM "http://x.example/a.dtd"><svg/>'),
      /DOCTYPE/,
    ],
    'an unknown entity': [svg('&x;'), /not well-formed/],
    'a linked style sheet': [
      text('<?xml-stylesheet href="http://x.example/a.css"?><svg/>'),
      /style sheet/,
    ],
    'an imported style sheet': [
      svg(`<style>@import url(/etc/passwd);</style>${square}`),
      /outside/,
    ],
    'an external font': [svg('<style>@font-face{src:url(//x)}</style>'), /outside/],
    'an external style reference': [svg('<rect style="fill:url(http://x.example/)"/>'), /outside/],
    'an external attribute reference': [svg('<rect cursor="url( \'/etc/passwd\')"/>'), /outside/],
    'an external picture': [svg('<image href="/etc/passwd"/>'), /outside/],
    'an embedded SVG': [svg('<image href="data:image/svg+xml,%3Csvg/%3E"/>'), /outside/],
    'an external filter input': [svg('<filter><feImage href="/etc/passwd"/></filter>'), /outside/],
    'an external use': [svg('<use xlink:href="file:///etc/passwd#a"/>'), /outside/],
    'a link': [svg('<a href="https://x.example">x</a>'), /outside/],
    'a script': [svg('<script>alert(1)</script>'), /script/],
    'an event attribute': [svg('<rect onload="alert(1)"/>'), /onload/],
    'a foreign object': [svg('<foreignObject><p/></foreignObject>'), /HTML/],
    text: [svg('<text y="9">Logo</text>'), /Convert text to paths/],
    '5,001 elements': [svg('<g/>'.repeat(5_001)), /5000 elements/],
    '200,000 levels': [text(`<svg>${'<g>'.repeat(200_000)}`), /5000 elements/],
    'a bomb of references': [
      svg(
        `<rect id="u0" width="1" height="1"/>${Array.from({ length: 8 }, (_, level) => `<g id="u${level + 1}">${`<use href="#u${level}"/>`.repeat(10)}</g>`).join('')}`,
      ),
      /can't be drawn/,
    ],
    'a thin line': [svg(square, 'viewBox="0 0 1000 1"'), /20 times/],
    'an empty drawing': [svg('<rect width="9" height="9" fill="none"/>'), /transparent/],
  };
  for (const [name, [file, message]] of Object.entries(rejected)) {
    test(`is rejected: ${name}`, () => expectRejected(file, message));
  }
});

test('any bytes become a logo or are rejected with a message', async () => {
  const starts = ['', '\x89PNG\r\n\x1a\n', '\xff\xd8\xff', 'RIFF\x40\0\0\0WEBP', '<svg>', '<svg '];
  const start = fc.constantFrom(...starts.map((prefix) => Buffer.from(prefix, 'latin1')));
  const files = [corner(24, 24), await asJpeg(corner(24, 24), true), await asWebp(corner(24, 24))];
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
      if (outcome instanceof InvalidLogo) expect(outcome.message.length).toBeGreaterThan(20);
      else expect(outcome).toContainAllKeys(['png', 'widthPx', 'heightPx']);
    }),
    { numRuns: 150 },
  );
});

describe('the conversion process', () => {
  test('returns the same logo as a conversion in this process', async () => {
    expect(await createLogoConverter()(corner(60, 40))).toEqual(await convertLogo(corner(60, 40)));
  });

  test('reports why a file is rejected', async () => {
    const convert = createLogoConverter();
    await expect(convert(svg('<text>x</text>'))).rejects.toThrow('Convert text to paths');
    await expect(convert(new Uint8Array())).rejects.toThrow('empty');
    await expect(convert(new Uint8Array(20_000_000))).rejects.toThrow('20,000,000 bytes');
  });

  test('is killed when a drawing takes too long or too much memory', async () => {
    const turbulence =
      '<filter id="f"><feTurbulence numOctaves="1000000" baseFrequency=".1"/></filter>';
    const masks = Array.from({ length: 22 }, (_, n) => {
      const masked = `<rect width="99" height="99" mask="url(#m${n + 1})"/>`;
      return `<mask id="m${n}">${masked.repeat(2)}</mask>`;
    }).join('');
    const files = [
      svg(`${turbulence}<rect width="100" height="100" filter="url(#f)"/>`),
      svg(`${masks}<rect width="99" height="99" mask="url(#m0)"/>`),
    ];
    const convert = createLogoConverter();
    for (const file of files) await expect(convert(file)).rejects.toThrow('too long to draw');
  }, 60_000);

  test('turns uploads away when too many are waiting', async () => {
    const convert = createLogoConverter();
    const uploads = Array.from({ length: 9 }, () => convert(corner(16, 16)));
    const results = await Promise.allSettled(uploads);
    const failed = results.filter(({ status }) => status === 'rejected');
    expect(failed).toMatchObject([{ reason: { name: 'RendererBusy' } }]);
  });
});
