import type { Database } from 'bun:sqlite';
import { decode, type Entries, encode, entryCount, inPieces, makeTally } from './scan-batch.ts';
import { makeScanCounters } from './scan-counters.ts';

// A piece blocks the thread that answers redirects, for half a millisecond.
const pieceEntries = 500;
/**
 * How many entries are put in order at once, which blocks that thread for ten milliseconds. The more
 * there are, the fewer rows and pages of the counters are written for each.
 */
export const mostToOrder = 50_000;

/** What one step did. */
export interface FoldStep {
  /** Entries that are in the counters now. */
  readonly folded: ArrayLike<number>;
  /** By how many entries the log is shorter. */
  readonly shorterBy: number;
  /** Whether there is more that is in order. */
  readonly more: boolean;
}

/**
 * Folds the scan log into the counters, step by step, oldest rows first. Either a step adds up the
 * hits of many rows and puts them back in their place, in the order of the QRs; or it takes one piece
 * of what is in order, adds it to the counters and deletes it. Each is one transaction, so a crash
 * neither loses nor doubles a scan, and log and counters together are exact at any time.
 *
 * @returns takes one step, or null when the log is empty
 */
export function makeFold(database: Database): () => FoldStep | null {
  const oldest = database.query<{ id: number; entries: Uint8Array }, []>(
    'SELECT id, entries FROM scan_log ORDER BY id LIMIT 1',
  );
  const fromOldest = database.query<{ id: number; entries: Uint8Array }, []>(
    `SELECT id, entries FROM scan_log ORDER BY id LIMIT ${mostToOrder}`,
  );
  const forget = database.query('DELETE FROM scan_log WHERE id <= ?');
  const putBack = database.query('INSERT INTO scan_log (id, entries) VALUES (?, ?)');
  const addToCounters = makeScanCounters(database);
  let inOrderUpTo = 0;

  const fold = database.transaction((entries: ArrayLike<number>, lastRow: number) => {
    addToCounters(entries);
    forget.run(lastRow);
  });
  const replace = database.transaction((pieces: readonly Entries[], lastRow: number) => {
    forget.run(lastRow);
    for (const [index, piece] of pieces.entries())
      putBack.run(lastRow - pieces.length + 1 + index, encode(piece));
  });

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
    const tally = makeTally();
    let lastRow = row.id;
    let taken = 0;
    for (const { id, entries } of fromOldest.iterate()) {
      const hits = decode(entries);
      tally.add(hits);
      lastRow = id;
      taken += entryCount(hits);
      if (taken >= mostToOrder) break;
    }
    const sorted = tally.entries();
    if (entryCount(sorted) <= pieceEntries) {
      fold.immediate(sorted, lastRow);
      return { folded: sorted, shorterBy: taken, more: false };
    }
    replace.immediate([...inPieces(sorted, pieceEntries)], lastRow);
    inOrderUpTo = lastRow;
    return { folded: [], shorterBy: taken - entryCount(sorted), more: true };
  };
}
