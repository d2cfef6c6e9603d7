import { type SQL, sql } from 'drizzle-orm';
import type { DamageMonitor } from '../redirect/sqlite/damage.ts';
import {
  type Builder,
  columnsOf,
  type Dialect,
  isPlaceholder,
  type Operation,
  type Prepared,
  type Query,
  rowsOf,
  type Statement,
  type Values,
} from '../sql/dialect.ts';
import type { DrizzleConnection } from './database/drizzle.ts';
import { tables } from './database/schema.ts';
import { createWriteTransaction } from './database/write.ts';
import type { PendingHits } from './hits/folding.ts';

/** Steps of an operation here: they run when called, while those of PostgreSQL run when awaited. */
interface Step<Rows> {
  all(): Rows;
  run(): { readonly changes: number };
}

/** A statement that drizzle's `prepare` compiles. */
interface Preparable<Row> {
  prepare(): { all(values: Readonly<Record<string, unknown>>): Row[] };
}

// The casts between both are safe: drizzle's builders for bun:sqlite have the methods of those for PostgreSQL, and
// `all`, which also runs a statement without rows, and `run`, which returns what bun:sqlite does.
const asStep = <Rows>(statement: Statement<Rows>) => statement as unknown as Step<Rows>;
const asStatement = <Rows>(step: Pick<Step<Rows>, 'all'>) => step as unknown as Statement<Rows>;
const asBuilder = (builder: DrizzleConnection) => builder as unknown as Builder;
const asPreparable = <Row>(statement: Statement<Row[]>) => statement as unknown as Preparable<Row>;

/** Returns JSON whose texts SQLite decodes to what the driver stores: without lone surrogates. */
function toJson(value: readonly unknown[]): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'string' ? part.toWellFormed() : part,
  );
}

/** Runs all statements of an operation in this turn of the event loop. */
function runAll<Result>(operation: Operation<Result>): Result {
  let step = operation.next();
  while (!step.done) step = operation.next(asStep(step.value).all());
  return step.value;
}

/** What a process has beside the database. */
export interface DialectParts {
  /** Has the hits that are not in the counters yet. */
  readonly hits?: PendingHits;
  readonly damage?: Pick<DamageMonitor, 'rethrow'>;
}

/** Creates the dialect of SQLite on an open database. */
export function createSqliteDialect(
  connection: DrizzleConnection,
  { hits, damage }: DialectParts = {},
): Dialect {
  const db = asBuilder(connection);
  /**
   * Runs what reads or writes.
   * A failure that damage has caused is noted, and thrown as StoreUnavailable.
   */
  const withDamageNoted = <Result>(run: () => Result): Result => {
    try {
      return run();
    } catch (error) {
      if (damage === undefined) throw error;
      return damage.rethrow(error);
    }
  };
  const inSnapshot = hits?.inSnapshot;
  const reading = <Result>(read: () => Result) =>
    withDamageNoted(inSnapshot === undefined ? read : () => inSnapshot(read));
  const inWriteTransaction = createWriteTransaction(connection);
  const transaction = <Result>(operation: (db: Builder) => Operation<Result>) =>
    inWriteTransaction(() => reading(() => runAll(operation(db))));

  const prepare = <Row>(query: Query<Row>): Prepared<Row> => {
    let prepared: ReturnType<Preparable<Row>['prepare']> | undefined;
    const all = (values: Readonly<Record<string, unknown>>) => {
      prepared ??= asPreparable(query(db)).prepare();
      return prepared.all(values);
    };
    return {
      all: async (values) => reading(() => all(values)),
      within: (_, values) => rowsOf(asStatement({ all: () => all(values) })),
    };
  };
  const list = (values: Values) => {
    const shown = values.map((value) => (typeof value === 'object' ? value.toHex() : value));
    // Without the function that toJson has for each value.
    return typeof shown[0] === 'number' ? JSON.stringify(shown) : toJson(shown);
  };

  return {
    tables,
    read: async (operation) => reading(() => runAll(operation(db))),
    all: async (query) => reading(() => asStep(query(db)).all()),
    write: (statement) =>
      inWriteTransaction(() => withDamageNoted(() => asStep(statement(db)).run().changes)),
    transaction,
    changeRedirects: async (operation) => {
      // Triggers have recorded the codes.
      const { result } = await transaction(operation);
      return result;
    },
    prepare,
    prepareLookUp: prepare,
    *execute(builder, statement) {
      const { run } = builder as unknown as Pick<DrizzleConnection, 'run'>;
      yield asStatement({ all: () => run.call(builder, statement) });
    },
    *lock() {},
    locked: (query) => query,
    lockedOrSkipped: (query) => query,
    contains: (column, text) => sql`instr(${column}, ${text}) > 0`,
    isOneOf: (column, values) => {
      if ('getSQL' in values && !isPlaceholder(values)) return sql`${column} in ${values}`;
      const parameter = isPlaceholder(values) ? values : list(values);
      const value = sql.raw(column.getSQLType() === 'blob' ? 'unhex(value)' : 'value');
      return sql`${column} in (select ${value} from json_each(${parameter}))`;
    },
    list,
    bytesOf: (hex) => sql`unhex(${hex})`,
    tableOf: (name, rows, types) => {
      const columns = Object.keys(types).map(
        (column): SQL => sql`value ->> ${sql.raw(`'${column}'`)} as ${sql.identifier(column)}`,
      );
      return {
        from: sql`(select ${sql.join(columns, sql`, `)} from json_each(${toJson(rows)})) as ${sql.identifier(name)}`,
        columns: columnsOf(name, types),
      };
    },
    pendingHits: {
      scans: sql`null`,
      lastMs: sql`null`,
      join: (query) => query,
      ofCode: () => sql`(select 0 as kind, 0 as at, 0 as hits where false)`,
      inMemory: hits?.pending ?? (() => []),
    },
  };
}
