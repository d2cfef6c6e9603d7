import { Refused } from '../../errors.ts';
import type { Remedy } from '../../reasons.ts';
import { a4, inchMm, type LabelGrid, parsePage, parsePair, sizeMmBounds } from './paper.ts';
import { labelPaddingMm, type Preset, presets } from './presets.ts';

/** Rectangle on a page, in millimetres from its upper left corner. */
export interface BoxMm {
  readonly leftMm: number;
  readonly topMm: number;
  readonly widthMm: number;
  readonly heightMm: number;
}

/** What a line below or beside a code shows. `address`: the one with its path, else the short link. */
export const captionLines = ['name', 'note', 'link', 'address'] as const;
export type CaptionLine = (typeof captionLines)[number];

/** Position of the code, quiet zone included, and of its texts on a label whose corner is at 0, 0. */
interface LabelContent {
  readonly code: BoxMm;
  /** Of the line above. Null without one, and where it begins the caption beside the code. */
  readonly above: BoxMm | null;
  /** Null without captions. */
  readonly caption: BoxMm | null;
  readonly captionAlign: 'left' | 'center';
  /** Whether the name is above the code too, on a tall label. */
  readonly hasNameAbove: boolean;
  readonly fontPt: number;
}

/**
 * How codes are printed.
 * `black`: in black on white without logo, in the shapes of their design. `compact`: plain and with little error
 * correction, which needs fewer modules. Both encode the same link.
 */
export const sheetForms = ['design', 'black', 'compact'] as const;
export type SheetForm = (typeof sheetForms)[number];

/** Where the texts of a label are. */
export const textPlaces = ['below', 'beside'] as const;
type TextPlace = (typeof textPlaces)[number];

/** Resolutions of printers in dots per inch. */
export const sheetDpis = [203, 300, 600] as const;

/** Everything that is equal on all pages of a sheet. */
export interface SheetLayout extends LabelGrid, LabelContent {
  readonly name: string;
  /** Whether it is for thermal printers, which print in black only. */
  readonly isRoll: boolean;
  readonly form: SheetForm;
  /** Side of a dot of the printer: modules are whole dots. Null for any side. */
  readonly dotMm: number | null;
  /** Labels of the first page that stay empty. */
  readonly skippedLabels: number;
  /** Labels of each code. */
  readonly copies: number;
  readonly aboveText: string | null;
  readonly captionLines: readonly CaptionLine[];
  /** Largest size of names; null for what the label allows. */
  readonly namePt: number | null;
  /** Whether the side of codes was chosen, and may be smaller than the labels allow. */
  readonly hasOwnSize: boolean;
  readonly hasCutMarks: boolean;
}

export interface SheetOptions {
  /** See `parsePage`. Only for free grids and rolls. */
  readonly page?: string;
  readonly columns?: number;
  readonly rows?: number;
  /** One number, or those of left and right, and of top and bottom, such as `10x15`. */
  readonly marginMm?: string;
  /** One number, or those between columns and between rows. */
  readonly gapMm?: string;
  /** Side of a code, quiet zone included. Default: as large as the label allows. */
  readonly sizeMm?: number;
  readonly form?: SheetForm;
  readonly dpi?: number;
  /** The first label to use, from 1. */
  readonly start?: number;
  readonly copies?: number;
  /** A line above each code. */
  readonly above?: string;
  readonly below?: readonly CaptionLine[];
  readonly hasCaptions?: boolean;
  /** Default: beside the code on wide labels. */
  readonly text?: TextPlace;
  readonly hasCutMarks?: boolean;
}

/** Paper of sheets of labels. */
type LabelPaper = 'A4' | 'US Letter';

/** A layout to choose. */
export type LayoutChoice =
  | { readonly kind: 'grid'; readonly paper: LabelPaper }
  | { readonly kind: 'roll' }
  | ({ readonly kind: 'thermal' } & MadeLabel)
  | ({ readonly kind: 'sheet'; readonly labels: number; readonly paper: LabelPaper } & MadeLabel);

/** A label of a maker. */
interface MadeLabel {
  readonly maker: string;
  /** Such as `L7160`. */
  readonly model: string;
  readonly widthMm: number;
  readonly heightMm: number;
}

