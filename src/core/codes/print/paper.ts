import { Refused } from '../../errors.ts';

/** A page. */
export interface Paper {
  readonly pageWidthMm: number;
  readonly pageHeightMm: number;
}

/** A page of equal labels in columns and rows, filled row by row. */
export interface LabelGrid extends Paper {
  readonly columns: number;
  readonly rows: number;
  /** Position of the first label. */
  readonly leftMm: number;
  readonly topMm: number;
  readonly labelWidthMm: number;
  readonly labelHeightMm: number;
  /** Distance from one label to the next. */
  readonly stepXMm: number;
  readonly stepYMm: number;
  /** Distance of everything printed from the edge of a label. */
  readonly paddingMm: number;
}

export const inchMm = 25.4;

function paper(pageWidthMm: number, pageHeightMm: number): Paper {
  return { pageWidthMm, pageHeightMm };
}

export const a4 = paper(210, 297);
export const letter = paper(8.5 * inchMm, 11 * inchMm);

/** Pages by name. */
export const papers: Readonly<Record<string, Paper>> = {
  a3: paper(297, 420),
  a4,
  a5: paper(148, 210),
  a6: paper(105, 148),
  letter,
  legal: paper(8.5 * inchMm, 14 * inchMm),
  tabloid: paper(11 * inchMm, 17 * inchMm),
};

/** Bounds of a page's sides. */
const pageMm = { min: 10, max: 2000 } as const;

/**
 * Parses a page: a name, or width and height in mm or inches, such as `62x29` or `4x6in`.
 *
 * @throws Refused
 */
export function parsePage(text: string): Paper {
  const lower = text.trim().toLowerCase();
  const named = Object.hasOwn(papers, lower) ? papers[lower] : undefined;
  if (named !== undefined) return named;
  const isInches = lower.endsWith('in');
  const [width = 0, height = 0] = numbersIn(lower.replace(/(?:in|mm)$/, '').trimEnd()).map((side) =>
    Number((isInches ? side * inchMm : side).toFixed(3)),
  );
  const { min, max } = pageMm;
  if (Math.min(width, height) < min || Math.max(width, height) > max)
    throw new Refused({
      kind: 'wrong page',
      papers: Object.keys(papers),
      minMm: min,
      maxMm: max,
    });
  return paper(width, height);
}

/** Parses one number for both directions, or two. @throws Refused */
export function parsePair(text: string, of: 'margin' | 'gap'): [x: number, y: number] {
  const [x, y = x] = numbersIn(text);
  if (x === undefined || y === undefined) throw new Refused({ kind: 'wrong lengths', of });
  return [x, y];
}

/** Bounds of the side of a code. */
export const sizeMmBounds = { min: 5, max: 1000 } as const;

/** Parses the side of a code in mm, with a decimal point or comma. @throws Refused */
export function parseSizeMm(text: string): number {
  const { min, max } = sizeMmBounds;
  const [sizeMm = 0, ...others] = numbersIn(text);
  if (others.length === 0 && sizeMm >= min && sizeMm <= max) return sizeMm;
  throw new Refused({ kind: 'wrong size of codes', minMm: min, maxMm: max });
}

function numbersIn(text: string): number[] {
  if (!/^\d{1,4}([.,]\d{1,3})?(\s*[x×]\s*\d{1,4}([.,]\d{1,3})?)?$/i.test(text.trim())) return [];
  return text.split(/[x×]/i).map((number) => Number(number.replace(',', '.')));
}

/** Rounds millimetres to what sentences say: at most one decimal. */
export function roundedMm(mm: number): number {
  return Math.round(mm * 10) / 10;
}

/** Formats millimetres with at most one decimal. */
export function formatMm(mm: number): string {
  return String(roundedMm(mm));
}
