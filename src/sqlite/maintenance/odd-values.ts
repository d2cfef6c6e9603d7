import type { Database } from 'bun:sqlite';
import { getTableConfig, type SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core';
import * as safetySchema from '../database/safety-schema.ts';
import * as schema from '../database/schema.ts';

// The first few say enough; a broken page can make thousands.
const mostNamed = 5;

/** The last instant that a date can stand for, in milliseconds; no count comes near it. */
const largest = 8.64e15;

/**
 * Values that only damage writes, such as a negative count, or a text where a date is. SQLite keeps
 * anything in any column, so no check of its own finds them, and whoever asks for such a row, or for a
 * list that it is in, is told of a fault. Reads every row, which takes a second or two for a million
 * codes; the schema must be up to date.
 *
 * @returns where the first few are; empty where there are none
 */
export function findOutOfRangeValues(database: Database): string[] {
  const found: string[] = [];
  for (const table of Object.values<SQLiteTable>({ ...schema, ...safetySchema })) {
    const { name, columns } = getTableConfig(table);
    const tests = columns.map((column) => `WHEN ${isOdd(column)} THEN '${column.name}'`);
    const odd = database.query<{ row: number; column: string }, [number]>(
      `SELECT * FROM (SELECT rowid AS row, CASE ${tests.join(' ')} END AS column FROM ${name})
         WHERE column IS NOT NULL LIMIT ?`,
    );
    for (const { row, column } of odd.all(mostNamed - found.length))
      found.push(`${column} in the row ${row} of ${name}`);
  }
  return found;
}

/** A condition in SQL that holds for what is never written to a column. */
function isOdd(column: SQLiteColumn): string {
  const { name, notNull } = column;
  const type = column.getSQLType();
  const odd = [`typeof(${name}) <> '${type}'`];
  // A plan may have ended before 1970; everything else is counted from 0, or happened since.
  if (type === 'integer')
    odd.push(`${name} NOT BETWEEN ${name === 'plan_until' ? -largest : 0} AND ${largest}`);
  if (name === 'logo_fit') odd.push(`NOT json_valid(${name})`);
  return `${notNull ? '' : `${name} IS NOT NULL AND `}(${odd.join(' OR ')})`;
}
