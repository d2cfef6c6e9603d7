import { describe, expect, test } from 'bun:test';
import { layoutText } from '../../src/cli/sentences/print.ts';
import {
  labelCorner,
  layouts,
  type SheetOptions,
  sheetLayout,
} from '../../src/core/codes/print/sheet-layout.ts';
import { printAdvice } from '../../src/core/codes/print/size.ts';
import { rejectionOf } from '../support/rejection.ts';

const variants: SheetOptions[] = [{}, { hasCaptions: false }, { above: 'Scan', start: 1 }];

describe.each([...layouts.keys()])('%s', (name) => {
  test.each(variants)(
    '%j keeps labels on the page and apart, and codes and captions on the label',
    (options) => {
      const layout = sheetLayout(name, options);
      const { columns, rows, labelWidthMm, labelHeightMm, stepXMm, stepYMm, code, caption } =
        layout;
      const { leftMm, topMm } = labelCorner(layout, columns * rows - 1);
      expect(leftMm + labelWidthMm).toBeLessThanOrEqual(layout.pageWidthMm + 1e-9);
      expect(topMm + labelHeightMm).toBeLessThanOrEqual(layout.pageHeightMm + 1e-9);
      if (columns > 1) expect(stepXMm).toBeGreaterThanOrEqual(labelWidthMm);
      if (rows > 1) expect(stepYMm).toBeGreaterThanOrEqual(labelHeightMm);
      for (const box of caption === null ? [code] : [code, caption]) {
        expect(Math.min(box.leftMm, box.topMm)).toBeGreaterThanOrEqual(-1e-9);
        expect(box.leftMm + box.widthMm).toBeLessThanOrEqual(labelWidthMm + 1e-9);
        expect(box.topMm + box.heightMm).toBeLessThanOrEqual(labelHeightMm + 1e-9);
      }
      expect(code.widthMm).toBe(code.heightMm);
      expect(code.widthMm).toBeGreaterThan(10);
      expect(caption === null).toBe(options.hasCaptions === false);
      if (caption !== null) {
        const isBeside = caption.leftMm >= code.leftMm + code.widthMm;
        const isBelow = caption.topMm >= code.topMm + code.heightMm;
        expect(isBeside || isBelow).toBe(true);
      }
    },
  );
});

test('labels follow row by row, with the dimensions of their maker', () => {
  const layout = sheetLayout('5160');
  expect(layout.columns * layout.rows).toBe(30);
  expect(layout.pageWidthMm).toBeCloseTo(215.9);
  const { leftMm, topMm } = labelCorner(layout, 0);
  expect([leftMm, topMm].map((mm) => mm.toFixed(3))).toEqual(['4.763', '12.700']);
  const fifth = labelCorner(layout, 4);
  expect(fifth.leftMm - leftMm).toBeCloseTo(69.85);
  expect(fifth.topMm - topMm).toBeCloseTo(25.4);
});

test('a free grid divides what margins and gaps leave', () => {
  const options = { columns: 2, rows: 5, marginMm: '10x20', gapMm: '4x3', hasCaptions: false };
  const grid = { labelWidthMm: 93, labelHeightMm: 49, stepXMm: 97, leftMm: 10, topMm: 20 };
  expect(sheetLayout('a4-grid', options)).toMatchObject(grid);
});

test('a roll has one label a page', () => {
  const label = { pageWidthMm: 62, pageHeightMm: 29, columns: 1, rows: 1 };
  expect(sheetLayout('roll', { page: '62x29' })).toMatchObject(label);
});

test.each([
  ['a5', 148, 210],
  ['A3', 297, 420],
  ['4x6in', 101.6, 152.4],
  ['100x150', 100, 150],
  ['62,5 × 29 mm', 62.5, 29],
])('the page %s is %d × %d mm', (page, widthMm, heightMm) => {
  const layout = sheetLayout('roll', { page, hasCaptions: false });
  expect([layout.pageWidthMm, layout.pageHeightMm]).toEqual([widthMm, heightMm]);
});

