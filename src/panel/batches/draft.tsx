/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import {
  type Batch,
  type BatchRowOutcome,
  leftOutProblem,
  maxBatchRows,
} from '../../core/batches/batch.ts';
import { type TypedRow, wrongCell } from '../../core/batches/batches.ts';
import {
  type LabelField,
  type LabelName,
  labelFields,
  labelNames,
} from '../../core/codes/fields.ts';
import type { ReadabilityResult } from '../../core/designs/design.ts';
import { ApiError } from '../../core/errors.ts';
import { formatCount, formatNumber } from '../../lib/numbers.ts';
import { folderField } from '../codes/code-forms.tsx';
import type { PanelDeps } from '../deps.ts';
import { designField } from '../designs/design-choice.ts';
import { bandOf } from '../designs/preview.tsx';
import {
  type FormFields,
  noFields,
  type Problem,
  type SignedInContext,
} from '../request/request.ts';
import { pageNotFound } from '../routing/errors.tsx';
import { page, redirectTo } from '../routing/responses.tsx';
import { type Route, signedIn } from '../routing/route.ts';
import { PageHead } from '../ui/components.tsx';
import { areaField, textField } from '../ui/fields.tsx';
import { type Field, FormView, InvalidForm, readFields } from '../ui/form.tsx';
import { escapeBidiMarks, inPanelWords } from '../ui/formatting.ts';
import { Icon } from '../ui/icons.tsx';
import { Link } from '../ui/page-context.tsx';

// A page with more fields would be slow to read and to write.
const shownRows = 20;
// Rows that are good since their correction stay on the page of somebody without a script.
const maxTypedRows = 200;
// Many rows of fields that are all as long as they may be, percent-encoded.
const maxDraftBytes = 4_000_000;

type Column = LabelName | 'destination';
const columns: readonly Column[] = [
  'name',
  'destination',
  ...labelNames.filter((name) => name !== 'name'),
];
const labelOf = (column: Column) =>
  column === 'destination' ? 'Destination' : labelFields[column].label;

/** Returns the path of a batch's page. */
export function batchPath(id: number): string {
  return `/account/batches/${id}`;
}

/** Returns the batch of a path. @throws ApiError not_found */
export async function findBatch(
  batches: PanelDeps['batches'],
  { session, params: { id = '' } }: SignedInContext,
): Promise<Batch> {
  if (!/^\d{1,15}$/.test(id)) throw pageNotFound();
  return batches.find(session.account.id, Number(id));
}

/** Creates the route that corrects the rows of a checked table and creates its codes. */
export function draftRoutes(deps: PanelDeps): Route[] {
  const { batches } = deps;
  return [
    signedIn.submit(
      '/account/batches/:id',
      {
        form: async (context, typed) => formOf(deps, await readDraft(deps, context, typed), typed),
        page: (context, typed) => showDraft(deps, context, typed),
        maxBytes: maxDraftBytes,
        needsPlan: true,
      },
      async (context, { design, folder, ...cells }, typed) => {
        const { id: accountId } = context.session.account;
        const batch = await findBatch(batches, context);
        // Sending the form twice creates the codes once.
        if (batch.state !== 'draft') return redirectTo(context, batchPath(batch.id));
        const { action, row } = actionOf(typed);
        await batches.correct(accountId, batch.id, {
          typed: typedRows(cells),
          leaveOut: action === 'leave-all' ? 'all' : action === 'leave' ? row : undefined,
          putBack: action === 'back' ? row : undefined,
          again: action === 'again',
        });
        const { refused } = await batches.find(accountId, batch.id);
        if (action !== 'create' || refused > 0)
          throw new InvalidForm({}, refused > 0 && row === undefined ? 422 : 200);
        const choice = { designId: design, folder };
        await batches.start(accountId, batch.id, choice).catch((error: unknown) => {
          // The page says it beside the design.
          if (error instanceof ApiError && error.code === 'design_unreadable')
            throw new InvalidForm({});
          throw error;
        });
        return redirectTo(context, batchPath(batch.id));
      },
    ),
  ];
}

/** Returns what a button asks for. Enter in a field asks for a check. */
function actionOf(typed: FormFields): { action: string; row?: number } {
  const [action = '', row] = typed.text('do').split(' ');
  return { action, ...(row !== undefined && /^\d{1,9}$/.test(row) && { row: Number(row) }) };
}