function choiceOf(preset: Preset): LayoutChoice {
  const { name, maker, columns, rows, labelWidthMm, labelHeightMm, isRoll, pageHeightMm } = preset;
  const model = name.replace(/^[a-z]+-/, '');
  const label = { maker, model, widthMm: labelWidthMm, heightMm: labelHeightMm };
  if (isRoll) return { kind: 'thermal', ...label };
  const paper = pageHeightMm === a4.pageHeightMm ? 'A4' : 'US Letter';
  return { kind: 'sheet', labels: columns * rows, paper, ...label };
}

/** The layouts by name. */
export const layouts: ReadonlyMap<string, LayoutChoice> = new Map<string, LayoutChoice>([
  ['a4-grid', { kind: 'grid', paper: 'A4' }],
  ['letter-grid', { kind: 'grid', paper: 'US Letter' }],
  ['roll', { kind: 'roll' }],
  ...presets.map((preset) => [preset.name, choiceOf(preset)] as const),
]);

/** Bounds of numbers in sheet options. */
export const sheetBounds = {
  columns: { min: 1, max: 50 },
  rows: { min: 1, max: 50 },
  start: { min: 1, max: 2500 },
  copies: { min: 1, max: 1000 },
} as const;

/** Maximum length of the line above codes. */
export const maxAboveLength = 60;

/** Parses lines such as `name,link`. @throws Refused */
export function parseCaptionLines(text: string): CaptionLine[] {
  const lines = text.split(',').map((line) => line.trim());
  return lines.map((line) => {
    const known = captionLines.find((name) => name === line);
    if (known !== undefined) return known;
    throw new Refused({ kind: 'unknown lines of text', known: captionLines });
  });
}

/** Returns the layout of a name in any case. @throws Refused */
export function layoutNamed(name: string): string {
  const known = [...layouts.keys()].find((key) => key.toLowerCase() === name.toLowerCase());
  if (known === undefined) throw new Refused({ kind: 'unknown layout', name });
  return known;
}

/**
 * Lays out a sheet.
 *
 * @param name in any case
 * @throws Refused when there is no such layout, or the options contradict it or each other
 */
export function sheetLayout(name: string, options: SheetOptions = {}): SheetLayout {
  const known = layoutNamed(name);
  const { form = 'design', dpi, start = 1, copies = 1, hasCutMarks = false } = options;
  const aboveText = options.above?.trim() || null;
  if (aboveText !== null && aboveText.length > maxAboveLength)
    throw new Refused({ kind: 'line above too long', maxLength: maxAboveLength });
  const lines = options.hasCaptions === false ? [] : (options.below ?? ['name']);
  const grid = gridOf(known, options);
  const labels = grid.columns * grid.rows;
  if (start > labels) throw new Refused({ kind: 'start beyond the sheet', labels, start });
  const isRoll = 'isRoll' in grid ? grid.isRoll === true : known === 'roll';
  if (hasCutMarks) requireRoomForCutMarks(grid, isRoll);
  const content = contentOf(grid, aboveText !== null, lines, options);
  const dotMm = dpi === undefined ? null : inchMm / dpi;
  const hasOwnSize = options.sizeMm !== undefined;
  const texts = { aboveText, captionLines: lines, namePt: null };
  const print = { form, dotMm, skippedLabels: start - 1, copies, ...texts, hasOwnSize };
  return { ...grid, name: known, isRoll, ...content, ...print, hasCutMarks };
}

/** Lays out pages of one code each, without margins. */
export function codeLayout(sideMm: number): SheetLayout {
  const page = `${sideMm}x${sideMm}`;
  const layout = sheetLayout('roll', { page, marginMm: '0', hasCaptions: false });
  return { ...layout, code: { leftMm: 0, topMm: 0, widthMm: sideMm, heightMm: sideMm } };
}

/**
 * Returns where a code lies on a label whose corner is at a position of the page.
 * With whole dots to a module, it is smaller than its box and on the grid of the dots.
 *
 * @param modules along one side, quiet zone included
 */
