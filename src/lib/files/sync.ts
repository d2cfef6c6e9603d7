import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { putInPlace } from './durable.ts';
import { partialName, removeLeftovers } from './partial.ts';
import { refusing } from './refused.ts';

/** Adds to the file that is being written. */
export type Add = (piece: string | Uint8Array) => void;

/**
 * Writes a file that appears whole or not at all, in the place of another where there is one. It is nobody
 * else's to read.
 *
 * @returns what `write` does
 * @throws FileError, and whatever `write` throws; either leaves nothing behind
 */
export async function writeWhole<T>(
  target: string,
  write: (add: Add) => T | Promise<T>,
): Promise<T> {
  const unwritable = `${target} cannot be written`;
  removeLeftovers(target);
  const temporary = partialName(target);
  const file = refusing(unwritable, () => openSync(temporary, 'wx', 0o600));
  try {
    const written = await Promise.try(write, (piece: string | Uint8Array) =>
      refusing(unwritable, () => writeFileSync(file, piece)),
    ).finally(() => closeSync(file));
    refusing(unwritable, () => putInPlace(temporary, target));
    return written;
  } finally {
    rmSync(temporary, { force: true });
  }
}
