import { Database } from 'bun:sqlite';
import { readMigrations } from '../../src/lib/build/migrations.macro.ts';
import { migrate } from '../../src/sqlite/database/migrate.ts';

/** The schema of a later version: one more step. */
export const nextSteps = [
  ...readMigrations('drizzle'),
  {
    name: '9999_next',
    statements: [
      "ALTER TABLE accounts ADD added text DEFAULT '' NOT NULL",
      'CREATE INDEX accounts_by_added ON accounts (added)',
    ],
  },
];

// As a program of its own, it migrates the database at a path.
if (import.meta.main) {
  const database = new Database(process.argv[2], { readwrite: true });
  database.run('PRAGMA journal_mode = WAL');
  database.run('PRAGMA synchronous = FULL');
  migrate(database, nextSteps);
  database.close();
}
