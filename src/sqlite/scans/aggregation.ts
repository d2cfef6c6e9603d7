import type { Database } from 'bun:sqlite';
import type { HitKind } from '../../core/scans/hit.ts';
import { createHitCounts, type HitCount, type HitCounts } from '../../core/scans/hit-counts.ts';
import { type HitEntries, splitEntries } from '../../core/scans/hit-entries.ts';
import { errorMessage } from '../../lib/errors.ts';
import { isUnwritable } from '../database/errors.ts';
import { createScanCounters } from './counters.ts';
import { encodeHits, readScanLog } from './hits.ts';

// A piece blocks the thread, and so redirects, for about half a millisecond.
const entriesPerPiece = 500;
// More counts write fewer pages per hit, but sorting them blocks redirects for longer.
const countsPerBatch = 50_000;

// Many hits together are cheaper to aggregate. Until then, the server's totals lack them.
const accumulateMs = 1000;
// At 500 codes per step, this aggregates up to 25,000 codes a second.
const stepDelayMs = 20;
const retryDelayMs = 500;

/** Aggregates hits from the scan log into the counters, in small steps. */
export interface Aggregator {
  /** Adds a row that was committed to the log. Ids must increase. */
  add(entries: ArrayLike<number>, rowId: number): void;
  /** Returns the counts of one code and kind that are not in the counters yet. */
  pending(qrId: number, kind: HitKind): readonly Readonly<HitCount>[];
  /**
   * Takes one step on the oldest rows.
   *
   * @returns `more`: another step should follow soon. `done`: the rest may accumulate. `empty`: there
   *   were no rows
   */
  step(): 'more' | 'done' | 'empty';
}

/** Consecutive rows of the log and their counts. */
interface Batch {
  readonly counts: HitCounts;
  readonly firstRow: number;
  lastRow: number;
  /** What is left to aggregate; null until the batch is sorted. Rows are added only before. */
  pieces: Piece[] | null;
}

interface Piece {
  readonly entries: HitEntries;
  readonly firstRow: number;
  readonly lastRow: number;
}

/**
 * Creates the aggregator of a database, of which there may be only one. The log is read once, for the
 * rows of an earlier process; later rows are counted in memory as they are added.
 *
 * A step either replaces the rows of a batch by its counts, sorted by code, so that each page of the
 * counters is written once; or it adds one piece to the counters and deletes its rows. Each is one
 * transaction, so that log and counters together are exact at any time.
 */
export function createAggregator(database: Database): Aggregator {
  const deleteRows = database.query('DELETE FROM scan_log WHERE id BETWEEN ? AND ?');
  const insertRow = database.query('INSERT INTO scan_log (hits) VALUES (?)');
  const addToCounters = createScanCounters(database);
  /** Oldest first. */
  const batches: Batch[] = [];

  const aggregatePiece = database.transaction(({ entries, firstRow, lastRow }: Piece) => {
    addToCounters(entries);
    deleteRows.run(firstRow, lastRow);
  });
  const rewriteRows = database.transaction((pieces: readonly HitEntries[], batch: Batch) => {
    const rows = pieces.map((entries) =>
      Number(insertRow.run(encodeHits(entries)).lastInsertRowid),
    );
    deleteRows.run(batch.firstRow, batch.lastRow);
    return rows;
  });

  const canTake = (batch: Batch, rowId: number): boolean =>
    batch.pieces === null && batch.counts.size() < countsPerBatch && rowId === batch.lastRow + 1;

  const add = (entries: ArrayLike<number>, rowId: number) => {
    let batch = batches.at(-1);
    if (batch === undefined || !canTake(batch, rowId)) {
      batch = { counts: createHitCounts(), firstRow: rowId, lastRow: rowId, pieces: null };
      batches.push(batch);
    }
    batch.counts.add(entries);
    batch.lastRow = rowId;
  };

  /** Splits a batch into sorted pieces. If there are several, each gets a row of its own in the log. */
  const sort = (batch: Batch): Piece[] => {
    const runs = splitEntries(batch.counts.sorted(), entriesPerPiece);
    const { firstRow, lastRow } = batch;
    if (runs.length === 1) return runs.map((entries) => ({ entries, firstRow, lastRow }));
    const rows = rewriteRows.immediate(runs, batch);
    return runs.map((entries, index) => {
      const row = rows[index] ?? 0;
      return { entries, firstRow: row, lastRow: row };
    });
  };

  // A damaged row stays in the log; `waymark doctor` reports it.
  for (const { id, entries } of readScanLog(database)) if (entries !== null) add(entries, id);

  return {
    add,
    pending: (qrId, kind) => batches.flatMap(({ counts }) => counts.find(qrId, kind)),
    step: () => {
      const [batch] = batches;
      if (batch === undefined) return 'empty';
      if (batch.pieces === null) {
        batch.pieces = sort(batch);
        return 'more';
      }
      const [piece, ...rest] = batch.pieces;
      if (piece !== undefined) {
        aggregatePiece.immediate(piece);
        batch.counts.remove(piece.entries);
      }
      batch.pieces = rest;
      if (rest.length === 0) batches.shift();
      return rest.length > 0 || batches.length > 1 ? 'more' : 'done';
    },
  };
}

/** Aggregates committed hits into the counters while the server runs. */
export interface BackgroundAggregation extends Pick<Aggregator, 'add' | 'pending'> {
  /** Returns why hits cannot be aggregated, or null. Only a damaged database causes it. */
  problem(): string | null;
  /** Aggregates the rest. Nothing may be added afterwards. */
  close(): void;
}

/** Starts the aggregation, also of hits that an earlier process left in the log. */
export function createBackgroundAggregation(database: Database): BackgroundAggregation {
  const aggregator = createAggregator(database);
  let problem: string | null = null;

  const step = () => {
    timer = null;
    try {
      const result = aggregator.step();
      problem = null;
      if (result !== 'empty')
        timer = setTimeout(step, result === 'more' ? stepDelayMs : accumulateMs);
    } catch (error) {
      // A full disk or another process's lock is a problem of the next hits that are written.
      if (!isUnwritable(error)) problem ??= errorMessage(error);
      timer = setTimeout(step, retryDelayMs);
    }
  };

  let timer: Timer | null = setTimeout(step, accumulateMs);

  return {
    add: (entries, rowId) => {
      aggregator.add(entries, rowId);
      timer ??= setTimeout(step, accumulateMs);
    },
    pending: aggregator.pending,
    problem: () => problem,
    close: () => {
      if (timer !== null) clearTimeout(timer);
      try {
        while (aggregator.step() !== 'empty');
      } catch {
        // The rest stays in the log until the next start.
      }
    },
  };
}