export function placeCode(
  { code, dotMm }: Pick<SheetLayout, 'code' | 'dotMm'>,
  corner: { leftMm: number; topMm: number },
  modules: number,
): { leftMm: number; topMm: number; sideMm: number } {
  const leftMm = corner.leftMm + code.leftMm;
  const topMm = corner.topMm + code.topMm;
  if (dotMm === null) return { leftMm, topMm, sideMm: code.widthMm };
  // A box of ten whole dots may be 9.9999999 of them wide.
  const dots = Math.floor(code.widthMm / (modules * dotMm) + 1e-6);
  const sideMm = modules * dots * dotMm;
  const onDots = (mm: number) => Math.round((mm + (code.widthMm - sideMm) / 2) / dotMm) * dotMm;
  return { leftMm: onDots(leftMm), topMm: onDots(topMm), sideMm };
}

/** Colours of the texts of a label, `#rrggbb`. */
export type TextColors = Readonly<Record<'pattern' | 'ink' | 'soft', string>>;

const black = '#000000';
/** Printers of one colour would make it of dots. */
const softInk = '#444444';

/** Returns the colours of the texts of a label: all black on rolls and in black only. */
export function textColors(
  { form, isRoll }: Pick<SheetLayout, 'form' | 'isRoll'>,
  patternColor: string,
): TextColors {
  return form === 'design' && !isRoll
    ? { pattern: patternColor, ink: black, soft: softInk }
    : { pattern: black, ink: black, soft: black };
}

/** Returns the corner of the label at a position of the page, counted from 0, row by row. */
export function labelCorner(layout: LabelGrid, index: number): { leftMm: number; topMm: number } {
  const { columns, leftMm, topMm, stepXMm, stepYMm } = layout;
  return {
    leftMm: leftMm + (index % columns) * stepXMm,
    topMm: topMm + Math.floor(index / columns) * stepYMm,
  };
}

function gridOf(name: string, options: SheetOptions): LabelGrid {
  const preset = presets.find((known) => known.name === name);
  if (preset === undefined) return freeGrid(name, options);
  const { page, columns, rows, marginMm, gapMm } = options;
  if ([page, columns, rows, marginMm, gapMm].some((option) => option !== undefined))
    throw new Refused({ kind: 'labels of fixed dimensions', layout: name });
  return preset;
}

/** Lays out a page that is divided by margins and gaps. A roll has one label a page. */
function freeGrid(name: string, options: SheetOptions): LabelGrid {
  const isRoll = name === 'roll';
  if (isRoll && [options.columns, options.rows, options.gapMm].some((one) => one !== undefined))
    throw new Refused({ kind: 'one label on a roll' });
  const [standard, margin] = isRoll ? ['50x60', labelPaddingMm] : [name.replace('-grid', ''), 10];
  const { columns = isRoll ? 1 : 3, rows = isRoll ? 1 : 4, gapMm = '5' } = options;
  const page = parsePage(options.page ?? standard);
  const [leftMm, topMm] = parsePair(options.marginMm ?? String(margin), 'margin');
  const [gapX, gapY] = parsePair(gapMm, 'gap');
  const label = {
    labelWidthMm: (page.pageWidthMm - 2 * leftMm - (columns - 1) * gapX) / columns,
    labelHeightMm: (page.pageHeightMm - 2 * topMm - (rows - 1) * gapY) / rows,
  };
  requirePositive(label);
  const steps = { stepXMm: label.labelWidthMm + gapX, stepYMm: label.labelHeightMm + gapY };
  return { ...page, ...label, columns, rows, leftMm, topMm, ...steps, paddingMm: 0 };
}

function requirePositive(label: { labelWidthMm: number; labelHeightMm: number }): void {
  if (Math.min(label.labelWidthMm, label.labelHeightMm) < sizeMmBounds.min)
    throw new Refused({ kind: 'no room for codes' });
}

// A label this much wider than high has its caption beside the code.
const wideLabelRatio = 1.4;
// Share of the width that texts beside a code have on other labels.
const besideShare = 0.4;
const lineHeight = 1.2;
const ptMm = inchMm / 72;
// A label this much higher than wide has the name above its code: line and name take about 19 mm.
const tallSpareMm = 18;
// Between a code and the caption beside it, besides the quiet zone.
const captionGapMm = 0.5;

/**
 * Lays out a label: the code as large as possible, and its texts around it.
 * They are beside it on wide labels, above and below it on others.
 *
 * @param captions lines of the caption; room for one more is reserved, because the first often needs two
 */
