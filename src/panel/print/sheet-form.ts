import {
  papers,
  parsePage,
  parsePair,
  parseSizeMm,
  roundedMm,
} from '../../core/codes/print/paper.ts';
import { printOrders } from '../../core/codes/print/selection.ts';
import {
  type CaptionLine,
  captionLines,
  type LayoutChoice,
  layouts,
  maxAboveLength,
  type SheetLayout,
  type SheetOptions,
  sheetBounds,
  sheetDpis,
  sheetLayout,
  textPlaces,
} from '../../core/codes/print/sheet-layout.ts';
import type { Reason } from '../../core/reasons.ts';
import type { Texts } from '../../languages/generated/texts.ts';
import type { Said } from '../../languages/texts.ts';
import { InvalidInput } from '../request/invalid-input.ts';
import { type FormFields, fieldsOf } from '../request/request.ts';
import { downloadForm } from '../selection/selection-dialogs.tsx';
import {
  type Choice,
  checkField,
  parseChoice,
  segmentedField,
  selectField,
  textField,
} from '../ui/fields.tsx';
import { type Field, readFields, type Values } from '../ui/form.tsx';

/** Creates a number, or a pair such as 50x60. Empty is undefined: the layout chooses. */
function lengthField<T>(
  label: Said,
  parse: (text: string) => T,
  { hint = '', placeholder = '' }: { readonly hint?: Said; readonly placeholder?: string } = {},
) {
  return textField({
    label,
    hint,
    parse: (text) => (text.trim() === '' ? undefined : parse(text.trim())),
    placeholder,
    inputMode: 'decimal',
    isLive: true,
  });
}

function wholeNumberOf(name: 'columns' | 'rows' | 'start' | 'copies') {
  const { min, max } = sheetBounds[name];
  return (text: string): number => {
    const number = /^\d{1,4}$/.test(text) ? Number(text) : 0;
    if (number >= min && number <= max) return number;
    throw new InvalidInput((t) => t.print.outOfBounds({ what: name, min, max }));
  };
}

/** Checks a text, which is parsed again with the layout. */
function checkedBy(parse: (text: string) => unknown) {
  return (text: string): string => {
    parse(text);
    return text;
  };
}

// A free grid has its page as a field of its own.
const layoutOptions = [...layouts]
  .filter(([value]) => value !== 'letter-grid')
  .map(([value, layout]): Choice => {
    return {
      value,
      text: (t) => layoutText(t, layout),
      group: (t) => groupText(t, layout),
      kind: layout.kind,
    };
  });

/** Describes a layout below the name of its group, short enough for phones: `L7160: 21 labels, 63.5 × 38.1 mm`. */
function layoutText({ print }: Texts, layout: LayoutChoice): string {
  if (layout.kind === 'grid') return print.freeGrid;
  if (layout.kind === 'roll') return print.labelRoll;
  const size = { widthMm: roundedMm(layout.widthMm), heightMm: roundedMm(layout.heightMm) };
  return layout.kind === 'thermal'
    ? print.thermalLabel({ ...layout, ...size })
    : print.labelSheet({ ...layout, ...size });
}

/** Names the group of a layout: `Avery, A4`. */
function groupText({ print }: Texts, layout: LayoutChoice): string {
  if (layout.kind === 'grid' || layout.kind === 'roll') return print.anySize;
  const { maker } = layout;
  return layout.kind === 'thermal'
    ? print.rollsOfMaker({ maker })
    : print.sheetsOfMaker({ maker, paper: layout.paper === 'A4' ? 'a4' : 'letter' });
}

const isNamedPaper = (value: string) =>
  value === 'letter' || value === 'legal' || value === 'tabloid';

/** Names a page. Those by a letter and a number are called so everywhere. */
function paperText(value: string): Said {
  return isNamedPaper(value) ? (t) => t.print.paperName({ paper: value }) : value.toUpperCase();
}

