import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseUnusable } from '../../src/sqlite/database/errors.ts';
import { databasePath } from '../../src/sqlite/database/files.ts';
import { migrate, missingSteps } from '../../src/sqlite/database/migrate.ts';
import { createFolders } from './folder.ts';

const { newFolder } = createFolders();

const make = { name: '0000_make', statements: ['CREATE TABLE a (id integer PRIMARY KEY)'] };
const fill = { name: '0001_fill', statements: ['INSERT INTO a VALUES (1)'] };
const link = {
  name: '0002_link',
  statements: ['CREATE TABLE b (a_id integer REFERENCES a (id))', 'INSERT INTO b VALUES (1)'],
};
const broken = {
  name: '0003_broken',
  statements: ['CREATE TABLE c (id)', 'INSERT INTO no VALUES'],
};
const orphan = { name: '0003_orphan', statements: ['INSERT INTO b VALUES (404)'] };

function fresh(): Database {
  const database = new Database(':memory:', { strict: true });
  database.run('PRAGMA foreign_keys = ON');
  return database;
}

/** Everything there is, schema and rows. */
function contents(database: Database): string {
  return database.serialize().toString('hex');
}

function foreignKeys(database: Database): unknown {
  return database.query('PRAGMA foreign_keys').get();
}

describe('migrations', () => {
  test('a new database gets every step of drizzle/, in order, and then none again', () => {
    const database = fresh();
    const files = readdirSync(join(import.meta.dir, '../../drizzle'));
    const names = files.filter((file) => file.endsWith('.sql')).map((file) => file.slice(0, -4));
    expect(migrate(database)).toEqual(names.sort());
    expect(migrate(database)).toEqual([]);
    expect(missingSteps(database)).toEqual([]);
    expect(database.query('PRAGMA integrity_check').values()).toEqual([['ok']]);
  });

  test('an older database gets what it lacks, each step once', () => {
    const database = fresh();
    expect(migrate(database, [make, fill])).toEqual(['0000_make', '0001_fill']);
    expect(missingSteps(database, [make, fill, link])).toEqual([link]);
    expect(migrate(database, [make, fill, link])).toEqual(['0002_link']);
    expect(database.query('SELECT count(*) FROM a').values()).toEqual([[1]]);
    expect(foreignKeys(database)).toEqual({ foreign_keys: 1 });
  });

  test.each([
    ['a statement fails', broken, /syntax error|incomplete input/],
    ['a reference would break', orphan, /break references/],
  ])('when %s, no step at all is applied', (_, bad, message) => {
    const database = fresh();
    migrate(database, [make]);
    const before = contents(database);
    expect(() => migrate(database, [make, fill, link, bad])).toThrow(message);
    expect(contents(database)).toBe(before);
    expect(foreignKeys(database)).toEqual({ foreign_keys: 1 });
  });

  test('a first start that fails leaves no table behind', () => {
    const database = fresh();
    expect(() => migrate(database, [make, broken])).toThrow();
    expect(database.query('SELECT name FROM sqlite_schema').values()).toEqual([]);
  });

  test('what another process applied in the meantime is not applied again', () => {
    const path = databasePath(newFolder());
    const faster = new Database(path, { strict: true });
    let first: string[] | undefined;
    const slower = new (class extends Database {
      // The first thing that is run after looking at what is missing.
      override run(sql: string) {
        first ??= migrate(faster, [make, fill]);
        return super.run(sql);
      }
    })(path, { strict: true });
    expect(migrate(slower, [make, fill, link])).toEqual(['0002_link']);
    expect(first).toEqual(['0000_make', '0001_fill']);
    expect(slower.query('SELECT count(*) FROM a').values()).toEqual([[1]]);
    slower.close();
    faster.close();
  });

  test('nobody else writes from the look at what is missing to the last step', () => {
    const path = databasePath(newFolder());
    const other = new Database(path, { strict: true });
    const said: string[] = [];
    const own = new (class extends Database {
      // The first thing that is run after that look.
      override run(sql: string) {
        if (sql.startsWith('CREATE TABLE IF NOT EXISTS migrations'))
          try {
            other.run('BEGIN IMMEDIATE');
          } catch (error) {
            said.push(String(error));
          }
        return super.run(sql);
      }
    })(path, { strict: true });
    expect(migrate(own, [make, fill])).toEqual(['0000_make', '0001_fill']);
    expect(said).toEqual([expect.stringContaining('database is locked')]);
    own.close();
    other.close();
  });

  test('steps that this program does not know are refused, wherever they stand', () => {
    const database = fresh();
    migrate(database, [make, fill, link]);
    for (const steps of [[make], [make, fill], [make, link], [make, fill, orphan]])
      expect(() => migrate(database, steps)).toThrow(DatabaseUnusable);
  });

  test('a table is rebuilt without its references being taken for deleted', () => {
    const database = fresh();
    migrate(database, [make, fill, link]);
    const rebuild = {
      name: '0003_rebuild',
      statements: [
        'CREATE TABLE a2 (id integer PRIMARY KEY, name text)',
        'INSERT INTO a2 (id) SELECT id FROM a',
        'DROP TABLE a',
        'ALTER TABLE a2 RENAME TO a',
      ],
    };
    expect(migrate(database, [make, fill, link, rebuild])).toEqual(['0003_rebuild']);
    expect(database.query('SELECT a_id FROM b').values()).toEqual([[1]]);
  });
});
