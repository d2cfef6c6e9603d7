import { desc, eq, sql } from 'drizzle-orm';
import type { Design, LogoPlacement } from '../../core/designs/design.ts';
import type { DesignStore } from '../../core/ports.ts';
import type { Store } from '../database/open.ts';
import { designs } from '../database/schema.ts';
import { write } from '../database/write.ts';

/** Creates the store of designs. */
export function createDesignStore(store: Store): DesignStore {
  const newest = store
    .select()
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

  return {
    add: (accountId, design, atMs) =>
      write(
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
      return { id: row.id, design: toDesign(row) };
    },
    find: async (id) => {
      const row = byId.get({ id });
      if (row === undefined) throw new Error(`design ${id} is missing`);
      return toDesign(row);
    },
  };
}

/** Converts a design to a row to insert. */
export function designRow(
  accountId: number,
  { logo, logoPlacement: _, ...settings }: Design,
  createdAtMs: number,
): typeof designs.$inferInsert {
  return {
    accountId,
    settings: { ...settings, logo: logo && { widthPx: logo.widthPx, heightPx: logo.heightPx } },
    logoPng: logo && Buffer.from(logo.png),
    createdAtMs,
  };
}

function toDesign({ settings, logoPng }: typeof designs.$inferSelect): Design {
  const { logo } = settings;
  return { ...settings, logo: logo && logoPng && { ...logo, png: new Uint8Array(logoPng) } };
}

/** Parses the JSON of the column `qrs.logo_placement`. */
export function parseLogoPlacement(column: string | null): LogoPlacement | null {
  // Only an insert of this type writes the column.
  return column === null ? null : (JSON.parse(column) as LogoPlacement);
}
