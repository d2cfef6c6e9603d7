import { errnoMessage } from '../errno.ts';

/** A file cannot be read, written or replaced; the message says which and why. */
export class FileError extends Error {
  override readonly name = 'FileError';
}

/**
 * Runs what reads and writes files.
 *
 * @throws FileError in place of what the operating system says
 */
export function refusing<T>(what: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (!/^E[A-Z]+$/.test(errnoOf(error)) || !(error instanceof Error)) throw error;
    throw new FileError(`${what}: ${errnoMessage(error)}`);
  }
}

/** The code of an error, such as `ENOENT`; empty where it has none. */
export function errnoOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** Whether an error says that there is no such file or folder. */
export function isMissing(error: unknown): boolean {
  return errnoOf(error) === 'ENOENT';
}
