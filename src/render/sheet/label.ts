import type { CaptionText, TextLayout, TextLine } from '../../core/codes/ports.ts';
import type { BoxMm } from '../../core/codes/print/sheet-layout.ts';
import { capHeight, type Face, type Weight } from './fonts/faces.ts';
import type { ShapedLine, Shaper } from './fonts/shape.ts';
import { type Paragraph, paragraphOf, wrap } from './paragraph.ts';

/** How a text is set. Sizes are in points. */
interface Style {
  readonly weight: Weight;
  readonly tone: TextLine['tone'];
  /** Tried in their order: sizes from the largest down, with at most so many lines. */
  readonly steps: readonly Step[];
  /** Between the baseline before it and its capitals, in millimetres. */
  readonly gapMm: number;
}

interface Step {
  readonly fromPt: number;
  readonly toPt: number;
  readonly maxLines: number;
}

/** Smaller type is not read. */
const minPt = 5;
const sizeStepPt = 0.5;
const lineHeight = 1.15;
const mmPerPt = 25.4 / 72;
/** Depth of letters such as g below the baseline, as a share of the size. */
const depth = 0.22;
/** Height of marks above capitals, with some room, as a share of the size. */
const marksHeight = 0.28;
const ellipsis = '…';

/** Returns the style of a line above a code: one line, always. */
const above = (pt: number): Style => ({
  weight: 'medium',
  tone: 'pattern',
  steps: [{ fromPt: pt, toPt: Math.min(pt, 6), maxLines: 1 }],
  gapMm: 0,
});

/** Returns the style of a name: as large as fits in one line, else in two, else in more of small type. */
const name = (largestPt: number, inTwoPt: number): Style => ({
  weight: 'bold',
  tone: 'ink',
  steps: [
    { fromPt: largestPt, toPt: Math.min(largestPt, 11), maxLines: 1 },
    { fromPt: Math.min(largestPt, inTwoPt), toPt: 8, maxLines: 2 },
    { fromPt: 8, toPt: minPt, maxLines: 9 },
  ],
  gapMm: 2.1,
});

const note = (pt: number): Style => ({
  weight: 'medium',
  tone: 'soft',
  steps: [
    { fromPt: pt, toPt: 6, maxLines: 2 },
    { fromPt: 6, toPt: minPt, maxLines: 9 },
  ],
  gapMm: 2.5,
});

/** Returns the style of a link: the host, and the code in a line of its own. */
const link = (weight: Weight, gapMm: number): Style => ({
  weight,
  tone: weight === 'bold' ? 'ink' : 'soft',
  steps: [
    { fromPt: 6.5, toPt: minPt, maxLines: 1 },
    { fromPt: minPt, toPt: minPt, maxLines: 9 },
  ],
  gapMm,
});

interface Text {
  readonly paragraph: Paragraph;
  /** Width of the whole text, as a share of the font size. */
  readonly emWidth: number;
  readonly style: Style;
  readonly isName: boolean;
}

/** A line in its size. */
interface Line {
  readonly line: string;
  readonly text: Text;
  readonly fontPt: number;
  /** From the top of its box. */
  readonly baselineMm: number;
}

/** A line, and how it is shaped; null for one that needs no shaping. */
export interface PlacedLine extends TextLine {
  readonly shaped: ShapedLine | null;
  readonly face: Face;
}

