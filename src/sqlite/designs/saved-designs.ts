import { and, asc, eq } from 'drizzle-orm';
import type { SavedDesignStore } from '../../core/ports.ts';
import type { Store } from '../database/open.ts';
import { savedDesigns } from '../database/schema.ts';
import { write, writeTransaction } from '../database/write.ts';
import { addDesign, designRow } from './designs.ts';

const columns = {
  name: savedDesigns.name,
  designId: savedDesigns.designId,
  savedAtMs: savedDesigns.savedAtMs,
};

/** Creates the store of saved designs. */
export function createSavedDesignStore(store: Store): SavedDesignStore {
  const named = (accountId: number, name: string) =>
    and(eq(savedDesigns.accountId, accountId), eq(savedDesigns.name, name));
  const select = () => store.select(columns).from(savedDesigns);

  return {
    list: async (accountId) =>
      select().where(eq(savedDesigns.accountId, accountId)).orderBy(asc(savedDesigns.name)).all(),
    find: async (accountId, name) => select().where(named(accountId, name)).get() ?? null,
    save: (accountId, name, design, atMs) =>
      writeTransaction(store, (transaction) => {
        const designId = addDesign(transaction, designRow(accountId, design, atMs));
        transaction
          .insert(savedDesigns)
          .values({ accountId, name, designId, savedAtMs: atMs })
          .onConflictDoUpdate({
            target: [savedDesigns.accountId, savedDesigns.name],
            set: { designId, savedAtMs: atMs },
          })
          .run();
        return designId;
      }),
    rename: (accountId, from, to) =>
      writeTransaction(store, (transaction) => {
        const find = (name: string) =>
          transaction.select(columns).from(savedDesigns).where(named(accountId, name)).get();
        if (find(from) === undefined) return 'missing';
        if (find(to) !== undefined) return 'taken';
        transaction.update(savedDesigns).set({ name: to }).where(named(accountId, from)).run();
        return 'renamed';
      }),
    remove: (accountId, name) =>
      write(
        () =>
          store
            .delete(savedDesigns)
            .where(named(accountId, name))
            .returning({ id: savedDesigns.id })
            .all().length > 0,
      ),
  };
}
