import type { HealthCondition } from '../core/health.ts';
import { databaseSizes } from './database/files.ts';

// For the write-ahead log, and for a backup beside the database.
const ampleDiskBytes = 1e9;

/** Returns the condition that little space is free. */
export function diskSpaceCondition(dataFolder: string): HealthCondition {
  return {
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
  };
}
