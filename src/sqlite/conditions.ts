import { repairAdvice } from '../core/errors.ts';
import type { HealthCondition } from '../core/health.ts';
import { scanConditions } from '../core/scans/conditions.ts';
import type { ScanLogStatus } from '../core/storage.ts';
import type { DamageMonitor } from './damage/monitor.ts';
import {
  databasePath,
  databaseSizes,
  lockFileName,
  openFileNames,
  watchFiles,
} from './database/files.ts';

// For the write-ahead log, and for a backup beside the database.
const ampleDiskBytes = 1e9;

/** Returns what can be wrong with an open database of a data folder that is locked. */
export function serverConditions(
  dataFolder: string,
  scans: { status(): ScanLogStatus; filesProblem(): string | null },
  damage: DamageMonitor,
): HealthCondition[] {
  const filesProblem = watchFiles(dataFolder, [
    ...openFileNames(databasePath(dataFolder)),
    lockFileName,
  ]);
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
    ...scanConditions(scans.status, {
      notWritten: (buffered, problem) =>
        `${buffered} scans cannot be written and are buffered in memory: ${problem}. Free some disk ` +
        'space, or end the program that locks hits.db. They are written then; a restart before would lose them.',
      notAggregated: (problem) =>
        `Scans are on disk, but cannot be counted: ${problem}. Free some disk space, or end the program that locks ` +
        `waymark.db. If it is damaged: ${repairAdvice}`,
    }),
    {
      name: 'database_files_replaced',
      severity: 'problem',
      rejectsWrites: true,
      check: () => [filesProblem() ?? scans.filesProblem()].filter((problem) => problem !== null),
    },
  ];
}