/** Lays out the texts of labels, see `SheetPrinter`. */
export function layOutTexts(
  shaper: Shaper,
  layout: TextLayout,
  captions: readonly CaptionText[],
): { lines: PlacedLine[]; isCut: boolean; namePt: number | null } {
  const { aboveText, captionAlign } = layout;
  const sizes = sizesFor(layout);
  const textOf = (text: string, style: Style, isName = false): Text => {
    const paragraph = paragraphOf(shaper, text, style.weight);
    return { paragraph, emWidth: paragraph.widthOf(paragraph.text) / 1000, style, isName };
  };
  const aboveTexts = aboveText === null ? [] : [textOf(aboveText, above(sizes.abovePt))];
  const texts = captions.map(({ line, text }) => {
    if (line === 'name') return [textOf(text, name(sizes.namePt, sizes.inTwoPt), true)];
    if (line === 'note') return [textOf(text, note(sizes.notePt))];
    const slash = text.lastIndexOf('/') + 1;
    const host = text.slice(0, slash);
    const code = text.slice(slash);
    return [
      ...(host === '' ? [] : [textOf(host, link('medium', 1.9))]),
      textOf(code, link('bold', host === '' ? 1.9 : 0.9)),
    ];
  });
  const isUpper = (index: number) =>
    layout.hasNameAbove && captions[index]?.line === 'name' && layout.above !== null;
  const upper = [...aboveTexts, ...texts.filter((_, index) => isUpper(index)).flat()];
  const lower = texts.filter((_, index) => !isUpper(index)).flat();
  const boxes = [
    { box: layout.above, parts: layout.above === null ? [] : upper, align: 'bottom' as const },
    {
      box: layout.caption,
      parts: layout.above === null ? [...upper, ...lower] : lower,
      align: captionAlign === 'left' ? ('middle' as const) : ('top' as const),
    },
  ].flatMap(({ box, parts, align }) => {
    if (box === null || parts.length === 0) return [];
    const { lines, isCut } = fit(parts, box);
    return { lines, isCut, placed: place(lines, box, align, captionAlign) };
  });
  const names = boxes.flatMap(({ lines }) => lines).filter(({ text }) => text.isName);
  return {
    lines: boxes.flatMap(({ placed }) => placed),
    isCut: boxes.some(({ isCut }) => isCut),
    namePt: names.length === 1 ? (names[0]?.fontPt ?? null) : null,
  };
}

/** Largest sizes on a label: fixed beside a code and on tall labels, else by the size of the label. */
function sizesFor({ captionAlign, hasNameAbove, fontPt, namePt }: TextLayout) {
  const isBeside = captionAlign === 'left';
  const largestPt = isBeside ? 20 : hasNameAbove ? 34 : 1.5 * fontPt;
  return {
    abovePt: isBeside ? 8 : hasNameAbove ? 11 : Math.min(11, 0.9 * fontPt),
    namePt: Math.min(largestPt, namePt ?? largestPt),
    inTwoPt: hasNameAbove ? 22 : Math.min(14, largestPt),
    notePt: isBeside ? 8.5 : hasNameAbove ? 10.5 : Math.min(10.5, 0.85 * fontPt),
  };
}

/** Shares of all sizes that are tried before texts are left out. */
const scales = [1, 0.85, 0.7, 0.55, 0.4] as const;
const minScale = 0.4;

/**
 * Breaks texts into lines.
 * Where they do not fit the box, all are in smaller type, and at worst the last ones are left out.
 */
function fit(texts: readonly Text[], box: BoxMm): { lines: Line[]; isCut: boolean } {
  for (const scale of scales) {
    const set = setTexts(texts, box, scale);
    if (isInside(set.lines, box)) return set;
  }
  for (let count = texts.length; count > 0; count--) {
    const shown = texts.slice(0, count);
    const set = setTexts(shown, box, minScale);
    if (isInside(set.lines, box)) return { lines: set.lines, isCut: true };
    const whole = setTexts(shown, box, minScale, 1);
    if (isInside(whole.lines, box)) return { lines: whole.lines, isCut: true };
  }
  return { lines: [], isCut: true };
}

function isInside(lines: readonly Line[], box: BoxMm): boolean {
  const last = lines.at(-1);
  return (
    last === undefined || last.baselineMm + depth * last.fontPt * mmPerPt <= box.heightMm + 0.01
  );
}

