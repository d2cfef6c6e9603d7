import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { InvalidLogo } from '../../src/core/ports.ts';
import { normalizeLogo } from '../../src/render/logo/logo.ts';
import {
  allowedAttributes,
  allowedElements,
  allowedProperties,
} from '../../src/render/logo/svg-allowed.ts';
import { checkWork } from '../../src/render/logo/svg-bounds.ts';
import { parseSvg } from '../../src/render/logo/svg-parse.ts';
import { svg } from './logo-fixtures.ts';
import { drawing, kinds, mutate, mutation, repairPng } from './logo-mutants.ts';

/** Mutants of each kind; test/bench/logos.ts makes a thousand. More: `WAYMARK_TEST_MUTANTS=1000`. */
const mutants = Number(process.env['WAYMARK_TEST_MUTANTS'] ?? 50);
/** Of computing, in all threads: a busy machine takes longer on the wall. */
const maxMs = 2_000;

async function check(file: Uint8Array): Promise<void> {
  const before = process.cpuUsage();
  const outcome = await normalizeLogo(file).catch((error: unknown) => error);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(maxMs);
  if (outcome instanceof InvalidLogo) {
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
    mutants * maxMs,
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
  mutants * maxMs,
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
  mutants * maxMs,
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
  mutants * maxMs,
);

const starts = ['', 'fill:', 'url(#a)', '1', '.a', '.a{', '.a{fill:'];
const repeated = ['/* ', '/*/', '*/', ' ', '\t', '0', '1.', '1e', 'url(', 'url(#a) ', 'var (', '!'];
const ends = ['', 'x', '\\', ')', '}'];
const places: Record<string, (text: string) => string> = {
  'a style sheet': (text) => `<style>${text}</style>`,
  'a style': (text) => `<g style="${text}"/>`,
  'a property': (text) => `<g fill="${text}" clip-path="${text}"/>`,
  'an attribute without a use': (text) => `<g cursor="${text}"/>`,
  'a length': (text) => `<rect width="${text}" class="${text}" d="${text}"/>`,
};

/** All that is done with the text of a drawing before it is painted. */
function read(text: string): unknown {
  try {
    return checkWork(parseSvg(text));
  } catch (error) {
    return error;
  }
}

// Each takes a second or two, and took many minutes while expressions tried out what takes how many
// characters. Nothing stops an expression, not even the end of its worker.
test.each(Object.entries(places))(
  '%s made to be slow is soon read or refused with a reason',
  (_, place) => {
    // Within the bounds of a value, and far beyond them.
    for (const start of starts)
      for (const part of repeated)
        for (const end of ends)
          for (const length of [1_900, 9_900, 300_000]) {
            const slow = place(start + part.repeat(length / part.length) + end);
            const outcome = read(
              `<svg viewBox="0 0 9 9">${slow}<rect width="9" height="9"/></svg>`,
            );
            expect(outcome === undefined || outcome instanceof InvalidLogo).toBeTrue();
          }
  },
  60_000,
);
