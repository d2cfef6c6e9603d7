import { InvalidInput } from '../../errors.ts';

/** Rectangle on a page, in millimetres from its upper left corner. */
export interface BoxMm {
  readonly leftMm: number;
  readonly topMm: number;
  readonly widthMm: number;
  readonly heightMm: number;
}

/** A page of equal labels in columns and rows, filled row by row. */
interface LabelGrid {
  readonly pageWidthMm: number;
  readonly pageHeightMm: number;
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

/** Position of the code, quiet zone included, and of its caption on a label whose corner is at 0, 0. */
interface LabelContent {
  readonly code: BoxMm;
  /** Null without captions. */
  readonly caption: BoxMm | null;
  readonly captionAlign: 'left' | 'center';
  readonly fontPt: number;
}

/** Everything that is equal on all pages of a sheet. */
export interface SheetLayout extends LabelGrid, LabelContent {
  readonly name: LayoutName;
  readonly hasCutMarks: boolean;
}

export interface SheetOptions {
  /** `a4`, `letter`, or width and height such as `62x29`. Only for free grids and rolls. */
  readonly page?: string;
  readonly columns?: number;
  readonly rows?: number;
  /** One number, or those of left and right, and of top and bottom, such as `10x15`. */
  readonly marginMm?: string;
  /** One number, or those between columns and between rows. */
  readonly gapMm?: string;
  /** Side of a code, quiet zone included. Default: as large as the label allows. */
  readonly sizeMm?: number;
  readonly hasCaptions?: boolean;
  readonly hasCutMarks?: boolean;
}

/** A print run that cannot be made as asked; the message says why and what to do. */
export class PrintError extends InvalidInput {
  override readonly name = 'PrintError';
}

const inchMm = 25.4;
const a4 = { pageWidthMm: 210, pageHeightMm: 297 };
const letter = { pageWidthMm: 8.5 * inchMm, pageHeightMm: 11 * inchMm };

// Sheets of labels shift in the printer by about a millimetre.
const labelPaddingMm = 1;

/** Sheets of labels, by the dimensions that their makers publish. */
const presets = {
  L7160: {
    ...a4,
    columns: 3,
    rows: 7,
    leftMm: 7.25,
    topMm: 15.15,
    labelWidthMm: 63.5,
    labelHeightMm: 38.1,
    stepXMm: 66,
    stepYMm: 38.1,
    paddingMm: labelPaddingMm,
  },
  L7163: {
    ...a4,
    columns: 2,
    rows: 7,
    leftMm: 4.65,
    topMm: 15.15,
    labelWidthMm: 99.1,
    labelHeightMm: 38.1,
    stepXMm: 101.6,
    stepYMm: 38.1,
    paddingMm: labelPaddingMm,
  },
  '5160': {
    ...letter,
    columns: 3,
    rows: 10,
    leftMm: 0.1875 * inchMm,
    topMm: 0.5 * inchMm,
    labelWidthMm: 2.625 * inchMm,
    labelHeightMm: inchMm,
    stepXMm: 2.75 * inchMm,
    stepYMm: inchMm,
    paddingMm: labelPaddingMm,
  },
  '22806': {
    ...letter,
    columns: 3,
    rows: 4,
    leftMm: 0.625 * inchMm,
    topMm: 0.625 * inchMm,
    labelWidthMm: 2 * inchMm,
    labelHeightMm: 2 * inchMm,
    stepXMm: 2.625 * inchMm,
    stepYMm: (7.75 / 3) * inchMm,
    paddingMm: labelPaddingMm,
  },
} as const satisfies Record<string, LabelGrid>;

type PresetName = keyof typeof presets;
export const layoutNames = [
  'a4-grid',
  'letter-grid',
  'roll',
  'L7160',
  'L7163',
  '5160',
  '22806',
] as const;
export type LayoutName = (typeof layoutNames)[number];

/** Bounds of numbers in sheet options. */
export const sheetBounds = {
  columns: { min: 1, max: 50 },
  rows: { min: 1, max: 50 },
  pageMm: { min: 10, max: 2000 },
  sizeMm: { min: 5, max: 1000 },
} as const;

/**
 * Lays out a sheet.
 *
 * @throws PrintError when the options contradict the layout or each other
 */
export function sheetLayout(name: LayoutName, options: SheetOptions = {}): SheetLayout {
  const { sizeMm, hasCaptions = true, hasCutMarks = false } = options;
  const grid = gridOf(name, options);
  if (hasCutMarks) requireRoomForCutMarks(grid, name);
  return { name, ...grid, ...contentOf(grid, hasCaptions, sizeMm), hasCutMarks };
}

/** Returns the corner of the label at a position of the page, counted from 0, row by row. */
export function labelCorner(layout: LabelGrid, index: number): { leftMm: number; topMm: number } {
  const { columns, leftMm, topMm, stepXMm, stepYMm } = layout;
  return {
    leftMm: leftMm + (index % columns) * stepXMm,
    topMm: topMm + Math.floor(index / columns) * stepYMm,
  };
}

function gridOf(name: LayoutName, options: SheetOptions): LabelGrid {
  if (name in presets) {
    const given = (['page', 'columns', 'rows', 'marginMm', 'gapMm'] as const).find(
      (option) => options[option] !== undefined,
    );
    if (given !== undefined)
      throw new PrintError(
        `${name} is a sheet of labels with fixed dimensions. Use a4-grid, letter-grid or roll to choose your own.`,
      );
    // The cast is safe: the name was found among the keys.
    return presets[name as PresetName];
  }
  return name === 'roll' ? rollOf(options) : freeGrid(name, options);
}

function rollOf(options: SheetOptions): LabelGrid {
  if (options.columns !== undefined || options.rows !== undefined || options.gapMm !== undefined)
    throw new PrintError('A roll has one label a page. Choose its size with a page such as 62x29.');
  const { pageWidthMm, pageHeightMm } = parsePage(options.page ?? '50x60');
  const [marginX, marginY] = parsePair(options.marginMm ?? String(labelPaddingMm), 'margin');
  const label = {
    labelWidthMm: pageWidthMm - 2 * marginX,
    labelHeightMm: pageHeightMm - 2 * marginY,
  };
  requirePositive(label);
  return {
    ...label,
    pageWidthMm,
    pageHeightMm,
    columns: 1,
    rows: 1,
    leftMm: marginX,
    topMm: marginY,
    stepXMm: 0,
    stepYMm: 0,
    paddingMm: 0,
  };
}

function freeGrid(name: LayoutName, options: SheetOptions): LabelGrid {
  const { columns = 3, rows = 4, marginMm = '10', gapMm = '5' } = options;
  const page =
    options.page === undefined ? (name === 'a4-grid' ? a4 : letter) : parsePage(options.page);
  const [leftMm, topMm] = parsePair(marginMm, 'margin');
  const [gapX, gapY] = parsePair(gapMm, 'gap');
  const label = {
    labelWidthMm: (page.pageWidthMm - 2 * leftMm - (columns - 1) * gapX) / columns,
    labelHeightMm: (page.pageHeightMm - 2 * topMm - (rows - 1) * gapY) / rows,
  };
  requirePositive(label);
  return {
    ...page,
    ...label,
    columns,
    rows,
    leftMm,
    topMm,
    stepXMm: label.labelWidthMm + gapX,
    stepYMm: label.labelHeightMm + gapY,
    paddingMm: 0,
  };
}

function requirePositive(label: { labelWidthMm: number; labelHeightMm: number }): void {
  if (Math.min(label.labelWidthMm, label.labelHeightMm) < sheetBounds.sizeMm.min)
    throw new PrintError(
      'The margins and gaps leave no room for codes. Use fewer columns or rows, or smaller margins.',
    );
}

// A label this much wider than high has its caption beside the code.
const wideLabelRatio = 1.4;
const captionLines = 2;
const lineHeight = 1.2;
const ptMm = inchMm / 72;
// Between a code and the caption beside it, besides the quiet zone.
const captionGapMm = 0.5;

/** Lays out a label: the code as large as possible, the caption beside it on wide labels and below it on others. */
function contentOf(grid: LabelGrid, hasCaption: boolean, sizeMm: number | undefined): LabelContent {
  const { labelWidthMm, labelHeightMm, paddingMm } = grid;
  const innerWidthMm = labelWidthMm - 2 * paddingMm;
  const innerHeightMm = labelHeightMm - 2 * paddingMm;
  const isWide = labelWidthMm >= wideLabelRatio * labelHeightMm;
  // Between 6 points, the smallest that people read well, and 12, which is enough for any label.
  const fontPt = Math.min(
    12,
    Math.max(6, Math.min(labelWidthMm, labelHeightMm) * (isWide ? 0.33 : 0.22)),
  );
  const belowMm = hasCaption && !isWide ? captionLines * lineHeight * fontPt * ptMm : 0;
  const largestMm = floorTenth(Math.min(innerWidthMm, innerHeightMm - belowMm));
  const side = sizeMm ?? largestMm;
  if (side > largestMm)
    throw new PrintError(
      `Codes of ${formatMm(side)} mm don't fit: the labels leave ${formatMm(largestMm)} mm. ` +
        'Use a smaller size, larger labels, or no captions.',
    );
  const topMm = paddingMm + (innerHeightMm - side - belowMm) / 2;
  if (hasCaption && isWide) {
    const textMm = paddingMm + side + captionGapMm;
    return {
      code: { leftMm: paddingMm, topMm, widthMm: side, heightMm: side },
      caption: {
        leftMm: textMm,
        topMm: paddingMm,
        widthMm: labelWidthMm - textMm - paddingMm - captionGapMm,
        heightMm: innerHeightMm,
      },
      captionAlign: 'left',
      fontPt,
    };
  }
  return {
    code: { leftMm: (labelWidthMm - side) / 2, topMm, widthMm: side, heightMm: side },
    caption: hasCaption
      ? { leftMm: paddingMm, topMm: topMm + side, widthMm: innerWidthMm, heightMm: belowMm }
      : null,
    captionAlign: 'center',
    fontPt,
  };
}

/** Length of a cut mark. It lies in the margin of the page, never on a label. */
export const cutMark = { lengthMm: 2.5, distanceMm: 0.5 } as const;

function requireRoomForCutMarks(grid: LabelGrid, name: LayoutName): void {
  const { leftMm, topMm } = grid;
  const needed = cutMark.lengthMm + cutMark.distanceMm;
  if (name === 'roll') throw new PrintError('A roll is cut already. Leave the cut marks out.');
  if (Math.min(leftMm, topMm) < needed)
    throw new PrintError(`Cut marks need a margin of at least ${needed} mm on each side.`);
}

/** Parses a page: a name, or width and height in mm. @throws PrintError */
export function parsePage(text: string): { pageWidthMm: number; pageHeightMm: number } {
  if (text.toLowerCase() === 'a4') return a4;
  if (text.toLowerCase() === 'letter') return letter;
  const [width, height] = numbersIn(text);
  const { min, max } = sheetBounds.pageMm;
  const isSize = (value: number | undefined) => value !== undefined && value >= min && value <= max;
  if (width === undefined || height === undefined || !isSize(width) || !isSize(height))
    throw new PrintError(
      `The page must be a4, letter, or width and height in mm from ${min} to ${max}, such as 62x29.`,
    );
  return { pageWidthMm: width, pageHeightMm: height };
}

/** Parses one number for both directions, or two. @throws PrintError */
export function parsePair(text: string, name: string): [x: number, y: number] {
  const [x, y = x] = numbersIn(text);
  if (x === undefined || y === undefined)
    throw new PrintError(`The ${name} must be a number of mm such as 10, or two such as 10x15.`);
  return [x, y];
}

function numbersIn(text: string): number[] {
  if (!/^\d{1,4}(\.\d{1,3})?([x×]\d{1,4}(\.\d{1,3})?)?$/i.test(text.trim())) return [];
  return text.split(/[x×]/i).map(Number);
}

function floorTenth(mm: number): number {
  // 36.1 as a difference of decimals is 36.09999999999999.
  return Math.floor(mm * 10 + 1e-6) / 10;
}

/** Formats millimetres with at most one decimal. */
export function formatMm(mm: number): string {
  return String(Math.round(mm * 10) / 10);
}
