import type { Database } from 'bun:sqlite';
import { DatabaseCorrupt, DatabaseUnusable } from './errors.ts';
import { readMigrations } from './migrations.macro.ts' with { type: 'macro' };
import type { Migration } from './migrations.macro.ts';

const knownSteps = readMigrations();

/**
 * Migrates the schema in one transaction: either all missing steps are applied or none.
 *
 * @returns the names of the steps applied
 * @throws DatabaseUnusable when the database is newer than this program or not Waymark's
 */
export function migrate(database: Database, steps: readonly Migration[] = knownSteps): string[] {
  if (missingSteps(database, steps).length === 0) return [];
  // Rebuilding a table drops the old one, which would violate foreign keys.
  database.run('PRAGMA foreign_keys = OFF');
  try {
    return database.transaction(applyMissing).immediate(database, steps);
  } finally {
    database.run('PRAGMA foreign_keys = ON');
  }
}

/**
 * Returns the steps that the schema lacks. Only reads.
 *
 * @throws DatabaseUnusable when the database is newer than this program or not Waymark's
 */
export function missingSteps(
  database: Database,
  steps: readonly Migration[] = knownSteps,
): readonly Migration[] {
  const applied = appliedSteps(database);
  if (applied.length > 0 && applied[0] !== steps[0]?.name) throw notWaymarks();
  const unknown = applied.find((name, index) => steps[index]?.name !== name);
  if (unknown !== undefined)
    throw new DatabaseUnusable(
      `The database was made by a newer Waymark (it holds the schema step ${unknown}, which this ` +
        'program does not know). Start the newer program, or restore a backup made before the upgrade.',
    );
  return steps.slice(applied.length);
}

function applyMissing(database: Database, steps: readonly Migration[]): string[] {
  // Another process may have applied steps before this transaction began.
  const missing = missingSteps(database, steps);
  database.run('CREATE TABLE IF NOT EXISTS migrations (name text PRIMARY KEY NOT NULL)');
  for (const { name, statements } of missing) {
    for (const statement of statements) database.run(statement);
    database.query('INSERT INTO migrations (name) VALUES (?)').run(name);
  }
  if (database.query('PRAGMA foreign_key_check').all().length > 0)
    throw new DatabaseUnusable(
      'The upgrade would break references between rows; nothing was changed.',
    );
  return missing.map(({ name }) => name);
}

function appliedSteps(database: Database): string[] {
  const tables = namesIn(database, "SELECT name FROM sqlite_schema WHERE type = 'table'");
  if (tables.length === 0) return [];
  const columns = namesIn(database, "SELECT name FROM pragma_table_info('migrations')");
  if (columns.join() !== 'name') throw notWaymarks();
  return namesIn(database, 'SELECT name FROM migrations ORDER BY name');
}

function namesIn(database: Database, sql: string): string[] {
  return database
    .query<{ name: string }, []>(sql)
    .all()
    .map(({ name }) => name);
}

function notWaymarks(): DatabaseCorrupt {
  return new DatabaseCorrupt('The file is an SQLite database, but not one that Waymark made.');
}
