import { statSync } from 'node:fs';
import { join } from 'node:path';
import { lockName } from './lock.ts';
import { databasePath } from './open.ts';

const happened = 'moved, removed or replaced under the server';

/**
 * Watches whether the files that a server has open still stand where its next start, a command or a second
 * server will look for them. SQLite goes on with a file that was moved, removed or replaced, and says nothing.
 * Call it once the database is open: it then has all of them.
 *
 * @returns looks again, and says what is wrong; null while nothing is
 */
export function watchDatabaseFiles(dataFolder: string): () => string | null {
  const database = databasePath(dataFolder);
  const watched = [
    watch(
      database,
      `the database was ${happened}: what is written now will be missing after the next start`,
    ),
    watch(
      `${database}-wal`,
      `waymark.db-wal was ${happened}: a crash now would lose what was written last. Run no command; stop ` +
        'the server, which saves it, and start it again',
    ),
    watch(
      `${database}-shm`,
      `waymark.db-shm was ${happened}: a command that writes now can damage the database. Run none; stop ` +
        'the server, and start it again',
    ),
    watch(
      join(dataFolder, lockName),
      `${lockName} was ${happened}: a second server could start beside this one. Stop every server on this data ` +
        'folder, and start one again',
    ),
  ];
  return () => watched.find(({ isGone }) => isGone())?.problem ?? null;
}

function watch(path: string, problem: string) {
  const opened = identityOf(path);
  return { problem, isGone: () => identityOf(path) !== opened };
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
