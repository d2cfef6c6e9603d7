import { expect, test } from 'bun:test';
import { getTableColumns, getTableName, type Table } from 'drizzle-orm';
import * as postgres from '../../src/postgres/database/schema.ts';
import type { postgresColumns } from '../../src/sql/column-types.ts';
import type { columns } from '../../src/sqlite/database/schema.ts';
import * as sqlite from '../../src/sqlite/database/schema.ts';

/** What a column gives a row and takes from an insert. */
type Types<Column> = Column extends {
  _: { data: infer Data; notNull: infer NotNull; hasDefault: infer HasDefault };
}
  ? { data: Data; notNull: NotNull; hasDefault: HasDefault }
  : never;
type Same<One, Other> =
  (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;
/** `true` if a column has the same types on both databases. A value of it fails to compile otherwise. */
type Equal<One, Other> = Same<Types<One>, Types<Other>>;

// The tables are defined once, with the types of PostgreSQL, so equal columns make equal rows.
const equal: {
  id: Equal<ReturnType<typeof columns.id>, ReturnType<typeof postgresColumns.id>>;
  boolean: Equal<ReturnType<typeof columns.boolean>, ReturnType<typeof postgresColumns.boolean>>;
  smallint: Equal<ReturnType<typeof columns.smallint>, ReturnType<typeof postgresColumns.smallint>>;
  integer: Equal<ReturnType<typeof columns.integer>, ReturnType<typeof postgresColumns.integer>>;
  bytes: Equal<ReturnType<typeof columns.bytes>, ReturnType<typeof postgresColumns.bytes>>;
  text: Equal<ReturnType<typeof columns.text>, ReturnType<typeof postgresColumns.text>>;
  json: Equal<
    ReturnType<typeof columns.json<{ a: 1 }>>,
    ReturnType<typeof postgresColumns.json<{ a: 1 }>>
  >;
} = { id: true, boolean: true, smallint: true, integer: true, bytes: true, text: true, json: true };

test('both databases have the same columns, and rows of the same types', () => {
  expect(Object.keys(equal)).toHaveLength(7);
  const describe = (table: Table) => [
    getTableName(table),
    Object.entries(getTableColumns(table)).map(([key, { name, notNull, hasDefault, primary }]) => ({
      key,
      name,
      notNull,
      // SQLite assigns the key of a row without being told to.
      hasDefault: primary || hasDefault,
    })),
  ];
  expect(Object.values(sqlite.tables).map(describe)).toEqual(
    Object.values(postgres.tables).map(describe),
  );
});