/** Returns the rows of a form, by their numbers. */
function typedRows(cells: Readonly<Record<string, unknown>>): Map<number, TypedRow> {
  const rows = new Map<number, TypedRow>();
  for (const field of Object.keys(cells)) {
    const row = Number(/^destination-(\d+)$/.exec(field)?.[1]);
    if (Number.isNaN(row)) continue;
    const texts = columns.map((column) => [column, cells[`${column}-${row}`]]);
    // The cast is safe: each row has a field for each column, and they are read as texts.
    rows.set(row, Object.fromEntries(texts) as TypedRow);
  }
  return rows;
}

interface DraftState {
  readonly batch: Batch;
  /** Rows that can be corrected: refused, left out, or corrected on this page. */
  readonly rows: readonly BatchRowOutcome[];
  /** The first rows that are good. */
  readonly ready: readonly BatchRowOutcome[];
}

async function readDraft(
  { batches }: PanelDeps,
  context: SignedInContext,
  typed: FormFields,
): Promise<DraftState> {
  const { id: accountId } = context.session.account;
  const batch = await findBatch(batches, context);
  const read = (filter: 'refused' | 'leftOut' | 'pending' | 'all', limit: number) =>
    batches.rows(accountId, batch.id, { filter, afterRow: 0, limit });
  const found = [...(await read('refused', shownRows)), ...(await read('leftOut', shownRows))];
  const isTyped = ({ row }: BatchRowOutcome) => typed.all(`destination-${row}`).length > 0;
  const corrected =
    typed === noFields
      ? []
      : (await read('all', maxBatchRows)).filter(isTyped).slice(0, maxTypedRows);
  const rows = new Map([...corrected, ...found].map((row) => [row.row, row]));
  return {
    batch,
    rows: [...rows.values()].toSorted((one, other) => one.row - other.row),
    ready: await read('pending', readyRows),
  };
}

/** Enough to see that the table was read right. */
const readyRows = 50;

/** A text of a row, as it was typed, else as it is in the table. */
function cellField(column: Column, stored: BatchRowOutcome, typed: FormFields) {
  const { areaLength }: Partial<LabelField> = column === 'destination' ? {} : labelFields[column];
  const options = {
    label: labelOf(column),
    parse: (text: string) => text,
    isLabelHidden: true,
    isLive: true,
    autocomplete: 'off',
    spellcheck: false,
  } as const;
  const field =
    areaLength === undefined
      ? textField(column === 'destination' ? { ...options, inputMode: 'url' } : options)
      : areaField({ ...options, rows: 1 });
  return {
    ...field,
    draw: (drawn) => {
      const [value = stored[column] ?? ''] = typed.all(drawn.name);
      return field.draw({ ...drawn, value });
    },
  } satisfies Field<string>;
}

const isLeftOut = ({ problem }: BatchRowOutcome) => problem === leftOutProblem;

/** Returns the form of a draft: the design and folder of its codes, and the rows to correct. */
async function formOf(
  { savedDesigns, lists }: PanelDeps,
  { batch: { accountId }, rows }: DraftState,
  typed: FormFields,
) {
  const cells = rows
    .filter((row) => !isLeftOut(row))
    .flatMap((row) =>
      columns.map((column): [string, Field<string>] => [
        `${column}-${row.row}`,
        cellField(column, row, typed),
      ]),
    );
  return {
    ...Object.fromEntries(cells),
    design: designField(await savedDesigns.list(accountId)),
    folder: folderField(await lists.folders(accountId)),
  };
}

/** Responds with the page of a draft, as typed if its form was sent. */
export async function showDraft(
  deps: PanelDeps,
  context: SignedInContext,
  typed = noFields,
): Promise<Response> {
  const state = await readDraft(deps, context, typed);
  const form = await formOf(deps, state, typed);
  const { batch } = state;
  const { values } = await readFields({ design: form.design }, typed);
  const designId = values.design ?? batch.designId;
  const readability = await deps.batches.readability(batch.accountId, designId);
  return page(
    context,
    'Check your table',
    <Draft {...state} form={form} typed={typed} readability={readability} />,
  );
}

