/** Returns the message of an error, or anything else that was thrown as text. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns the code of an error, such as `ENOENT`, or an empty string. */
export function errnoOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** Messages for the errors that a wrong path or address, a wrong user, and a full or broken disk cause. */
const errnoMessages: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  ECONNREFUSED: 'nothing listens there',
  EDQUOT: 'disk quota exceeded',
  EEXIST: 'the file exists already',
  EIO: 'the disk reports an error',
  EISDIR: 'it is a folder',
  ELOOP: 'too many symbolic links',
  ENAMETOOLONG: 'the name is too long',
  ENOENT: 'no such file or folder',
  ENOSPC: 'no space left on the disk',
  ENOTDIR: 'part of the path is a file, not a folder',
  EPERM: 'operation not permitted',
  EROFS: 'the file system is read-only',
};

/** Returns a message for an operating system error with its code, `permission denied (EACCES)`. */
export function errnoMessage(error: unknown): string {
  const code = errnoOf(error);
  const message = errnoMessages[code];
  return message === undefined ? errorMessage(error) : `${message} (${code})`;
}

/** Returns an unexpected error as a line for the log, without a page of source. */
export function failureLine(error: unknown): string {
  const kind = error instanceof Error ? `${error.name}: ` : '';
  const [place] = (error instanceof Error ? (error.stack ?? '') : '').match(/^ +at .*$/m) ?? [];
  return `${kind}${errorMessage(error)}${place === undefined ? '' : ` (${place.trim()})`}`
    .replaceAll(/\s+/g, ' ')
    .slice(0, maxLineLength);
}

const maxLineLength = 1000;

/** Returns the result of a read, or null where it fails, for a page that shows what it can. */
export async function orNull<T>(read: () => T | Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch {
    return null;
  }
}

/** A file cannot be read, written or replaced; the message names it and the reason. */
export class FileError extends Error {
  override readonly name = 'FileError';
}

/**
 * Runs a file operation and turns an operating system error into a FileError.
 *
 * @param problem begins the message, such as `logo.png cannot be read`
 * @throws FileError
 */
export function withFileErrors<T>(problem: string, operation: () => T): T {
  try {
    return operation();
  } catch (error) {
    if (!/^E[A-Z]+$/.test(errnoOf(error))) throw error;
    throw new FileError(`${problem}: ${errnoMessage(error)}`);
  }
}
