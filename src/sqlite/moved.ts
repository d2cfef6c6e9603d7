import { statSync } from 'node:fs';
import { databasePath } from './open.ts';

/**
 * Watches whether the database that a server has open still stands where its next start will look for
 * it. With a write-ahead log SQLite goes on writing to a file that was moved, removed or replaced, and
 * says nothing.
 *
 * @returns looks again, and says what is wrong; null while nothing is
 */
export function watchPlace(dataFolder: string): () => string | null {
  const path = databasePath(dataFolder);
  const opened = identityOf(path);
  return () =>
    identityOf(path) === opened
      ? null
      : 'the database was moved, removed or replaced under the server: what is written now will be ' +
        'missing after the next start';
}

/** Which file stands at a path: the same through every change of what it holds. Null when none can be seen. */
function identityOf(path: string): string | null {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev} ${ino}`;
  } catch {
    return null;
  }
}
