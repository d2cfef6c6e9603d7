import type { Database } from 'bun:sqlite';
import { isDamage } from '../database/errors.ts';

interface Row {
  readonly id: number;
  readonly source: string;
  readonly list: string;
}

/**
 * Copies the threat lists that can be read completely. The others are left out, because half a list would
 * look like a whole one.
 *
 * @returns sentences that tell what was left out
 */
export function copyThreatLists(source: Database, repaired: Database): string[] {
  const exists = source.query("SELECT 1 FROM sqlite_schema WHERE name = 'threat_lists'").get();
  // The schema of an earlier version.
  if (exists === null) return [];
  const lists = read<Row>(
    source,
    'SELECT id, source, list FROM threat_lists WHERE source IS NOT NULL',
  );
  if (lists === null) return ['threat lists cannot be read; import them again'];
  return lists.flatMap((list) => {
    const isCopied = copyList(source, repaired, list);
    return isCopied ? [] : [`threat list "${list.source}" cannot be read; import it again`];
  });
}

function copyList(source: Database, repaired: Database, { id, source: name, list }: Row): boolean {
  const insert = repaired.query('INSERT INTO threat_list_entries (list_id, hash) VALUES (?, ?)');
  let entries = 0;
  try {
    const rows = source.query<{ hash: Uint8Array }, [number]>(
      'SELECT hash FROM threat_list_entries WHERE list_id = ? ORDER BY hash',
    );
    for (const { hash } of rows.iterate(id)) {
      insert.run(id, hash);
      entries++;
    }
    if (entries === entriesOf(list)) {
      repaired
        .query('INSERT INTO threat_lists (id, source, list) VALUES (?, ?, ?)')
        .run(id, name, list);
      return true;
    }
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
  repaired.query('DELETE FROM threat_list_entries WHERE list_id = ?').run(id);
  return false;
}

/** Returns the number of entries in a list's description, or null when it is damaged. */
function entriesOf(list: string): number | null {
  try {
    const parsed: unknown = JSON.parse(list);
    const hasEntries = typeof parsed === 'object' && parsed !== null && 'entries' in parsed;
    return hasEntries && typeof parsed.entries === 'number' ? parsed.entries : null;
  } catch {
    return null;
  }
}

function read<T>(database: Database, sql: string): T[] | null {
  try {
    return database.query<T, []>(sql).all();
  } catch (error) {
    if (!isDamage(error)) throw error;
    return null;
  }
}
