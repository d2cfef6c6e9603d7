import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Design } from '../../core/designs/design.ts';
import type { DesignStore } from '../../core/designs/ports.ts';
import { fromStoredDesign, toStoredDesign } from '../../core/designs/stored-design.ts';
import { createCache } from '../../lib/cache.ts';
import { createActivityLog } from '../activity/log.ts';
import {
  type Builder,
  type Dialect,
  hasRow,
  insertedRow,
  type Operation,
  pick,
} from '../dialect.ts';
import type { Tables } from '../tables.ts';

/** Some hundred designs with their logos. */
const cacheBytes = 8 * 1024 * 1024;

/** Creates the store of designs. */
export function createDesignStore(dialect: Dialect): DesignStore & { forgetAll(): void } {
  const { tables, write, transaction, prepare } = dialect;
  const { accounts, designs } = tables;
  const log = createActivityLog(dialect);
  const defaultOf = prepare((db) =>
    db
      .select({ id: accounts.defaultDesignId })
      .from(accounts)
      .where(eq(accounts.id, sql.placeholder('accountId'))),
  );
  const isAsked = eq(designs.id, sql.placeholder('id'));
  const byId = prepare((db) =>
    db
      .select(pick(designs, 'settings', 'logoPng'))
      .from(designs)
      .where(isAsked),
  );
  const pngHashOf = prepare((db) =>
    db.select(pick(designs, 'pngHash')).from(designs).where(isAsked),
  );
  // Designs never change, and each create and each row of a table needs one.
  const known = createCache<number, Design>(
    cacheBytes,
    ({ logo }) => 1000 + (logo?.png.length ?? 0),
  );

  const find = async (id: number): Promise<Design> => {
    const cached = known.get(id);
    if (cached !== undefined) return cached;
    const [row] = await byId.all({ id });
    if (row === undefined) throw new Error(`design ${id} is missing`);
    const design = fromStoredDesign(row);
    known.set(id, design);
    return design;
  };

  return {
    add: (acting, design, atMs) =>
      transaction(function* (db) {
        const id = yield* addDefaultDesign(tables, db, acting.accountId, design, atMs);
        yield* log.record(db, acting, { kind: 'design-changed' }, atMs);
        return id;
      }),
    setDefault: (acting, designId, atMs) =>
      transaction(function* (db) {
        const { accountId } = acting;
        const isOwn = and(eq(designs.id, designId), eq(designs.accountId, accountId));
        if (!(yield* hasRow(db.select(pick(designs, 'id')).from(designs).where(isOwn))))
          return false;
        yield* changeDefault(tables, db, accountId, designId);
        yield* log.record(db, acting, { kind: 'design-changed' }, atMs);
        return true;
      }),
    findDefault: async (accountId) => {
      const id = (await defaultOf.all({ accountId }))[0]?.id ?? null;
      if (id === null) throw new Error(`account ${accountId} has no design`);
      return { id, design: await find(id) };
    },
    find,
    /** Empties the cache. */
    forgetAll: known.clear,
    pngHash: async (id) => (await pngHashOf.all({ id }))[0]?.pngHash ?? null,
    recordPngHash: async (id, pngHash) => {
      const isMissing = and(eq(designs.id, id), isNull(designs.pngHash));
      await write((db) => db.update(designs).set({ pngHash }).where(isMissing));
    },
  };
}

/** Inserts a design as the default of its account and returns its id. */
export function* addDefaultDesign(
  tables: Tables,
  db: Builder,
  accountId: number,
  design: Design,
  atMs: number,
): Operation<number> {
  const id = yield* addDesign(tables, db, accountId, design, atMs);
  yield* changeDefault(tables, db, accountId, id);
  return id;
}

/** Inserts a design and returns its id. */
export function* addDesign(
  { designs }: Tables,
  db: Builder,
  accountId: number,
  design: Design,
  createdAtMs: number,
): Operation<number> {
  const values = { accountId, ...toStoredDesign(design), createdAtMs };
  return (yield* insertedRow(db.insert(designs).values(values).returning({ id: designs.id }))).id;
}

function* changeDefault(
  { accounts }: Tables,
  db: Builder,
  accountId: number,
  defaultDesignId: number,
): Operation<void> {
  yield db.update(accounts).set({ defaultDesignId }).where(eq(accounts.id, accountId));
}