const ownPage = 'own';
const pageOptions: readonly Choice[] = [
  ...Object.keys(papers).map((value) => ({ value, text: paperText(value) })),
  { value: '4x6in', text: (t) => t.print.inchPage({ width: 4, height: 6 }) },
  { value: '100x150', text: (t) => t.print.millimetrePage({ width: 100, height: 150 }) },
  { value: ownPage, text: (t) => t.print.ownSize, kind: ownPage },
];

/** Creates the check box of a line below codes. */
function lineField(line: CaptionLine): Field<boolean> {
  return checkField((t) => t.print.lineBelow({ line }));
}

const paperFields = ['layout', 'page', 'own_page'] as const;
/** Much longer than any paper that can be printed on. */
const maxPaperLength = 100;

/** Returns the paper of a form as a text that a browser keeps; empty for one that is too long. */
export function paperOf(typed: FormFields): string {
  const fields = paperFields.map((name) => [name, typed.text(name)]);
  const text = String(new URLSearchParams(fields));
  return text.length > maxPaperLength ? '' : text;
}

/** Returns the fields of a paper that {@link paperOf} returned; none for any other text. */
export async function fieldsOfPaper(text: string): Promise<Record<string, string>> {
  const query = new URLSearchParams(text.slice(0, maxPaperLength));
  const typed = fieldsOf([...query]);
  const layout = typed.text('layout');
  const page = typed.text('page');
  const { problems } = await readFields(sheetForm({ layout, page }, []), typed);
  const isKnown = layout !== '' && paperFields.every((name) => problems[name] === undefined);
  return isKnown ? Object.fromEntries(paperFields.map((name) => [name, typed.text(name)])) : {};
}

/** Values of the form before anything is chosen. */
export const sheetDefaults: Readonly<Record<string, string>> = {
  layout: 'a4-grid',
  page: 'a4',
  start: '1',
  copies: '1',
  order: 'name',
  below_name: 'yes',
  format: 'svg',
};

/**
 * Creates the form of a sheet.
 * It has the fields of all layouts, so that nothing typed is lost with another one; those that the chosen layout does
 * not have are hidden by the style sheet, and not read.
 */
