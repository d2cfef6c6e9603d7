import { asc, inArray } from 'drizzle-orm';
import type { CommandLogStore } from '../../core/accounts/command-log.ts';
import { commandLog } from '../database/schema.ts';
import type { Store } from '../database/store.ts';

/** Creates the store of changes that commands made. */
export function createCommandLogStore(store: Store): CommandLogStore {
  return {
    append: async (entry) => {
      await store.insert(commandLog).values(entry);
    },
    take: (limit) =>
      store.transaction(async (transaction) => {
        const rows = await transaction
          .select()
          .from(commandLog)
          .orderBy(asc(commandLog.id))
          .limit(limit)
          // Another server may take entries at the same time.
          .for('update', { skipLocked: true });
        if (rows.length > 0)
          await transaction.delete(commandLog).where(
            inArray(
              commandLog.id,
              rows.map(({ id }) => id),
            ),
          );
        return rows.map(({ id: _, ...entry }) => entry);
      }),
  };
}
