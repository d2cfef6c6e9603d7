import { describe, expect, test } from 'bun:test';
import {
  type LayoutName,
  labelCorner,
  layoutNames,
  type SheetOptions,
  sheetLayout,
} from '../../src/core/codes/print/sheet-layout.ts';

const variants: SheetOptions[] = [{}, { hasCaptions: false }];

describe.each(layoutNames)('%s', (name) => {
  test.each(variants)(
    '%j keeps labels on the page and apart, and codes and captions on the label',
    (options) => {
      const layout = sheetLayout(name, options);
      const { columns, rows, labelWidthMm, labelHeightMm, stepXMm, stepYMm, code, caption } =
        layout;
      const { leftMm, topMm } = labelCorner(layout, columns * rows - 1);
      expect(leftMm + labelWidthMm).toBeLessThanOrEqual(layout.pageWidthMm);
      expect(topMm + labelHeightMm).toBeLessThanOrEqual(layout.pageHeightMm);
      if (columns > 1) expect(stepXMm).toBeGreaterThanOrEqual(labelWidthMm);
      if (rows > 1) expect(stepYMm).toBeGreaterThanOrEqual(labelHeightMm);
      for (const box of caption === null ? [code] : [code, caption]) {
        expect(Math.min(box.leftMm, box.topMm)).toBeGreaterThanOrEqual(-1e-9);
        expect(box.leftMm + box.widthMm).toBeLessThanOrEqual(labelWidthMm + 1e-9);
        expect(box.topMm + box.heightMm).toBeLessThanOrEqual(labelHeightMm + 1e-9);
      }
      expect(code.widthMm).toBe(code.heightMm);
      expect(code.widthMm).toBeGreaterThan(20);
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
  expect([leftMm, topMm].map((mm) => mm.toFixed(3))).toEqual(['4.762', '12.700']);
  const fifth = labelCorner(layout, 4);
  expect(fifth.leftMm - leftMm).toBeCloseTo(69.85);
  expect(fifth.topMm - topMm).toBeCloseTo(25.4);
});

test('a free grid divides what margins and gaps leave', () => {
  const options = { columns: 2, rows: 5, marginMm: '10x20', gapMm: '4x3', hasCaptions: false };
  const { labelWidthMm, labelHeightMm, stepXMm, leftMm, topMm } = sheetLayout('a4-grid', options);
  expect({ labelWidthMm, labelHeightMm, stepXMm, leftMm, topMm }).toEqual({
    labelWidthMm: 93,
    labelHeightMm: 49,
    stepXMm: 97,
    leftMm: 10,
    topMm: 20,
  });
});

test('a roll has one label a page', () => {
  const { pageWidthMm, pageHeightMm, columns, rows } = sheetLayout('roll', { page: '62x29' });
  expect({ pageWidthMm, pageHeightMm, columns, rows }).toEqual({
    pageWidthMm: 62,
    pageHeightMm: 29,
    columns: 1,
    rows: 1,
  });
});

test('a chosen size is exact', () => {
  expect(sheetLayout('L7160', { sizeMm: 25 }).code).toMatchObject({ widthMm: 25, heightMm: 25 });
});

const refused: [LayoutName, SheetOptions, RegExp][] = [
  ['L7160', { columns: 2 }, /fixed dimensions/],
  ['L7160', { sizeMm: 37 }, /don't fit: the labels leave 36.1 mm/],
  ['roll', { rows: 2 }, /one label a page/],
  ['roll', { hasCutMarks: true }, /cut already/],
  ['a4-grid', { marginMm: '1', hasCutMarks: true }, /margin of at least 3 mm/],
  ['a4-grid', { page: 'a3' }, /The page must be a4, letter/],
  ['a4-grid', { page: '5x5' }, /The page must be/],
  ['a4-grid', { marginMm: 'wide' }, /The margin must be/],
  ['a4-grid', { gapMm: '-5' }, /The gap must be/],
  ['a4-grid', { columns: 50 }, /leave no room for codes/],
  ['letter-grid', { marginMm: '200' }, /leave no room for codes/],
];

test.each(refused)('%s with %j is refused in words', (name, options, reason) => {
  expect(() => sheetLayout(name, options)).toThrow(reason);
});
