import { describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { version } from '../../package.json';
import { drawPage } from '../../src/render/sheet/page.ts';
import { goldens, shown } from './designs.ts';
import { draw, lineOf, sealOf } from './drawn.ts';

// Each folder holds the images of a released version, whose codes are printed. A version that adds no choice to designs
// needs no folder.
const releases = readdirSync(import.meta.dir).filter((name) =>
  existsSync(join(import.meta.dir, name, 'digests.txt')),
);

const today = new Map(
  await Promise.all(
    goldens.map(async (golden) => {
      const drawn = await draw(golden);
      return [golden.name, { drawn, line: lineOf(golden, drawn) }] as const;
    }),
  ),
);

/** Returns the lines of a version. Those of 1.0.0 have a digest of the PNG's pixels as well, in the middle. */
const linesOf = (release: string) =>
  readFileSync(join(import.meta.dir, release, 'digests.txt'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split('  '))
    .map((parts) => [parts.at(0), parts.at(-2), parts.at(-1)].join('  '));
const nameIn = (line: string) => line.split('  ').at(-1) ?? '';

describe.each(releases)('images of version %s are unchanged', (release) => {
  test('every choice of a design: SVG and PNG', () => {
    const lines = linesOf(release);
    expect(lines.length).toBeGreaterThan(80);
    expect(lines.map((line) => today.get(nameIn(line))?.line)).toEqual(lines);
  });

  test.each(shown)('%s, as a file', (name) => {
    const read = (type: string) =>
      readFileSync(join(import.meta.dir, release, `${name.replace(/[ ,]+/g, '-')}.${type}`));
    const drawn = today.get(name)?.drawn;
    for (const type of ['svg', 'png'] as const)
      expect(read(type).equals(drawn?.[type] ?? new Uint8Array())).toBe(true);
  });
});

test('no version draws in two ways: the digests of a version are sealed once', () => {
  const sealed = readFileSync(join(import.meta.dir, 'sealed.txt'), 'utf8')
    .trimEnd()
    .split('\n');
  expect(sealed).toEqual(releases.sort().map((release) => sealOf(join(import.meta.dir, release))));
});

test('the latest stored version covers all designs', () => {
  const latest = releases.toSorted(Bun.semver.order).at(-1) ?? '';
  expect(Bun.semver.order(latest, version)).toBeLessThanOrEqual(0);
  expect(linesOf(latest).map(nameIn)).toEqual(goldens.map(({ name }) => name));
  expect(new Set(goldens.map(({ name }) => name)).size).toBe(goldens.length);
});

test('pages of print sheets draw every choice of a design as 1.0.0 does', () => {
  const hash = createHash('sha256');
  for (const { link: shortLink, design } of goldens) {
    const box = { leftMm: 0, topMm: 0, widthMm: 31, heightMm: 31 };
    const layout = { pageHeightMm: 51, code: box, dotMm: null, form: 'design' } as const;
    const code = { shortLink, design, leftMm: 10, topMm: 0 };
    const operators = String(inflateSync(drawPage({ codes: [code], layout, operators: '' })));
    // 1.0.0 wrote greys in three colours.
    const inRgb = operators.replaceAll(/(?<![\d.] )([\d.]+) (g|G)\b/g, (_, grey, operator) =>
      `${grey} ${grey} ${grey} r${operator}`.replace('rG', 'RG'),
    );
    hash.update(inRgb);
  }
  expect(hash.digest('hex')).toBe(
    '67d0f1997138dd575b67bc5a489564bc922fbf347f0b6016f0c341d907334f38',
  );
});
