import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { withFileErrors } from '../errors.ts';
import { yieldToEventLoop } from '../event-loop.ts';
import { renameIntoPlace } from './durable.ts';
import { removeOnSignal, removeTemporaryFiles, temporaryPath } from './temporary.ts';

/**
 * Writes a file atomically: temporary file, fsync, rename, fsync of the folder.
 * The file is readable by its owner only (0600).
 *
 * @returns the result of `write`
 * @throws FileError, and anything `write` throws; the target is unchanged then
 */
export async function writeFileAtomically<T>(
  target: string,
  write: (append: (piece: string | Uint8Array) => void) => T | Promise<T>,
): Promise<T> {
  const unwritable = `${target} cannot be written`;
  removeTemporaryFiles(target);
  const temporary = temporaryPath(target);
  const release = removeOnSignal(temporary);
  try {
    const file = withFileErrors(unwritable, () => openSync(temporary, 'wx', 0o600));
    const written = await Promise.try(write, (piece: string | Uint8Array) =>
      withFileErrors(unwritable, () => writeFileSync(file, piece)),
    ).finally(() => closeSync(file));
    // A signal that has come meanwhile ends the process here.
    await yieldToEventLoop();
    withFileErrors(unwritable, () => renameIntoPlace(temporary, target));
    return written;
  } finally {
    rmSync(temporary, { force: true });
    release();
  }
}
