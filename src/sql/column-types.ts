import {
  bigint,
  boolean,
  check,
  customType,
  index,
  pgTable,
  primaryKey,
  smallint,
  uniqueIndex,
} from 'drizzle-orm/pg-core';

/** Creates a column of a whole number up to 2^53, such as milliseconds since 1970. */
const integer = (name: string) => bigint(name, { mode: 'number' });

/**
 * Replaces what PostgreSQL rejects in a text:
 * NUL and lone surrogates. No stored text has them, so none is found by them.
 */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}

/** JSON as text, which comes back as it was stored. */
export const jsonText = <T>() => ({
  dataType: () => 'text',
  toDriver: (value: T) => JSON.stringify(value),
  // Only this type writes the column.
  fromDriver: (stored: string) => JSON.parse(stored) as T,
});

/** What tables are defined with on PostgreSQL. SQLite has the same under the same names and types. */
export const postgresColumns = {
  table: pgTable,
  index,
  uniqueIndex,
  check,
  primaryKey,
  boolean,
  smallint,
  integer,
  /**
   * Creates the column of a key that the database assigns, or that a copy of another database brings.
   * Never reused.
   */
  id: () => integer('id').primaryKey().generatedByDefaultAsIdentity(),
  bytes: customType<{ data: Uint8Array }>({ dataType: () => 'bytea' }),
  /** Text that is ordered by its code points, whatever the collation of the database. */
  text: customType<{ data: string }>({
    dataType: () => 'text collate "C"',
    toDriver: storableText,
  }),
  json: <T>(name: string) => customType<{ data: T; driverData: string }>(jsonText<T>())(name),
};

/** See {@link postgresColumns}. */
export type Columns = typeof postgresColumns;
