import {
  type Column,
  getTableColumns,
  is,
  Placeholder,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm';
import type { BunSQLDatabase } from 'drizzle-orm/bun-sql';
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { HitKind } from '../core/scans/hit.ts';
import type { HitCount } from '../core/scans/hit-counts.ts';
import type { Tables } from './tables.ts';

/** Builds statements, with the types that drizzle has for PostgreSQL. */
export type Builder = Pick<
  BunSQLDatabase,
  'select' | 'selectDistinct' | 'insert' | 'update' | 'delete'
>;

/**
 * A statement of a {@link Builder}.
 * It runs when it is yielded by an operation or passed to a dialect.
 */
export type Statement<Rows> = PromiseLike<Rows>;

/**
 * Statements, one after the other.
 * SQLite runs them all in one turn of the event loop, so nothing comes between them and nothing but statements can be
 * waited for; PostgreSQL awaits each. Without it, each store would be written twice: a transaction of bun:sqlite ends at
 * the first await.
 */
export type Operation<Result> = Generator<Statement<unknown>, Result, unknown>;

/** Runs a statement of an operation and returns its rows. */
export function* rowsOf<Row>(statement: Statement<Row[]>): Operation<Row[]> {
  // The cast is safe: a dialect returns the rows of the statement that is yielded.
  return (yield statement) as Row[];
}

/** Runs a statement of an operation and returns its first row, or null. */
export function* rowOf<Row>(statement: Statement<Row[]>): Operation<Row | null> {
  return (yield* rowsOf(statement))[0] ?? null;
}

/** Runs a statement of an operation and returns whether it has rows. */
export function* hasRow(statement: Statement<unknown[]>): Operation<boolean> {
  return (yield* rowsOf(statement)).length > 0;
}

/** Runs an INSERT of one row and returns its RETURNING. */
export function* insertedRow<Row>(statement: Statement<Row[]>): Operation<Row> {
  const row = yield* rowOf(statement);
  if (row === null) throw new Error('an INSERT has returned no row');
  return row;
}

/** Returns the first of the rows that a query finds, or null. */
export async function firstOf<Row>(rows: Promise<Row[]>): Promise<Row | null> {
  return (await rows)[0] ?? null;
}

/** Returns some columns of a table, by their names, for a SELECT. */
export function pick<Table, Name extends keyof Table>(
  table: Table,
  ...names: readonly [Name, ...Name[]]
) {
  // The cast is safe: the entries have these names.
  return Object.fromEntries(names.map((name) => [name, table[name]])) as Pick<Table, Name>;
}

/** Tells a parameter of a prepared query from a value. */
export function isPlaceholder(value: unknown): value is Placeholder {
  return is(value, Placeholder);
}

/**
 * Returns the parameters of a prepared INSERT or UPDATE, by the names of its values.
 * They are passed as the driver takes them: no column encodes a null as what it is not.
 */
export function parameters<Name extends string>(...names: readonly Name[]): Record<Name, SQL> {
  // The cast is safe: the entries have these names.
  return Object.fromEntries(names.map((name) => [name, sql`${sql.placeholder(name)}`])) as Record<
    Name,
    SQL
  >;
}

/** Values of a column that are passed together, as one parameter. */
export type Values = readonly string[] | readonly number[] | readonly Uint8Array[];

/**
 * Rows that are the parameter of a statement.
 * A table for its FROM clause, and the columns of the table.
 */
interface RowTable<Name extends string> {
  readonly from: SQL;
  readonly columns: Readonly<Record<Name, SQL>>;
}

/**
 * Hits that are committed and not in the counters yet.
 * On PostgreSQL they are read by the statement that reads the counters, so that it sees each hit once. The process that
 * has an SQLite database open has them in memory.
 */
export interface PendingHits {
  /** Scans of a code and the time of the last, of a query that {@link join} has extended. Null for none. */
  readonly scans: SQL<number | null>;
  readonly lastMs: SQL<number | null>;
  /** Joins the pending scans of codes to a query that selects from the codes. */
  join<Query>(query: Query, ids: Values | SQLWrapper): Query;
  /** Returns the pending hits of a code for a FROM clause, with the columns `kind`, `at` and `hits`. */
  ofCode(qrId: number): SQL;
  /** Returns the pending hits of a code and kind that are in memory, by hour. */
  inMemory(qrId: number, kind: HitKind): readonly Readonly<HitCount>[];
}

/**
 * Builds an INSERT of selected values.
 * Drizzle's needs all columns, also a key that the database assigns.
 */
export function insertFrom<Table extends PgTable>(
  table: Table,
  values: { readonly [Name in keyof Table['$inferInsert']]: SQL | Column },
  from: SQL,
): SQL {
  const columns: Readonly<Record<string, Column>> = getTableColumns(table);
  const names = Object.keys(values).map((name) => sql.identifier(columns[name]?.name ?? name));
  const selected = Object.values<SQL | Column>(values);
  return sql`insert into ${table} (${sql.join(names, sql`, `)}) select ${sql.join(selected, sql`, `)} from ${from}`;
}

/** The result of a transaction, and the codes whose redirect it may have changed. */
export interface RedirectChange<Result> {
  readonly codes: readonly string[];
  readonly result: Result;
}

/** A query whose SQL is built and compiled once. */
export interface Prepared<Row> {
  /** Runs it and returns the rows. A missing value of a placeholder is an error. */
  all(values: Readonly<Record<string, unknown>>): Promise<Row[]>;
  /** Runs it as a step of an operation. */
  within(db: Builder, values: Readonly<Record<string, unknown>>): Operation<Row[]>;
}

/** A query that can be prepared. Its parameters are placeholders. */
export type Query<Row> = (db: Builder) => Statement<Row[]> & {
  prepare(name: string): { execute(values?: Record<string, unknown>): Promise<Row[]> };
};

/**
 * A database. What SQLite and PostgreSQL do in different ways is here and nowhere else in sql/.
 *
 * Everything that writes rejects with StoreUnavailable when the database cannot be written now; on PostgreSQL
 * reads do so as well when it cannot be reached.
 */
export interface Dialect {
  readonly tables: Tables;
  /** Runs an operation that only reads. On PostgreSQL each statement may see another state. */
  read<Result>(operation: (db: Builder) => Operation<Result>): Promise<Result>;
  /** Runs a single SELECT. */
  all<Row>(query: (db: Builder) => Statement<Row[]>): Promise<Row[]>;
  /** Runs a single statement that writes, and returns the number of rows that it has written. */
  write(statement: (db: Builder) => Statement<unknown>): Promise<number>;
  /** Runs an operation in a transaction, which is rolled back when it throws. */
  transaction<Result>(operation: (db: Builder) => Operation<Result>): Promise<Result>;
  /**
   * Runs a transaction that changes what short links do.
   * When it resolves, every redirect that begins follows the change, in any process.
   */
  changeRedirects<Result>(
    operation: (db: Builder) => Operation<RedirectChange<Result>>,
  ): Promise<Result>;

  /** Prepares a query at its first use: what requests run most takes a fifth of the CPU on SQLite. */
  prepare<Row>(query: Query<Row>): Prepared<Row>;
  /** Prepares a look-up by a key. On PostgreSQL it has connections of its own, see `Connection.lookUps`. */
  prepareLookUp<Row>(query: Query<Row>): Prepared<Row>;

  /** Runs SQL that drizzle cannot build and whose result is not needed. */
  execute(db: Builder, statement: SQL): Operation<void>;
  /**
   * Makes other transactions that lock the key wait until the end of this one.
   * SQLite has one writer anyway.
   */
  lock(db: Builder, key: string): Operation<void>;
  /**
   * Locks the selected rows against changes until the end of the transaction.
   * SQLite has one writer anyway.
   */
  locked<Selected>(query: Selected): Selected;
  /** Does the same, and leaves out rows that another transaction has locked. */
  lockedOrSkipped<Selected>(query: Selected): Selected;

  /** Tells whether a column contains a text, with regard to case. */
  contains(column: AnyPgColumn, text: string): SQL<boolean>;
  /**
   * Tells whether a column has one of the values, or of the rows of a SELECT.
   * A list is one parameter, however long.
   */
  isOneOf(column: AnyPgColumn, values: Values | SQLWrapper): SQL<boolean>;
  /** Returns what a prepared query gets for a list of values. */
  list(values: Values): string;
  /**
   * Returns rows as a table of a FROM clause, however many: they are one parameter.
   *
   * @param types of its columns, which are named as the keys
   */
  tableOf<Name extends string>(
    name: string,
    rows: readonly Readonly<Record<NoInfer<Name>, string | number | null>>[],
    types: Readonly<Record<Name, 'text' | 'integer'>>,
  ): RowTable<Name>;
  /** Returns the bytes of a text in hexadecimal. */
  bytesOf(hex: SQL): SQL<Uint8Array>;
  readonly pendingHits: PendingHits;
}

/** Returns the columns of a table that a statement gets as rows, by their names. */
export function columnsOf<Name extends string>(
  table: string,
  types: Readonly<Record<Name, unknown>>,
): Record<Name, SQL> {
  const names = Object.keys(types) as Name[];
  const column = (name: Name) => [name, sql`${sql.identifier(table)}.${sql.identifier(name)}`];
  // The cast is safe: the entries have the keys of `types`.
  return Object.fromEntries(names.map(column)) as Record<Name, SQL>;
}
