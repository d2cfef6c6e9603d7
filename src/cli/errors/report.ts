import { ConfigError } from '../../config.ts';
import {
  ApiError,
  CannotServe,
  DatabaseUnusable,
  Refused,
  repairAdvice,
  ServerBusy,
  StoreUnavailable,
} from '../../core/errors.ts';
import type { LabelReason, PathReason, RuleReason, ScheduleReason } from '../../core/reasons.ts';
import { InvalidListRequest, UnreadableList } from '../../core/safety/threat-lists.ts';
import { errnoMessage, errorMessage, FileError } from '../../lib/errors.ts';
import type { Logger } from '../../lib/logger.ts';
import { sqliteCode, sqliteMessage } from '../../redirect/sqlite/errors.ts';
import { forTerminal } from '../output.ts';
import { cliSentence } from '../sentences/sentences.ts';
import { CommandError, exitCodes, UsageError } from './command-error.ts';

/** Errors whose message says what is wrong and what to do. */
const expectedErrors = [
  ApiError,
  CannotServe,
  CommandError,
  ConfigError,
  DatabaseUnusable,
  FileError,
  InvalidListRequest,
  Refused,
  ServerBusy,
];

/**
 * Prints an error on stderr and sets the exit code: 2 for a wrong value, 1 for everything else. An
 * unexpected error is printed with its stack.
 *
 * @param log receives the message instead of stderr
 */
export function reportError(thrown: unknown, log?: Logger): void {
  const error = firstError(thrown);
  const { reason, exitCode } = describeError(error);
  if (log !== undefined) log.error(reason ?? stackOf(error));
  else console.error(reason === null ? error : forTerminal(`waymark: ${reason}`));
  process.exitCode = exitCode;
}

/** Returns the message of an expected error, or null for any other, and the exit code. */
export function describeError(error: unknown): { reason: string | null; exitCode: number } {
  return {
    reason: reasonOf(error),
    exitCode: isWrongValue(error) ? exitCodes.misused : exitCodes.rejected,
  };
}

/** Returns what failed first, without what failed when its resources were closed. */
function firstError(thrown: unknown): unknown {
  return thrown instanceof SuppressedError ? firstError(thrown.suppressed) : thrown;
}

// Names, notes, folders, paths, times and targets of rules are values of options and arguments.
const wrongValueKinds: ReadonlySet<string> = new Set<
  (LabelReason | PathReason | ScheduleReason | RuleReason)['kind']
>([
  'no wall time',
  'several lines in a label',
  'control characters in a label',
  'label is no Unicode',
  'label too long',
  'neither on nor off',
  'path badly encoded',
  'path empty',
  'path too long',
  'path with control characters',
  'path with an empty segment',
  'path of Waymark',
  'path with a slash at the end',
  'path with a blank at an end',
  'path with invisible characters',
  'path of several scripts',
  'path like own page',
  'path that programs ask for',
  'rule for a network',
  'rule for a pattern',
  'rule for a top-level domain',
  'rule for no domain or URL',
]);

function isWrongValue(error: unknown): boolean {
  if (error instanceof UnreadableList) return false;
  return (
    error instanceof UsageError ||
    error instanceof ConfigError ||
    (error instanceof Refused && wrongValueKinds.has(error.reason.kind)) ||
    error instanceof InvalidListRequest ||
    (error instanceof ApiError && error.code === 'invalid_url')
  );
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Returns what an error says in the words of commands. */
export function messageOf(error: unknown): string {
  const reason = error instanceof Refused || error instanceof ApiError ? error.reason : null;
  return reason === null ? errorMessage(error) : cliSentence(reason);
}

/** Returns the message of an expected error; null for any other. */
function reasonOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if (expectedErrors.some((expected) => error instanceof expected)) return messageOf(error);
  if (error instanceof StoreUnavailable && error.cause instanceof Error)
    return `${error.message} (${error.cause.message})`;
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(sqliteCode(error)))
    return `The database is damaged (${sqliteMessage(error)}). ${repairAdvice}`;
  const rejected = databaseMessage(error);
  if (rejected !== null)
    return `The database rejected a statement (${rejected}). Please report this, with the command and its output.`;
  if (!('syscall' in error)) return null;
  const path = 'path' in error && typeof error.path === 'string' ? `${error.path}: ` : '';
  return path + errnoMessage(error);
}

/**
 * Returns the message of PostgreSQL or SQLite.
 * It lacks the statement and its values, which drizzle adds.
 */
function databaseMessage(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const isOfDatabase = 'code' in error && /^(ERR_POSTGRES|SQLITE)_/.test(String(error.code));
  return isOfDatabase ? error.message : databaseMessage(error.cause);
}
