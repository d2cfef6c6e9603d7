import type { Database } from 'bun:sqlite';
import { decode, type Entries, encode, entryCount, inPieces, makeTally } from './scan-batch.ts';
import { makeScanCounters } from './scan-counters.ts';

// A piece blocks the thread that answers redirects, for half a millisecond.
const pieceEntries = 500;
// So do a thousand rows, or the first of them that hold so many entries, when they are gathered.
const gatherRows = 1000;
const gatherEntries = 5000;
/**
 * How many entries are put in order at once. The more there are, the fewer rows and pages of the counters
 * are written for each.
 */
export const mostToOrder = 50_000;

/** What one step did. */
export interface FoldStep {
  /** Entries that are in the counters now. */
  readonly folded: ArrayLike<number>;
  /** By how many entries the log is shorter. */
  readonly shorterBy: number;
  /** Whether there is more that is in order or on the way to it. */
  readonly more: boolean;
}

/** Entries of the oldest rows, added up in memory; the rows stay until all are put back in order. */
interface Gathered {
  readonly tally: ReturnType<typeof makeTally>;
  entries: number;
  lastRow: number;
}

/**
 * Folds the scan log into the counters, step by step, oldest rows first. A step reads some rows and adds
 * up their hits in memory; the last such step puts all of them back in their place, in the order of the
 * QRs. Or a step takes one piece of what is in order, adds it to the counters and deletes it. Whatever
 * a step writes is one transaction, so a crash neither loses nor doubles a scan, and log and counters
 * together are exact at any time. No other connection may fold meanwhile.
 *
 * @returns takes one step, or null when the log is empty
 */
export function makeFold(database: Database): () => FoldStep | null {
  const oldest = database.query<{ id: number; entries: Uint8Array }, []>(
    'SELECT id, entries FROM scan_log ORDER BY id LIMIT 1',
  );
  const following = database.query<{ id: number; entries: Uint8Array }, [number]>(
    `SELECT id, entries FROM scan_log WHERE id > ? ORDER BY id LIMIT ${gatherRows}`,
  );
  const forget = database.query('DELETE FROM scan_log WHERE id <= ?');
  const putBack = database.query('INSERT INTO scan_log (id, entries) VALUES (?, ?)');
  const addToCounters = makeScanCounters(database);
  let inOrderUpTo = 0;
  let gathered: Gathered | null = null;

  const fold = database.transaction((entries: ArrayLike<number>, lastRow: number) => {
    addToCounters(entries);
    forget.run(lastRow);
  });
  const replace = database.transaction((pieces: readonly Entries[], lastRow: number) => {
    forget.run(lastRow);
    for (const [index, piece] of pieces.entries())
      putBack.run(lastRow - pieces.length + 1 + index, encode(piece));
  });

  /** @returns whether there are more rows behind those that were taken */
  const gather = (into: Gathered): boolean => {
    const enough = into.entries + gatherEntries;
    let rows = 0;
    for (const { id, entries } of following.iterate(into.lastRow)) {
      const hits = decode(entries);
      into.tally.add(hits);
      into.entries += entryCount(hits);
      into.lastRow = id;
      if (into.entries >= enough || ++rows === gatherRows) return true;
    }
    return false;
  };

  return () => {
    const row = oldest.get();
    if (row === null) return null;
    if (row.id <= inOrderUpTo) {
      const entries = decode(row.entries);
      fold.immediate(entries, row.id);
      const more = row.id < inOrderUpTo;
      // The ids of an empty log are given again, to rows in no order.
      if (!more) inOrderUpTo = 0;
      return { folded: entries, shorterBy: entryCount(entries), more };
    }
    gathered ??= { tally: makeTally(), entries: 0, lastRow: 0 };
    if (gather(gathered) && gathered.entries < mostToOrder)
      return { folded: [], shorterBy: 0, more: true };
    const { tally, entries, lastRow } = gathered;
    gathered = null;
    const sorted = tally.entries();
    if (entryCount(sorted) <= pieceEntries) {
      fold.immediate(sorted, lastRow);
      return { folded: sorted, shorterBy: entries, more: false };
    }
    replace.immediate([...inPieces(sorted, pieceEntries)], lastRow);
    inOrderUpTo = lastRow;
    return { folded: [], shorterBy: entries - entryCount(sorted), more: true };
  };
}
