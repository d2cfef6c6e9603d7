import type { Database } from 'bun:sqlite';
import type { HitKind } from '../../core/scans/hit.ts';
import { decode, type Entries, encode, entryCount, inPieces, UnreadableRow } from './batch.ts';
import { createScanCounters } from './counters.ts';
import { type Count, createTally, type Tally } from './tally.ts';

// A piece blocks the thread that answers redirects, for half a millisecond.
const pieceEntries = 500;
/**
 * How many counts are put in order at once. The more there are, the fewer rows and pages of the counters
 * are written for each hit; the fewer, the shorter redirects wait.
 */
const mostToOrder = 50_000;

/** What one step did. */
export interface FoldStep {
  /** Whether nothing was added to the counters yet, but put in order to be. */
  readonly ordered: boolean;
  /** Whether there is more that is in order, or too much to gather on. */
  readonly more: boolean;
}

/** Hits that are committed to the scan log and not yet in the counters. */
export interface Fold {
  /** Counts of one QR and kind that are not folded yet, one or more per hour; `lastMs` tells the hour. */
  counts(qrId: number, kind: HitKind): readonly Readonly<Count>[];
  /** Takes note of a row that has just been committed. Rows are told of in the order of their ids. */
  add(entries: ArrayLike<number>, row: number): void;
  /** Takes one step towards folding the oldest of them, or gives null when there are none. */
  step(): FoldStep | null;
  /**
   * Folds the rows that an earlier process has left behind.
   *
   * @throws UnreadableRow when some cannot be read; they stay, and all others are folded
   */
  foldLeftovers(): void;
  /**
   * Takes note of those rows instead, where they cannot be folded now: nothing is written. Call it before
   * any row is added.
   *
   * @throws UnreadableRow when some cannot be read; they stay, and all others are noted
   */
  noteLeftovers(): void;
  /** Batches that wait, of about 50,000 counts each. */
  backlog(): number;
}

/** Consecutive rows of the log, and what they come to. */
interface Batch {
  readonly tally: Tally;
  readonly firstRow: number;
  lastRow: number;
  /** What is left of it, in the order of the QRs, once it is being folded. */
  pieces: Piece[] | null;
}

interface Piece {
  readonly entries: Entries;
  readonly firstRow: number;
  readonly lastRow: number;
}

/**
 * Folds the scan log into the counters, step by step, the oldest rows first. What the rows hold is
 * added up in memory as they are written, so that they are read again only after a crash.
 *
 * A step puts the rows of a batch in order: it writes in their place what they come to, in the order of
 * the QRs. Or it takes one piece of what is in order, adds it to the counters and deletes it. Whatever a
 * step writes is one transaction, so a crash neither loses nor doubles a scan, and log and counters
 * together are exact at any time. No other connection may fold meanwhile.
 */
export function createFold(database: Database): Fold {
  const forget = database.query('DELETE FROM scan_log WHERE id BETWEEN ? AND ?');
  const putBack = database.query('INSERT INTO scan_log (id, entries) VALUES (?, ?)');
  const addToCounters = createScanCounters(database);
  // Oldest first. The last one gathers until it is full or its turn comes.
  const batches: Batch[] = [];

  const fold = database.transaction(({ entries, firstRow, lastRow }: Piece) => {
    addToCounters(entries);
    forget.run(firstRow, lastRow);
  });
  const replace = database.transaction((pieces: readonly Piece[], { firstRow, lastRow }: Batch) => {
    forget.run(firstRow, lastRow);
    for (const piece of pieces) putBack.run(piece.firstRow, encode(piece.entries));
  });

  const isFull = ({ tally, pieces }: Batch) => pieces !== null || tally.size() >= mostToOrder;

  /** @returns whether its pieces have been written to the log, one a row */
  const putInOrder = (batch: Batch): boolean => {
    const { tally, firstRow, lastRow } = batch;
    const sorted = tally.entries();
    if (entryCount(sorted) <= pieceEntries) {
      batch.pieces = [{ entries: sorted, firstRow, lastRow }];
      return false;
    }
    // No row of the log is longer than a piece, so there are rows enough to take them.
    const rowAfter = lastRow + 1;
    const all = [...inPieces(sorted, pieceEntries)];
    const pieces = all.map((entries, at) => {
      const row = rowAfter - all.length + at;
      return { entries, firstRow: row, lastRow: row };
    });
    replace.immediate(pieces, batch);
    batch.pieces = pieces;
    return true;
  };

  const leftovers = createLeftovers(database);

  return {
    add: (entries, row) => {
      let batch = batches.at(-1);
      if (batch === undefined || isFull(batch)) {
        batch = { tally: createTally(), firstRow: row, lastRow: row, pieces: null };
        batches.push(batch);
      }
      batch.tally.add(entries);
      batch.lastRow = row;
    },
    step: () => {
      const [batch] = batches;
      if (batch === undefined) return null;
      if (batch.pieces === null && putInOrder(batch)) return { ordered: true, more: true };
      const [piece, ...rest] = batch.pieces ?? [];
      if (piece !== undefined) {
        fold.immediate(piece);
        batch.tally.remove(piece.entries);
      }
      batch.pieces = rest;
      if (rest.length === 0) batches.shift();
      return { ordered: false, more: rest.length > 0 || batches.length > 1 };
    },
    foldLeftovers: () => leftovers((batch) => fold.immediate(wholeOf(batch))),
    // In pieces already, so that no later row joins them: one that cannot be read may lie in between.
    noteLeftovers: () =>
      leftovers((batch) => void batches.push({ ...batch, pieces: [wholeOf(batch)] })),
    counts: (qrId, kind) => batches.flatMap(({ tally }) => tally.counts(qrId, kind)),
    backlog: () => batches.length,
  };
}

/** A batch as one piece. */
function wholeOf({ tally, firstRow, lastRow }: Batch): Piece {
  return { entries: tally.entries(), firstRow, lastRow };
}

/**
 * Finds out which rows are in the log now.
 *
 * @returns gives them away, each once, as much at a time as is put in order at once
 */
function createLeftovers(database: Database): (give: (batch: Batch) => void) => void {
  const rows = database.query<{ id: number; entries: Uint8Array }, [number, number]>(
    'SELECT id, entries FROM scan_log WHERE id > ? AND id <= ? ORDER BY id',
  );
  const lastRow =
    database.query<{ id: number | null }, []>('SELECT max(id) AS id FROM scan_log').get()?.id ?? 0;
  let given = 0;
  let unreadable: UnreadableRow | null = null;

  /** Rows after those that are given, up to one that cannot be read. */
  const next = (): Batch | null => {
    let batch: Batch | null = null;
    for (const { id, entries } of rows.iterate(given, lastRow)) {
      try {
        const hits = decode(entries);
        batch ??= { tally: createTally(), firstRow: id, lastRow: id, pieces: null };
        batch.tally.add(hits);
        batch.lastRow = id;
        if (batch.tally.size() >= mostToOrder) return batch;
      } catch (error) {
        if (!(error instanceof UnreadableRow)) throw error;
        unreadable = error;
        if (batch !== null) return batch;
        given = id;
      }
    }
    return batch;
  };

  return (give) => {
    for (let batch = next(); batch !== null; batch = next()) {
      give(batch);
      given = batch.lastRow;
    }
    if (unreadable !== null) throw unreadable;
  };
}
