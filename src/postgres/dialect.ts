import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { Stores } from '../core/storage.ts';
import type { Connection } from '../redirect/postgres/connection.ts';
import { withStoreErrors } from '../redirect/postgres/errors.ts';
import { storableText } from '../sql/column-types.ts';
import {
  type Builder,
  columnsOf,
  type Dialect,
  isPlaceholder,
  type Operation,
  type Query,
  rowsOf,
  type Values,
} from '../sql/dialect.ts';
import { createSqlStores } from '../sql/stores.ts';
import { createChangeRedirects } from './change-redirects.ts';
import { type DrizzleConnection, type Transaction, withDrizzle } from './database/drizzle.ts';
import { tables } from './database/schema.ts';
import { createPendingHits } from './scans/pending.ts';

/** Awaits the statements of an operation, one after the other. */
async function runAll<Result>(operation: Operation<Result>): Promise<Result> {
  let step = operation.next();
  while (!step.done) step = operation.next(await step.value);
  return step.value;
}

/** Locks of a select. */
interface Lockable {
  for(strength: 'no key update', config?: { skipLocked: true }): this;
}

/** Returns values in the notation of PostgreSQL's arrays. */
function arrayLiteral(values: Values): string {
  const elements = values.map((value) => {
    if (typeof value === 'number') return value;
    const text = typeof value === 'string' ? storableText(value) : `\\x${value.toHex()}`;
    return `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
  });
  return `{${elements.join()}}`;
}

/**
 * Returns values as an array.
 * With one, PostgreSQL uses an index whatever their number, also for a SELECT.
 */
function arrayOf(values: Values | SQLWrapper, type: string): SQL {
  if ('getSQL' in values && !isPlaceholder(values)) return sql`array(${values})`;
  return sql`${isPlaceholder(values) ? values : arrayLiteral(values)}::${sql.raw(type)}[]`;
}

/** Does for the parameters of a prepared query what columns do for those of others. */
function storable(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const encoded = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'string' ? storableText(value) : value,
  ]);
  return Object.fromEntries(encoded);
}

/** Creates the stores of a database. While it does not respond, they reject with StoreUnavailable. */
export function createStores(connection: Connection): Stores {
  return createSqlStores(createPostgresDialect(connection));
}

function createPostgresDialect(connection: Connection): Dialect {
  const drizzle = withDrizzle(connection.sql);
  const lookUps = withDrizzle(connection.lookUps);
  const changeRedirects = createChangeRedirects(drizzle, lookUps, connection);
  const prepareOn =
    (pool: DrizzleConnection) =>
    <Row>(query: Query<Row>) => {
      let built: ReturnType<ReturnType<Query<Row>>['prepare']> | undefined;
      const prepared = () => {
        built ??= query(pool).prepare('');
        return built;
      };
      return {
        all: (values: Readonly<Record<string, unknown>>) =>
          withStoreErrors(() => prepared().execute(storable(values))),
        within: (db: Builder, values: Readonly<Record<string, unknown>>) =>
          rowsOf(onSessionOf(db, prepared()).execute(storable(values))),
      };
    };

  return {
    tables,
    read: (operation) => withStoreErrors(() => runAll(operation(drizzle))),
    all: (query) => withStoreErrors(() => query(drizzle)),
    write: async (statement) => {
      // The driver's result is an array with the number of rows.
      const result = await withStoreErrors(() => statement(drizzle), true);
      return (result as { readonly count: number }).count;
    },
    transaction: (operation) =>
      withStoreErrors(() => drizzle.transaction((transaction) => runAll(operation(transaction)))),
    changeRedirects: (operation) =>
      withStoreErrors(() => changeRedirects((transaction) => runAll(operation(transaction)))),
    prepare: prepareOn(drizzle),
    prepareLookUp: prepareOn(lookUps),
    execute,
    lock: (db, key) =>
      execute(db, sql`select pg_advisory_xact_lock(hashtextextended(${storableText(key)}, 0))`),
    locked: (query) => lockable(query).for('no key update'),
    lockedOrSkipped: (query) => lockable(query).for('no key update', { skipLocked: true }),
    contains: (column, text) => sql`position(${storableText(text)} in ${column}) > 0`,
    isOneOf: (column, values) => {
      const type = column.getSQLType();
      return sql`${column} = any(${arrayOf(values, type === 'bigint' || type === 'bytea' ? type : 'text')})`;
    },
    list: arrayLiteral,
    bytesOf: (hex) => sql`decode(${hex}, 'hex')`,
    tableOf: (name, rows, types) => {
      const columns = Object.entries(types).map(
        ([column, type]): SQL =>
          sql`${sql.identifier(column)} ${sql.raw(type === 'text' ? 'text collate "C"' : 'bigint')}`,
      );
      const json = JSON.stringify(rows, (_, value: unknown) =>
        typeof value === 'string' ? storableText(value) : value,
      );
      return {
        from: sql`json_to_recordset(${json}::text::json) as ${sql.identifier(name)} (${sql.join(columns, sql`, `)})`,
        columns: columnsOf(name, types),
      };
    },
    pendingHits: createPendingHits(arrayOf),
  };
}

/**
 * Returns a prepared query that runs on the connection of a transaction.
 * Building it again takes as long as it runs.
 */
function onSessionOf<Prepared extends object>(db: Builder, prepared: Prepared): Prepared {
  // The cast is safe: operations get a drizzle or a transaction, whose sessions have the client that queries run on.
  const { client } = (db as unknown as { readonly session: { readonly client: unknown } }).session;
  // The cast is safe: it is the same query, but for the client.
  return Object.create(prepared, { client: { value: client } }) as Prepared;
}

// The casts are safe: operations get a drizzle or a transaction, and lock what they select.
function* execute(db: Builder, statement: SQL): Operation<void> {
  yield (db as Transaction).execute(statement);
}
const lockable = <Selected>(query: Selected) => query as Selected & Lockable;
