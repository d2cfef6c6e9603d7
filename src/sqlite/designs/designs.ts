import { desc, eq, sql } from 'drizzle-orm';
import type { Design } from '../../core/designs/design.ts';
import type { DesignStore } from '../../core/ports.ts';
import { createCache } from '../../lib/cache.ts';
import type { Store } from '../database/open.ts';
import { designs } from '../database/schema.ts';
import { write } from '../database/write.ts';

type DesignRow = typeof designs.$inferSelect;

// Designs carry their logo, up to some hundred kilobytes each.
const cachedDesigns = 100;

/** Designs in SQLite. Rows never change, so what was read once may be kept. */
export function createDesignStore(store: Store): DesignStore {
  const newest = store
    .select({ id: designs.id })
    .from(designs)
    .where(eq(designs.accountId, sql.placeholder('accountId')))
    .orderBy(desc(designs.id))
    .limit(1)
    .prepare();
  const byId = store
    .select()
    .from(designs)
    .where(eq(designs.id, sql.placeholder('id')))
    .prepare();
  const cache = createCache<number, Design>(cachedDesigns);

  const find = (id: number): Design => {
    const known = cache.get(id);
    if (known !== undefined) return known;
    const row = byId.get({ id });
    if (row === undefined) throw new Error(`design ${id} is missing`);
    const design = toDesign(row);
    cache.set(id, design);
    return design;
  };

  return {
    add: async (accountId, design, atMs) =>
      await write(
        () =>
          store
            .insert(designs)
            .values(designRow(accountId, design, atMs))
            .returning({ id: designs.id })
            .get().id,
      ),
    findDefault: async (accountId) => {
      const row = newest.get({ accountId });
      if (row === undefined) throw new Error(`account ${accountId} has no design`);
      return { id: row.id, design: find(row.id) };
    },
    find: async (id) => find(id),
  };
}

/** A design as a row of an account. */
export function designRow(
  accountId: number,
  design: Design,
  atMs: number,
): typeof designs.$inferInsert {
  const { logo, quietZoneModules, ...columns } = design;
  return {
    accountId,
    ...columns,
    quietZone: quietZoneModules,
    logoPng: logo === null ? null : Buffer.from(logo.png),
    logoWidth: logo?.widthPx ?? null,
    logoHeight: logo?.heightPx ?? null,
    createdAt: atMs,
  };
}

function toDesign(row: DesignRow): Design {
  const { logoPng, logoWidth, logoHeight } = row;
  return {
    foreground: row.foreground,
    background: row.background,
    moduleShape: row.moduleShape,
    finderShape: row.finderShape,
    finderColor: row.finderColor,
    logo:
      logoPng === null || logoWidth === null || logoHeight === null
        ? null
        : { png: new Uint8Array(logoPng), widthPx: logoWidth, heightPx: logoHeight },
    logoSizePercent: row.logoSizePercent,
    logoPatch: row.logoPatch,
    quietZoneModules: row.quietZone,
  };
}
