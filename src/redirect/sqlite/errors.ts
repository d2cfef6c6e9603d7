import { SQLiteError } from 'bun:sqlite';
import {
  DatabaseCorrupt,
  DatabaseUnreachable,
  DatabaseUnusable,
  DiskFull,
  repairAdvice,
} from '../../core/errors.ts';
import { errnoOf } from '../../lib/errors.ts';

/** Creates the error for a damaged file. */
export function corruptDatabase(path: string, reason: string): DatabaseCorrupt {
  const found = reason.replaceAll(/\s+/g, ' ');
  return new DatabaseCorrupt(
    `${path} is damaged, or not an SQLite database (${found}). Nothing was changed. ${repairAdvice}`,
    found,
  );
}

/**
 * Runs an operation on a database file, and turns SQLite's errors into messages for operators.
 *
 * @throws DatabaseUnusable when the file is damaged or cannot be accessed
 */
export function withDatabaseErrors<T>(path: string, access: Access, operation: () => T): T {
  try {
    return operation();
  } catch (error) {
    throw isCorruption(error)
      ? corruptDatabase(path, sqliteMessage(error))
      : toAccessError(error, path, access);
  }
}

type Access = 'read' | 'written';

/** Another process keeps the database to itself. */
export class DatabaseLocked extends DatabaseUnusable {}

/** Returns a message for operators when a file cannot be accessed, and any other error unchanged. */
export function toAccessError(error: unknown, path: string, access: Access): unknown {
  const isDenied = /^SQLITE_(AUTH|MISUSE)/.test(sqliteCode(error));
  if (!isDenied && !isUnwritable(error) && !isSystemError(error)) return error;
  if (isDiskFull(error))
    return new DiskFull(`${path} cannot be ${access}, because the disk is full. Free some space.`);
  const Unusable = isBusy(error) ? DatabaseLocked : DatabaseUnreachable;
  return new Unusable(
    `${path} cannot be ${access} (${sqliteMessage(error)}). Check the owner and the permissions of the ` +
      'folder and its files, and the free space. From a read-only file system, copy the folder to ' +
      'another one first.',
  );
}

/**
 * Returns whether SQLite found damage.
 * An unknown table is damage too, because all statements are ours.
 */
export function isCorruption(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB|ERROR$)/.test(sqliteCode(error));
}

/** Returns whether a read failed because the file is damaged, or the disk cannot read it. */
export function isDamage(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB|IOERR_READ|IOERR_SHORT_READ|IOERR_CORRUPTFS)/.test(
    sqliteCode(error),
  );
}

/** Returns whether a write failed because of the disk, the permissions or another process. */
export function isUnwritable(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED|FULL|READONLY|IOERR|CANTOPEN|NOMEM|PERM)/.test(sqliteCode(error));
}

/**
 * Returns whether a write failed because the disk or a quota is full.
 * SQLite cannot enlarge its shared memory then.
 */
export function isDiskFull(error: unknown): boolean {
  return (
    /^SQLITE_(FULL|IOERR_SHMSIZE)/.test(sqliteCode(error)) ||
    /^(ENOSPC|EDQUOT)$/.test(errnoOf(error))
  );
}

/** Returns whether a row was to refer to one that does not exist. */
export function isMissingReference(error: unknown): boolean {
  return sqliteCode(error) === 'SQLITE_CONSTRAINT_FOREIGNKEY';
}

/** Returns whether another process holds a lock on the database. */
export function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(sqliteCode(error));
}

/** Returns SQLite's error code, such as `SQLITE_BUSY`, or an empty string. */
export function sqliteCode(error: unknown): string {
  const cause = driverError(error);
  return cause instanceof SQLiteError ? (cause.code ?? '') : '';
}

/** Returns SQLite's message, without the statement that drizzle adds. */
export function sqliteMessage(error: unknown): string {
  // SQLite calls it a disk I/O error.
  if (sqliteCode(error) === 'SQLITE_IOERR_GETTEMPPATH')
    return 'there is no folder for temporary files: make /tmp writable, or name one in TMPDIR';
  const cause = driverError(error);
  return cause instanceof Error ? cause.message : String(cause);
}

/** Returns the error that drizzle has wrapped, or the error itself. */
function driverError(error: unknown): unknown {
  const isWrapped = error instanceof Error && !(error instanceof SQLiteError);
  return isWrapped && error.cause instanceof Error ? error.cause : error;
}

/** Returns whether an error comes from the operating system, such as a read-only file system. */
function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}
