import type { Database } from 'bun:sqlite';
import { DatabaseCorrupt } from '../../core/errors.ts';
import { countMigrations } from '../../lib/build/migrations.macro.ts' with { type: 'macro' };
import { newerDatabase, releasedConstraint, unreleasedDatabase } from '../storage.ts';

/** The number of the schema, which `PRAGMA user_version` of a database names. */
export const schemaVersion: number = countMigrations('drizzle');

// Its number of steps. Those of versions in between were never released, and count again.
const schemaOf1_1 = 19;

// "Waym", the `PRAGMA application_id` of Waymark's databases.
export const applicationId = 0x57_61_79_6d;

/**
 * Returns the number of steps that the schema of a database has; 0 for one without tables. Only reads.
 *
 * @param known the number of steps that there are
 * @throws DatabaseUnusable when the database is of a later version or not Waymark's
 */
export function readSchemaVersion(database: Database, known: number = schemaVersion): number {
  const tables = database.query('SELECT 1 FROM sqlite_schema LIMIT 1').all();
  if (tables.length === 0) return 0;
  const schema = pragma(database, 'user_version');
  if (pragma(database, 'application_id') !== applicationId || schema < 0)
    throw new DatabaseCorrupt(
      'The file is an SQLite database, but not one that this version of Waymark can read.',
      'it is not a database of Waymark',
    );
  if (schema > schemaOf1_1 && !hasReleasedSchema(database))
    throw unreleasedDatabase('The database');
  if (schema > known)
    throw newerDatabase('The database', { last: lastServerVersion(database), schema, known });
  return schema;
}

/** Returns whether a schema later than that of 1.1.0 is one of a release. */
function hasReleasedSchema(database: Database): boolean {
  const find = "SELECT 1 FROM sqlite_schema WHERE name = 'planned_changes' AND instr(sql, ?) > 0";
  return database.query(find).get(releasedConstraint) !== null;
}

/** Returns whether the schema of a database is of an earlier version. @throws as {@link readSchemaVersion} */
export function hasEarlierSchema(database: Database): boolean {
  return readSchemaVersion(database) < schemaVersion;
}

function pragma(database: Database, name: 'application_id' | 'user_version'): number {
  return database.query<Record<string, number>, []>(`PRAGMA ${name}`).get()?.[name] ?? 0;
}

/** Returns the version that served a database of any schema last, or null if it does not tell. */
function lastServerVersion(database: Database): string | null {
  const select = 'SELECT version FROM server_versions ORDER BY id DESC LIMIT 1';
  try {
    return database.query<{ version: string }, []>(select).get()?.version ?? null;
  } catch {
    return null;
  }
}
