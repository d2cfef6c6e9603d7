import { damageMessage, StoreUnavailable } from '../../core/errors.ts';
import type { HealthCondition } from '../../core/health.ts';
import { isDamage, sqliteMessage } from '../database/errors.ts';

/** Remembers the first failure that damage of an open database has caused. */
export interface DamageMonitor {
  /** Returns whether damage caused an error, and remembers it. */
  note(error: unknown): boolean;
  /** Throws an error again: as StoreUnavailable if damage caused it, which is remembered. */
  rethrow(error: unknown): never;
  isFound(): boolean;
  /** The condition that damage was found. */
  readonly condition: HealthCondition;
}

/**
 * Creates a monitor.
 *
 * @param known what a check has found before, or null
 */
export function createDamageMonitor(known: string | null = null): DamageMonitor {
  let found = known;
  const note = (error: unknown): boolean => {
    if (!isDamage(error)) return false;
    found ??= sqliteMessage(error);
    return true;
  };
  return {
    note,
    rethrow: (error) => {
      if (!note(error)) throw error;
      throw new StoreUnavailable('The database is damaged.', {
        cause: new Error(sqliteMessage(error)),
      });
    },
    isFound: () => found !== null,
    condition: {
      name: 'database_damaged',
      severity: 'problem',
      rejectsWrites: true,
      check: () => (found === null ? [] : [damageMessage(found)]),
    },
  };
}
