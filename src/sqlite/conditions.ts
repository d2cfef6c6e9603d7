import type { HealthCondition } from '../core/health.ts';
import type { DamageMonitor } from './database/damage.ts';
import { databaseSizes } from './database/files.ts';

// For the write-ahead log, and for a backup beside the database.
const ampleDiskBytes = 1e9;

/** Returns the conditions of every server on a data folder: damage, and little free space. */
export function databaseConditions(dataFolder: string, damage: DamageMonitor): HealthCondition[] {
  return [
    {
      name: 'database_damaged',
      severity: 'problem',
      rejectsWrites: true,
      check: () => [damage.problem()].filter((problem) => problem !== null),
    },
    {
      name: 'disk_space_low',
      severity: 'warning',
      check: () => {
        const { freeDiskBytes } = databaseSizes(dataFolder);
        if (freeDiskBytes === null || freeDiskBytes >= ampleDiskBytes) return [];
        const free = `${(freeDiskBytes / 1e9).toFixed(2)} GB`;
        return [
          `Only ${free} are free for ${dataFolder}. Free some space: on a full disk no code can be created, ` +
            'and scans wait in memory.',
        ];
      },
    },
  ];
}