interface DraftProps extends DraftState {
  readonly form: Awaited<ReturnType<typeof formOf>>;
  readonly typed: FormFields;
  readonly readability: ReadabilityResult;
}

/** Returns the problems of rows by the names of their fields. */
function problemsOf(rows: readonly BatchRowOutcome[]): Record<string, Problem> {
  const refused = rows.filter((row) => !isLeftOut(row));
  return Object.fromEntries(
    refused.flatMap(({ problem, ...row }) =>
      problem === null ? [] : [[`${wrongCell(row)}-${row.row}`, { text: problem }]],
    ),
  );
}

function Draft({ batch, rows, ready, form, typed, readability }: DraftProps) {
  const { refused, existing, leftOut, notices } = batch;
  const all = batch.rows - existing - leftOut;
  const good = all - refused;
  const left = actionOf(typed).row;
  const next = rows.find((row) => left !== undefined && row.row > left && !isLeftOut(row));
  return (
    <>
      <div class="crumb">
        <Link to="/account/codes">Codes</Link> / <Link to="/account/batches">Create many</Link>
      </div>
      <PageHead
        title="Check your table"
        beside={
          <span class="row" id="counts" data-live>
            <span class="pill good">{formatNumber(good)} ready</span>
            {refused > 0 && <span class="pill bad">{formatNumber(refused)} to fix</span>}
          </span>
        }
      >
        <Link class="button" to={`/account/batches?of=${batch.id}`}>
          Use another table
        </Link>
      </PageHead>
      <FormView
        form={form}
        to={batchPath(batch.id)}
        class="draft"
        problems={problemsOf(rows)}
        focused={next && `name-${next.row}`}
        data-live-form
      >
        {(fields) => (
          <>
            {/* The first button is the one that Enter presses. */}
            <button type="submit" name="do" value="check" class="button no-script">
              Check again
            </button>
            {rows.length > 0 && (
              <section class="card" aria-labelledby="fix">
                <div class="cardhead">
                  <h2 id="fix">
                    <span id="to-fix" data-live>
                      {refused > 0
                        ? `${formatCount(refused, 'row')} to fix`
                        : 'Nothing left to fix'}
                    </span>
                  </h2>
                  <span class="small soft">
                    Correct {refused === 1 ? 'it' : 'them'} here. The other rows stay as they are.
                    {refused > shownRows &&
                      ` The first ${shownRows} are shown, the others when these are done.`}
                  </span>
                  <span class="grow" />
                  {refused > 1 && (
                    <button type="submit" name="do" value="leave-all" class="button small">
                      Leave out all {formatNumber(refused)}
                    </button>
                  )}
                </div>
                <ol class="fix">
                  <li class="heads" aria-hidden="true">
                    <span>Row</span>
                    <div class="cells">
                      {columns.map((column) => (
                        <span key={column}>{labelOf(column)}</span>
                      ))}
                    </div>
                    <span />
                  </li>
                  {rows.map((row) => (
                    <FixRow key={row.row} row={row} fields={fields} />
                  ))}
                </ol>
              </section>
            )}
            <section class="card pad" aria-label="Design and folder">
              <div class="fields fold">
                <div class="field">
                  {fields.design ?? (
                    <>
                      <span class="name">Design</span>
                      <p>Default design</p>
                    </>
                  )}
                  <Verdict readability={readability} />
                </div>
                {fields.folder}
              </div>
            </section>
            <section class="card" aria-labelledby="ready">
              <div class="cardhead">
                <h2 id="ready">{formatCount(good, 'row')} ready</h2>
              </div>
              {(notices.length > 0 || existing > 0) && (
                <ul class="notices small soft">
                  {notices.map((notice) => (
                    <li key={notice}>{escapeBidiMarks(notice)}</li>
                  ))}
                  {existing > 0 && (
                    <li class="row">
                      {formatCount(existing, 'row has', 'rows have')} the name and destination of{' '}
                      {existing === 1 ? 'an existing code and is' : 'existing codes and are'} left
                      out.
                      <button type="submit" name="do" value="again" class="button small">
                        Create {existing === 1 ? 'it' : 'them'} again
                      </button>
                    </li>
                  )}
                </ul>
              )}
              {ready.length > 0 && <ReadyRows rows={ready} />}
              {good > ready.length && (
                <p class="pages small soft">
                  The first {formatNumber(ready.length)} rows are shown.
                </p>
              )}
            </section>
            <div class="savebar">
              <span class="small soft" id="bar" data-live>
                {refused > 0 &&
                  `${refused === 1 ? 'The row is' : `The ${formatCount(refused, 'row')} are`} checked again first. If one is still wrong, nothing is created.`}
                {all === 0 && 'There is nothing to create: every row is left out.'}
              </span>
              <span class="grow" />
              {all > 0 && (
                <button type="submit" name="do" value="create" class="button primary">
                  <span id="create" data-live>
                    Create {formatCount(all, 'code')}
                  </span>
                </button>
              )}
            </div>
          </>
        )}
      </FormView>
    </>
  );
}

