import { Database } from 'bun:sqlite';
import { closeSync, openSync, statSync } from 'node:fs';
import { withFileErrors } from '../../lib/errors.ts';
import { renameIntoPlace } from '../../lib/files/durable.ts';
import { removeOnSignal, removeTemporaryFiles, temporaryPath } from '../../lib/files/temporary.ts';
import { removeDatabase } from '../../redirect/sqlite/files.ts';
import { createSchemaLike } from '../database/migrate.ts';
import { rejectExisting, rejectOverwrite } from './overwrite-guard.ts';

/**
 * Writes a database into a file that gets its name once it is complete, in steps.
 * Only its owner can read it at any time.
 *
 * @param options.dataFolder whose own files are never replaced
 * @param options.replace whether an existing file may be replaced
 * @param write writes to the path of an empty file
 * @throws FileError, and what `write` throws; there is no file then
 */
export function* writeNewDatabase<T extends object>(
  file: string,
  { dataFolder, replace }: { dataFolder: string; replace: boolean },
  write: (temporary: string) => Generator<void, T>,
): Generator<void, T & { bytes: number }> {
  rejectOverwrite(dataFolder, file);
  if (!replace) rejectExisting(file);
  removeTemporaryFiles(file);
  const temporary = temporaryPath(file);
  const unwritable = `${file} cannot be written`;
  const release = removeOnSignal(temporary);
  try {
    withFileErrors(unwritable, () => closeSync(openSync(temporary, 'wx', 0o600)));
    const result = yield* write(temporary);
    yield;
    withFileErrors(unwritable, () => renameIntoPlace(temporary, file));
    return { ...result, bytes: statSync(file).size };
  } finally {
    removeDatabase(temporary);
    release();
  }
}

/**
 * Creates the schema that another database has in an empty file, and fills it.
 * If that is interrupted, the file has to be removed.
 */
export function fillSchemaLike<T>(
  source: Database,
  path: string,
  fill: (database: Database) => T,
): T {
  const database = new Database(path, { readwrite: true, strict: true });
  try {
    database.run('PRAGMA journal_mode = OFF');
    database.run('PRAGMA synchronous = OFF');
    createSchemaLike(database, source);
    database.run('PRAGMA foreign_keys = OFF');
    return fill(database);
  } finally {
    database.close();
  }
}

/**
 * Drops the indexes of an empty database. Indexing all rows at once takes a fraction of the time.
 *
 * @param kind `not unique` keeps unique indexes, which refuse a row that is there twice
 * @returns a function that creates the dropped indexes again
 */
export function dropIndexes(database: Database, kind: 'all' | 'not unique'): () => void {
  const indexes = database
    .query<{ name: string; sql: string }, [string]>(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL AND sql NOT LIKE ?",
    )
    .all(kind === 'all' ? '' : 'CREATE UNIQUE %');
  for (const { name } of indexes) database.run(`DROP INDEX "${name}"`);
  return () => {
    for (const { sql } of indexes) database.run(sql);
  };
}
