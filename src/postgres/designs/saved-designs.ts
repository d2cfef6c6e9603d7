import { and, asc, eq } from 'drizzle-orm';
import type { SavedDesignStore } from '../../core/ports.ts';
import { savedDesigns } from '../database/schema.ts';
import type { Store } from '../database/store.ts';
import { addDesign } from './designs.ts';

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
    list: (accountId) =>
      select().where(eq(savedDesigns.accountId, accountId)).orderBy(asc(savedDesigns.name)),
    find: async (accountId, name) => (await select().where(named(accountId, name)))[0] ?? null,
    save: (accountId, name, design, atMs) =>
      store.transaction(async (transaction) => {
        const designId = await addDesign(transaction, accountId, design, atMs);
        const saved = { designId, savedAtMs: atMs };
        await transaction
          .insert(savedDesigns)
          .values({ accountId, name, ...saved })
          .onConflictDoUpdate({ target: [savedDesigns.accountId, savedDesigns.name], set: saved });
        return designId;
      }),
    rename: (accountId, from, to) =>
      store.transaction(async (transaction) => {
        const find = async (name: string) =>
          (await transaction.select(columns).from(savedDesigns).where(named(accountId, name)))[0];
        if ((await find(from)) === undefined) return 'missing';
        if ((await find(to)) !== undefined) return 'taken';
        await transaction.update(savedDesigns).set({ name: to }).where(named(accountId, from));
        return 'renamed';
      }),
    remove: async (accountId, name) => {
      const removed = await store
        .delete(savedDesigns)
        .where(named(accountId, name))
        .returning({ id: savedDesigns.id });
      return removed.length > 0;
    },
  };
}