function contentOf(
  grid: LabelGrid,
  hasAbove: boolean,
  captions: readonly CaptionLine[],
  { sizeMm, text: place }: Pick<SheetOptions, 'sizeMm' | 'text'>,
): LabelContent {
  const { labelWidthMm, labelHeightMm, paddingMm } = grid;
  const lines = captions.length;
  const innerWidthMm = labelWidthMm - 2 * paddingMm;
  const innerHeightMm = labelHeightMm - 2 * paddingMm;
  const isWide = labelWidthMm >= wideLabelRatio * labelHeightMm;
  const hasText = hasAbove || lines > 0;
  const isBeside = hasText && (place === undefined ? isWide : place === 'beside');
  // Between 6 points, the smallest that people read well, and 12, which is enough for any label.
  const fontPt = Math.min(
    12,
    Math.max(6, Math.min(labelWidthMm, labelHeightMm) * (isBeside ? 0.33 : 0.22)),
  );
  const lineMm = isBeside ? 0 : lineHeight * fontPt * ptMm;
  const aboveMm = hasAbove ? lineMm : 0;
  const belowMm = lines > 0 ? (lines + 1) * lineMm : 0;
  const besideMm = isBeside && !isWide ? besideShare * innerWidthMm : 0;
  const largestMm = floorTenth(
    Math.min(innerWidthMm - besideMm, innerHeightMm - aboveMm - belowMm),
  );
  const side = sideOf(sizeMm, largestMm, aboveMm + belowMm > 0);
  if (isBeside) return { ...besideCode(grid, side), fontPt };
  const isTall = place === undefined && innerHeightMm - innerWidthMm >= tallSpareMm;
  if (isTall && captions.includes('name'))
    return { ...aroundTallCode(grid, side, lines, hasAbove), fontPt };
  return { ...aboveAndBelowCode(grid, side, { aboveMm, belowMm }), fontPt };
}

/**
 * Returns the side of codes.
 *
 * @param hasText whether text takes room from them
 * @throws Refused when the wanted or the largest side does not fit
 */
function sideOf(sizeMm: number | undefined, largestMm: number, hasText: boolean): number {
  const side = sizeMm ?? largestMm;
  if (side <= largestMm && side >= sizeMmBounds.min) return side;
  const remedies: readonly (Remedy | false)[] = [
    sizeMm !== undefined && 'smaller',
    hasText && 'text',
    'labels',
  ];
  throw new Refused({
    kind: 'codes do not fit',
    sizeMm: sizeMm ?? null,
    largestMm: Math.max(0, largestMm),
    remedies: remedies.filter((remedy) => remedy !== false),
  });
}

type Places = Omit<LabelContent, 'fontPt'>;

/** Places all texts to the right of the code. */
function besideCode({ labelWidthMm, labelHeightMm, paddingMm }: LabelGrid, side: number): Places {
  const innerHeightMm = labelHeightMm - 2 * paddingMm;
  const topMm = paddingMm + (innerHeightMm - side) / 2;
  const textMm = paddingMm + side + captionGapMm;
  return {
    code: { leftMm: paddingMm, topMm, widthMm: side, heightMm: side },
    above: null,
    caption: {
      leftMm: textMm,
      topMm: paddingMm,
      widthMm: labelWidthMm - textMm - paddingMm - captionGapMm,
      heightMm: innerHeightMm,
    },
    captionAlign: 'left',
    hasNameAbove: false,
  };
}

/** Places the name above the code as well, and divides what is left over around all. */
function aroundTallCode(
  { labelWidthMm, labelHeightMm, paddingMm }: LabelGrid,
  side: number,
  lines: number,
  hasAbove: boolean,
): Places {
  const text = { leftMm: paddingMm, widthMm: labelWidthMm - 2 * paddingMm };
  const spareMm = labelHeightMm - 2 * paddingMm - side;
  const upperMm = Math.min((hasAbove ? 19 : 14.5) * (lines > 1 ? 1 : 1.2), 0.72 * spareMm);
  const lowerMm = lines > 1 ? Math.min(spareMm - upperMm, 5 * lines) : 0;
  const upperTopMm = paddingMm + (spareMm - upperMm - lowerMm) / 2;
  const codeTopMm = upperTopMm + upperMm;
  return {
    code: { leftMm: (labelWidthMm - side) / 2, topMm: codeTopMm, widthMm: side, heightMm: side },
    above: { ...text, topMm: upperTopMm, heightMm: upperMm },
    caption: { ...text, topMm: codeTopMm + side, heightMm: lowerMm },
    captionAlign: 'center',
    hasNameAbove: true,
  };
}

