import type { Database } from 'bun:sqlite';
import type { Stores } from '../../core/storage.ts';
import { isDamage, isUnwritable, sqliteMessage } from '../database/errors.ts';

/** Returns stores that tell when text of an account was deleted for good. */
export function notingErasure(stores: Stores, onErased: () => void): Stores {
  return {
    ...stores,
    accounts: {
      ...stores.accounts,
      remove: async (...given) => {
        const result = await stores.accounts.remove(...given);
        if (result === 'more' || result === 'removed') onErased();
        return result;
      },
    },
    domains: {
      forget: async (...given) => {
        const part = await stores.domains.forget(...given);
        onErased();
        return part;
      },
    },
  };
}

/**
 * Writes a database anew, so that its file and its log have no deleted text.
 * `secure_delete` alone leaves some: when SQLite moves rows to another page, it leaves copies in the gap of the old
 * one.
 *
 * @returns why that failed, or null. Some text may be left then
 */
export function eraseFreeSpace(database: Database): string | null {
  try {
    database.run('VACUUM');
    // While another process reads, such as Litestream, the next checkpoint after that does it.
    database.run('PRAGMA wal_checkpoint(TRUNCATE)');
    return null;
  } catch (error) {
    if (!isUnwritable(error) && !isDamage(error)) throw error;
    return sqliteMessage(error);
  }
}
