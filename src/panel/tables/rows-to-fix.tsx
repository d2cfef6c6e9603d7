/** @jsxImportSource preact */
import type { BatchRowOutcome } from '../../core/batches/batch.ts';
import type { TextColumn } from '../../core/batches/columns.ts';
import { formatCount, formatNumber, plural } from '../../lib/numbers.ts';
import { Submit } from '../ui/page-context.tsx';
import { isLeftOut, shownRows } from './draft-form.ts';
import { cellText } from './row-table.tsx';

interface RowsToFixProps {
  readonly columns: readonly TextColumn[];
  readonly rows: readonly BatchRowOutcome[];
  /** How many rows of the table are refused. */
  readonly refused: number;
  /** Fields of the form by their names. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Renders the rows of a table that are refused or left out, with fields to correct them. */
export function RowsToFix({ refused, ...rows }: RowsToFixProps) {
  return (
    <section class="card" aria-labelledby="fix">
      <div class="cardhead">
        <h2 id="fix">
          <span id="to-fix" data-live>
            {refused > 0 ? `${formatCount(refused, 'row')} to fix` : 'Nothing left to fix'}
          </span>
        </h2>
        <span class="small soft">
          Correct {plural(refused, 'it', 'them')} here. The other rows stay as they are.
          {refused > shownRows &&
            ` The first ${shownRows} are shown, the others when these are done.`}
        </span>
        <span class="grow" />
        {refused > 1 && (
          <Submit class="button small" name="do" value="leave-all">
            Leave out all {formatNumber(refused)}
          </Submit>
        )}
      </div>
      <FixRows {...rows} />
    </section>
  );
}

interface RowsToCheckProps {
  readonly columns: readonly TextColumn[];
  readonly rows: readonly BatchRowOutcome[];
  /** How many rows of the table have a warning. */
  readonly count: number;
  /** Fields of the form by their names. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Rows whose codes can be created, but which may go wrong. */
export function RowsToCheck({ count, ...rows }: RowsToCheckProps) {
  return (
    <section class="card" aria-labelledby="check">
      <div class="cardhead">
        <h2 id="check">{formatCount(count, 'row')} to check</h2>
        <span class="small soft">
          {plural(count, 'It', 'They')} can be created, but your guests’ phones may not open{' '}
          {plural(count, 'it', 'them')}.{count > shownRows && ` The first ${shownRows} are shown.`}
        </span>
      </div>
      <FixRows {...rows} isWarned />
    </section>
  );
}

interface FixRowsProps extends Pick<RowsToFixProps, 'columns' | 'rows' | 'fields'> {
  readonly isWarned?: boolean;
}

function FixRows({ rows, isWarned = false, ...props }: FixRowsProps) {
  return (
    <ol class="fix">
      {rows.map((row) => (
        <FixRow key={row.row} row={row} isWarned={isWarned} {...props} />
      ))}
    </ol>
  );
}

interface FixRowProps extends Pick<RowsToFixProps, 'columns' | 'fields'> {
  readonly row: BatchRowOutcome;
  readonly isWarned: boolean;
}

/** Renders a row to correct, or one that is left out. */
function FixRow({ row, columns, fields, isWarned }: FixRowProps) {
  const number = formatNumber(row.row);
  if (isLeftOut(row))
    return (
      <li class="left-out">
        <span class="row-name">Row {number}</span>
        <div class="cells">
          {columns.map((column) => (
            <s key={column}>
              <bdi>{cellText(row, column)}</bdi>
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
          {row.problem === null && !isWarned && 'Ready'}
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
    <Submit class="button plain drop" name="do" value={action}>
      {label}
      <span class="hidden"> row {row}</span>
    </Submit>
  );
}
