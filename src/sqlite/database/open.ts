import { Database, SQLiteError } from 'bun:sqlite';
import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { BunSQLiteDatabase } from 'drizzle-orm/bun-sqlite';
import { errnoMessage } from '../../lib/errors.ts';
import { DatabaseCorrupt, DatabaseUnusable, damaged, migrate, missingSteps } from './migrate.ts';
import { isBusy, isUnwritable } from './write.ts';

/** The open database: drizzle's view of it, and through `$client` the connection itself. */
export type Store = BunSQLiteDatabase & { $client: Database };

/** The connection alone: what redirects and checks write out for the driver needs no drizzle. */
export type Connection = Pick<Store, '$client'>;

/** `power`: an answered write survives a power cut. `process`: it survives a crash of the process. */
export type Durability = 'power' | 'process';

export interface OpenOptions {
  readonly durability: Durability;
  /** How long a write waits for another process; it blocks the whole thread. */
  readonly busyTimeoutMs: number;
}

const fileName = 'waymark.db';

// What is not in it the machine has in memory all the same, and to find a page among more of them takes
// longer than to copy it: 64 MB make a look-up among a hundred thousand codes or more no faster, among
// ten million slower.
const pageCacheKib = 8 * 1024;

// The log is written back by the commit that makes it this long, for 4 µs a page, while redirects wait:
// SQLite's own thousand would stop them for four milliseconds, several times a second under a flood.
const pagesPerCheckpoint = 250;

/** Where the database lives in a data folder. */
export function databasePath(dataFolder: string): string {
  return join(dataFolder, fileName);
}

/**
 * Whether there is a database in a data folder.
 *
 * @throws DatabaseUnusable when nobody can tell: what the wrong user cannot see may well be there
 */
export function hasDatabase(dataFolder: string): boolean {
  try {
    return statSync(databasePath(dataFolder), { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    throw new DatabaseUnusable(
      `Nobody can tell whether there is a database in ${dataFolder} (WAYMARK_DATA): ` +
        `${errnoMessage(error)}. Name a folder, and run Waymark as the user that owns it.`,
    );
  }
}

/** Whether a commit waits until the disk has it, as `power` asks for (SQLite, `PRAGMA synchronous`). */
export function waitsForDisk(database: Database): boolean {
  const row = database.query<{ synchronous: number }, []>('PRAGMA synchronous').get();
  return row !== null && row.synchronous >= 2; // FULL
}

/**
 * Opens the database of a data folder, making both where there are none, and brings its schema up
 * to date.
 *
 * @throws DatabaseUnusable when the file cannot be trusted; the file is left as it is
 */
export function openConnection(dataFolder: string, options: OpenOptions): Connection {
  const path = databasePath(dataFolder);
  createPrivateFolder(dataFolder);
  refuseEmptyFile(path);
  refuseLogAlone(path);
  const client = openFile(path);
  try {
    client.run(`PRAGMA busy_timeout = ${options.busyTimeoutMs}`);
    // Refuses before the first byte is written: even the choice of the journal changes the file.
    missingSteps(client);
    // SQLite gives the files beside the database the permissions that it has when they are made.
    chmodSync(path, 0o600);
    client.run('PRAGMA journal_mode = WAL');
    client.run(`PRAGMA synchronous = ${options.durability === 'power' ? 'FULL' : 'NORMAL'}`);
    client.run('PRAGMA foreign_keys = ON');
    client.run('PRAGMA trusted_schema = OFF');
    client.run(`PRAGMA journal_size_limit = ${64 * 1024 * 1024}`);
    client.run(`PRAGMA wal_autocheckpoint = ${pagesPerCheckpoint}`);
    client.run(`PRAGMA cache_size = -${pageCacheKib}`); // negative: in KiB
    refuseReadOnly(client);
    migrate(client);
  } catch (error) {
    client.close();
    throw explained(error, path);
  }
  return { $client: client };
}

/** Writes the log back into the database and lets go of the file. */
export function closeStore({ $client }: Connection): void {
  try {
    $client.run('PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    $client.close();
  }
}

/** SQLite opens what it may only read without a word, and says so at the first write. */
function refuseReadOnly(client: Database): void {
  try {
    client.run('BEGIN IMMEDIATE');
    client.run('ROLLBACK');
  } catch (error) {
    // Another process is writing, so the file can be written.
    if (!isBusy(error)) throw error;
  }
}

/** Makes a folder that only its owner may look into, where there is none. */
export function createPrivateFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new DatabaseUnusable(
      `The data folder ${folder} (WAYMARK_DATA) cannot be made: ${errnoMessage(error)}.`,
    );
  }
}

/**
 * SQLite would take an empty file for a new database and hide that the old one is gone; it counts a
 * single byte as empty.
 *
 * @throws DatabaseUnusable
 */
export function refuseEmptyFile(path: string): void {
  // Another process that makes the database right now leaves it empty for a moment.
  for (let waits = 0; isEmptyFile(path) && waits < 10; waits++) Bun.sleepSync(50);
  if (!isEmptyFile(path)) return;
  throw new DatabaseCorrupt(
    `${path} is empty, so the codes it held are gone. Restore a backup ("waymark restore"), or ` +
      'delete the file if this is meant to be a new installation.',
  );
}

/**
 * SQLite would delete a log beside which there is no database, and with it what was written last: the
 * database may have been moved, or not copied back yet.
 *
 * @throws DatabaseUnusable
 */
function refuseLogAlone(path: string): void {
  const log = `${path}-wal`;
  const isAlone = !existsSync(path) && existsSync(log) && statSync(log).size > 0;
  if (!isAlone) return;
  throw new DatabaseUnusable(
    `${path} is missing, but ${log} holds what was written to it last. Put the database back, restore a backup ` +
      '("waymark restore"), or delete that file if this is meant to be a new installation.',
  );
}

function isEmptyFile(path: string): boolean {
  return existsSync(path) && statSync(path).size <= 1;
}

function openFile(path: string): Database {
  try {
    return new Database(path, { create: true, readwrite: true, strict: true });
  } catch (error) {
    throw explained(error, path);
  }
}

function explained(error: unknown, path: string): unknown {
  if (isFileError(error)) return unwritableFile(path, error.message);
  if (!(error instanceof SQLiteError)) return error;
  const code = error.code ?? '';
  if (/CORRUPT|NOTADB/.test(code)) return damaged(path, error.message);
  if (isUnwritable(error)) return unwritableFile(path, error.message);
  return error;
}

function unwritableFile(path: string, reason: string): DatabaseUnusable {
  return new DatabaseUnusable(
    `${path} cannot be opened for writing (${reason}). Waymark needs to write to the folder and the ` +
      'file; check their owner, their permissions and the free space.',
  );
}

/** Whether the operating system refused, as a folder that is mounted read-only does. */
function isFileError(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error;
}
