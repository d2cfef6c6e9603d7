import { and, eq, getTableColumns, isNull, sql } from 'drizzle-orm';
import type { Design } from '../../core/designs/design.ts';
import { fromStoredDesign, toStoredDesign } from '../../core/designs/stored-design.ts';
import type { DesignStore } from '../../core/ports.ts';
import { accounts, designs } from '../database/schema.ts';
import type { Store, Transaction } from '../database/store.ts';

/** Creates the store of designs. */
export function createDesignStore(store: Store): DesignStore {
  const defaultOf = store
    .select(getTableColumns(designs))
    .from(accounts)
    .innerJoin(designs, eq(designs.id, accounts.defaultDesignId))
    .where(eq(accounts.id, sql.placeholder('accountId')))
    .prepare('default_design');
  const byId = store
    .select({ settings: designs.settings, logoPng: designs.logoPng })
    .from(designs)
    .where(eq(designs.id, sql.placeholder('id')))
    .prepare('design_by_id');
  const pngHashOf = store
    .select({ pngHash: designs.pngHash })
    .from(designs)
    .where(eq(designs.id, sql.placeholder('id')))
    .prepare('png_hash_of_design');

  return {
    add: (accountId, design, atMs) =>
      store.transaction((transaction) => addDefaultDesign(transaction, accountId, design, atMs)),
    setDefault: async (accountId, designId) => {
      const isOwn = and(eq(designs.id, designId), eq(designs.accountId, accountId));
      const own = await store.select({ id: designs.id }).from(designs).where(isOwn);
      if (own.length === 0) return false;
      await changeDefault(store, accountId, designId);
      return true;
    },
    findDefault: async (accountId) => {
      const [row] = await defaultOf.execute({ accountId });
      if (row === undefined) throw new Error(`account ${accountId} has no design`);
      return { id: row.id, design: fromStoredDesign(row) };
    },
    find: async (id) => {
      const [row] = await byId.execute({ id });
      if (row === undefined) throw new Error(`design ${id} is missing`);
      return fromStoredDesign(row);
    },
    pngHash: async (id) => {
      const [row] = await pngHashOf.execute({ id });
      return row?.pngHash ?? null;
    },
    recordPngHash: async (id, pngHash) => {
      await store
        .update(designs)
        .set({ pngHash })
        .where(and(eq(designs.id, id), isNull(designs.pngHash)));
    },
  };
}

/** Inserts a design as the default of its account, inside a transaction, and returns its id. */
export async function addDefaultDesign(
  transaction: Transaction,
  accountId: number,
  design: Design,
  atMs: number,
): Promise<number> {
  const id = await addDesign(transaction, accountId, design, atMs);
  await changeDefault(transaction, accountId, id);
  return id;
}

/** Inserts a design and returns its id. */
export async function addDesign(
  transaction: Transaction,
  accountId: number,
  design: Design,
  createdAtMs: number,
): Promise<number> {
  const [row] = await transaction
    .insert(designs)
    .values({ accountId, ...toStoredDesign(design), createdAtMs })
    .returning({ id: designs.id });
  if (row === undefined) throw new Error('the insert of a design returned no row');
  return row.id;
}

async function changeDefault(
  transaction: Transaction,
  accountId: number,
  designId: number,
): Promise<void> {
  await transaction
    .update(accounts)
    .set({ defaultDesignId: designId })
    .where(eq(accounts.id, accountId));
}
