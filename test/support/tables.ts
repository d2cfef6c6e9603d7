import {
  type ParsedTable,
  parseTable,
  type TableOptions,
  type TableView,
} from '../../src/core/batches/table.ts';

type Table = Parameters<typeof parseTable>[0];

/** Reads a table about which nothing is open. Fails when something is. */
export function parsedTable(table: Table, options: TableOptions = {}): ParsedTable {
  const reading = parseTable(table, options);
  if (reading.kind === 'open') throw new Error(`open: ${openIn(reading.view).join()}`);
  return reading;
}

/** Returns what is open of a table. Fails when nothing is. */
export function questionOf(table: Table, options: TableOptions = {}): TableView {
  const reading = parseTable(table, options);
  if (reading.kind === 'read') throw new Error(`read: ${Bun.inspect(reading.rows)}`);
  return reading.view;
}

/** Names what is open. */
export function openIn(view: TableView): string[] {
  const open = {
    encoding: view.isEncodingOpen,
    sheet: view.isSheetOpen,
    separator: view.isSeparatorOpen,
    header: view.isHeaderOpen,
    destination: view.isDestinationOpen,
  };
  return Object.entries(open).flatMap(([name, isOpen]) => (isOpen ? name : []));
}
