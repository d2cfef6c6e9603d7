import type { Database } from 'bun:sqlite';
import { readMigrations } from './migrations.macro.ts' with { type: 'macro' };
import type { Migration } from './migrations.macro.ts';

const known = readMigrations();

/** The database cannot be used by this program; the message says why and what to do. */
export class DatabaseUnusable extends Error {
  override readonly name: string = 'DatabaseUnusable';
}

/** What the file held is gone from it: a backup is the way out. */
export class DatabaseCorrupt extends DatabaseUnusable {
  override readonly name = 'DatabaseCorrupt';
}

/** @param reason what SQLite said, or what a check of ours found */
export function damaged(path: string, reason: string): DatabaseCorrupt {
  return new DatabaseCorrupt(
    `${path} is damaged, or not an SQLite database (${reason.replaceAll(/\s+/g, ' ')}). Nothing was changed. Restore a backup ` +
      'with "waymark restore FILE --force"; the damaged file is then kept under another name.',
  );
}

/**
 * Brings the schema up to date in one transaction: either every missing step is applied or none.
 *
 * @returns the names of the steps applied now
 * @throws DatabaseUnusable when the database is newer than this program or not Waymark's
 */
export function migrate(database: Database, steps: readonly Migration[] = known): string[] {
  if (missingSteps(database, steps).length === 0) return [];
  // Rebuilding a table drops the old one, which foreign keys would take for deleted rows.
  database.run('PRAGMA foreign_keys = OFF');
  try {
    return database.transaction(applyMissing).immediate(database, steps);
  } finally {
    database.run('PRAGMA foreign_keys = ON');
  }
}

/**
 * The steps that the schema still lacks. Only reads.
 *
 * @throws DatabaseUnusable when the database is newer than this program or not Waymark's
 */
export function missingSteps(
  database: Database,
  steps: readonly Migration[] = known,
): readonly Migration[] {
  const applied = appliedSteps(database);
  if (applied.length > 0 && applied[0] !== steps[0]?.name) throw notOurs();
  const unknown = applied.find((name, index) => steps[index]?.name !== name);
  if (unknown !== undefined)
    throw new DatabaseUnusable(
      `The database was made by a newer Waymark (it holds the schema step ${unknown}, which this ` +
        'program does not know). Start the newer program, or restore a backup made before the upgrade.',
    );
  return steps.slice(applied.length);
}

/** Looks again at what is missing, now that nobody else can write: another process may have been faster. */
function applyMissing(database: Database, steps: readonly Migration[]): string[] {
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
  if (columns.join() !== 'name') throw notOurs();
  return namesIn(database, 'SELECT name FROM migrations ORDER BY name');
}

function namesIn(database: Database, sql: string): string[] {
  return database
    .query<{ name: string }, []>(sql)
    .all()
    .map(({ name }) => name);
}

function notOurs(): DatabaseCorrupt {
  return new DatabaseCorrupt('The file is an SQLite database, but not one that Waymark made.');
}