export function sheetForm(
  { layout, page }: { readonly layout: string; readonly page: string },
  codes: readonly Choice[],
) {
  const { kind } = layouts.get(layout) ?? { kind: 'grid' };
  const isGrid = kind === 'grid';
  const isFree = isGrid || kind === 'roll';
  const isSheet = isGrid || kind === 'sheet';
  return {
    codes: selectField({
      label: (t) => t.print.codes,
      options: codes,
      parse: (text) =>
        parseChoice(
          text,
          codes.map(({ value }) => value),
          '',
        ),
    }),
    layout: selectField({
      label: (t) => t.print.paper,
      options: layoutOptions,
      parse: (text) => parseChoice(text, [...layouts.keys()], 'a4-grid'),
    }),
    page: onlyIf(
      isGrid,
      selectField({
        label: (t) => t.print.page,
        options: pageOptions,
        parse: (text) =>
          parseChoice(
            text,
            pageOptions.map(({ value }) => value),
            'a4',
          ),
      }),
    ),
    own_page: onlyIf(
      kind === 'roll' || (isGrid && page === ownPage),
      lengthField((t) => t.print.widthAndHeight, checkedBy(parsePage), {
        hint: (t) => t.print.widthAndHeightHint,
        placeholder: '50x60',
      }),
    ),
    columns: onlyIf(
      isGrid,
      lengthField((t) => t.print.columns, wholeNumberOf('columns'), { placeholder: '3' }),
    ),
    rows: onlyIf(
      isGrid,
      lengthField((t) => t.print.rows, wholeNumberOf('rows'), { placeholder: '4' }),
    ),
    margin: onlyIf(
      isFree,
      lengthField(
        (t) => t.print.margin,
        checkedBy((text) => parsePair(text, 'margin')),
        { hint: (t) => t.print.marginHint },
      ),
    ),
    gap: onlyIf(
      isGrid,
      lengthField(
        (t) => t.print.gap,
        checkedBy((text) => parsePair(text, 'gap')),
        { placeholder: '5' },
      ),
    ),
    start: onlyIf(
      isSheet,
      lengthField((t) => t.print.startAtLabel, wholeNumberOf('start')),
    ),
    copies: lengthField((t) => t.print.copiesOfEach, wholeNumberOf('copies')),
    order: selectField({
      label: (t) => t.print.order,
      options: printOrders.map((value) => ({
        value,
        text: (t: Texts) => t.print.orderName({ order: value }),
      })),
      parse: (text) => parseChoice(text, printOrders, 'name'),
    }),
    above: textField({
      label: (t) => t.print.lineAbove,
      hint: (t) => t.print.lineAboveHint,
      parse: (text) => text.trim() || undefined,
      maxLength: maxAboveLength,
    }),
    below_name: lineField('name'),
    below_note: lineField('note'),
    below_link: lineField('link'),
    below_address: lineField('address'),
    text: segmentedField({
      label: (t) => t.print.placeOfText,
      options: [
        { value: '', text: (t) => t.print.placeName({ place: 'automatic' }) },
        ...textPlaces.map((value) => ({
          value,
          text: (t: Texts) => t.print.placeName({ place: value }),
        })),
      ],
      parse: (text) => parseChoice(text, textPlaces, undefined),
    }),
    black: checkField(
      (t) => t.print.blackOnly,
      (t) => t.print.blackOnlyHint,
    ),
    compact: checkField(
      (t) => t.print.compact,
      (t) => t.print.compactHint,
    ),
    size: lengthField((t) => t.print.sideOfCode, parseSizeMm, {
      hint: (t) => t.print.sideOfCodeHint,
    }),
    dpi: selectField({
      label: (t) => t.print.resolution,
      options: [
        { value: '', text: (t) => t.print.anyResolution },
        ...sheetDpis.map((dpi) => ({
          value: String(dpi),
          text: (t: Texts) => t.print.dpi({ dpi }),
        })),
      ],
      parse: (text) => parseChoice(text, sheetDpis, undefined),
    }),
    marks: onlyIf(
      isSheet,
      checkField((t) => t.print.cutMarks),
    ),
    ...downloadForm,
  };
}

/** Names of all fields. */
export const sheetFields: readonly string[] = Object.keys(sheetForm({ layout: '', page: '' }, []));

/** Returns a field that is read only if the layout has it. */
function onlyIf<T>(hasIt: boolean, field: Field<T>): Field<T | undefined> {
  return hasIt ? field : { ...field, read: () => undefined };
}

/** Lays out a sheet. @throws PrintError when its options contradict each other */
export function layOut(values: Values<ReturnType<typeof sheetForm>>): SheetLayout {
  const { layout, margin: marginMm, gap: gapMm, size: sizeMm, above, text, dpi, start } = values;
  const page = values.page === undefined || values.page === ownPage ? values.own_page : values.page;
  const below = captionLines.filter((line) => values[`below_${line}`]);
  const { columns, rows, copies } = values;
  const given = { page, columns, rows, marginMm, gapMm, sizeMm, above, text, dpi, start, copies };
  const options: SheetOptions = {
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    below,
    hasCaptions: below.length > 0,
    form: values.compact ? 'compact' : values.black ? 'black' : 'design',
    hasCutMarks: values.marks === true,
  };
  return sheetLayout(layout, options);
}

/** Fields that a sheet is rejected for, although each is valid by itself. */
export const fieldOfReason: Readonly<Partial<Record<Reason['kind'], string>>> = {
  'codes do not fit': 'size',
  'code too small': 'size',
  'no room for codes': 'margin',
  'start beyond the sheet': 'start',
  'no codes to print': 'codes',
  'too many codes to print': 'codes',
};
