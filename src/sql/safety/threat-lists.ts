import { and, asc, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import type { ThreatListStore } from '../../core/safety/ports.ts';
import type { ThreatList } from '../../core/safety/threat-lists.ts';
import { type Dialect, type Operation, rowOf, rowsOf, run } from '../dialect.ts';

// A transaction takes some milliseconds, while a redirect on SQLite waits.
const entriesPerStep = 2_000;
// Lets a server write its hits between two transactions.
const pauseMs = 4;
// An unfinished import that is older was interrupted.
const unfinishedMs = 86_400_000;

/**
 * Creates the store of threat lists. A list is written in steps under a new id, becomes the current one in one
 * transaction, and the entries of the earlier one are then deleted in steps. So an import of a million entries
 * does not delay redirects.
 */
export function createThreatListStore(dialect: Dialect): ThreatListStore {
  const { read, write, transaction, prepare, lock, isOneOf, list, tableOf, bytesOf } = dialect;
  const { threatLists, threatListEntries } = dialect.tables;
  const isCurrent = isNotNull(threatLists.source);
  // Each hash is looked up once in each list. A cross join fixes the order of the tables on SQLite.
  const matches = prepare((db) =>
    db
      .select({ list: threatLists.list, hash: threatListEntries.hash })
      .from(threatLists)
      .crossJoin(threatListEntries)
      .where(
        and(
          isCurrent,
          eq(threatListEntries.listId, threatLists.id),
          isOneOf(threatListEntries.hash, sql.placeholder('hashes')),
        ),
      )
      .orderBy(asc(threatLists.source)),
  );

  const addEntries = (listId: number, hashes: readonly string[]) => {
    const rows = hashes.map((hash) => ({ hash }));
    return write((db) =>
      db.insert(threatListEntries).select(
        db
          .select({
            listId: sql<number>`cast(${listId} as bigint)`.as('list_id'),
            hash: bytesOf(sql`hash`).as('bytes'),
          })
          .from(tableOf('added', rows, { hash: 'text' }).from),
      ),
    );
  };

  /** Deletes a list that is not current. */
  const discard = async (id: number): Promise<void> => {
    for (let deleted = entriesPerStep; deleted === entriesPerStep; ) {
      const { listId, hash } = threatListEntries;
      const rows = await write((db) => {
        const some = db.select({ hash }).from(threatListEntries).where(eq(listId, id));
        return db
          .delete(threatListEntries)
          .where(and(eq(listId, id), inArray(hash, some.limit(entriesPerStep))))
          .returning({ listId });
      });
      deleted = rows.length;
      if (deleted === entriesPerStep) await Bun.sleep(pauseMs);
    }
    await write((db) => db.delete(threatLists).where(eq(threatLists.id, id)));
  };

  /** Makes a list current, or none if it is null, and discards the earlier one. Returns whether there was one. */
  const replaceCurrent = async (
    source: string,
    next: { id: number; list: ThreatList } | null,
  ): Promise<boolean> => {
    const earlier = await transaction(function* (db): Operation<{ id: number } | null> {
      yield* lock(db, `threat list ${source}`);
      const current = eq(threatLists.source, source);
      const row = yield* rowOf(db.select({ id: threatLists.id }).from(threatLists).where(current));
      yield* run(db.update(threatLists).set({ source: null }).where(current));
      if (next !== null) {
        const published = { source, list: next.list };
        yield* run(db.update(threatLists).set(published).where(eq(threatLists.id, next.id)));
      }
      return row;
    });
    if (earlier !== null) await discard(earlier.id);
    return earlier !== null;
  };

  return {
    all: async () => {
      const columns = { list: threatLists.list };
      const rows = await read((db) =>
        rowsOf(db.select(columns).from(threatLists).where(isCurrent).orderBy(threatLists.source)),
      );
      return rows.map((row) => row.list);
    },
    find: async (hashes) => {
      if (hashes.length === 0) return [];
      const found = await matches.all({ hashes: list(hashes) });
      return hashes.flatMap((hash, index) =>
        found
          .filter((row) => Buffer.compare(row.hash, hash) === 0)
          .map((row) => ({
            source: row.list.source,
            importedAtMs: row.list.importedAtMs,
            index,
          })),
      );
    },
    replace: async (imported, batches) => {
      const sorted = await sortHashes(batches);
      const unfinished = await read((db) =>
        rowsOf(db.select().from(threatLists).where(isNull(threatLists.source))),
      );
      for (const { id, list } of unfinished)
        if (list.importedAtMs < imported.importedAtMs - unfinishedMs) await discard(id);
      const [added] = await write((db) =>
        db
          .insert(threatLists)
          .values({ list: { ...imported, entries: 0 } })
          .returning({ id: threatLists.id }),
      );
      if (added === undefined) throw new Error('the insert of a list returned no row');
      let entries = 0;
      for (const hashes of sorted) {
        await addEntries(added.id, hashes);
        entries += hashes.length;
        await Bun.sleep(pauseMs);
      }
      await replaceCurrent(imported.source, { id: added.id, list: { ...imported, entries } });
      return entries;
    },
    remove: (source) => replaceCurrent(source, null),
  };
}

/**
 * Sorts hashes and removes repetitions, so that each page of the database is written once.
 *
 * @returns hashes in hexadecimal, in pieces that are sorted when they are read
 */
async function sortHashes(
  batches: AsyncIterable<readonly Uint8Array[]>,
): Promise<Iterable<string[]>> {
  const byFirstByte = Array.from({ length: 256 }, () => new Set<string>());
  for await (const batch of batches)
    for (const hash of batch) byFirstByte[hash[0] ?? 0]?.add(hash.toHex());
  return (function* () {
    let piece: string[] = [];
    for (const hashes of byFirstByte) {
      piece = [...piece, ...[...hashes].sort()];
      while (piece.length >= entriesPerStep) yield piece.splice(0, entriesPerStep);
    }
    if (piece.length > 0) yield piece;
  })();
}