/** Whether phones can read codes of the chosen design. */
function Verdict({ readability }: { readability: ReadabilityResult }) {
  const { isReadable, score, reasons, advice } = readability;
  return (
    <div id="verdict" data-live>
      {isReadable ? (
        <p class="hint line">
          <Icon name="good" />
          <span>
            <b>Phones can read it.</b> Readability {score} of 100, {bandOf(readability)}.
          </span>
        </p>
      ) : (
        <p class="error" role="alert">
          <Icon name="bad" />
          <span>
            Phones can’t read this design, so no code can be created with it.{' '}
            {inPanelWords([...reasons, advice?.message ?? ''].join(' '))}{' '}
            <Link class="link" to="/account/design">
              Change the design
            </Link>
          </span>
        </p>
      )}
    </div>
  );
}

interface FixRowProps {
  readonly row: BatchRowOutcome;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A row to correct, or one that is left out. */
function FixRow({ row, fields }: FixRowProps) {
  const number = formatNumber(row.row);
  if (isLeftOut(row))
    return (
      <li class="left-out">
        <span class="row-name">Row {number}</span>
        <div class="cells">
          {columns.map((column) => (
            <s key={column}>
              <bdi>{escapeBidiMarks(row[column] ?? '')}</bdi>
            </s>
          ))}
        </div>
        <RowButton action={`back ${row.row}`} label="Put back" row={number} />
      </li>
    );
  return (
    <li>
      <span class="row-name" aria-hidden="true">
        Row {number}
        <span class="now-ready" id={`state-${row.row}`} data-live>
          {row.problem === null && 'Ready'}
        </span>
      </span>
      <fieldset class="cells">
        <legend class="hidden">Row {number}</legend>
        {columns.map((column) => fields[`${column}-${row.row}`])}
      </fieldset>
      <RowButton action={`leave ${row.row}`} label="Leave out" row={number} />
    </li>
  );
}

function RowButton({ action, label, row }: { action: string; label: string; row: string }) {
  return (
    <button type="submit" name="do" value={action} class="button plain drop">
      {label}
      <span class="hidden"> row {row}</span>
    </button>
  );
}

function ReadyRows({ rows }: { rows: readonly BatchRowOutcome[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboards scroll it (axe, scrollable-region-focusable)
    <section class="scroll some" tabIndex={0} aria-label="Rows that are ready">
      <RowTable rows={rows} />
    </section>
  );
}

const columnClasses: Readonly<Partial<Record<Column, string>>> = {
  name: 'strong',
  note: 'soft',
  folder: 'soft',
};

interface RowTableProps {
  readonly rows: readonly BatchRowOutcome[];
  /** Returns what has become of a row. */
  readonly outcome?: (row: BatchRowOutcome) => ComponentChildren;
}

/** Rows with the columns that any of them has. */
export function RowTable({ rows, outcome }: RowTableProps) {
  const used = columns.filter((column) => rows.some((row) => (row[column] ?? '') !== ''));
  return (
    <table class="ready">
      <thead>
        <tr>
          <th scope="col">Row</th>
          {used.map((column) => (
            <th key={column} scope="col">
              {labelOf(column)}
            </th>
          ))}
          {outcome && <th scope="col">Code</th>}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.row}>
            <td class="soft">{formatNumber(row.row)}</td>
            {used.map((column) => (
              <td key={column} class={columnClasses[column]}>
                <bdi>{escapeBidiMarks(row[column] ?? '')}</bdi>
              </td>
            ))}
            {outcome && <td>{outcome(row)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
