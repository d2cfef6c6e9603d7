import {
  and,
  asc,
  count,
  desc,
  eq,
  gt,
  gte,
  isNull,
  lt,
  lte,
  or,
  type Placeholder,
  type SQL,
  sql,
} from 'drizzle-orm';
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { CodeFilter, CodeSort, ListCursor } from '../../core/codes/ports.ts';
import { createCache } from '../../lib/cache.ts';
import type { Builder, Dialect, Operation, Prepared, Query } from '../dialect.ts';
import { inParts } from '../parts.ts';
import type { Tables } from '../tables.ts';

/** A filter whose values may be parameters of a prepared statement. */
type AnyFilter = { readonly [Name in keyof CodeFilter]: CodeFilter[Name] | Placeholder };

/** Entries of an index that a statement counts: some milliseconds. */
const countedPerStep = 50_000;

/** Fields that have an index `qrs_by_…` in tables.ts. A filter is read along that of its first one. */
const indexedFields = ['folder', 'designId', 'status'] as const;

type Conditions = {
  readonly [Name in keyof CodeFilter]-?: (
    value: Exclude<CodeFilter[Name], undefined> | Placeholder,
  ) => SQL | undefined;
};

/**
 * Returns the condition of each field of a filter, on a row of `qrs` that is joined with its counters.
 * A new filter needs its field in `CodeFilter` and its line here; with an index, its name in {@link indexedFields} as
 * well.
 */
function conditionsOn({ flags, qrs, scanCounters }: Tables): Conditions {
  const { scans, lastScanMs } = scanCounters;
  return {
    isArchived: (value) => eq(qrs.isArchived, value),
    status: (value) => eq(qrs.status, value),
    folder: (value) => (value === null ? isNull(qrs.folder) : eq(qrs.folder, value)),
    designId: (value) => eq(qrs.designId, value),
    isFlagged: () => sql`${qrs.id} in (select ${flags.qrId} from ${flags})`,
    isNeverScanned: () => sql`coalesce(${scans}, 0) = 0`,
    quietSinceMs: (value) => and(gt(scans, 0), lt(lastScanMs, value)),
  };
}

/** An index of codes. They are read in its order: by `major`, and where that is equal, by `minor`. */
export interface ListIndex {
  /** The order of lists that it has; null for none. */
  readonly sort: CodeSort | null;
  /** What a filter asks for beside it. */
  readonly rest: SQL | undefined;
  readonly table: PgTable;
  readonly id: AnyPgColumn;
  readonly where: SQL | undefined;
  readonly major: AnyPgColumn;
  readonly isMajorDescending: boolean;
  readonly minor: AnyPgColumn;
  /** Before the first code. */
  readonly start: ListCursor;
}

const { placeholder } = sql;
const owner = placeholder('accountId');
/** The cursor before the newest code. */
const beforeNewest: ListCursor = { major: Number.MAX_SAFE_INTEGER, minor: '' };

/**
 * Returns the index along which a list is read.
 * One of the filter, or else of the order, or that of all codes.
 *
 * @param sort `always newest` for the codes in that order, also where another index has fewer codes
 */
function chooseIndex(
  tables: Tables,
  filter: AnyFilter,
  sort: CodeSort | 'always newest',
): ListIndex {
  const { flags, qrs } = tables;
  const conditions = conditionsOn(tables);
  const conditionOf = (name: keyof CodeFilter, value: unknown) =>
    // The cast is safe: the value is that of the name.
    (conditions[name] as (value: unknown) => SQL | undefined)(value);
  const asked = { isArchived: false, ...filter };
  const allBut = (...names: (keyof CodeFilter | undefined)[]) =>
    and(
      ...Object.entries(asked).map(([name, value]) =>
        names.some((one) => one === name)
          ? undefined
          : conditionOf(name as keyof CodeFilter, value),
      ),
    );
  if (filter.isFlagged && sort !== 'always newest')
    return {
      sort: null,
      // A plus keeps the indexes of the account out: the flagged codes are looked up one by one.
      rest: and(sql`+${qrs.accountId} = ${owner}`, allBut('isFlagged')),
      ...{ table: flags, id: flags.qrId, where: undefined },
      ...{ major: flags.qrId, isMajorDescending: true, minor: flags.qrId },
      start: { major: Number.MAX_SAFE_INTEGER, minor: Number.MAX_SAFE_INTEGER },
    };
  const field = indexedFields.find((name) => filter[name] !== undefined);
  const listed = {
    ...{ table: qrs, id: qrs.id },
    rest: allBut('isArchived', field),
    where: and(
      eq(qrs.accountId, owner),
      conditionOf('isArchived', asked.isArchived),
      field && conditionOf(field, filter[field]),
    ),
  };
  if (sort === 'name' && field === undefined)
    return {
      ...listed,
      sort,
      ...{ major: qrs.nameKey, isMajorDescending: false, minor: qrs.id },
      start: { major: '', minor: 0 },
    };
  return {
    ...listed,
    sort: 'newest',
    ...{ major: qrs.createdAtMs, isMajorDescending: true, minor: qrs.code },
    start: beforeNewest,
  };
}

/** Returns the index of all codes of an account, archived ones included, newest first. */
export function indexOfAll({ qrs }: Tables): ListIndex {
  return {
    sort: 'newest',
    rest: undefined,
    ...{ table: qrs, id: qrs.id, where: eq(qrs.accountId, owner) },
    ...{ major: qrs.createdAtMs, isMajorDescending: true, minor: qrs.code },
    start: beforeNewest,
  };
}

