import type { Database } from 'bun:sqlite';
import { DatabaseUnusable } from '../../core/errors.ts';
import { readMigrations } from '../../lib/build/migrations.macro.ts' with { type: 'macro' };
import type { Migration } from '../../lib/build/migrations.macro.ts';
import { applicationId, readSchemaVersion } from '../../redirect/sqlite/schema-version.ts';
import { derivedColumns } from '../../sql/database/derived-columns.ts';

/** A step of the schema, all of which a program must know. */
type Step = Pick<Migration, 'statements'>;

const knownSteps = readMigrations('drizzle');

/**
 * Migrates the schema in one transaction: either all missing steps are applied or none.
 * `PRAGMA user_version` is the number of steps that a database has.
 *
 * @throws DatabaseUnusable when the database is of a later version or not Waymark's
 */
export function migrate(database: Database, steps: readonly Step[] = knownSteps): void {
  if (missingSteps(database, steps).length === 0) return;
  // A step that rebuilds a table drops the old one, which would violate foreign keys.
  database.run('PRAGMA foreign_keys = OFF');
  try {
    database.transaction(applyMissing).immediate(database, steps);
  } finally {
    database.run('PRAGMA foreign_keys = ON');
  }
}

/** Returns the steps that the schema lacks. Only reads. @throws DatabaseUnusable as {@link readSchemaVersion} */
export function missingSteps(
  database: Database,
  steps: readonly Step[] = knownSteps,
): readonly Step[] {
  return steps.slice(readSchemaVersion(database, steps.length));
}

/** Creates the schema that another database has, in an empty one. */
export function createSchemaLike(database: Database, other: Database): void {
  migrate(database, knownSteps.slice(0, knownSteps.length - missingSteps(other).length));
}

function applyMissing(database: Database, steps: readonly Step[]): void {
  // Another process may have applied steps before this transaction began.
  for (const { statements } of missingSteps(database, steps)) {
    const missing = derivedColumns.filter(({ column }) => !hasColumn(database, 'qrs', column));
    for (const statement of statements) database.run(statement);
    for (const derived of missing) fill(database, derived);
  }
  database.run(`PRAGMA application_id = ${applicationId}`);
  database.run(`PRAGMA user_version = ${steps.length}`);
  if (database.query('PRAGMA foreign_key_check').all().length > 0)
    throw new DatabaseUnusable(
      'The upgrade would break references between rows; nothing was changed.',
    );
}

/** Fills in a column of codes, once a step has added it. */
function fill(
  database: Database,
  { column, from, condition, derive }: (typeof derivedColumns)[number],
): void {
  if (!hasColumn(database, 'qrs', column)) return;
  const set = database.query(`UPDATE qrs SET ${column} = ? WHERE id = ?`);
  const select = database.query<{ id: number; value: string }, [number]>(
    `SELECT id, ${from} AS value FROM qrs WHERE id > ? AND ${condition} ORDER BY id LIMIT 10000`,
  );
  let rows = select.all(0);
  while (rows.length > 0) {
    for (const { id, value } of rows) {
      const derived = derive(value);
      if (derived !== null) set.run(derived, id);
    }
    rows = select.all(rows.at(-1)?.id ?? 0);
  }
}

/** Returns whether a table has a column, which the schema of an earlier version may lack. */
export function hasColumn(database: Database, table: string, column: string): boolean {
  const columns = database.query('SELECT 1 FROM pragma_table_info(?) WHERE name = ?');
  return columns.get(table, column) !== null;
}
