/** @jsxImportSource preact */
import {
  formatMm,
  type LayoutName,
  labelCorner,
  layoutNames,
  PrintError,
  parsePage,
  parsePair,
  type SheetLayout,
  sheetBounds,
  sheetLayout,
} from '../../core/codes/print/sheet-layout.ts';
import { formatCount } from '../../lib/numbers.ts';
import { checkField, selectField, textField } from '../forms/fields.tsx';
import type { Values } from '../forms/form.tsx';

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

function wholeNumberOf(name: 'columns' | 'rows') {
  const { min, max } = sheetBounds[name];
  return (text: string): number => {
    const number = /^\d{1,3}$/.test(text) ? Number(text) : 0;
    if (number >= min && number <= max) return number;
    throw new PrintError(`The number of ${name} must be from ${min} to ${max}.`);
  };
}

function sizeOf(text: string): number {
  const { min, max } = sheetBounds.sizeMm;
  const sizeMm = /^\d{1,4}([.,]\d{1,2})?$/.test(text) ? Number(text.replace(',', '.')) : 0;
  if (sizeMm >= min && sizeMm <= max) return sizeMm;
  throw new PrintError(`The size must be a number of mm from ${min} to ${max}.`);
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

/** Describes a layout: `Avery L7160: 21 labels of 63.5 × 38.1 mm on A4`. */
function describeLayout(name: LayoutName): string {
  if (name === 'a4-grid') return 'A4, free grid';
  if (name === 'letter-grid') return 'US Letter, free grid';
  if (name === 'roll') return 'Label roll, one label a page';
  const { columns, rows, labelWidthMm, labelHeightMm, pageHeightMm } = sheetLayout(name);
  const paper = pageHeightMm === 297 ? 'A4' : 'US Letter';
  return `Avery ${name}: ${columns * rows} labels of ${formatMm(labelWidthMm)} × ${formatMm(labelHeightMm)} mm on ${paper}`;
}

const layoutOptions = layoutNames.map((value) => ({ value, text: describeLayout(value) }));

/** The form of a sheet: the fields that its layout has. */
export function sheetForm(layout: LayoutName) {
  const isGrid = layout.endsWith('-grid');
  const isRoll = layout === 'roll';
  return {
    layout: selectField({ label: 'Paper', options: layoutOptions, parse: layoutOf }),
    ...(isRoll && {
      page: lengthField('Label', pageOf, {
        hint: 'Width × height in mm',
        placeholder: '50x60',
      }),
    }),
    ...(isGrid && {
      columns: lengthField('Columns', wholeNumberOf('columns'), { placeholder: '3' }),
      rows: lengthField('Rows', wholeNumberOf('rows'), { placeholder: '4' }),
      margin: lengthField('Margin (mm)', pairOf('margin'), { placeholder: '10' }),
      gap: lengthField('Gap (mm)', pairOf('gap'), { placeholder: '5' }),
    }),
    size: lengthField('Side of a code (mm)', sizeOf, {
      hint: 'With its quiet zone. Empty: as large as fits.',
    }),
    captions: selectField({
      label: 'Captions',
      options: [
        { value: 'names', text: 'Names, or codes where there is none' },
        { value: 'none', text: 'None' },
      ],
      parse: (value) => value !== 'none',
    }),
    ...(!isRoll && { marks: checkField('Cut marks in the margins') }),
  };
}

/** Returns the layout of a name; a free grid on A4 for any other text. */
export function layoutOf(text: string): LayoutName {
  return layoutNames.find((name) => name === text) ?? 'a4-grid';
}

/** Lays out a sheet. @throws PrintError when its options contradict each other */
export function layOut(values: Values<ReturnType<typeof sheetForm>>): SheetLayout {
  const { layout, page, columns, rows, margin, gap, size, captions, marks = false } = values;
  return sheetLayout(layout, {
    ...(page !== undefined && { page }),
    ...(columns !== undefined && { columns }),
    ...(rows !== undefined && { rows }),
    ...(margin !== undefined && { marginMm: margin }),
    ...(gap !== undefined && { gapMm: gap }),
    ...(size !== undefined && { sizeMm: size }),
    hasCaptions: captions,
    hasCutMarks: marks,
  });
}

/** The first page of a sheet in outline. */
export function SheetDiagram({ layout, codes }: { layout: SheetLayout; codes: number }) {
  const { pageWidthMm, pageHeightMm, columns, rows, labelWidthMm, labelHeightMm, code } = layout;
  const shown = Math.min(codes, columns * rows);
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
            {index < shown && (
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
