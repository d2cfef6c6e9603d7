/** @jsxImportSource preact */
import type { BatchRowOutcome } from '../../core/batches/batch.ts';
import type { TextColumn } from '../../core/batches/columns.ts';
import { labelNames } from '../../core/codes/fields.ts';
import type { Texts } from '../../languages/generated/texts.ts';
import { escapeBidiMarks, readableUrl } from '../../lib/text/readable-url.ts';
import { useTexts } from '../ui/page-context.tsx';

const columns: readonly TextColumn[] = [
  'name',
  'destination',
  ...labelNames.filter((name) => name !== 'name'),
  'domain',
];

/** Returns the name of a column. */
export function columnName(column: TextColumn, t: Texts): string {
  if (column === 'destination') return t.destination.destination;
  return column === 'domain' ? t.domains.domain : t.labels[column];
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

/** Rows with the columns that any of them has. */
export function RowTable({ rows }: { rows: readonly BatchRowOutcome[] }) {
  const t = useTexts();
  const used = columns.filter((column) => rows.some((row) => (row[column] ?? '') !== ''));
  return (
    <table class="ready">
      <thead>
        <tr>
          <th scope="col">{t.tables.row}</th>
          {used.map((column) => (
            <th key={column} scope="col">
              {columnName(column, t)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.row}>
            <td class="soft">{t.formats.number(row.row)}</td>
            {used.map((column) => (
              <td key={column} class={columnClasses[column]}>
                <bdi>{cellText(row, column)}</bdi>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
