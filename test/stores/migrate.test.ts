import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { version } from '../../package.json';
import { nameSortKey } from '../../src/core/codes/lists/sort-key.ts';
import { readMigrations } from '../../src/lib/build/migrations.macro.ts';
import { databasePath } from '../../src/redirect/sqlite/files.ts';
import { migrate, missingSteps } from '../../src/sqlite/database/migrate.ts';
import { createFolders } from './folder.ts';

const { newFolder } = createFolders();

const baseline = readMigrations('drizzle');
const rebuild = {
  name: '9001_rebuild',
  statements: [
    'CREATE TABLE new_accounts AS SELECT id, email FROM accounts',
    'DROP TABLE accounts',
    'CREATE TABLE accounts (id integer PRIMARY KEY AUTOINCREMENT, email text NOT NULL, note text)',
    'INSERT INTO accounts (id, email) SELECT id, email FROM new_accounts',
    'DROP TABLE new_accounts',
  ],
};
const failing = { name: '9002_failing', statements: ['CREATE TABLE c (id)', 'INSERT INTO no'] };
const orphaning = {
  name: '9002_orphaning',
  statements: [
    "INSERT INTO api_keys (account_id, hash, last_four, created_at) VALUES (404, 'other', 'last', 0)",
  ],
};

/** A database with the baseline and some rows. */
function released(): Database {
  const database = new Database(':memory:', { strict: true });
  database.run('PRAGMA foreign_keys = ON');
  migrate(database, baseline);
  database.run(
    `INSERT INTO accounts (id, email, created_at) VALUES (7, 'a@example.com', 0);
     INSERT INTO api_keys (account_id, hash, last_four, created_at) VALUES (7, 'hash', 'last', 0)`,
  );
  // SQLite need not restore what unused pages contain.
  database.run('VACUUM');
  return database;
}

describe('a migration', () => {
  test('of a new database applies every step of drizzle/ once', () => {
    const database = new Database(':memory:', { strict: true });
    expect(missingSteps(database)).toEqual(baseline);
    migrate(database);
    migrate(database);
    expect(missingSteps(database)).toEqual([]);
    expect(database.query('PRAGMA integrity_check').values()).toEqual([['ok']]);
  });

  test('from the baseline applies a later step and keeps all rows', () => {
    const database = released();
    expect(missingSteps(database, [...baseline, rebuild])).toEqual([rebuild]);
    migrate(database, [...baseline, rebuild]);
    expect(database.query('SELECT * FROM accounts').values()).toEqual([[7, 'a@example.com', null]]);
    expect(database.query('SELECT account_id FROM api_keys').values()).toEqual([[7]]);
    expect(database.query('PRAGMA foreign_keys').get()).toEqual({ foreign_keys: 1 });
  });

  test('computes the keys of names in the step that adds their column, and never again', () => {
    const at = baseline.findIndex(({ statements }) =>
      statements.some((statement) => statement.includes('name_key')),
    );
    const database = new Database(':memory:', { strict: true });
    migrate(database, baseline.slice(0, at));
    database.run(
      `INSERT INTO accounts (id, email, created_at) VALUES (1, 'a@example.com', 0);
       INSERT INTO qrs (id, code, account_id, name, short_link, destination, created_at)
       VALUES (5, 'a', 1, 'Table 7', '', '', 0), (6, 'b', 1, NULL, '', '', 0)`,
    );
    const keys = () => database.query('SELECT name_key FROM qrs ORDER BY id').values();
    migrate(database, baseline);
    expect(keys()).toEqual([[nameSortKey('Table 7')], [nameSortKey(null)]]);
    database.run("UPDATE qrs SET name_key = 'kept'");
    migrate(database, [...baseline, rebuild]);
    expect(keys()).toEqual([['kept'], ['kept']]);
  });

  test('computes the folded forms of imported links in the step that adds their columns', () => {
    const at = baseline.findIndex(({ statements }) =>
      statements.some((statement) => statement.includes('folded_path')),
    );
    const database = new Database(':memory:', { strict: true });
    migrate(database, baseline.slice(0, at));
    database.run(
      `INSERT INTO accounts (id, email, created_at) VALUES (1, 'a@example.com', 0);
       INSERT INTO qrs (id, code, account_id, short_link, destination, created_at)
       VALUES (5, '7h3k9m2x', 1, '', '', 0), (6, 'Café', 1, '', '', 0)`,
    );
    migrate(database, baseline);
    expect(database.query('SELECT folded_path, folded_code FROM qrs ORDER BY id').values()).toEqual(
      [
        [null, null],
        [null, 'café'],
      ],
    );
  });

  test.each([
    ['a statement fails', failing, /syntax error|incomplete input/],
    ['a reference would break', orphaning, /break references/],
  ])('applies no step when %s', (_, bad, message) => {
    const database = released();
    const before = database.serialize();
    expect(() => migrate(database, [...baseline, rebuild, bad])).toThrow(message);
    expect(database.serialize()).toEqual(before);
    expect(database.query('PRAGMA foreign_keys').get()).toEqual({ foreign_keys: 1 });
  });

  test('does not repeat what another process applied meanwhile', () => {
    const path = databasePath(newFolder());
    const faster = new Database(path, { strict: true });
    let isMigrated = false;
    const slower = new (class extends Database {
      // The first statement after the missing steps were determined.
      override run(sql: string) {
        if (!isMigrated) migrate(faster, baseline);
        isMigrated = true;
        return super.run(sql);
      }
    })(path, { strict: true });
    migrate(slower, [...baseline, rebuild]);
    expect(missingSteps(slower, [...baseline, rebuild])).toEqual([]);
    expect(isMigrated).toBe(true);
    slower.close();
    faster.close();
  });

  test('of a database that no release made is rejected with what to do', () => {
    const database = new Database(':memory:', { strict: true });
    migrate(database, baseline.slice(0, 19));
    // As a version after 1.1.0 did that was never released: steps that are one now.
    database.run('CREATE TABLE planned_changes (id integer)');
    for (const schema of [20, 38]) {
      database.run(`PRAGMA user_version = ${schema}`);
      expect(() => migrate(database)).toThrow(/never released.* Restore a backup that a released/);
    }
  });

  test('of a newer database is rejected', () => {
    const database = released();
    migrate(database, [...baseline, rebuild]);
    const schemas = [baseline.length + 1, baseline.length];
    expect(() => migrate(database, baseline)).toThrow(
      `made by a newer Waymark (schema ${schemas[0]}). This is Waymark ${version} (schema ${schemas[1]})`,
    );
    database.run("INSERT INTO server_versions (version, renderer, since) VALUES ('9.8.7', '', 0)");
    expect(() => migrate(database, baseline)).toThrow(
      `made by a newer Waymark (9.8.7, schema ${schemas[0]}). This is Waymark ${version}`,
    );
  });
});
