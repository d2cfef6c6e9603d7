import type { Database, SQLQueryBindings } from 'bun:sqlite';
import type { SnapshotColumn } from '../../core/backups/snapshot.ts';
import type { RowChecks } from '../../core/backups/snapshot-values.ts';
import { decodeHits } from '../../core/scans/hit-entries.ts';
import { sqliteCode, sqliteMessage } from '../../redirect/sqlite/errors.ts';

/** A row of any table, by the names of its columns. */
export type Row = Readonly<Record<string, string | number | Uint8Array | null>>;

// Many times the largest, a logo. Reading it would take memory without bound.
const maxValueBytes = 16 * 1024 * 1024;

/**
 * Records the prefixes of the short links of codes that are missing and no domains.
 * Paths of imported links have slashes.
 */
export function recordPrefixes(database: Database): void {
  const prefix = "rtrim(rtrim(short_link, replace(short_link, '/', '')), '/')";
  // Earlier schemas have no domains.
  const domains = columnsOf(database, 'domains').length > 0 ? 'UNION SELECT url FROM domains' : '';
  database.run(
    `INSERT INTO short_url_prefixes SELECT DISTINCT ${prefix} FROM qrs WHERE design_id IS NOT NULL
       AND lower(${prefix}) NOT IN (SELECT lower(prefix) FROM short_url_prefixes ${domains})`,
  );
}

/**
 * Tables that only make sense to the processes that serve this very file.
 * A new one begins without their rows.
 */
const servingTables: readonly string[] = ['redirect_steps'];

/**
 * Returns whether Waymark may have created a table that is not in the schema of a database.
 * It records hits in a database of any schema, see `recordFolded`.
 */
export function isAddedTable(name: string): boolean {
  return name === 'hit_progress' || servingTables.includes(name);
}

/**
 * Returns the tables of a database that a migration has created and that keep data.
 * They are in the order of their creation.
 */
export function ownTables(database: Database): string[] {
  return database
    .query<{ name: string }, []>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid",
    )
    .all()
    .map(({ name }) => name)
    .filter((name) => !servingTables.includes(name));
}

/** Returns the columns of a table, with what they hold and whether they may be null. */
export function columnsOf(database: Database, table: string): TableColumn[] {
  return database
    .query<{ name: string; type: string; isRequired: number }, [string]>(
      'SELECT name, lower(type) AS type, "notnull" AS isRequired FROM pragma_table_info(?)',
    )
    .all(table)
    .map(({ name, type, isRequired }) => ({
      name,
      type: type === 'integer' || type === 'text' ? type : 'bytes',
      isRequired: isRequired === 1,
    }));
}

interface TableColumn extends SnapshotColumn {
  readonly isRequired: boolean;
}

/**
 * Returns why the rows of a table are not simply stored in it, or null.
 * The schema of a database can come from anybody: a view, a virtual table or a generated column would run something
 * when it is read.
 *
 * @param columns that it must have
 */
export function tableProblem(
  database: Database,
  table: string,
  columns: readonly { readonly name: string }[],
): string | null {
  const schema = database.query<{ sql: string | null }, [string]>(
    'SELECT sql FROM sqlite_schema WHERE name = ? COLLATE NOCASE',
  );
  // Asking SQLite for its columns would run it.
  if (schema.all(table).some(({ sql }) => /\bvirtual\b/i.test(sql ?? '')))
    return `the table ${table} is virtual`;
  const { type } = database
    .query<{ type: string }, [string]>(
      "SELECT type FROM pragma_table_list(?) WHERE schema = 'main'",
    )
    .get(table) ?? { type: 'missing' };
  if (type !== 'table') return `the table ${table} is ${type === 'view' ? 'a view' : type}`;
  // Generated columns are not among them.
  const stored = new Set(columnsOf(database, table).map(({ name }) => name));
  const column = columns.find(({ name }) => !stored.has(name));
  return column === undefined ? null : `the table ${table} has no stored column ${column.name}`;
}

/**
 * Returns the columns of a table for a SELECT.
 * A value that is too large becomes one that no column accepts.
 */
export function selected(database: Database, table: string): string {
  return columnsOf(database, table)
    .map(
      ({ name }) =>
        `iif(octet_length("${name}") > ${maxValueBytes}, x'00', "${name}") AS "${name}"`,
    )
    .join(', ');
}

/**
 * Inserts rows of another database into a table.
 * Rows with a value that is refused, or that break a rule of the schema, are left out.
 *
 * @param options.clear whether a refused value becomes null where that is possible, so that its row is kept
 * @returns the number of rows that were left out
 */
export function copyRows(
  target: Database,
  table: string,
  rows: Iterable<Row>,
  checks: RowChecks,
  { clear = false } = {},
): number {
  const columns = columnsOf(target, table);
  const names = columns.map(({ name }) => name);
  const insert = target.prepare<never, SQLQueryBindings[]>(
    `INSERT INTO "${table}" (${names.map((name) => `"${name}"`)}) VALUES (${names.map(() => '?')})`,
  );
  const refusedColumn = table === 'scan_log' ? () => null : checks.of(table, columns);
  const isDamagedHits = (row: Row) => table === 'scan_log' && decodeHits(row['hits']) === null;
  /** Inserts a row. Returns what breaks a constraint, or null. */
  const insertOrBroken = (values: SQLQueryBindings[]) => {
    try {
      insert.run(...values);
      return null;
    } catch (error) {
      if (!/^SQLITE_(CONSTRAINT|MISMATCH)/.test(sqliteCode(error))) throw error;
      // "UNIQUE constraint failed: qrs.code", "CHECK constraint failed: qrs_status"
      const name = /constraint failed: (?<name>[\w.]+)/.exec(sqliteMessage(error))?.groups?.[
        'name'
      ];
      return name?.startsWith(table) ? name.slice(table.length + 1) : 'values';
    }
  };
  let rejected = 0;
  for (const row of rows) {
    const values = names.map((name) => row[name] ?? null);
    let refused = refusedColumn(values);
    while (refused !== null && clear && columns[refused]?.isRequired === false) {
      if (values[refused] === null) break;
      values[refused] = null;
      refused = refusedColumn(values);
    }
    if (refused === null) {
      const broken = isDamagedHits(row) ? 'hits' : insertOrBroken(values);
      if (broken === null) continue;
      checks.refuse(table, columns, values, broken);
    }
    rejected++;
  }
  insert.finalize();
  return rejected;
}