/** Returns the order of an index, or the opposite one. */
export function orderOf(
  { major, isMajorDescending, minor }: ListIndex,
  { isReversed = false } = {},
): SQL {
  const order = isMajorDescending === isReversed ? asc(major) : desc(major);
  return sql`${order}, ${isReversed ? desc(minor) : asc(minor)}`;
}

/**
 * Returns a SELECT of the next codes of an index after the cursor of the parameters.
 * Its columns are `id`, `major` and `minor`.
 */
export function rowsAfter(index: ListIndex): SQL {
  const { table, id, where, major, isMajorDescending, minor } = index;
  const from = placeholder('major');
  const after = placeholder('minor');
  const isAfter = and(
    where,
    // Repeats a part of the next, so that the index is used.
    (isMajorDescending ? lte : gte)(major, from),
    or((isMajorDescending ? lt : gt)(major, from), gt(minor, after)),
  );
  return sql`select ${id} as id, ${major} as major, ${minor} as minor from ${table}
    where ${isAfter} order by ${orderOf(index)}`;
}

/** A filter whose statements are prepared once for all filters of its fields. */
export interface PreparedFilter {
  readonly index: ListIndex;
  /** Its values, for the parameters of its statements. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Prepares a statement, or returns the one that was prepared under a name. */
  prepare<Row>(name: string, query: (db: Builder) => ReturnType<Query<Row>>): Prepared<Row>;
  /** Counts the codes of the index, in steps. Returns null when there are more than `max`. */
  count(max: number): Promise<number | null>;
  /** Returns the ids of a page of the index, in its order or the opposite one. */
  page(limit: number, offset: number, options?: { isReversed: boolean }): Promise<number[]>;
  /** Returns the cursor after some rows of the index; null when there are no more. */
  cursorAfter(db: Builder, cursor: ListCursor, rows: number): Operation<ListCursor | null>;
}

/**
 * Returns what reads the values of a column in an index.
 * The cast is safe: these are numbers and texts.
 */
const readValue = (column: AnyPgColumn) => (value: unknown) =>
  column.mapFromDriverValue(value) as number | string;

// As many as people use. Each has a few statements.
const maxShapes = 100;

/**
 * Creates a function that returns a filter with its index and its prepared statements.
 * See {@link chooseIndex}.
 */
export function createFilters({ tables, prepare, read }: Dialect) {
  const shapes = createCache<
    string,
    { index: ListIndex; prepared: Map<string, Prepared<unknown>> }
  >(maxShapes);
  return (
    accountId: number,
    filter: CodeFilter,
    sort: CodeSort | 'always newest',
  ): PreparedFilter => {
    // What is only switched on has no value; what is switched off is not asked for.
    const fields = Object.entries(filter).filter(
      ([name, value]) => value !== undefined && (value !== false || name === 'isArchived'),
    );
    const isValue = (value: unknown) => typeof value === 'number' || typeof value === 'string';
    const shape = JSON.stringify([
      sort,
      fields.map(([name, value]) => [name, isValue(value) ? '?' : value]),
    ]);
    const { index, prepared } = shapes.getOrInsertComputed(shape, () => {
      const asked = fields.map(([name, value]) => [
        name,
        isValue(value) ? placeholder(name) : value,
      ]);
      // The cast is safe: the entries have the names of the filter.
      const shaped = Object.fromEntries(asked) as AnyFilter;
      return { index: chooseIndex(tables, shaped, sort), prepared: new Map() };
    });
    const values = { accountId, ...Object.fromEntries(fields) };
    const prepareAs = <Row>(name: string, query: (db: Builder) => ReturnType<Query<Row>>) => {
      // The cast is safe: a name stands for one query, which has these rows.
      const found = prepared.get(name) as Prepared<Row> | undefined;
      const statement = found ?? prepare(query);
      prepared.set(name, statement);
      return statement;
    };
    function* cursorAfter(db: Builder, cursor: ListCursor, rows: number) {
      const last = prepareAs<ListCursor>('cursor', (db) =>
        db
          .select({
            major: sql`major`.mapWith(readValue(index.major)),
            minor: sql`minor`.mapWith(readValue(index.minor)),
          })
          .from(sql`(${rowsAfter(index)} limit 1 offset ${placeholder('others')}) as last`),
      );
      const [row] = yield* last.within(db, { ...values, ...cursor, others: rows - 1 });
      return row === undefined ? null : { major: row.major, minor: row.minor };
    }
    return {
      index,
      values,
      prepare: prepareAs,
      cursorAfter,
      count: async (max) => {
        const counted = prepareAs('count', (db) =>
          db
            .select({ codes: count() })
            .from(sql`(${rowsAfter(index)} limit ${placeholder('limit')}) as counted`),
        );
        let codes = 0;
        await inParts(index.start, (cursor: ListCursor) =>
          read(function* (db) {
            const limit = Math.min(countedPerStep, max + 1 - codes);
            const [row] = yield* counted.within(db, { ...values, ...cursor, limit });
            codes += row?.codes ?? 0;
            if (codes > max || row?.codes !== limit) return null;
            return yield* cursorAfter(db, cursor, limit);
          }),
        );
        return codes > max ? null : codes;
      },
      page: async (limit, offset, { isReversed } = { isReversed: false }) => {
        const page = prepareAs(`page ${isReversed}`, (db) =>
          db
            .select({ id: sql`${index.id}`.mapWith(Number) })
            .from(index.table)
            .where(index.where)
            .orderBy(orderOf(index, { isReversed }))
            .limit(placeholder('limit'))
            .offset(placeholder('offset')),
        );
        return (await page.all({ ...values, limit, offset })).map(({ id }) => id);
      },
    };
  };
}