test('at least forty labels that are sold are known', () => {
  expect(layouts.size).toBeGreaterThan(60);
  const said = ['L7160', 'DK-11209'].map((name) => {
    const layout = layouts.get(name) ?? { kind: 'roll' };
    return [layout.kind, layoutText(layout)];
  });
  expect(said).toEqual([
    ['sheet', 'Avery L7160: 21 labels, 63.5 × 38.1 mm, A4'],
    ['thermal', 'Brother DK-11209: thermal, 62 × 29 mm'],
  ]);
});

test('a chosen size is exact', () => {
  expect(sheetLayout('L7160', { sizeMm: 25 }).code).toMatchObject({ widthMm: 25, heightMm: 25 });
});

test('texts are below or beside codes as wanted, and on the label', () => {
  const wide = sheetLayout('L7160', { text: 'below', above: 'Scan' });
  expect(wide.caption?.topMm).toBeCloseTo(wide.code.topMm + wide.code.heightMm, 6);
  expect(wide.above?.topMm).toBeLessThan(wide.code.topMm);
  const high = sheetLayout('a4-grid', { text: 'beside' });
  const right = (box: typeof high.code | null) => (box ? box.leftMm + box.widthMm : 0);
  expect(high.caption?.leftMm).toBeGreaterThan(right(high.code));
  expect(high.caption?.widthMm).toBeGreaterThan(20);
  expect(right(high.caption)).toBeLessThanOrEqual(high.labelWidthMm);
  expect(sheetLayout('a4-grid', { text: 'beside', hasCaptions: false }).caption).toBeNull();
});

const refused: [string, SheetOptions, object][] = [
  ['L7160', { columns: 2 }, { kind: 'labels of fixed dimensions' }],
  ['L7160', { sizeMm: 37 }, { kind: 'codes do not fit', sizeMm: 37, largestMm: 36.1 }],
  ['roll', { rows: 2 }, { kind: 'one label on a roll' }],
  ['roll', { hasCutMarks: true }, { kind: 'cut marks on a roll' }],
  [
    'a4-grid',
    { marginMm: '1', hasCutMarks: true },
    { kind: 'margin too small for cut marks', neededMm: 3 },
  ],
  ['a4-grid', { page: 'b5' }, { kind: 'wrong page', minMm: 10 }],
  ['a4-grid', { above: 'x'.repeat(61) }, { kind: 'line above too long', maxLength: 60 }],
  ['L7160', { start: 22 }, { kind: 'start beyond the sheet', labels: 21, start: 22 }],
  ['L9999', {}, { kind: 'unknown layout', name: 'L9999' }],
  ['DK-11209', { hasCutMarks: true }, { kind: 'cut marks on a roll' }],
  [
    'roll',
    { page: '13x14', below: ['name', 'note', 'link'] },
    { kind: 'codes do not fit', remedies: ['text', 'labels'] },
  ],
  ['a4-grid', { page: '5x5' }, { kind: 'wrong page' }],
  ['a4-grid', { marginMm: 'wide' }, { kind: 'wrong lengths', of: 'margin' }],
  ['a4-grid', { gapMm: '-5' }, { kind: 'wrong lengths', of: 'gap' }],
  ['a4-grid', { columns: 50 }, { kind: 'no room for codes' }],
  ['letter-grid', { marginMm: '200' }, { kind: 'no room for codes' }],
];

test.each(refused)('%s with %j is refused: %j', async (name, options, reason) => {
  const refusal = rejectionOf(Promise.try(() => sheetLayout(name, options)));
  expect(await refusal).toMatchObject({ reason });
});

test('the smallest printed width includes the quiet zone, for five distances', () => {
  // 33 + 8 modules of 0.5, 1.25, 2.5, 7.5 and 37.5 mm.
  const advice = printAdvice({ modules: 33, quietZoneModules: 4 });
  expect(advice.map(({ distanceMm, widthMm }) => [distanceMm, widthMm])).toEqual([
    [200, 21],
    [500, 52],
    [1000, 103],
    [3000, 308],
    [15_000, 1538],
  ]);
});
