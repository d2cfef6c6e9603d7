import { repairAdvice } from '../core/errors.ts';
import type { HealthCondition } from '../core/health.ts';
import { scanConditions } from '../core/scans/conditions.ts';
import type { DamageMonitor } from './damage/monitor.ts';
import { databaseSizes, watchDatabaseFiles } from './database/files.ts';
import type { SqliteScanLog } from './scans/scan-log.ts';

// For the write-ahead log, and for a backup beside the database.
const ampleDiskBytes = 1e9;

/** Returns what can be wrong with an open database of a data folder that is locked. */
export function serverConditions(
  dataFolder: string,
  scanLog: Pick<SqliteScanLog, 'status'>,
  damage: DamageMonitor,
): HealthCondition[] {
  const replacedFilesProblem = watchDatabaseFiles(dataFolder);
  return [
    damage.condition,
    {
      name: 'disk_space_low',
      severity: 'warning',
      check: () => {
        const { freeDiskBytes } = databaseSizes(dataFolder);
        if (freeDiskBytes === null || freeDiskBytes >= ampleDiskBytes) return [];
        const free = `${(freeDiskBytes / 1e9).toFixed(2)} GB`;
        return [
          `Only ${free} are free for the data folder. Free some space: on a full disk no code can be created, ` +
            'and scans wait in memory.',
        ];
      },
    },
    ...scanConditions(scanLog.status, {
      notWritten: (buffered, problem) =>
        `${buffered} scans cannot be written and are buffered in memory: ${problem}. Free some disk ` +
        'space, or end the program that locks the database. They are written then; a restart before would lose them.',
      notAggregated: (problem) =>
        `Scans are written but cannot be aggregated, because the database is damaged: ${problem}. ${repairAdvice}`,
      rejectsWrites: true,
    }),
    {
      name: 'database_files_replaced',
      severity: 'problem',
      rejectsWrites: true,
      check: () => [replacedFilesProblem()].filter((problem) => problem !== null),
    },
  ];
}
