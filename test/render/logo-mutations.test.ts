import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { LogoRefused } from '../../src/core/ports.ts';
import { normalizeLogo } from '../../src/render/logo.ts';
import {
  allowedAttributes,
  allowedElements,
  allowedProperties,
} from '../../src/render/logo-svg-allowed.ts';
import { asJpeg, asWebp, cmykJpeg, rgbaPng, svg } from './logo-fixtures.ts';

/** Mutants of each kind; 1,000 and more with `WAYMARK_TEST_MUTANTS=1000 bun test test/render`. */
const mutants = Number(process.env['WAYMARK_TEST_MUTANTS'] ?? 50);
/** Of computing, in all threads: a busy machine takes longer on the wall. */
const maxMs = 2_000;

const picture = rgbaPng(48, 32, (x, y) => [x * 5, y * 8, (x * y) % 256, 255 - (x % 3) * 60]);
const opaque = rgbaPng(48, 32, (x, y) => [x * 5, y * 8, (x * y) % 256, 255]);
const drawing = svg(`<style>.a{fill:#123456;stroke:url(#g)}</style>
  <defs><linearGradient id="g"><stop offset=".2" stop-color="red"/><stop offset="1"/></linearGradient>
  <clipPath id="c"><circle cx="50" cy="50" r="40"/></clipPath>
  <mask id="m"><rect width="90" height="90" fill="#fff"/></mask>
  <filter id="f"><feGaussianBlur stdDeviation="2"/><feOffset dx="1"/></filter></defs>
  <g clip-path="url(#c)" transform="rotate(10 50 50)"><path class="a" stroke-width="3" stroke-dasharray="4 2"
  d="M10 10h60v50C5 6 7 8 9 10s3 4 5 6q1 2 3 4A5 6 0 0 1 60 70z"/></g>
  <g mask="url(#m)" filter="url(#f)"><polygon points="0,0 50,9 30,70" fill="url(#g)" opacity=".7"/></g>
  <symbol id="s" viewBox="0 0 9 9"><ellipse rx="5" ry="3"/></symbol><use href="#s" x="5" width="40" height="40"/>`);

const kinds: Record<string, () => Uint8Array | Promise<Uint8Array>> = {
  PNG: () => picture,
  JPEG: () => asJpeg(opaque),
  'progressive JPEG': () => asJpeg(opaque, true),
  'CMYK JPEG': () => cmykJpeg,
  'lossless WebP': () => asWebp(picture),
  'lossy WebP': () => asWebp(picture, false),
  SVG: () => drawing,
};

interface Mutation {
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

const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom('set' as const, 'cut', 'repeat', 'insert', 'word'),
  // Not fc.double: nearly all doubles between 0 and 1 are next to 0, where the signature is.
  at: fc.nat(9_999).map((place) => place / 10_000),
  length: fc.integer({ min: 1, max: 40 }),
  bytes: fc.uint8Array({ minLength: 1, maxLength: 8 }),
  word: fc.constantFrom(...words),
});

