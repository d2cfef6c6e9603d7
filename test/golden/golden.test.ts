import { describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { version } from '../../package.json';
import { drawPage } from '../../src/render/sheet/page.ts';
import { decodePng } from '../support/png.ts';
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

describe.each(releases)('images of version %s are unchanged', (release) => {
  const read = (file: string) => readFileSync(join(import.meta.dir, release, file));

  test('every choice of a design: SVG, pixels and PNG', () => {
    const lines = read('digests.txt').toString().trimEnd().split('\n');
    expect(lines.length).toBeGreaterThan(80);
    const names = lines.map((line) => line.split('  ')[3] ?? '');
    expect(names.map((name) => today.get(name)?.line)).toEqual(lines);
  });

  test.each(shown)('%s: the SVG to the byte, the PNG to the pixel', (name) => {
    const file = name.replace(/[ ,]+/g, '-');
    const drawn = today.get(name)?.drawn;
    expect(Buffer.from(drawn?.svg ?? []).equals(read(`${file}.svg`))).toBe(true);
    expect(decodePng(drawn?.png ?? new Uint8Array()).rgba).toEqual(
      decodePng(read(`${file}.png`)).rgba,
    );
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
  const kept = readFileSync(join(import.meta.dir, latest, 'digests.txt'), 'utf8').trimEnd();
  expect(kept.split('\n').map((line) => line.split('  ')[3])).toEqual(
    goldens.map(({ name }) => name),
  );
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
