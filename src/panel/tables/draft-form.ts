import { type Batch, type BatchRowOutcome, maxBatchRows } from '../../core/batches/batch.ts';
import { type TypedRow, wrongCell } from '../../core/batches/batches.ts';
import type { TextColumn } from '../../core/batches/columns.ts';
import { type LabelField, labelFields, labelNames } from '../../core/codes/fields.ts';
import { reachOf } from '../../core/codes/urls/host.ts';
import type { Texts } from '../../languages/generated/texts.ts';
import { twoAddresses } from '../codes/code-forms.ts';
import { folderField } from '../codes/folders/folder-field.tsx';
import { type ChosenDesign, designField } from '../designs/design-field.tsx';
import type { PanelDeps } from '../request/deps.ts';
import type { FormFields, Problem, SignedInContext } from '../request/request.ts';
import { areaField, textField } from '../ui/fields.tsx';
import { type Field, problemOfReason, suggestion, typedText } from '../ui/form.tsx';
import type { HiddenValues } from '../ui/page-context.tsx';
import { findBatch } from './batch-path.ts';
import { columnName } from './row-table.tsx';

// A page with more fields would be slow to read and to write.
export const shownRows = 20;
// Rows that are good since their correction stay on the page of somebody without a script.
const maxTypedRows = 200;

/** Returns what a button asks for. Enter in a field asks for a check. */
export function actionOf(typed: FormFields): { action: string; row?: number } {
  const [action = '', row] = typed.text('do').split(' ');
  return { action, ...(row !== undefined && /^\d{1,9}$/.test(row) && { row: Number(row) }) };
}

/** Tells whether a row is left out by its owner. */
export const isLeftOut = ({ problem }: BatchRowOutcome) => problem?.kind === 'left out';

const isRefused = ({ problem }: BatchRowOutcome) =>
  problem !== null && problem.kind !== 'left out' && problem.kind !== 'code exists';

/** Returns the rows of a form, by their numbers. */
export function typedRows(cells: Readonly<Record<string, unknown>>): Map<number, TypedRow> {
  const rows = new Map<number, TypedRow>();
  for (const field of Object.keys(cells)) {
    const row = Number(/^destination-(\d+)$/.exec(field)?.[1]);
    if (Number.isNaN(row)) continue;
    const texts = draftColumns.map((column) => [column, cells[`${column}-${row}`] ?? '']);
    // The cast is safe: fields are read as texts. A column that no row has is no field.
    rows.set(row, Object.fromEntries(texts) as TypedRow);
  }
  return rows;
}

export interface DraftState {
  readonly batch: Batch;
  /** The destination, and the columns that any row of the table has. */
  readonly columns: readonly TextColumn[];
  /** Rows that can be corrected: refused, left out, or corrected on this page. */
  readonly rows: readonly BatchRowOutcome[];
  /** The first rows that are good. */
  readonly ready: readonly BatchRowOutcome[];
  /** What may go wrong with codes of rows that are good, by their numbers. */
  readonly warnings: ReadonlyMap<number, Problem>;
  /** Rows that are shown with a warning. */
  readonly warned: readonly BatchRowOutcome[];
}

/** Reads the rows of a draft that its page shows. */
export async function readDraft(
  { batches }: PanelDeps,
  context: SignedInContext,
  typed: FormFields,
): Promise<DraftState> {
  const batch = await findBatch(batches, context);
  const options = { filter: 'all', afterRow: 0, limit: maxBatchRows } as const;
  const all = await batches.rows(context.accountId, batch.id, options);
  const isTyped = ({ row }: BatchRowOutcome) => typed.all(`destination-${row}`).length > 0;
  const found = [
    ...all.filter(isRefused).slice(0, shownRows),
    ...all.filter(isLeftOut).slice(0, shownRows),
    ...all.filter(isTyped).slice(0, maxTypedRows),
  ];
  const pending = all.filter(({ problem }) => problem === null);
  const warnings = warningsOf(pending, typed);
  const isWarned = ({ row }: BatchRowOutcome) => warnings.has(row);
  const typedColumns = new Set(
    typed.texts.flatMap(([name, text]) =>
      text === '' ? [] : (/^([a-z]+)-\d+$/.exec(name)?.slice(1) ?? []),
    ),
  );
  return {
    batch,
    columns: draftColumns.filter(
      (column) =>
        column === 'destination' || typedColumns.has(column) || all.some((row) => row[column]),
    ),
    rows: [...new Set(found)]
      .filter((row) => !isWarned(row))
      .toSorted((one, other) => one.row - other.row),
    ready: pending.filter((row) => !isWarned(row)).slice(0, readyRows),
    warnings,
    warned: pending.filter(isWarned).slice(0, shownRows),
  };
}

