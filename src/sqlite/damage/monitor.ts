import { repairAdvice, StoreUnavailable } from '../../core/errors.ts';
import type { HealthCondition } from '../../core/health.ts';
import { isDamage, sqliteMessage } from '../database/errors.ts';

/** Remembers the first failure that damage of an open database has caused. */
export interface DamageMonitor {
  /** Returns whether damage caused an error, and remembers it. */
  note(error: unknown): boolean;
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
  return {
    note: (error) => {
      if (!isDamage(error)) return false;
      found ??= sqliteMessage(error);
      return true;
    },
    isFound: () => found !== null,
    condition: {
      name: 'database_damaged',
      severity: 'problem',
      rejectsWrites: true,
      check: () =>
        found === null
          ? []
          : [
              `The database is damaged (${found}): some codes or pages cannot be read. Creates and edits are ` +
                `rejected, so that a repair misses none. ${repairAdvice}`,
            ],
    },
  };
}

/**
 * Wraps the methods of a store: a failure that damage has caused is noted, and thrown as StoreUnavailable.
 */
export function withDamageNoted<T extends object>(store: T, damage: DamageMonitor): T {
  const translate = (error: unknown): never => {
    if (!damage.note(error)) throw error;
    throw new StoreUnavailable('The database is damaged.', { cause: error });
  };
  const wrapped = Object.entries(store).map(([name, member]: [string, unknown]) => {
    if (typeof member !== 'function') return [name, member];
    const method = (...args: unknown[]) => {
      try {
        const result: unknown = member(...args);
        return result instanceof Promise ? result.catch(translate) : result;
      } catch (error) {
        return translate(error);
      }
    };
    return [name, method];
  });
  // The cast is safe: each method takes and returns what the original does.
  return Object.fromEntries(wrapped) as T;
}
