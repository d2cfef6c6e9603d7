import type { HealthCondition } from '../health.ts';
import type { Clock } from '../ports.ts';

const datedName = /^waymark-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d\.\d{3}Z)\.db$/;

/** Returns the name of a dated backup. Names sort by time. */
export function backupName(nowMs: number): string {
  return `waymark-${new Date(nowMs).toISOString().replaceAll(':', '-')}.db`;
}

/**
 * Returns the time in the name of a dated backup.
 * Null for any other name, also one with an impossible date.
 */
export function backupTimeMs(name: string): number | null {
  const [, date, hours, minutes, seconds] = datedName.exec(name) ?? [];
  const timeMs = Date.parse(`${date}T${hours}:${minutes}:${seconds}`);
  return Number.isNaN(timeMs) || backupName(timeMs) !== name ? null : timeMs;
}

const hourMs = 3_600_000;
const longestGapMs = 25 * hourMs;
const retryMs = hourMs;
/** Of the local time zone. No change to daylight saving time skips it. */
const quietHour = 3;

/** The daily backup of a server. */
export interface BackupSchedule {
  /** Makes a backup if one is due. Called every few seconds; does nothing while one is being made. */
  run(): Promise<void>;
  /** The warning while the last attempt failed. */
  readonly condition: HealthCondition;
}

/**
 * Creates the schedule of the daily backup.
 * One is made in the quiet hour, and as soon as the newest is older than 25 hours, such as after a start. A failed one
 * is tried again after an hour.
 *
 * @param deps.backupTimes returns the times of the existing backups
 * @param deps.backUp makes a backup; throws with the reason
 * @param deps.hourOf returns the hour of the day
 */
export function createBackupSchedule(deps: {
  folder: string;
  backupTimes: () => readonly number[];
  backUp: () => Promise<void>;
  clock: Clock;
  hourOf: (atMs: number) => number;
}): BackupSchedule {
  const { folder, backupTimes, backUp, clock, hourOf } = deps;
  let isRunning = false;
  let failure: { readonly reason: string; readonly atMs: number } | null = null;

  const isDue = (): boolean => {
    if (failure !== null && clock.monotonicMs() - failure.atMs < retryMs) return false;
    const nowMs = clock.nowMs();
    // One of the future is from a wrong clock.
    const past = backupTimes().filter((timeMs) => timeMs <= nowMs);
    const ageMs = nowMs - Math.max(...past);
    return ageMs > longestGapMs || (ageMs > hourMs && hourOf(nowMs) === quietHour);
  };

  return {
    run: async () => {
      if (isRunning) return;
      isRunning = true;
      try {
        if (!isDue()) return;
        await backUp();
        failure = null;
      } catch (error) {
        failure = {
          reason: error instanceof Error ? error.message : String(error),
          atMs: clock.monotonicMs(),
        };
      } finally {
        isRunning = false;
      }
    },
    condition: {
      name: 'backup_missing',
      severity: 'warning',
      check: () =>
        failure === null
          ? []
          : [
              `The backup into ${folder} (WAYMARK_BACKUP_DIR) failed: ${failure.reason.replace(/\.$/, '')}. It is tried again ` +
                'every hour. Older backups are kept.',
            ],
    },
  };
}

/** The warning of a server without backups, which `off` silences. */
export const noBackupsCondition: HealthCondition = {
  name: 'backup_missing',
  severity: 'warning',
  check: () => [
    'Nothing is backed up, because WAYMARK_BACKUP_DIR is not set. Set it to a folder, best on another disk, for a ' +
      'backup a day; or to "off" if you make backups in another way.',
  ],
};
