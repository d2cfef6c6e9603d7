import { and, eq, getTableColumns, isNull, sql } from 'drizzle-orm';
import type { Design, LogoPlacement } from '../../core/designs/design.ts';
import { fromStoredDesign, toStoredDesign } from '../../core/designs/stored-design.ts';
import type { DesignStore } from '../../core/ports.ts';
import type { Store } from '../database/open.ts';
import { accounts, designs } from '../database/schema.ts';
import { type Transaction, write, writeTransaction } from '../database/write.ts';

/** Creates the store of designs. */
export function createDesignStore(store: Store): DesignStore {
  const prepareDefaultOf = () =>
    store
      .select(getTableColumns(designs))
      .from(accounts)
      .innerJoin(designs, eq(designs.id, accounts.defaultDesignId))
      .where(eq(accounts.id, sql.placeholder('accountId')))
      .prepare();
  const preparePngHashOf = () =>
    store
      .select({ pngHash: designs.pngHash })
      .from(designs)
      .where(eq(designs.id, sql.placeholder('id')))
      .prepare();
  // Prepared on first use: images are verified before an upgrade, and an earlier schema lacks the columns.
  let defaultOf: ReturnType<typeof prepareDefaultOf> | undefined;
  let pngHashOf: ReturnType<typeof preparePngHashOf> | undefined;
  const byId = store
    .select({ settings: designs.settings, logoPng: designs.logoPng })
    .from(designs)
    .where(eq(designs.id, sql.placeholder('id')))
    .prepare();

  return {
    add: (accountId, design, atMs) =>
      writeTransaction(store, (transaction) =>
        addDefaultDesign(transaction, designRow(accountId, design, atMs)),
      ),
    setDefault: (accountId, designId) =>
      writeTransaction(store, (transaction) => {
        const isOwn = and(eq(designs.id, designId), eq(designs.accountId, accountId));
        const own = transaction.select({ id: designs.id }).from(designs).where(isOwn).get();
        if (own === undefined) return false;
        changeDefault(transaction, accountId, designId);
        return true;
      }),
    findDefault: async (accountId) => {
      defaultOf ??= prepareDefaultOf();
      const row = defaultOf.get({ accountId });
      if (row === undefined) throw new Error(`account ${accountId} has no design`);
      return { id: row.id, design: fromStoredDesign(row) };
    },
    find: async (id) => {
      const row = byId.get({ id });
      if (row === undefined) throw new Error(`design ${id} is missing`);
      return fromStoredDesign(row);
    },
    pngHash: async (id) => {
      pngHashOf ??= preparePngHashOf();
      return pngHashOf.get({ id })?.pngHash ?? null;
    },
    recordPngHash: async (id, pngHash) => {
      const change = store.update(designs).set({ pngHash: Buffer.from(pngHash) });
      await write(() => change.where(and(eq(designs.id, id), isNull(designs.pngHash))).run());
    },
  };
}

/** Inserts a design as the default of its account, inside a transaction, and returns its id. */
export function addDefaultDesign(
  transaction: Transaction,
  row: typeof designs.$inferInsert,
): number {
  const id = addDesign(transaction, row);
  changeDefault(transaction, row.accountId, id);
  return id;
}

/** Inserts a design, inside a transaction, and returns its id. */
export function addDesign(transaction: Transaction, row: typeof designs.$inferInsert): number {
  return transaction.insert(designs).values(row).returning({ id: designs.id }).get().id;
}

function changeDefault(transaction: Transaction, accountId: number, designId: number): void {
  transaction
    .update(accounts)
    .set({ defaultDesignId: designId })
    .where(eq(accounts.id, accountId))
    .run();
}

/** Converts a design to a row to insert. */
export function designRow(
  accountId: number,
  design: Design,
  createdAtMs: number,
): typeof designs.$inferInsert {
  const { settings, logoPng } = toStoredDesign(design);
  return { accountId, settings, logoPng: logoPng && Buffer.from(logoPng), createdAtMs };
}

/** Parses the JSON of the column `qrs.logo_placement`. */
export function parseLogoPlacement(column: string | null): LogoPlacement | null {
  // Only an insert of this type writes the column.
  return column === null ? null : (JSON.parse(column) as LogoPlacement);
}
