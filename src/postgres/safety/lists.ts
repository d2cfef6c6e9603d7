import { asc, eq, sql } from 'drizzle-orm';
import type { ThreatList, ThreatListStore } from '../../core/safety/threat-lists.ts';
import { threatListEntries, threatLists } from '../database/schema.ts';
import type { Store, Transaction } from '../database/store.ts';

/** Creates the store of threat lists. */
export function createThreatListStore(store: Store): ThreatListStore {
  return {
    all: async () => {
      const rows = await store
        .select({ list: threatLists.list })
        .from(threatLists)
        .orderBy(asc(threatLists.source));
      return rows.map(({ list }) => list);
    },
    find: async (hashes) => {
      if (hashes.length === 0) return [];
      // Each hash is looked up once in each list.
      const rows = await store.execute<{ source: string; list: string; index: number }>(sql`
        select source, list, asked.index::int as index
        from (select decode(value, 'hex') as hash, ordinality - 1 as index
          from json_array_elements_text(${jsonOf(hashes)}::text::json) with ordinality) as asked
        cross join ${threatLists}
        join ${threatListEntries} on list_id = ${threatLists.id} and ${threatListEntries.hash} = asked.hash
        order by asked.index, source`);
      return rows.map(({ source, list, index }) => {
        // Only replace writes the column.
        const { importedAtMs } = JSON.parse(list) as ThreatList;
        return { source, importedAtMs, index };
      });
    },
    replace: (list, batches) =>
      store.transaction(async (transaction) => {
        await transaction.execute(
          sql`create temporary table collected (hash bytea not null) on commit drop`,
        );
        for await (const batch of batches)
          await transaction.execute(
            sql`insert into collected select decode(value, 'hex') from json_array_elements_text(${jsonOf(batch)}::text::json)`,
          );
        // Another import of the same list waits here.
        await transaction.execute(sql`lock table ${threatLists} in share row exclusive mode`);
        await removeList(transaction, list.source);
        const [row] = await transaction
          .insert(threatLists)
          .values({ source: list.source, list: { ...list, entries: 0 } })
          .returning({ id: threatLists.id });
        if (row === undefined) throw new Error('the insert of a list returned no row');
        await transaction.execute(
          sql`insert into ${threatListEntries} select distinct ${row.id}::bigint, hash from collected`,
        );
        const entries = await transaction.$count(
          threatListEntries,
          eq(threatListEntries.listId, row.id),
        );
        await transaction
          .update(threatLists)
          .set({ list: { ...list, entries } })
          .where(eq(threatLists.id, row.id));
        return entries;
      }),
    remove: (source) => store.transaction((transaction) => removeList(transaction, source)),
  };
}

async function removeList(transaction: Transaction, source: string): Promise<boolean> {
  const [row] = await transaction
    .select({ id: threatLists.id })
    .from(threatLists)
    .where(eq(threatLists.source, source))
    .for('update');
  if (row === undefined) return false;
  await transaction.delete(threatListEntries).where(eq(threatListEntries.listId, row.id));
  await transaction.delete(threatLists).where(eq(threatLists.id, row.id));
  return true;
}

function jsonOf(hashes: readonly Uint8Array[]): string {
  return JSON.stringify(hashes.map((hash) => hash.toHex()));
}
