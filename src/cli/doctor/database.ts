import { keyProblem } from '../../compose/app/secret-box.ts';
import { clockProblem } from '../../compose/clock-conditions.ts';
import { closing, realClock } from '../../compose/runtime.ts';
import { createStorage } from '../../compose/storage.ts';
import { prefixProblem } from '../../compose/upgrade/upgrade-check.ts';
import type { Config } from '../../config.ts';
import { isoTimestamp } from '../../core/codes/qr.ts';
import { DatabaseCorrupt, repairAdvice } from '../../core/errors.ts';
import { lostChangesAdvice, lostChangesText } from '../../core/lost-changes.ts';
import type { StorageReader } from '../../core/storage.ts';
import { errorMessage, FileError } from '../../lib/errors.ts';
import { formatNumber } from '../../lib/numbers.ts';
import { operatorHint } from '../account/sign-in.ts';
import { datedBackups, newestOf } from '../data/backup-folder.ts';
import { formatMegabytes } from '../output.ts';
import { broken, type Check, ok, warning } from './check.ts';

const readAdvice =
  'Run Waymark as the user that owns the data folder, and in the version that served from it last.';

const serverAdvice = 'The server does not start until then.';

/** Checks the database without writing to it. */
export async function checkDatabase(config: Config): Promise<Check[]> {
  try {
    const storage = await createStorage(config);
    if (!(await storage.exists()))
      return [
        (await storage.isServed())
          ? broken(
              'database',
              `it was moved or deleted from ${config.data} while a server uses it`,
              'Put the file back. Do not restart the server before: its changes would be lost.',
            )
          : ok('database', 'there is none yet; the first start creates it'),
      ];
    await using reader = closing(await storage.openForReading());
    return [
      await checkIntegrity(reader),
      ...(await checkLoss(reader)),
      await checkPrefixes(reader, config),
      await checkClock(reader),
      ...(await checkOperators(reader)),
      ...(await checkSecondFactors(reader, config)),
      ...(await checkBackups(reader, config.backupDir)),
    ];
  } catch (error) {
    const advice =
      error instanceof DatabaseCorrupt
        ? repairAdvice
        : config.databaseUrl === null
          ? readAdvice
          : serverAdvice;
    return [broken('database', errorMessage(error), advice)];
  }
}

async function checkIntegrity(reader: StorageReader): Promise<Check> {
  const { name, isOutdated, isStandby } = reader;
  if (isStandby)
    return broken(
      'database',
      `${name} is read-only, such as a standby`,
      'Name the primary server in WAYMARK_DATABASE_URL.',
    );
  const problem = await reader.integrityError();
  if (problem !== null) return broken('database', `${name} is damaged: ${problem}`, repairAdvice);
  const hitsProblem = await reader.hitsError();
  if (hitsProblem !== null)
    return broken(
      'database',
      `hits.db in the data folder, with the scans of the last second, is damaged: ${hitsProblem}`,
      'Restart the server: it keeps the file under another name, and begins a new one. Scans that were not counted yet are lost.',
    );
  const size = formatMegabytes((await reader.sizes()).databaseBytes);
  const upgrade = isOutdated ? '; the next start updates its schema' : '';
  return ok('database', `${name} has no integrity errors, ${size}${upgrade}`);
}

/** Warns when nobody can manage the server in the panel. */
async function checkOperators(reader: StorageReader): Promise<Check[]> {
  if (await reader.hasOperator()) return [];
  return [
    warning(
      'operators',
      'there is no operator, so nobody manages accounts and rules in the panel',
      operatorHint,
    ),
  ];
}

/** Tells that a database on a server went back to an older state. */
async function checkLoss(reader: StorageReader): Promise<Check[]> {
  const lost = await reader.lostChanges();
  return lost === null ? [] : [warning('history', lostChangesText(lost), lostChangesAdvice)];
}

/** Checks that the server has the key of the second factors, if there are any. */
async function checkSecondFactors(reader: StorageReader, config: Config): Promise<Check[]> {
  const name = 'second factors';
  const stored = await reader.storedSecrets();
  const problem = await keyProblem(config, stored);
  if (problem !== null)
    return [(problem.isUnusable ? broken : warning)(name, problem.message, problem.advice)];
  if (stored.length === 0) return [];
  return [ok(name, `the server can read all ${formatNumber(stored.length)}`)];
}

async function checkPrefixes(reader: StorageReader, config: Config): Promise<Check> {
  const name = 'printed links';
  const used = await reader.usedShortUrlPrefixes();
  const problem = prefixProblem(used, config);
  if (problem !== null)
    return broken(name, problem.message, `${problem.advice} The server doesn't start until then.`);
  return ok(
    name,
    used.length === 0 ? 'none yet' : `those of the main domain begin with ${used.join(', ')}`,
  );
}

/** Checks that nothing in the database is of the future. */
async function checkClock(reader: StorageReader): Promise<Check> {
  const problem = clockProblem(
    await reader.newestTimeMs(Number.MAX_SAFE_INTEGER),
    realClock.nowMs(),
  );
  return problem === null
    ? ok('clock', 'nothing in the database is of the future')
    : warning('clock', problem, 'Set the clock, and let it follow a time server ("timedatectl").');
}

const longestGapMs = 48 * 3_600_000;

/** Checks that there is a backup of the last two days, if the settings name a folder for them. */
async function checkBackups(reader: StorageReader, folder: string | null): Promise<Check[]> {
  if (folder === null || folder === 'off') return [];
  const nowMs = realClock.nowMs();
  const isRecent = (timeMs: number | null) =>
    timeMs !== null && timeMs <= nowMs && nowMs - timeMs <= longestGapMs;
  const newest = newestIn(folder, nowMs);
  if (isRecent(newest) || isRecent(await reader.lastBackupMs()))
    return [ok('backups', `there is one of the last two days (${folder})`)];
  if (nowMs - ((await reader.firstTimeMs()) ?? nowMs) <= longestGapMs)
    return [ok('backups', 'the server is younger than two days')];
  const age = newest === null ? 'there is none' : `the newest is of ${isoTimestamp(newest)}`;
  return [
    broken(
      'backups',
      `there has been no backup for two days: in ${folder}, ${age}`,
      'A running server makes one a day and says in its log why one fails. "waymark backup --keep 14 FOLDER" makes one now.',
    ),
  ];
}

/**
 * Returns the time of the newest backup in a folder that can be read.
 * Null if there is none, or the folder cannot be read.
 */
function newestIn(folder: string, nowMs: number): number | null {
  try {
    return newestOf(datedBackups(folder, nowMs))?.timeMs ?? null;
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    return null;
  }
}

/** Returns the path of an active code, or null if there is none or the database cannot be read. */
export async function findActiveCode(config: Config): Promise<string | null> {
  try {
    await using reader = closing(await (await createStorage(config)).openForReading());
    return await reader.withRedirects(async (map) => {
      for await (const { code, status } of map.redirects()) if (status === 'active') return code;
      return null;
    });
  } catch {
    // The check of the database says why.
    return null;
  }
}
