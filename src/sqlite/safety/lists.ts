import { Database } from 'bun:sqlite';
import type { ListedHash, ThreatList, ThreatListStore } from '../../core/safety/threat-lists.ts';
import type { Store } from '../database/open.ts';
import { write } from '../database/write.ts';

// A transaction takes some milliseconds, while a redirect on the same database waits.
const chunkEntries = 2_000;
// Lets a server write its hits between two transactions.
const pauseMs = 4;
// An unfinished import that is older was interrupted.
const unfinishedMs = 86_400_000;

/**
 * Creates the store of threat lists. A list is written in chunks under a new id, becomes the current one in
 * one step, and the entries of the earlier one are then deleted in chunks. So an import of a million entries
 * does not delay redirects.
 */
export function createThreatListStore(store: Store): ThreatListStore {
  const database = store.$client;
  const all = database.query<Row, []>(
    'SELECT list FROM threat_lists WHERE source IS NOT NULL ORDER BY source',
  );
  // CROSS JOIN fixes the order of the tables, so that each hash is looked up once in each list.
  const find = database.query<ListedHash, [string]>(`
    SELECT source, list ->> 'importedAtMs' AS importedAtMs, asked.key AS "index"
    FROM json_each(?) AS asked CROSS JOIN threat_lists CROSS JOIN threat_list_entries
    ON list_id = threat_lists.id AND hash = unhex(asked.value) AND source IS NOT NULL
    ORDER BY asked.key, source`);
  const insertList = database.query('INSERT INTO threat_lists (source, list) VALUES (NULL, ?)');
  const insertEntry = database.query(
    'INSERT INTO threat_list_entries (list_id, hash) VALUES (?, ?)',
  );
  const retire = database.query('UPDATE threat_lists SET source = NULL WHERE source = ?');
  const publish = database.query('UPDATE threat_lists SET source = ?, list = ? WHERE id = ?');
  const unfinished = database.query<{ id: number }, [number]>(
    "SELECT id FROM threat_lists WHERE source IS NULL AND list ->> 'importedAtMs' < ?",
  );
  const current = database.query<{ id: number }, [string]>(
    'SELECT id FROM threat_lists WHERE source = ?',
  );
  const deleteChunk = database.query(
    `DELETE FROM threat_list_entries WHERE list_id = ?1 AND hash IN
       (SELECT hash FROM threat_list_entries WHERE list_id = ?1 LIMIT ${chunkEntries})`,
  );
  const deleteList = database.query('DELETE FROM threat_lists WHERE id = ?');
  const transaction = <T>(run: () => T): Promise<T> =>
    write(() => database.transaction(run).immediate());

  /** Deletes a list that is not current. */
  const discard = async (id: number): Promise<void> => {
    for (;;) {
      const { changes } = await write(() => deleteChunk.run(id));
      if (changes < chunkEntries) break;
      await Bun.sleep(pauseMs);
    }
    await write(() => deleteList.run(id));
  };

  /** Makes a list current, or none if `id` is null. Returns the id of the earlier one. */
  const replaceCurrent = (source: string, id: number | null, list: string) =>
    transaction(() => {
      const earlier = current.get(source)?.id ?? null;
      retire.run(source);
      if (id !== null) publish.run(source, list, id);
      return earlier;
    });

  return {
    all: async () => all.all().map(toList),
    find: async (hashes) =>
      hashes.length === 0 ? [] : find.all(JSON.stringify(hashes.map((hash) => hash.toHex()))),
    replace: async (list, batches) => {
      const sorted = await sortHashes(batches);
      try {
        for (const { id } of unfinished.all(list.importedAtMs - unfinishedMs)) await discard(id);
        const { lastInsertRowid } = await write(() => insertList.run(JSON.stringify(list)));
        const id = Number(lastInsertRowid);
        let entries = 0;
        for (const chunk of sorted.chunks(chunkEntries)) {
          await transaction(() => {
            for (const hash of chunk) insertEntry.run(id, hash);
          });
          entries += chunk.length;
          await Bun.sleep(pauseMs);
        }
        const stored: ThreatList = { ...list, entries };
        const earlier = await replaceCurrent(list.source, id, JSON.stringify(stored));
        if (earlier !== null) await discard(earlier);
        return entries;
      } finally {
        sorted.close();
      }
    },
    remove: async (source) => {
      const earlier = await replaceCurrent(source, null, '');
      if (earlier !== null) await discard(earlier);
      return earlier !== null;
    },
  };
}

interface Row {
  /** A list in JSON. */
  readonly list: string;
}

function toList({ list }: Row): ThreatList {
  // Only `replace` writes the column.
  return JSON.parse(list) as ThreatList;
}

/** Sorts hashes in memory and removes repetitions, so that each page of the database is written once. */
async function sortHashes(batches: AsyncIterable<readonly Uint8Array[]>) {
  const memory = new Database(':memory:', { strict: true });
  memory.run('CREATE TABLE hashes (hash BLOB NOT NULL)');
  const insert = memory.query('INSERT INTO hashes VALUES (?)');
  try {
    for await (const batch of batches)
      memory.transaction(() => {
        for (const hash of batch) insert.run(hash);
      })();
  } catch (error) {
    memory.close();
    throw error;
  }
  return {
    *chunks(size: number): Generator<Uint8Array[]> {
      const rows = memory.query<{ hash: Uint8Array }, []>(
        'SELECT DISTINCT hash FROM hashes ORDER BY hash',
      );
      let chunk: Uint8Array[] = [];
      for (const { hash } of rows.iterate()) {
        chunk.push(hash);
        if (chunk.length < size) continue;
        yield chunk;
        chunk = [];
      }
      if (chunk.length > 0) yield chunk;
    },
    close: () => memory.close(),
  };
}