/** Sets texts below each other, from the top of a box. */
function setTexts(
  texts: readonly Text[],
  box: BoxMm,
  scale: number,
  maxLines = Number.POSITIVE_INFINITY,
) {
  const lines: Line[] = [];
  let isCut = false;
  let baselineMm = 0;
  for (const text of texts) {
    const set = setText(text, box, scale, maxLines);
    isCut ||= set.isCut;
    for (const [index, line] of set.lines.entries()) {
      // Marks such as those of Ñ stand above capitals.
      const marksMm = text.isName ? marksHeight * set.fontPt * mmPerPt : 0;
      const gapMm = lines.length === 0 ? 0 : Math.max(text.style.gapMm * scale, marksMm);
      baselineMm +=
        index === 0
          ? gapMm + (capHeight / 1000) * set.fontPt * mmPerPt
          : lineHeight * set.fontPt * mmPerPt;
      lines.push({ line, text, fontPt: set.fontPt, baselineMm });
    }
  }
  return { lines, isCut };
}

/** Breaks a text into lines of the largest size in which it fits the width; cuts it in the smallest. */
function setText(
  { paragraph, emWidth, style }: Text,
  box: BoxMm,
  scale: number,
  mostLines: number,
) {
  const sized = (pt: number) => Math.max(minPt, Math.round((pt * scale) / sizeStepPt) * sizeStepPt);
  const fitsAt = (fontPt: number) => (line: string) =>
    (paragraph.widthOf(line) / 1000) * fontPt * mmPerPt <= box.widthMm;
  /** Returns the largest size in which so many lines hold the text, were it broken anywhere. */
  const largestIn = (lines: number) =>
    Math.floor((lines * box.widthMm) / (emWidth * mmPerPt) / sizeStepPt) * sizeStepPt;
  let last = { fontPt: minPt, maxLines: 1 };
  for (const { fromPt, toPt, maxLines: most } of style.steps) {
    const maxLines = Math.min(most, mostLines);
    last = { fontPt: sized(toPt), maxLines };
    const firstPt = Math.min(sized(fromPt), largestIn(maxLines));
    for (let fontPt = firstPt; fontPt >= sized(toPt); fontPt -= sizeStepPt) {
      const { lines, breaksWords } = wrap(paragraph.text, fitsAt(fontPt), maxLines + 1);
      if (lines.length <= maxLines && !breaksWords) return { lines, fontPt, isCut: false };
    }
  }
  const { fontPt, maxLines } = last;
  const fits = fitsAt(fontPt);
  const { lines } = wrap(paragraph.text, fits, maxLines + 1);
  if (lines.length <= maxLines) return { lines, fontPt, isCut: false };
  const kept = lines.slice(0, maxLines);
  let end = kept.at(-1) ?? '';
  while (end !== '' && !fits(end.trimEnd() + ellipsis)) end = [...end].slice(0, -1).join('');
  return { lines: [...kept.slice(0, -1), end.trimEnd() + ellipsis], fontPt, isCut: true };
}

function place(
  lines: readonly Line[],
  box: BoxMm,
  align: 'top' | 'middle' | 'bottom',
  captionAlign: 'left' | 'center',
): PlacedLine[] {
  const last = lines.at(-1);
  if (last === undefined) return [];
  const spareMm = box.heightMm - last.baselineMm;
  const depthMm = depth * last.fontPt * mmPerPt;
  const topMm =
    box.topMm +
    { top: Math.min(1, spareMm - depthMm), middle: spareMm / 2, bottom: spareMm - depthMm }[align];
  return lines.map(({ line, fontPt, baselineMm, text: { paragraph, style } }) => {
    const { isRightToLeft, shape, widthOf, weight, face } = paragraph;
    const widthMm = (widthOf(line) / 1000) * fontPt * mmPerPt;
    const besideMm = box.widthMm - widthMm;
    const indentMm = captionAlign === 'center' ? besideMm / 2 : isRightToLeft ? besideMm : 0;
    return {
      text: line,
      leftMm: box.leftMm + indentMm,
      baselineMm: topMm + baselineMm,
      widthMm,
      fontPt,
      isRightToLeft,
      weight,
      tone: style.tone,
      shaped: shape(line),
      face,
    };
  });
}