/** The columns of a row to fix. What is mostly wrong is first. */
const draftColumns = ['destination', ...labelNames, 'domain'] as const;

/** Returns what may go wrong with the codes of rows that are good, unless their owner wants them so. */
function warningsOf(
  rows: readonly BatchRowOutcome[],
  typed: FormFields,
): ReadonlyMap<number, Problem> {
  const hosts = rows.flatMap(({ destination }) => {
    const url = URL.parse(destination);
    return url !== null && reachOf(url) === 'anyone' ? url.host : [];
  });
  const counts = [...Map.groupBy(hosts, (host) => host)];
  const [usual] = counts.toSorted(([, one], [, other]) => other.length - one.length)[0] ?? [];
  const warnings = new Map<number, Problem>();
  for (const { row, destination } of rows) {
    const name = `destination-${row}`;
    const problem = twoAddresses(name, destination) ?? unreachable(name, destination, usual);
    if (problem === null || typed.all(`${name}-sure`).includes(destination)) continue;
    warnings.set(row, { ...problem, isWarning: true });
  }
  return warnings;
}

/**
 * Warns of a destination that most phones cannot open.
 *
 * @param usual the host that most rows have, which is offered
 */
function unreachable(name: string, destination: string, usual: string | undefined): Problem | null {
  const url = URL.parse(destination);
  const reach = url === null ? 'anyone' : reachOf(url);
  if (url === null || reach === 'anyone') return null;
  const meant = `https://${usual}${url.pathname}${url.search}${url.hash}`;
  const host = url.hostname;
  return {
    text: (t) =>
      reach === 'this machine' ? t.draft.isThePhone({ host }) : t.draft.ownNetworkOnly({ host }),
    answers: [
      ...(usual === undefined ? [] : [suggestion(name, meant)]),
      { name: `${name}-sure`, value: destination, text: (t) => t.draft.wantedSo },
    ],
  };
}

/** Enough to see that the table was read right. */
const readyRows = 50;

/** Creates the field of a text of a row, as it was typed, else as it is in the table. */
function cellField(column: TextColumn, stored: BatchRowOutcome, typed: FormFields) {
  const isLabel = column !== 'destination' && column !== 'domain';
  const { areaLength }: Partial<LabelField> = isLabel ? labelFields[column] : {};
  const options = {
    label: (t: Texts) => columnName(column, t),
    parse: (text: string) => text,
    isLive: true,
    spellcheck: false,
  } as const;
  const field =
    areaLength === undefined
      ? textField(isLabel ? options : { ...options, inputMode: 'url' })
      : areaField({ ...options, rows: 1 });
  return {
    read: typedText,
    draw: (drawn) => {
      const isTyped = typed.all(drawn.name).length > 0;
      return field.draw({
        ...drawn,
        value: isTyped ? typedText(typed, drawn.name) : (stored[column] ?? ''),
      });
    },
  } satisfies Field<string>;
}

/** Returns the hidden fields that keep what the owner of a table wants although it may go wrong. */
export function wantedAnyway(typed: FormFields): HiddenValues {
  const isSure = ([name]: readonly [string, string]) => /^destination-\d{1,9}-sure$/.test(name);
  return Object.fromEntries(typed.texts.filter(isSure).slice(0, maxTypedRows));
}

/** Returns the form of a draft: the design and folder of its codes, and the rows to correct. */
export async function formOf(
  { savedDesigns, lists }: PanelDeps,
  { batch: { accountId }, columns, rows, warned }: DraftState,
  typed: FormFields,
  chosen?: ChosenDesign,
) {
  const cells = [...rows, ...warned]
    .filter((row) => !isLeftOut(row))
    .flatMap((row) =>
      columns.map((column): [string, Field<string>] => [
        `${column}-${row.row}`,
        cellField(column, row, typed),
      ]),
    );
  return {
    ...Object.fromEntries(cells),
    design: designField(await savedDesigns.list(accountId), chosen),
    folder: folderField(await lists.folders(accountId)),
  };
}

/** Returns the problems of rows by the names of their fields. */
export function problemsOf({ rows, warnings }: DraftState): Record<string, Problem> {
  const refused = rows.filter((row) => !isLeftOut(row));
  return Object.fromEntries([
    ...refused.flatMap(({ problem, ...row }) => {
      if (problem === null) return [];
      const name = `${wrongCell(row, problem)}-${row.row}`;
      return [[name, problemOfReason(problem, name)]];
    }),
    ...Array.from(warnings, ([row, problem]) => [`destination-${row}`, problem]),
  ]);
}
