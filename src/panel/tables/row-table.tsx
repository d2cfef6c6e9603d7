/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import type { BatchRowOutcome } from '../../core/batches/batch.ts';
import type { TextColumn } from '../../core/batches/columns.ts';
import { labelFields, labelNames } from '../../core/codes/fields.ts';
import { formatNumber } from '../../lib/numbers.ts';
import { escapeBidiMarks, readableUrl } from '../../lib/text/readable-url.ts';

const columns: readonly TextColumn[] = [
  'name',
  'destination',
  ...labelNames.filter((name) => name !== 'name'),
  'domain',
];
/** Returns the name of a column. */
export function labelOf(column: TextColumn): string {
  if (column === 'domain') return 'Domain';
  return column === 'destination' ? 'Destination' : labelFields[column].label;
}

/** Returns the text of a cell, without marks that reorder it. */
export function cellText(row: BatchRowOutcome, column: TextColumn): string {
  const text = row[column] ?? '';
  return column === 'destination' ? readableUrl(text) : escapeBidiMarks(text);
}

const columnClasses: Readonly<Partial<Record<TextColumn, string>>> = {
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
                <bdi>{cellText(row, column)}</bdi>
              </td>
            ))}
            {outcome && <td>{outcome(row)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
