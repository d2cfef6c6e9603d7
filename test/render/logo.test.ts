import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { cliSentence } from '../../src/cli/sentences/sentences.ts';
import { Refused } from '../../src/core/errors.ts';
import { ownWork } from '../../src/core/fair-queue.ts';
import { convertLogo } from '../../src/render/logo/logo.ts';
import { colorTypes, pngFile } from '../../src/render/png/file.ts';
import { decodeRgbaPng, encodeRgbaPng, type Pixels } from '../../src/render/png/rgba.ts';
import { createFileReaders } from '../../src/render/worker/file-readers.ts';
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
const asWebp = (png: Uint8Array) => new Bun.Image(png).webp({ lossless: true }).bytes();

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

/** An SVG of 100 × 100 units. */
function svg(body: string, attributes = 'viewBox="0 0 100 100"'): Uint8Array {
  return text(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${body}</svg>`,
  );
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

/** Embeds SVG content in pictures, `depth` times. */
function embed(content: string, depth: number): string {
  if (depth === 0) return content;
  const inner = Buffer.from(svg(embed(content, depth - 1))).toString('base64');
  return `<image width="100" height="100" href="data:image/svg+xml;base64,${inner}"/>`;
}

const text = (source: string) => new TextEncoder().encode(source);
const square = '<rect width="100" height="100" fill="#ff0000"/>';
const red = [255, 0, 0, 255];

async function expectRejected(file: Uint8Array, message: RegExp): Promise<void> {
  expect((await refusalOf(() => convertLogo(file))).said).toMatch(message);
}

describe('a raster logo', () => {
  test.each([
    ['PNG', async (png: Uint8Array) => png],
    ['JPEG', asJpeg],
    ['WebP', asWebp],
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
    for (const file of [await asJpeg(lines), await asWebp(lines)]) {
      const other = (await pixelsOf(file)).rgba;
      const differences = rgba.map((value, at) => Math.abs(value - (other[at] ?? 0)));
      expect(differences.reduce((most, one) => Math.max(most, one), 0)).toBeLessThan(13);
    }
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

  const gif = 'R0lGODlhEAAQAIAAAP///wAAACH5BAEAAAAALAAAAAAQABAAAAIOhI+py+0Po5y02ouzPgUAOw==';
  test.each([
    [
      'a PNG for iOS',
      Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\x04CgBI', 'latin1'),
      /PNG of an iOS app.*PNG/,
    ],
    ['a GIF', Buffer.from(gif, 'base64'), /a GIF.*PNG/],
    ['a PDF', Buffer.from('%PDF-1.7'), /a PDF.*PNG/],
    ['a text', text('Our logo'), /not a picture.*PNG/],
    ['1 × 1', rgbaPng(1, 1, () => blue), /1 × 1 pixels.*8/],
    ['a thin line', rgbaPng(400, 8, () => blue), /20 times/],
    ['30,000 × 30,000 pixels', emptyPng(30_000, 30_000), /too large/],
    ['a PNG with too few rows', emptyPng(16, 16), /damaged/],
    ['a truncated PNG', corner(64, 64).subarray(0, 99), /damaged/],
    ['a transparent picture', rgbaPng(16, 16, () => [0, 0, 0, 0]), /transparent/],
  ])('is rejected: %s', (_, file, message) => expectRejected(file, message));

  test.each([
    ['cmyk-profile.jpg', /profile “Coated FOGRA39” \(CMYK\).*sRGB/],
    ['icc-tables.png', /profile “Scanner LUT” \(RGB\).*sRGB/],
    ['icc-second-tables.png', /profile “A2B1” \(RGB\).*sRGB/],
    ['icc-lab.png', /profile “Lab identity built-in” \(Lab\).*sRGB/],
    ['icc-odd-name.png', /profile without a name \(RGB\).*sRGB/],
    ['icc-hdr-tag.png', /HDR colours \(cICP 9\/16\/0\/1\).*sRGB/],
    ['cicp-hdr.png', /HDR colours \(cICP 9\/16\/0\/1\).*sRGB/],
    ['cicp-video-range.png', /cICP 12\/13\/0\/0.*sRGB/],
    ['truncated.jpg', /damaged, incomplete/],
    ['animated-hidden-still.png', /animated/],
    ['palette-alphas.png', /damaged/],
    ['alpha-without-flag.webp', /damaged/],
    ['avif', /an AVIF.*PNG/],
    ['gif', /a GIF.*PNG/],
    ['tiff', /a TIFF.*PNG/],
    ['ico', /an ICO.*PNG/],
  ])('is rejected by name, also inside an SVG: %s', async (file, message) => {
    const bytes = readFileSync(join(import.meta.dir, 'colors', 'refused', file));
    await expectRejected(bytes, message);
    const data = bytes.toString('base64');
    const embedded = svg(`<image width="9" height="9" href="data:;base64,${data}"/>`);
    const name = /[“(](.*?)[”)]|an? ([A-Z]+)|incomplete/.exec(message.source)?.[0] ?? '';
    await expectRejected(embedded, new RegExp(`embedded picture.*${name.replace('(', '')}`));
  });

  test.each(['mif1heic', 'heic', 'mif1miafhevx'])('is rejected as a HEIC: %s', async (brand) => {
    await expectRejected(Buffer.from(`\0\0\0\x20ftyp${brand}`), /a HEIC.*PNG/);
  });

  test('is rejected when it was cut off, in each format', async () => {
    const picture = corner(90, 60);
    const progressive = await new Bun.Image(picture).jpeg({ progressive: true }).bytes();
    const files = [picture, await asJpeg(picture), await asWebp(picture), progressive];
    for (const file of files) {
      for (const share of [0.3, 0.6, 0.9]) {
        const rest = file.subarray(0, Math.floor(file.length * share));
        await expectRejected(rest, /damaged|not a picture/);
      }
      await expectRejected(file.subarray(0, -1), /damaged, incomplete/);
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

describe('an SVG logo', () => {
  test('may have a standard document type, a style sheet, gradients and references', async () => {
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

  test('may embed a PNG', async () => {
    const data = Buffer.from(rgbaPng(16, 16, () => blue)).toString('base64');
    const file = svg(`<image width="100" height="100" href="data:image/png;base64,${data}"/>`);
    expect(pixelAt(await pixelsOf(file), 0.5, 0.5)).toEqual([...blue]);
  });

  test('may name what nothing needs', async () => {
    const unused = `<style>@font-face{font-family:a;src:url(//x.example/a.woff)}</style><rect cursor="url(a.cur)"/>
<image display="none" href="a.png"/><a href="https://x.example">${square}</a>`;
    expect(pixelAt(await pixelsOf(svg(unused)), 0.5, 0.5)).toEqual(red);
  });

  test('is drawn at 512 pixels, whatever size it claims', async () => {
    for (const claim of ['width="40000" height="40000"', 'width="1" height="1"']) {
      const file = svg('<rect width="900000" height="900000"/>', claim);
      expect(await convertLogo(file)).toMatchObject({ widthPx: 512, heightPx: 512 });
    }
  });

  const repeated = (count: number, part: (n: number) => string) =>
    Array.from({ length: count }, (_, n) => part(n)).join('');
  const effect = (content: string) =>
    svg(`<filter id="a">${content}</filter><g filter="url(#a)">${square}</g>`);
  const huge = Buffer.from(emptyPng(30_000, 30_000)).toString('base64');
  const externalType = '<!DOCTYPE svg SYSTEM "http://x.example/a.dtd"><svg/>';
  const externalEntity = '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg>&x;</svg>';
  const picture = '<image xmlns="http://www.w3.org/2000/svg" href="/etc/passwd"/>';
  const variables = `:root{--v0:9;${repeated(20, (n) => `--v${n + 1}:${`var(--v${n})`.repeat(9)};`)}}`;
  const circle = ':root{--a:var(--b);--b:var(--a)}';
  const references = repeated(
    8,
    (level) => `<g id="u${level + 1}">${`<use href="#u${level}"/>`.repeat(10)}</g>`,
  );
  test.each<[string, file: Uint8Array, message: RegExp]>([
    ['markup that is not well-formed', text('<svg><g></svg>'), /not well-formed/],
    ['Latin-1', Buffer.from('<svg title="\xe9"/>', 'latin1'), /UTF-8/],
    ['a web page', text('<!doctype html><html></html>'), /not well-formed/],
    ['other XML', text('<note/>'), /not an SVG/],
    ['an external entity', text(externalEntity), /DOCTYPE/],
    ['an external document type', text(externalType), /DOCTYPE/],
    ['an unknown entity', svg('&x;'), /not well-formed/],
    [
      'a style sheet',
      text('<?xml-stylesheet href="http://x.example/a.css"?><svg/>'),
      /style sheet/,
    ],
    ['an external style', svg('<rect style="fill:url(http://x.example/)"/>'), /outside/],
    ['an external attribute', svg('<rect mask="url( \'/etc/passwd\')"/>'), /outside/],
    ['an external picture', svg('<image href="/etc/passwd"/>'), /outside/],
    ['an external picture in an embedded SVG', svg(embed(picture, 1)), /outside/],
    ['SVGs in SVGs in SVGs', svg(embed(square, 3)), /SVG in SVG/],
    ['a huge picture', svg(`<image href="data:;base64,${huge}"/>`), /picture that cannot be read/],
    ['an external picture in a filter', effect('<feImage href="/etc/passwd"/>'), /outside/],
    ['31 blurs', effect('<feGaussianBlur/>'.repeat(31)), /31 effects/],
    ['a wide blur', effect('<feGaussianBlur stdDeviation="90"/>'), /stdDeviation 90/],
    ['an external use', svg('<use xlink:href="file:///etc/passwd#a"/>'), /outside/],
    [
      'a bomb of variables',
      svg(`<style>${variables}</style><rect fill="var(--v20)"/>`),
      /var\(--v20\)/,
    ],
    ['variables in a circle', svg(`<style>${circle}</style><rect fill="var(--a)"/>`), /var\(--a\)/],
    ['a script', svg('<script>alert(1)</script>'), /script/],
    ['an event attribute', svg('<rect onload="alert(1)"/>'), /onload/],
    ['a foreign object', svg('<foreignObject><p/></foreignObject>'), /HTML/],
    ['5,001 elements', svg('<g/>'.repeat(5_001)), /5000 elements/],
    ['50,000 levels', text(`<svg>${'<g>'.repeat(50_000)}`), /5000 elements/],
    [
      'a bomb of references',
      svg(`<rect id="u0" width="1" height="1"/>${references}`),
      /can't be drawn/,
    ],
    ['a thin line', svg(square, 'viewBox="0 0 1000 1"'), /20 times/],
    ['an empty drawing', svg('<rect width="9" height="9" fill="none"/>'), /transparent/],
  ])('is rejected: %s', (_, file, message) => expectRejected(file, message));
});

test('any bytes become a logo or are rejected with a message', async () => {
  const starts = ['', '\x89PNG\r\n\x1a\n', '\xff\xd8\xff', 'RIFF\x40\0\0\0WEBP', '<svg>', '<svg '];
  const start = fc.constantFrom(...starts.map((prefix) => Buffer.from(prefix, 'latin1')));
  const files = [corner(24, 24), await asJpeg(corner(24, 24)), await asWebp(corner(24, 24))];
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
    expect(await said(svg('<text>x</text>'))).toContain('Convert text to paths');
    expect(await said(new Uint8Array())).toContain('empty');
    expect(await said(new Uint8Array(20_000_000))).toContain('20,000,000 bytes');
  });

  test('is killed when a drawing takes too long', async () => {
    const masks = Array.from({ length: 22 }, (_, n) => {
      const masked = `<rect width="99" height="99" mask="url(#m${n + 1})"/>`;
      return `<mask id="m${n}">${masked.repeat(2)}</mask>`;
    }).join('');
    const file = svg(`${masks}<rect width="99" height="99" mask="url(#m0)"/>`);
    const { said } = await refusalOf(() => createFileReaders().convertLogo(file, ownWork));
    expect(said).toContain('too long to draw');
  });
});
