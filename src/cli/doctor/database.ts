import { existsSync, statSync } from 'node:fs';
import type { Config } from '../../config.ts';
import { unservedPrefixes } from '../../core/codes/short-url.ts';
import { errorMessage } from '../../lib/errors.ts';
import { usedShortBases } from '../../sqlite/codes/short-urls.ts';
import { DatabaseCorrupt, missingSteps } from '../../sqlite/database/migrate.ts';
import { type Connection, databasePath, hasDatabase } from '../../sqlite/database/open.ts';
import { explaining, openForReading } from '../../sqlite/database/read-only.ts';
import { findOutOfRangeValues } from '../../sqlite/maintenance/odd-values.ts';
import { flawIn } from '../../sqlite/maintenance/refuse-damaged.ts';
import { counted } from '../counted.ts';
import { broken, type Check, fine, warning } from './check.ts';

const restoreIt = 'Restore a backup with "waymark restore FILE --force"; the damaged file is kept.';

// Neither the wrong user nor an older program is a reason to put a backup in the place of what is sound.
const readItOtherwise =
  'Run Waymark as the user that owns the data folder, and in the version that served from it last.';

// The server keeps its log below 64 MiB (journal_size_limit) once it has been taken in.
const usualLogBytes = 128 * 1024 * 1024;

/** Everything about the database that can be seen from outside; writes nothing. */
export function checkDatabase(config: Config, nowMs: number): Check[] {
  const path = databasePath(config.data);
  try {
    if (!hasDatabase(config.data))
      return [fine('database', 'there is none yet; the first start makes it')];
    const connection = openForReading(config.data);
    try {
      return explaining(path, () => [
        checkSoundness(connection, config.data),
        checkLog(path),
        checkBases(connection, config),
        checkClock(connection, nowMs),
      ]);
    } finally {
      connection.$client.close();
    }
  } catch (error) {
    return [
      broken(
        'database',
        errorMessage(error),
        error instanceof DatabaseCorrupt ? restoreIt : readItOtherwise,
      ),
    ];
  }
}

function checkSoundness(connection: Connection, dataFolder: string): Check {
  const name = 'database';
  const path = databasePath(dataFolder);
  // At least as closely as a start, which this may be asked before.
  const flaw = flawIn(dataFolder, connection, 'full');
  if (flaw !== null) return broken(name, `${path} is damaged: ${flaw}`, restoreIt);
  const missing = missingSteps(connection.$client).length;
  const odd = missing === 0 ? findOutOfRangeValues(connection.$client) : [];
  if (odd.length > 0)
    return broken(
      name,
      `${path} holds values that nothing but damage writes: ${odd.join(', ')}`,
      'Whoever asks for these rows is answered with an error, and all else goes on. See what the system says ' +
        'of its disk, and restore a backup with "waymark restore FILE --force", or put the values right with ' +
        'an SQLite shell while the server is stopped.',
    );
  const schema =
    missing === 0
      ? 'its schema is up to date'
      : `the next start brings its schema up to date (${counted(missing, 'step')})`;
  return fine(name, `${path} is sound, ${(statSync(path).size / 1e6).toFixed(1)} MB; ${schema}`);
}

function checkLog(path: string): Check {
  const name = 'write-ahead log';
  const log = `${path}-wal`;
  const bytes = existsSync(log) ? statSync(log).size : 0;
  const message = `${(bytes / 1e6).toFixed(1)} MB wait to be taken into the database`;
  return bytes <= usualLogBytes
    ? fine(name, message)
    : warning(
        name,
        message,
        'Something keeps reading the database for long: an export that waits, a copy, Litestream that ' +
          'hangs, an open shell.',
      );
}

function checkBases(connection: Connection, { shortUrl, shortUrlAliases }: Config): Check {
  const name = 'printed links';
  const used = usedShortBases(connection);
  const forgotten = unservedPrefixes(used, [shortUrl, ...shortUrlAliases]);
  if (forgotten.length > 0)
    return broken(
      name,
      `codes were printed with short links at ${forgotten.join(', ')}, which the settings do not name`,
      'If they still lead to this server, name them in WAYMARK_SHORT_URL_ALIASES; otherwise set ' +
        'WAYMARK_SHORT_URL back. The server does not start until then.',
    );
  return fine(
    name,
    used.length === 0 ? 'none yet' : `all at ${used.join(', ')}, as the settings say`,
  );
}

const hourMs = 3_600_000;
const firstReleaseMs = Date.UTC(2026, 0, 1);

/** A clock that is wrong shows beside what was written when it was right, or the other way round. */
function checkClock(connection: Connection, nowMs: number): Check {
  const newest = connection.$client
    .query<{ atMs: number | null }, []>(
      'SELECT max(at) AS atMs FROM (SELECT max(created_at) AS at FROM accounts UNION ALL ' +
        'SELECT created_at FROM qrs WHERE id = (SELECT max(id) FROM qrs))',
    )
    .get()?.atMs;
  return clockCheck(nowMs, newest ?? null);
}

/** @param newestMs the latest instant that the database knows of */
export function clockCheck(nowMs: number, newestMs: number | null): Check {
  const name = 'clock';
  const now = new Date(nowMs).toISOString();
  const advice = 'Plans, dates of scans and certificates depend on it. Run an NTP client.';
  if (nowMs < firstReleaseMs)
    return broken(name, `it says ${now}, which is before this program was made`, advice);
  if (newestMs !== null && newestMs > nowMs + hourMs)
    return warning(
      name,
      `it says ${now}, but the database holds something from ${new Date(newestMs).toISOString()}`,
      advice,
    );
  return fine(name, `it says ${now}`);
}
