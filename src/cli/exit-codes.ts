import { ConfigError } from '../config.ts';
import { InvalidLogo, StoreUnavailable } from '../core/errors.ts';
import { InvalidListRequest } from '../core/safety/threat-lists.ts';
import { errnoMessage, FileError } from '../lib/errors.ts';
import type { Logger } from '../lib/logger.ts';
import { DatabaseUnusable } from '../sqlite/database/migrate.ts';
import { codeOf } from '../sqlite/database/read-only.ts';

/** Exit codes: 0 done, 1 refused with a reason on stderr, 2 used wrongly. */
export const exitCodes = { done: 0, refused: 1, misused: 2 } as const;

/** The command understood what was asked and will not do it; the message is the reason. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

const refusals = [
  InvalidListRequest,
  CommandError,
  ConfigError,
  DatabaseUnusable,
  InvalidLogo,
  StoreUnavailable,
  FileError,
];

/**
 * Says why on stderr and makes the program end with 1; anything that is no refusal is our fault.
 *
 * @param log says it in place of prose, where machines read what is said
 */
export function refuse(error: unknown, log?: Logger): void {
  const reason = reasonOf(error);
  if (log !== undefined) log.error(reason ?? stackOf(error));
  else console.error(reason === null ? error : `waymark: ${reason}`);
  process.exitCode = exitCodes.refused;
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function reasonOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  // What SQLite said, such as that the disk is full: a person at the machine can act on it.
  if (error instanceof StoreUnavailable && error.cause instanceof Error)
    return `${error.message} (${rootOf(error.cause).message})`;
  if (refusals.some((refusal) => error instanceof refusal)) return error.message;
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(codeOf(error)))
    return 'The database is damaged. "waymark doctor" says more, "waymark restore FILE" puts a backup in place.';
  return 'syscall' in error ? systemReason(error) : null;
}

/** The operating system will not: what, and why. */
function systemReason(error: Error): string {
  const path = 'path' in error && typeof error.path === 'string' ? `${error.path}: ` : '';
  return path + errnoMessage(error);
}

/** drizzle wraps what the driver throws. */
function rootOf(error: Error): Error {
  return error.cause instanceof Error ? error.cause : error;
}
