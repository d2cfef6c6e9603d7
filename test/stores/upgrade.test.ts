import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { databasePath } from '../../src/sqlite/database/open.ts';
import { openStore } from '../../src/sqlite/database/store.ts';
import { keptSchemas, unpack } from './fixtures/fixture.ts';
import { createFolders } from './folder.ts';

const { newFolder } = createFolders();

const steps = readdirSync(join(import.meta.dir, '../../drizzle'))
  .filter((file) => file.endsWith('.sql'))
  .map((file) => file.slice(0, -'.sql'.length))
  .sort();

/** Whatever rows had ids that are never given again has them still; those of the scan log may be. */
const kept = (table: string) => (table === 'sqlite_sequence' ? "WHERE name <> 'scan_log'" : '');

/** Every row of every table, as the columns of that time had it. */
function rowsOf(path: string, columnsOf?: Map<string, string[]>) {
  const database = new Database(path, { readonly: true });
  const names = (sql: string) =>
    database
      .query<{ name: string }, []>(sql)
      .all()
      .map(({ name }) => name);
  const tables = names(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'migrations'",
  );
  const columns =
    columnsOf ??
    new Map(
      tables.map((table) => [table, names(`SELECT name FROM pragma_table_info('${table}')`)]),
    );
  const rows = new Map(
    [...columns].map(([table, list]) => [
      table,
      database
        .query(
          `SELECT ${list.map((name) => `"${name}"`).join(', ')} FROM "${table}" ${kept(table)}`,
        )
        .values(),
    ]),
  );
  database.close();
  return { columns, rows };
}

test('a database of every schema but the newest is kept: see fixtures/make.ts', () => {
  expect(keptSchemas).toEqual(expect.arrayContaining(steps.slice(0, -1)));
});

describe.each(keptSchemas)('a database with the schema %s', (schema) => {
  test('is brought up to date without a row being lost or changed', async () => {
    const folder = join(newFolder(), 'data');
    await unpack(schema, folder);
    const path = databasePath(folder);
    const before = rowsOf(path);
    expect(before.rows.get('qrs')).toHaveLength(5);
    expect(before.rows.get('scan_log')?.length).toBeGreaterThan(0);

    const store = openStore(folder, { durability: 'power', busyTimeoutMs: 0 });
    expect(store.$client.query('PRAGMA integrity_check').values()).toEqual([['ok']]);
    expect(
      store.$client.query('SELECT name FROM migrations ORDER BY name').values().flat(),
    ).toEqual(steps);
    store.$client.close();
    expect(rowsOf(path, before.columns).rows).toEqual(before.rows);
  });
});
