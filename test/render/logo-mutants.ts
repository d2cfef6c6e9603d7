import fc from 'fast-check';
import { asJpeg, asWebp, cmykJpeg, rgbaPng, svg } from './logo-fixtures.ts';

const picture = rgbaPng(48, 32, (x, y) => [x * 5, y * 8, (x * y) % 256, 255 - (x % 3) * 60]);
const opaque = rgbaPng(48, 32, (x, y) => [x * 5, y * 8, (x * y) % 256, 255]);
/** A drawing with most of what drawings are made of. */
export const drawing = svg(`<style>.a{fill:#123456;stroke:url(#g)}</style>
  <defs><linearGradient id="g"><stop offset=".2" stop-color="red"/><stop offset="1"/></linearGradient>
  <clipPath id="c"><circle cx="50" cy="50" r="40"/></clipPath>
  <mask id="m"><rect width="90" height="90" fill="#fff"/></mask>
  <filter id="f"><feGaussianBlur stdDeviation="2"/><feOffset dx="1"/></filter></defs>
  <g clip-path="url(#c)" transform="rotate(10 50 50)"><path class="a" stroke-width="3" stroke-dasharray="4 2"
  d="M10 10h60v50C5 6 7 8 9 10s3 4 5 6q1 2 3 4A5 6 0 0 1 60 70z"/></g>
  <g mask="url(#m)" filter="url(#f)"><polygon points="0,0 50,9 30,70" fill="url(#g)" opacity=".7"/></g>
  <symbol id="s" viewBox="0 0 9 9"><ellipse rx="5" ry="3"/></symbol><use href="#s" x="5" width="40" height="40"/>`);

/** A small file of each kind that a logo may come in. */
export const kinds: Record<string, () => Uint8Array | Promise<Uint8Array>> = {
  PNG: () => picture,
  JPEG: () => asJpeg(opaque),
  'progressive JPEG': () => asJpeg(opaque, true),
  'CMYK JPEG': () => cmykJpeg,
  'lossless WebP': () => asWebp(picture),
  'lossy WebP': () => asWebp(picture, false),
  SVG: () => drawing,
};

/** A change of a file. */
export interface Mutation {
  readonly kind: 'set' | 'cut' | 'repeat' | 'insert' | 'word';
  /** Place as a fraction of the file. */
  readonly at: number;
  readonly length: number;
  readonly bytes: Uint8Array;
  readonly word: string;
}

/** What breaks parsers of text: numbers at the edge, references that close a circle. */
const words = [
  '1e38',
  '-1',
  '0',
  'NaN',
  '1e-40',
  'url(#m)',
  '#s',
  '"',
  '<g>',
  '&#x41;',
  '99999999',
  '%',
];

export const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom('set' as const, 'cut', 'repeat', 'insert', 'word'),
  // Not fc.double: nearly all doubles between 0 and 1 are next to 0, where the signature is.
  at: fc.nat(9_999).map((place) => place / 10_000),
  length: fc.integer({ min: 1, max: 40 }),
  bytes: fc.uint8Array({ minLength: 1, maxLength: 8 }),
  word: fc.constantFrom(...words),
});

export function mutate(file: Uint8Array, { kind, at, length, bytes, word }: Mutation): Uint8Array {
  const start = Math.floor(at * file.length);
  const before = file.subarray(0, start);
  const rest = file.subarray(start);
  switch (kind) {
    case 'set':
      return Buffer.concat([before, bytes, rest.subarray(bytes.length)]);
    case 'cut':
      return Buffer.concat([before, rest.subarray(length)]);
    case 'repeat':
      return Buffer.concat([
        before,
        ...Array.from({ length: 50 }, () => rest.subarray(0, length)),
        rest,
      ]);
    case 'insert':
      return Buffer.concat([before, bytes, rest]);
    case 'word':
      return Buffer.concat([before, Buffer.from(word), rest.subarray(length % 8)]);
  }
}

/** Corrects the check sums of a PNG, so that mutants get past them. */
export function repairPng(file: Uint8Array): Uint8Array {
  const png = Buffer.from(file);
  for (let offset = 8; offset + 12 <= png.length; ) {
    const end = offset + 12 + png.readUInt32BE(offset);
    if (end > png.length) break;
    png.writeUInt32BE(Bun.hash.crc32(png.subarray(offset + 4, end - 4)), end - 4);
    offset = end;
  }
  return png;
}
