/** @jsxImportSource preact */
import {
  formatMm,
  type LayoutName,
  labelCorner,
  layoutNames,
  PrintError,
  type SheetLayout,
  sheetBounds,
  sheetLayout,
} from '../../core/codes/print/sheet-layout.ts';
import { Field, Select } from '../ui/fields.tsx';

/** The options of a sheet as typed, by the names of their fields. */
export type TypedSheet = Readonly<Record<(typeof fieldNames)[number], string>> & {
  readonly layout: LayoutName;
};

const fieldNames = [
  'page',
  'columns',
  'rows',
  'margin',
  'gap',
  'size',
  'captions',
  'marks',
] as const;

/** Reads the options of a sheet from a query. */
export function readSheet(query: URLSearchParams): TypedSheet {
  const typed = Object.fromEntries(
    fieldNames.map((name) => [name, (query.get(name) ?? '').trim()]),
  );
  const layout = layoutNames.find((name) => name === query.get('layout')) ?? 'a4-grid';
  // The cast is safe: each name of the list has an entry.
  return { ...(typed as Record<(typeof fieldNames)[number], string>), layout };
}

/**
 * Lays out a sheet as typed. Options that its layout does not have are left out.
 *
 * @throws PrintError
 */
export function layOut(typed: TypedSheet): SheetLayout {
  const { layout, page, margin, gap, size, captions, marks } = typed;
  const isGrid = layout.endsWith('-grid');
  const isFree = isGrid || layout === 'roll';
  return sheetLayout(layout, {
    ...(layout === 'roll' && page !== '' && { page }),
    ...(isGrid && wholeNumberOf('columns', typed.columns)),
    ...(isGrid && wholeNumberOf('rows', typed.rows)),
    ...(isFree && margin !== '' && { marginMm: margin }),
    ...(isGrid && gap !== '' && { gapMm: gap }),
    ...sizeOf(size),
    hasCaptions: captions !== 'none',
    hasCutMarks: marks === 'yes' && layout !== 'roll',
  });
}

function wholeNumberOf(name: 'columns' | 'rows', text: string): { [name]?: number } {
  if (text === '') return {};
  const { min, max } = sheetBounds[name];
  const number = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (number < min || number > max)
    throw new PrintError(`The number of ${name} must be from ${min} to ${max}.`);
  return { [name]: number };
}

function sizeOf(text: string): { sizeMm?: number } {
  if (text === '') return {};
  const { min, max } = sheetBounds.sizeMm;
  const sizeMm = /^\d{1,4}([.,]\d{1,2})?$/.test(text) ? Number(text.replace(',', '.')) : 0;
  if (sizeMm < min || sizeMm > max)
    throw new PrintError(`The size must be a number of mm from ${min} to ${max}.`);
  return { sizeMm };
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

/** The fields of a sheet. */
export function SheetFields({ typed }: { typed: TypedSheet }) {
  const isGrid = typed.layout.endsWith('-grid');
  const isRoll = typed.layout === 'roll';
  return (
    <>
      <Select id="layout" label="Paper" options={layoutOptions} value={typed.layout} />
      {isRoll && (
        <Millimetres
          id="page"
          label="Label"
          hint="Width × height in mm"
          value={typed.page}
          placeholder="50x60"
        />
      )}
      {isGrid && (
        <div class="fields">
          <Millimetres id="columns" label="Columns" value={typed.columns} placeholder="3" />
          <Millimetres id="rows" label="Rows" value={typed.rows} placeholder="4" />
          <Millimetres id="margin" label="Margin (mm)" value={typed.margin} placeholder="10" />
          <Millimetres id="gap" label="Gap (mm)" value={typed.gap} placeholder="5" />
        </div>
      )}
      <Millimetres
        id="size"
        label="Side of a code (mm)"
        hint="With its quiet zone. Empty: as large as fits."
        value={typed.size}
      />
      <Select
        id="captions"
        label="Captions"
        options={[
          { value: 'names', text: 'Names, or codes where there is none' },
          { value: 'none', text: 'None' },
        ]}
        value={typed.captions}
      />
      {!isRoll && (
        <label class="check">
          <input type="checkbox" name="marks" value="yes" checked={typed.marks === 'yes'} />
          Cut marks in the margins
        </label>
      )}
    </>
  );
}

interface MillimetresProps {
  readonly id: string;
  readonly label: string;
  readonly hint?: string;
  readonly value: string;
  readonly placeholder?: string;
}

function Millimetres(props: MillimetresProps) {
  return <Field {...props} inputMode="decimal" autocomplete="off" />;
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
      aria-label={`A page with ${columns} columns and ${rows} rows`}
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
