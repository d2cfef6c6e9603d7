import { expect, test } from 'bun:test';
import { SQL } from 'bun';
import { getTableName, is } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { createStorage } from '../../src/compose/storage.ts';
import { snapshotTables } from '../../src/core/backups/snapshot.ts';
import { createRowChecks } from '../../src/core/backups/snapshot-values.ts';
import * as postgresTables from '../../src/postgres/database/schema.ts';
import * as sqliteTables from '../../src/sqlite/database/schema.ts';
import { hasPostgres, sharedPostgres } from '../support/postgres.ts';
import { addAccount, createFolders } from './folder.ts';

const { newFolder, openIn } = createFolders();
const copied: string[] = Object.keys(snapshotTables).sort();

test('a snapshot has every table of both databases', () => {
  const ofSqlite = Object.values({ ...sqliteTables, ...sqliteTables.tables }).flatMap(
    (value): string[] => (is(value, SQLiteTable) ? [getTableName(value)] : []),
  );
  const ofPostgres = Object.values({ ...postgresTables, ...postgresTables.tables }).flatMap(
    (value): string[] => (is(value, PgTable) ? [getTableName(value)] : []),
  );
  // The versions of the schema and of the redirects, the progress of a log, and limits are no content.
  const versions = ['waymark', 'redirect_version', 'redirect_steps', 'hit_progress'];
  const limits = ['rate_windows', 'throttles'];
  const isContent = (name: string) => ![...versions, ...limits].includes(name);
  expect(ofSqlite.filter(isContent).sort()).toEqual(copied);
  expect(ofPostgres.filter(isContent).sort()).toEqual(copied);
});

test('labels are checked in tables of versions that had fewer', () => {
  const columns = ['batch_id', 'row', 'name', 'problem'].map((name, at) => ({
    name,
    type: at < 2 ? ('integer' as const) : ('text' as const),
  }));
  const refused = createRowChecks().of('batch_rows', columns);
  expect(refused([1, 1, 'Table 7', null])).toBeNull();
  expect(refused([1, 2, 'Table\n7', 'A name is one line of text.'])).toBeNull();
  expect(refused([1, 3, 'Table\n7', null])).toBe(3);
});

test.skipIf(!hasPostgres)(
  'threat lists, rules and odd values survive the way there and back',
  async () => {
    const url = await (await sharedPostgres()).createDatabase();
    const folder = newFolder();
    const sqlite = openIn(folder);
    const { accountId } = await addAccount(sqlite, 'anna@example.com');
    const { $client } = sqlite;
    $client.run(
      `INSERT INTO threat_lists (id, source, list) VALUES (3, 'bad', '{"source":"bad"}'), (4, NULL, '{}')`,
    );
    $client.run("INSERT INTO threat_list_entries VALUES (3, x'00ff'), (3, x'0000'), (4, x'11')");
    $client.run(
      `INSERT INTO rules (id, expression, decision, added_at, note) VALUES (7, 'a.example/', 'block', 5, ?)`,
      ['\uFEFF\\N \\. \b\f\n\r\t\v quotes \' " \\ {} , and 漢字 🙂\n'],
    );
    $client
      .query(
        'INSERT INTO saved_designs (account_id, name, design_id, saved_at) VALUES (?, ?, 1, 2)',
      )
      .run(accountId, 'NULL');
    const from = await createStorage({ data: folder, databaseUrl: null });
    const over = await createStorage({ data: folder, databaseUrl: url });
    const back = await createStorage({ data: newFolder(), databaseUrl: null });
    const sql = new SQL(url, { max: 1 });
    const rows: Record<string, unknown[]>[] = [];
    for (const [source, target] of [
      [from, over],
      [over, back],
      [back, null],
    ] as const)
      await source.readSnapshot(async (snapshot) => {
        const content: Record<string, unknown[]> = {};
        for (const table of snapshot.tables)
          content[table.name] = (await Array.fromAsync(table.batches()))
            .flatMap(({ rows }) => rows)
            .map((row) =>
              row.map((value) => (value instanceof Uint8Array ? value.toHex() : value)),
            );
        rows.push(content);
        await target?.writeSnapshot(snapshot, { replace: false, verify: async () => {} });
        // A list that a copy is importing.
        if (target === over) await sql.unsafe("INSERT INTO threat_lists (list) VALUES ('{}')");
      });
    const [first, second, third] = rows;
    expect(first?.['threat_lists']).toEqual([[3, '{"source":"bad"}', 'bad']]);
    expect(first?.['threat_list_entries']).toEqual([
      ['0000', 3],
      ['00ff', 3],
    ]);
    expect(second).toEqual(first ?? {});
    expect(third).toEqual(first ?? {});
    // New rows get larger ids.
    const [added] = await sql.unsafe(
      "INSERT INTO rules (expression, decision, added_at, note) VALUES ('b/', 'allow', 1, '') RETURNING id",
    );
    expect(Number(added?.id)).toBe(8);
    await sql.close();
  },
);
