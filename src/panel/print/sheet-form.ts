import { papers, parsePage, parsePair, parseSizeMm } from '../../core/codes/print/paper.ts';
import { type PrintOrder, printOrders } from '../../core/codes/print/selection.ts';
import {
  captionLines,
  layouts,
  maxAboveLength,
  type SheetLayout,
  type SheetOptions,
  sheetBounds,
  sheetDpis,
  sheetLayout,
  type TextPlace,
  textPlaces,
} from '../../core/codes/print/sheet-layout.ts';
import type { Reason } from '../../core/reasons.ts';
import { layoutGroup, layoutInGroup } from '../../sentences/print.ts';
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
    isLive: true,
  });
}

function wholeNumberOf(name: 'columns' | 'rows' | 'start' | 'copies') {
  const { min, max } = sheetBounds[name];
  return (text: string): number => {
    const number = /^\d{1,4}$/.test(text) ? Number(text) : 0;
    if (number >= min && number <= max) return number;
    const what = name === 'start' ? 'first label to use' : `number of ${name}`;
    throw new InvalidInput(`The ${what} must be from ${min} to ${max}.`);
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
    return { value, text: layoutInGroup(layout), group: layoutGroup(layout), kind: layout.kind };
  });

const paperNames: Readonly<Record<string, string>> = {
  letter: 'US Letter',
  legal: 'US Legal',
  tabloid: 'Tabloid',
};
const ownPage = 'own';
const pageOptions: readonly Choice[] = [
  ...Object.keys(papers).map((value) => ({
    value,
    text: paperNames[value] ?? value.toUpperCase(),
  })),
  { value: '4x6in', text: '4 × 6 in' },
  { value: '100x150', text: '100 × 150 mm' },
  { value: ownPage, text: 'Own size', kind: ownPage },
];

const placeTexts: Readonly<Record<TextPlace, string>> = {
  below: 'Below the code',
  beside: 'Beside it',
};

const orderTexts: Readonly<Record<PrintOrder, string>> = {
  name: 'By name: Table 7 before Table 12',
  oldest: 'Oldest first, as in their table',
  newest: 'Newest first',
};

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
      label: 'Codes',
      options: codes,
      parse: (text) =>
        parseChoice(
          text,
          codes.map(({ value }) => value),
          '',
        ),
    }),
    layout: selectField({
      label: 'Paper',
      options: layoutOptions,
      parse: (text) => parseChoice(text, [...layouts.keys()], 'a4-grid'),
    }),
    page: onlyIf(
      isGrid,
      selectField({
        label: 'Page',
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
      lengthField('Width × height', checkedBy(parsePage), {
        hint: 'In mm, or such as 4x6in',
        placeholder: '50x60',
      }),
    ),
    columns: onlyIf(isGrid, lengthField('Columns', wholeNumberOf('columns'), { placeholder: '3' })),
    rows: onlyIf(isGrid, lengthField('Rows', wholeNumberOf('rows'), { placeholder: '4' })),
    margin: onlyIf(
      isFree,
      lengthField(
        'Margin (mm)',
        checkedBy((text) => parsePair(text, 'margin')),
        { hint: 'Empty: 10, on a roll 1.' },
      ),
    ),
    gap: onlyIf(
      isGrid,
      lengthField(
        'Gap (mm)',
        checkedBy((text) => parsePair(text, 'gap')),
        { placeholder: '5' },
      ),
    ),
    start: onlyIf(isSheet, lengthField('Start at label', wholeNumberOf('start'))),
    copies: lengthField('Copies of each', wholeNumberOf('copies')),
    order: selectField({
      label: 'Order',
      options: printOrders.map((value) => ({ value, text: orderTexts[value] })),
      parse: (text) => parseChoice(text, printOrders, 'name'),
    }),
    above: textField({
      label: 'Line above',
      hint: 'Such as “Scan for the menu”',
      parse: (text) => text.trim() || undefined,
      maxLength: maxAboveLength,
    }),
    below_name: checkField('Name'),
    below_note: checkField('Note'),
    below_link: checkField('Short link'),
    below_address: checkField('Address to type'),
    text: segmentedField({
      label: 'Text',
      options: [
        { value: '', text: 'Automatic' },
        ...textPlaces.map((value) => ({ value, text: placeTexts[value] })),
      ],
      parse: (text) => parseChoice(text, textPlaces, undefined),
    }),
    black: checkField(
      'Black only',
      'For laser printers and thermal rolls. The colours of the design are kept for the screen.',
    ),
    compact: checkField('Plain and compact', 'Fewer, larger squares: for labels from 12 mm.'),
    size: lengthField('Side of a code (mm)', parseSizeMm, {
      hint: 'With its margin. Empty: as large as fits.',
    }),
    dpi: selectField({
      label: 'Resolution of the printer',
      options: [
        { value: '', text: 'Any' },
        ...sheetDpis.map((dpi) => ({ value: String(dpi), text: `${dpi} dpi` })),
      ],
      parse: (text) => parseChoice(text, sheetDpis, undefined),
    }),
    marks: onlyIf(isSheet, checkField('Cut marks in the margins')),
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