/** Places the line above and the caption below the code, all in the middle. */
function aboveAndBelowCode(
  { labelWidthMm, labelHeightMm, paddingMm }: LabelGrid,
  side: number,
  { aboveMm, belowMm }: { readonly aboveMm: number; readonly belowMm: number },
): Places {
  const text = { leftMm: paddingMm, widthMm: labelWidthMm - 2 * paddingMm };
  const innerHeightMm = labelHeightMm - 2 * paddingMm;
  const topMm = paddingMm + (innerHeightMm - side - belowMm + aboveMm) / 2;
  return {
    code: { leftMm: (labelWidthMm - side) / 2, topMm, widthMm: side, heightMm: side },
    above: aboveMm > 0 ? { ...text, topMm: topMm - aboveMm, heightMm: aboveMm } : null,
    caption: belowMm > 0 ? { ...text, topMm: topMm + side, heightMm: belowMm } : null,
    captionAlign: 'center',
    hasNameAbove: false,
  };
}

/** Length of a cut mark. It lies in the margin of the page, never on a label. */
const cutMark = { lengthMm: 2.5, distanceMm: 0.5 } as const;

/** A straight line on a page, from the corner of the page. */
export interface LineMm {
  readonly fromXMm: number;
  readonly fromYMm: number;
  readonly toXMm: number;
  readonly toYMm: number;
}

/** Returns the lines in the margins at the edges of all columns and rows; none without cut marks. */
export function cutMarks(layout: SheetLayout): LineMm[] {
  if (!layout.hasCutMarks) return [];
  const { columns, rows, leftMm, topMm, stepXMm, stepYMm, labelWidthMm, labelHeightMm } = layout;
  const edges = (count: number, first: number, step: number, size: number) =>
    Array.from({ length: count }, (_, at) => [first + at * step, first + at * step + size]).flat();
  const { lengthMm, distanceMm } = cutMark;
  // The margins on both sides are equal on all sheets but labels', whose last label may end before.
  const lastX = leftMm + (columns - 1) * stepXMm + labelWidthMm;
  const lastY = topMm + (rows - 1) * stepYMm + labelHeightMm;
  const rightMm = Math.max(lastX, layout.pageWidthMm - leftMm);
  const bottomMm = Math.max(lastY, layout.pageHeightMm - topMm);
  const spans = (firstMm: number, lastMm: number) => [
    [firstMm - distanceMm - lengthMm, firstMm - distanceMm] as const,
    [lastMm + distanceMm, lastMm + distanceMm + lengthMm] as const,
  ];
  const vertical = edges(columns, leftMm, stepXMm, labelWidthMm).flatMap((x) =>
    spans(topMm, bottomMm).map(([fromYMm, toYMm]) => ({ fromXMm: x, fromYMm, toXMm: x, toYMm })),
  );
  const horizontal = edges(rows, topMm, stepYMm, labelHeightMm).flatMap((y) =>
    spans(leftMm, rightMm).map(([fromXMm, toXMm]) => ({ fromXMm, fromYMm: y, toXMm, toYMm: y })),
  );
  return [...vertical, ...horizontal];
}

function requireRoomForCutMarks(grid: LabelGrid, isRoll: boolean): void {
  const { leftMm, topMm } = grid;
  const needed = cutMark.lengthMm + cutMark.distanceMm;
  if (isRoll) throw new Refused({ kind: 'cut marks on a roll' });
  if (Math.min(leftMm, topMm) < needed)
    throw new Refused({ kind: 'margin too small for cut marks', neededMm: needed });
}

function floorTenth(mm: number): number {
  // 36.1 as a difference of decimals is 36.09999999999999.
  return Math.floor(mm * 10 + 1e-6) / 10;
}
