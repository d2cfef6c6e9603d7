import { bigint, customType } from 'drizzle-orm/pg-core';

/** The column types of the schema. */

/** Bytes. */
export const bytea = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' });

/** Text that is ordered by its code points, whatever the collation of the database. */
export const text = customType<{ data: string }>({ dataType: () => 'text collate "C"' });

/** JSON as text, which comes back as it was stored. */
export const json = <T>(name?: string) =>
  customType<{ data: T; driverData: string }>({
    dataType: () => 'text',
    toDriver: (value) => JSON.stringify(value),
    // Only this type writes the column.
    fromDriver: (stored) => JSON.parse(stored) as T,
  })(name ?? '');

/** A whole number up to 2^53, such as milliseconds since 1970. */
export const integer = (name?: string) => bigint(name ?? '', { mode: 'number' });

/** A key that the database assigns, or that a copy of another database brings. */
export const id = () => integer('id').primaryKey().generatedByDefaultAsIdentity();
