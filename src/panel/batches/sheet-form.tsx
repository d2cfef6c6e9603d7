/** @jsxImportSource preact */
import { PrintError, parsePage, parsePair, parseSizeMm } from '../../core/codes/print/paper.ts';
import {
  type CaptionLine,
  captionLines,
  labelCorner,
  layouts,
  maxAboveLength,
  type SheetLayout,
  sheetBounds,
  sheetDpis,
  sheetForms,
  sheetLayout,
} from '../../core/codes/print/sheet-layout.ts';
import { formatCount } from '../../lib/numbers.ts';
import { checkField, selectField, textField } from '../ui/fields.tsx';
import type { Values } from '../ui/form.tsx';

/** A number, or a pair such as 50x60. Empty is undefined: the layout chooses. */
function lengthField<T>(
  label: string,
  parse: (text: string) => T,
  { hint = '', placeholder = '' } = {},
) {
  return textField({
    label,
    hint,
    parse: (text) => (text.trim() === '' ? undefined : parse(text.trim())),
    placeholder,
    inputMode: 'decimal',
    autocomplete: 'off',
  });
}

function wholeNumberOf(name: 'columns' | 'rows' | 'start' | 'copies') {
  const { min, max } = sheetBounds[name];
  return (text: string): number => {
    const number = /^\d{1,4}$/.test(text) ? Number(text) : 0;
    if (number >= min && number <= max) return number;
    const what = name === 'start' ? 'first label to use' : `number of ${name}`;
    throw new PrintError(`The ${what} must be from ${min} to ${max}.`);
  };
}

function pageOf(text: string): string {
  parsePage(text);
  return text;
}

function pairOf(name: 'margin' | 'gap') {
  return (text: string): string => {
    parsePair(text, name);
    return text;
  };
}

const layoutOptions = Array.from(layouts, ([value, text]) => ({ value, text }));

const formTexts = {
  design: 'In their design',
  black: 'Black on white, without logos: for thermal printers',
  compact: 'Plain and compact: for labels from 12 mm',
} as const;

/** The lines below a code that the form offers, by their texts. */
const captionOptions: readonly { value: string; text: string; lines: readonly CaptionLine[] }[] = [
  { value: 'names', text: 'Names, or codes where there is none', lines: ['name'] },
  { value: 'none', text: 'None', lines: [] },
  { value: 'link', text: 'Short links', lines: ['link'] },
  { value: 'name,link', text: 'Names and short links', lines: ['name', 'link'] },
  { value: 'name,note', text: 'Names and notes', lines: ['name', 'note'] },
  { value: 'name,note,link', text: 'Names, notes and short links', lines: captionLines },
];

/** The form of a sheet: the fields that its layout has. */
export function sheetForm(layout: string) {
  const isGrid = layout.endsWith('-grid');
  const isRoll = layout === 'roll';
  return {
    layout: selectField({ label: 'Paper', options: layoutOptions, parse: layoutOf }),
    ...(isRoll && {
      page: lengthField('Label', pageOf, {
        hint: 'Width × height in mm, or 4x6in',
        placeholder: '50x60',
      }),
    }),
    ...(isGrid && {
      columns: lengthField('Columns', wholeNumberOf('columns'), { placeholder: '3' }),
      rows: lengthField('Rows', wholeNumberOf('rows'), { placeholder: '4' }),
      margin: lengthField('Margin (mm)', pairOf('margin'), { placeholder: '10' }),
      gap: lengthField('Gap (mm)', pairOf('gap'), { placeholder: '5' }),
    }),
    size: lengthField('Side of a code (mm)', parseSizeMm, {
      hint: 'With its quiet zone. Empty: as large as fits.',
    }),
    captions: selectField({
      label: 'Captions',
      options: captionOptions,
      parse: (text): readonly CaptionLine[] =>
        captionOptions.find(({ value }) => value === text)?.lines ?? ['name'],
    }),
    above: textField({
      label: 'Line above each code',
      hint: 'Such as “Scan for the menu”',
      parse: (text) => text.trim() || undefined,
      maxLength: maxAboveLength,
      autocomplete: 'off',
    }),
    form: selectField({
      label: 'Codes',
      options: sheetForms.map((value) => ({ value, text: formTexts[value] })),
      parse: (text) => sheetForms.find((form) => form === text) ?? 'design',
    }),
    dpi: selectField({
      label: 'Resolution of the printer',
      options: [
        { value: '', text: 'Any' },
        ...sheetDpis.map((dpi) => ({ value: String(dpi), text: `${dpi} dpi` })),
      ],
      parse: (text) => sheetDpis.find((dpi) => String(dpi) === text),
    }),
    copies: lengthField('Labels of each code', wholeNumberOf('copies'), { placeholder: '1' }),
    ...(!isRoll && {
      start: lengthField('First label to use', wholeNumberOf('start'), {
        hint: 'Skips used labels of the first sheet.',
        placeholder: '1',
      }),
    }),
    ...(!isRoll && { marks: checkField('Cut marks in the margins') }),
  };
}

/** Returns the layout of a name; a free grid on A4 for any other text. */
export function layoutOf(text: string): string {
  return layouts.has(text) ? text : 'a4-grid';
}

/** Lays out a sheet. @throws PrintError when its options contradict each other */
export function layOut(values: Values<ReturnType<typeof sheetForm>>): SheetLayout {
  const { layout, margin: marginMm, gap: gapMm, size: sizeMm, captions, marks, ...rest } = values;
  const given = Object.entries({ ...rest, marginMm, gapMm, sizeMm }).filter(
    ([, value]) => value !== undefined,
  );
  return sheetLayout(layout, {
    ...Object.fromEntries(given),
    below: captions,
    hasCutMarks: marks === true,
  });
}

/** The first page of a sheet in outline. */
export function SheetDiagram({ layout, codes }: { layout: SheetLayout; codes: number }) {
  const { pageWidthMm, pageHeightMm, columns, rows, labelWidthMm, labelHeightMm, code } = layout;
  const { skippedLabels, copies } = layout;
  const shown = Math.min(skippedLabels + codes * copies, columns * rows);
  return (
    <svg
      class="sheet"
      viewBox={`0 0 ${pageWidthMm} ${pageHeightMm}`}
      role="img"
      aria-label={`A page with ${formatCount(columns, 'column')} and ${formatCount(rows, 'row')}`}
    >
      <rect class="paper" width={pageWidthMm} height={pageHeightMm} />
      {Array.from({ length: columns * rows }, (_, index) => {
        const { leftMm, topMm } = labelCorner(layout, index);
        return (
          <g key={`${leftMm} ${topMm}`} transform={`translate(${leftMm} ${topMm})`}>
            <rect class="label" width={labelWidthMm} height={labelHeightMm} />
            {index >= skippedLabels && index < shown && (
              <rect
                class="code"
                x={code.leftMm}
                y={code.topMm}
                width={code.widthMm}
                height={code.heightMm}
              />
            )}
          </g>
        );
      })}
    </svg>
  );
}
