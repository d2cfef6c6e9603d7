import type { Database } from 'bun:sqlite';
import { readMigrations } from './migrations.macro.ts' with { type: 'macro' };

const known = readMigrations();

/** The database cannot be used by this program; the message says why and what to do. */
export class DatabaseRefused extends Error {
  override readonly name = 'DatabaseRefused';
}

/**
 * Brings the schema up to date in one transaction: either every missing step is applied or none.
 *
 * @returns the names of the steps applied now
 * @throws DatabaseRefused when the database is newer than this program or not Waymark's
 */
export function migrate(database: Database): string[] {
  const applied = appliedMigrations(database);
  const unknown = applied.filter((name, index) => known[index]?.name !== name);
  if (unknown.length > 0)
    throw new DatabaseRefused(
      `The database was made by a newer Waymark (it holds the schema step ${unknown[0]}, which this ` +
        'program does not know). Start the newer program, or restore a backup made before the upgrade.',
    );
  const missing = known.slice(applied.length);
  if (missing.length === 0) return [];
  // Rebuilding a table drops the old one, which foreign keys would take for deleted rows.
  database.run('PRAGMA foreign_keys = OFF');
  database
    .transaction(() => {
      database.run('CREATE TABLE IF NOT EXISTS migrations (name text PRIMARY KEY NOT NULL)');
      for (const { name, statements } of missing) {
        for (const statement of statements) database.run(statement);
        database.query('INSERT INTO migrations (name) VALUES (?)').run(name);
      }
      const broken = database.query('PRAGMA foreign_key_check').all();
      if (broken.length > 0)
        throw new DatabaseRefused(
          'The upgrade would break references between rows; nothing was changed.',
        );
    })
    .immediate();
  database.run('PRAGMA foreign_keys = ON');
  return missing.map(({ name }) => name);
}

function appliedMigrations(database: Database): string[] {
  const tables = database
    .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .all()
    .map(({ name }) => name);
  if (tables.includes('migrations'))
    return database
      .query<{ name: string }, []>('SELECT name FROM migrations ORDER BY name')
      .all()
      .map(({ name }) => name);
  if (tables.length > 0)
    throw new DatabaseRefused('The file is an SQLite database, but not one that Waymark made.');
  return [];
}
