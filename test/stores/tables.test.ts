import { afterAll, expect, test } from 'bun:test';
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getTableColumns, getTableName, type Table } from 'drizzle-orm';
import * as postgres from '../../src/postgres/database/schema.ts';
import type { postgresColumns } from '../../src/sql/column-types.ts';
import type { columns } from '../../src/sqlite/database/schema.ts';
import * as sqlite from '../../src/sqlite/database/schema.ts';
import tsconfig from '../../tsconfig.json';

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

const root = join(import.meta.dir, '../..');
const folder = mkdtempSync(join(tmpdir(), 'waymark-mappings-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// A line of a mapping: the name in core, and a column or an expression.
const mappedColumn = /^ +\w+: (\w+\.\w+|sql[<`].*),$/gm;
// Or columns of a table under their own names.
const picked = /(?<=pick\(\w+,[^()]*)'\w+',?/g;

test('a mapping without one of its columns does not compile', async () => {
  for (const name of ['core', 'lib'])
    symlinkSync(join(root, 'src', name), join(folder, name), 'dir');
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir');
  symlinkSync(join(root, 'package.json'), join(folder, 'package.json'));
  cpSync(join(root, 'src/sql'), join(folder, 'sql'), { recursive: true });
  // The program is as it is in src/, with a copy of a file for each mapped column, without that column.
  const mutants: string[] = [];
  for (const noun of readdirSync(join(folder, 'sql'), { withFileTypes: true })) {
    if (!noun.isDirectory()) continue;
    for (const file of readdirSync(join(folder, 'sql', noun.name))) {
      const source = readFileSync(join(folder, 'sql', noun.name, file), 'utf8');
      for (const { 0: column, index } of [
        ...source.matchAll(mappedColumn),
        ...source.matchAll(picked),
      ]) {
        const mutant = `sql/${noun.name}/${file.replace('.ts', `.without-${index}.ts`)}`;
        const rest = source.slice(0, index) + source.slice(index + column.length);
        writeFileSync(join(folder, mutant), rest);
        mutants.push(mutant);
      }
    }
  }
  expect(mutants.length).toBeGreaterThan(50);
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        ...tsconfig.compilerOptions,
        preserveSymlinks: true,
        noUnusedLocals: false,
      },
      include: ['sql'],
    }),
  );
  const tsc = Bun.spawn([join(root, 'node_modules/.bin/tsc'), '--pretty', 'false'], {
    cwd: folder,
  });
  const output = await new Response(tsc.stdout).text();
  const failing = new Set(output.split('\n').map((line) => line.replace(/\(.*/, '')));
  expect(mutants.filter((mutant) => !failing.has(mutant))).toEqual([]);
  const others = [...failing].filter((file) => file.endsWith('.ts') && !mutants.includes(file));
  expect(others).toEqual([]);
});
