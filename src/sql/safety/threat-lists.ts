import { and, asc, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import type { ThreatListStore } from '../../core/safety/ports.ts';
import type { ThreatList } from '../../core/safety/threat-lists.ts';
import { type Builder, type Dialect, insertedRow, insertFrom, pick, rowOf } from '../dialect.ts';

// A transaction takes some milliseconds, while others wait to write on SQLite.
const entriesPerStep = 2_000;
// Lets a server write between two transactions of a command.
const pauseMs = 4;
// An unfinished import that is older was interrupted.
const unfinishedMs = 86_400_000;

/**
 * Creates the store of threat lists.
 * A list is written in steps under a new id, becomes the current one in one transaction, and the entries of the earlier
 * one are then deleted in steps. So an import of a million entries does not hold up other writes.
 */
export function createThreatListStore(dialect: Dialect): ThreatListStore {
  const { all, write, transaction, prepare, lock, isOneOf, list } = dialect;
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
    const { from, columns } = dialect.tableOf('added', rows, { hash: 'text' });
    const values = { listId: sql`${listId}`, hash: dialect.bytesOf(columns.hash) };
    return transaction((db) => dialect.execute(db, insertFrom(threatListEntries, values, from)));
  };

  /** Deletes a list that is not current. */
  const discard = async (id: number): Promise<void> => {
    const isEntry = eq(threatListEntries.listId, id);
    const deleteSome = (db: Builder) => {
      const { hash } = threatListEntries;
      const some = db.select({ hash }).from(threatListEntries).where(isEntry).limit(entriesPerStep);
      return db.delete(threatListEntries).where(and(isEntry, inArray(hash, some)));
    };
    while ((await write(deleteSome)) === entriesPerStep) await Bun.sleep(pauseMs);
    await write((db) => db.delete(threatLists).where(eq(threatLists.id, id)));
  };

  /**
   * Makes a list current, or none if it is null, and discards the earlier one.
   * Returns whether there was one.
   */
  const replaceCurrent = async (
    source: string,
    next: { id: number; list: ThreatList } | null,
  ): Promise<boolean> => {
    const earlier = await transaction(function* (db) {
      yield* lock(db, `threat list ${source}`);
      const current = eq(threatLists.source, source);
      const row = yield* rowOf(db.select(pick(threatLists, 'id')).from(threatLists).where(current));
      yield db.update(threatLists).set({ source: null }).where(current);
      if (next !== null) {
        const published = { source, list: next.list };
        yield db.update(threatLists).set(published).where(eq(threatLists.id, next.id));
      }
      return row;
    });
    if (earlier !== null) await discard(earlier.id);
    return earlier !== null;
  };

  return {
    all: async () => {
      const rows = await all((db) =>
        db.select().from(threatLists).where(isCurrent).orderBy(threatLists.source),
      );
      return rows.map((row) => row.list);
    },
    find: async (hashes) => {
      if (hashes.length === 0) return [];
      const found = await matches.all({ hashes: list(hashes) });
      return hashes.flatMap((hash, index) =>
        found
          .filter((row) => Buffer.compare(row.hash, hash) === 0)
          .map(({ list: { source, importedAtMs } }) => ({ source, importedAtMs, index })),
      );
    },
    replace: async (imported, batches) => {
      const sorted = await sortHashes(batches);
      const unfinished = await all((db) =>
        db.select().from(threatLists).where(isNull(threatLists.source)),
      );
      for (const { id, list } of unfinished)
        if (list.importedAtMs < imported.importedAtMs - unfinishedMs) await discard(id);
      const added = await transaction((db) => {
        const list = { ...imported, entries: 0 };
        const insert = db.insert(threatLists).values({ list });
        return insertedRow(insert.returning({ id: threatLists.id }));
      });
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