function mutate(file: Uint8Array, { kind, at, length, bytes, word }: Mutation): Uint8Array {
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
function repairPng(file: Uint8Array): Uint8Array {
  const png = Buffer.from(file);
  for (let offset = 8; offset + 12 <= png.length; ) {
    const end = offset + 12 + png.readUInt32BE(offset);
    if (end > png.length) break;
    png.writeUInt32BE(Bun.hash.crc32(png.subarray(offset + 4, end - 4)), end - 4);
    offset = end;
  }
  return png;
}

async function check(file: Uint8Array): Promise<void> {
  const before = process.cpuUsage();
  const outcome = await normalizeLogo(file).catch((error: unknown) => error);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(maxMs);
  if (outcome instanceof LogoRefused) {
    expect(outcome.message.length).toBeGreaterThan(20);
    return;
  }
  expect(outcome).toContainAllKeys(['png', 'widthPx', 'heightPx']);
  // Anything but a Logo failed above.
  const { png, widthPx, heightPx } = outcome as Awaited<ReturnType<typeof normalizeLogo>>;
  expect(png.length).toBeLessThanOrEqual(300_000);
  const image = new Bun.Image(png);
  await image.bytes();
  expect([image.width, image.height]).toEqual([widthPx, heightPx]);
}

for (const [name, make] of Object.entries(kinds)) {
  test(
    `a mutated ${name} becomes a logo or is refused with a reason, within two seconds`,
    async () => {
      const file = await make();
      await fc.assert(
        fc.asyncProperty(fc.array(mutation, { minLength: 1, maxLength: 4 }), async (mutations) => {
          const mutant = mutations.reduce(mutate, file);
          await check(mutant);
          if (name === 'PNG') await check(repairPng(mutant));
        }),
        { numRuns: mutants },
      );
    },
    mutants * 200,
  );
}

test(
  'any bytes at all become a logo or are refused with a reason',
  async () => {
    const starts = ['', '\x89PNG\r\n\x1a\n', '\xff\xd8\xff', 'RIFF\x40\0\0\0WEBP', '<svg>'];
    const start = fc.constantFrom(...starts.map((text) => Buffer.from(text, 'latin1')));
    await fc.assert(
      fc.asyncProperty(start, fc.uint8Array({ maxLength: 200 }), (first, rest) =>
        check(Buffer.concat([first, rest])),
      ),
      { numRuns: mutants },
    );
  },
  mutants * 200,
);

const numbers = ['0', '-0', '1', '-7', '.5', '100%', '5mm', '1e-45', '1e6', '-1e6', '999999.9'];
const excessive = ['1e38', '1e999', '-16777217'];

test(
  'a drawing with numbers at the edge of what fits becomes a logo or is refused',
  async () => {
    const original = new TextDecoder().decode(drawing);
    const places = [...original.matchAll(/(?<=[\s"(,.a-zA-Z])-?\d+(\.\d+)?/g)].map(
      (match) => match.index,
    );
    const change = fc.record({
      place: fc.constantFrom(...places),
      number: fc.constantFrom(...numbers, ...excessive),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
        let text = original;
        // From the end, so that the places before stay where they are.
        for (const { place, number } of changes.toSorted((one, other) => other.place - one.place)) {
          text = text.slice(0, place) + text.slice(place).replace(/^-?[\d.e]+/, number);
        }
        await check(new TextEncoder().encode(text));
      }),
      { numRuns: mutants },
    );
  },
  mutants * 400,
);

test(
  'a drawing of allowed parts in any order becomes a logo or is refused',
  async () => {
    const plain = fc.oneof(
      fc.constantFrom(...numbers),
      fc.constantFrom(
        'red',
        'none',
        'userSpaceOnUse',
        'objectBoundingBox',
        'currentColor',
        'inherit',
      ),
      fc.constantFrom(
        'multiply',
        'evenodd',
        'alpha',
        'SourceAlpha',
        'table',
        'arithmetic',
        'hueRotate',
      ),
      fc.constantFrom('matrix(0 0 0 0 0 0)', 'scale(1e6)', 'rotate(-1e6)', 'skewX(90)', '1 2 3 4'),
      fc.constantFrom(
        'M0 0',
        'M1e6 0L-1e6 9A1 1e6 0 0 1 5 5',
        'm5 5h9v9z',
        'M0 0C9 9 1e6 8 7 7',
        'm',
      ),
    );
    const references = ['fill', 'stroke', 'clip-path', 'mask', 'filter'];
    const ordinary = [...allowedAttributes, ...allowedProperties].filter(
      (name) => !['clip-path', 'mask', 'filter', 'stroke-dasharray', 'id'].includes(name),
    );
    const element = fc.constantFrom(...[...allowedElements].filter((name) => name !== 'svg'));
    /** An element with one of these ids, that refers only to those: never in a circle. */
    const part = (
      ids: readonly string[],
      targets: readonly string[],
      children: fc.Arbitrary<string[]>,
    ) => {
      const target = fc.constantFrom(...targets);
      const attributes = fc.tuple(
        fc.dictionary(fc.constantFrom(...ordinary), plain, { maxKeys: 6 }),
        fc.dictionary(
          fc.constantFrom(...references),
          target.map((id) => `url(#${id})`),
          { maxKeys: 2 },
        ),
        fc.record({ href: target.map((id) => `#${id}`) }, { requiredKeys: [] }),
        fc.record({ id: fc.constantFrom(...ids) }, { requiredKeys: [] }),
      );
      return fc.tuple(element, attributes, children).map(([name, given, inside]) => {
        const all = Object.entries(Object.assign({}, ...given));
        const written = all.map(([key, text]) => ` ${key}="${text}"`).join('');
        return `<${name}${written}>${inside.join('')}</${name}>`;
      });
    };
    const leaf = part(['a', 'b'], ['nowhere'], fc.constant([]));
    const branch = part(['c', 'd'], ['a', 'b'], fc.array(leaf, { maxLength: 4 }));
    const top = part(
      ['e', 'f'],
      ['a', 'b', 'c', 'd'],
      fc.array(fc.oneof(leaf, branch), { maxLength: 4 }),
    );
    const tree = fc.oneof(leaf, branch, top);
    await fc.assert(
      fc.asyncProperty(fc.array(tree, { minLength: 1, maxLength: 6 }), async (parts) => {
        await check(svg(`<rect width="9" height="9"/>${parts.join('')}`));
      }),
      { numRuns: mutants },
    );
  },
  mutants * 400,
);
