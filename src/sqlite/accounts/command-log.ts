import { asc, lte } from 'drizzle-orm';
import type { CommandLogStore } from '../../core/accounts/command-log.ts';
import type { Store } from '../database/open.ts';
import { commandLog } from '../database/schema.ts';
import { write, writeTransaction } from '../database/write.ts';

/** Creates the store of changes that commands made. */
export function createCommandLogStore(store: Store): CommandLogStore {
  const waiting = store.$client.query('SELECT 1 FROM command_log LIMIT 1');
  return {
    append: async (entry) => {
      await write(() => store.insert(commandLog).values(entry).run());
    },
    take: async (limit) => {
      if (waiting.get() === null) return [];
      return writeTransaction(store, (transaction) => {
        const oldest = transaction.select().from(commandLog).orderBy(asc(commandLog.id));
        const rows = oldest.limit(limit).all();
        const last = rows.at(-1)?.id ?? 0;
        transaction.delete(commandLog).where(lte(commandLog.id, last)).run();
        return rows.map(({ id: _, ...entry }) => entry);
      });
    },
  };
}
