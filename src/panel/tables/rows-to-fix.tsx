/** @jsxImportSource preact */
import type { BatchRowOutcome } from '../../core/batches/batch.ts';
import type { TextColumn } from '../../core/batches/columns.ts';
import type { Texts } from '../../languages/generated/texts.ts';
import { Submit, useTexts } from '../ui/page-context.tsx';
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
  const t = useTexts();
  return (
    <section class="card" aria-labelledby="fix">
      <div class="cardhead">
        <h2 id="fix">
          <span id="to-fix" data-live>
            {refused > 0 ? t.draft.rowsToFix({ rows: refused }) : t.draft.nothingToFix}
          </span>
        </h2>
        <span class="small soft">
          {t.draft.correctHere({ rows: refused })}
          {refused > shownRows && ` ${t.draft.firstToFixShown({ rows: shownRows })}`}
        </span>
        <span class="grow" />
        {refused > 1 && (
          <Submit class="button small" name="do" value="leave-all">
            {t.draft.leaveOutAll({ rows: refused })}
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
  const t = useTexts();
  return (
    <section class="card" aria-labelledby="check">
      <div class="cardhead">
        <h2 id="check">{t.draft.rowsToCheck({ rows: count })}</h2>
        <span class="small soft">
          {t.draft.mayNotOpen({ rows: count })}
          {count > shownRows && ` ${t.draft.firstToCheckShown({ rows: shownRows })}`}
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
  const t = useTexts();
  const number = t.tables.rowNumber(row);
  if (isLeftOut(row))
    return (
      <li class="left-out">
        <span class="row-name">{number}</span>
        <div class="cells">
          {columns.map((column) => (
            <s key={column}>
              <bdi>{cellText(row, column)}</bdi>
            </s>
          ))}
        </div>
        <RowButton action={`back ${row.row}`} label={t.draft.putBack} row={row.row} />
      </li>
    );
  return (
    <li>
      <span class="row-name" aria-hidden="true">
        {number}
        <span class="now-ready" id={`state-${row.row}`} data-live>
          {row.problem === null && !isWarned && t.draft.rowReady}
        </span>
      </span>
      <fieldset class="cells">
        <legend class="hidden">{number}</legend>
        {columns.map((column) => fields[`${column}-${row.row}`])}
      </fieldset>
      <RowButton action={`leave ${row.row}`} label={t.draft.leaveOut} row={row.row} />
    </li>
  );
}

interface RowButtonProps {
  readonly action: string;
  readonly label: Texts['draft']['leaveOut'];
  readonly row: number;
}

function RowButton({ action, label, row }: RowButtonProps) {
  return (
    <Submit class="button plain drop" name="do" value={action}>
      {label({ row, which: (text) => <span class="hidden">{text}</span> })}
    </Submit>
  );
}
