import { basename } from 'node:path';
import { repairAdvice } from '../core/errors.ts';
import type { HealthCondition } from '../core/health.ts';
import { notAggregatedCondition } from '../core/scans/conditions.ts';
import {
  databasePath,
  databaseSizes,
  hitsPath,
  lockNames,
  openFileNames,
  replacedFilesCondition,
  watchFiles,
} from '../redirect/sqlite/files.ts';
import { readersOf, unmovedLogBytes } from './database/unmoved-log.ts';

// For the write-ahead log, and for a backup beside the database.
const ampleDiskBytes = 1e9;

/**
 * Returns what can be wrong with the open database of the app.
 *
 * @param foldingProblem returns why hits cannot be added to the counters, or null
 */
export function appConditions(
  dataFolder: string,
  foldingProblem: () => string | null,
): HealthCondition[] {
  const names = [...openFileNames(databasePath(dataFolder)), lockNames.app];
  return [
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
    ...[databasePath(dataFolder), hitsPath(dataFolder)].map(logCondition),
    notAggregatedCondition(
      foldingProblem,
      (problem) =>
        `Scans are on disk, but cannot be counted: ${problem}. Free some disk space, or end the program that locks ` +
        'waymark.db. If hits.db is damaged, restart the server: it begins a new one, and keeps the file under ' +
        `another name. If waymark.db is damaged: ${repairAdvice}`,
    ),
    { ...replacedFilesCondition(watchFiles(dataFolder, names)), rejectsWrites: true },
  ];
}

// Under load, a checkpoint follows every megabyte.
const largeLogBytes = 32 * 1024 * 1024;

/** Returns the condition that a write-ahead log grows, because a program reads its database for long. */
function logCondition(path: string): HealthCondition {
  return {
    name: 'write_ahead_log_large',
    severity: 'warning',
    check: () => {
      const bytes = unmovedLogBytes(path);
      if (bytes < largeLogBytes) return [];
      const database = basename(path);
      const readers = readersOf(path).map(
        ({ pid, name }) => `${name ?? 'a program'} (process ${pid})`,
      );
      const found =
        readers.length === 0
          ? `"fuser ${path}-shm" may name the program`
          : `these programs read it now: ${readers.join(', ')}`;
      return [
        `${database}-wal has ${Math.round(bytes / 1e6)} MB that cannot be moved into ${database}, because a program ` +
          `reads ${database} for long: ${found}. End it, or let it end. Until then, each change makes the file larger.`,
      ];
    },
  };
}
