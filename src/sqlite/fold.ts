import type { Database } from 'bun:sqlite';
import { addUp, decode, emptySums, entryCount, type Sums } from './scan-batch.ts';

// A piece blocks the thread that answers redirects: some 500 hits are one to three milliseconds. A
// smaller one would cost more altogether, because each writes most pages of the counters anew.
const pieceHits = 500;

/** What one piece of the log added up to. */
export interface Folded {
  readonly sums: Sums;
  /** Entries that were taken from the log. */
  readonly entries: number;
}

/**
 * Folds the oldest rows of the scan log into the counters, a piece at a time. Folding and deleting
 * the folded rows are one transaction, so a crash neither loses nor doubles a scan.
 *
 * @returns folds one piece and says what it added up to, or null when the log is empty
 */
export function makeFold(database: Database): () => Folded | null {
  const oldest = database.query<{ id: number; entries: Uint8Array }, []>(
    `SELECT id, entries FROM scan_log ORDER BY id LIMIT ${pieceHits}`,
  );
  const forget = database.query('DELETE FROM scan_log WHERE id <= ?');
  const addToCounter = database.query(
    'INSERT INTO scan_counters (qr_id, scans, last_scan) VALUES (?1, ?2, ?3) ON CONFLICT (qr_id) ' +
      'DO UPDATE SET scans = scans + ?2, last_scan = max(last_scan, ?3)',
  );
  const addToHour = database.query(
    'INSERT INTO hourly_scans (qr_id, hour, scans) VALUES (?1, ?2, ?3) ON CONFLICT (qr_id, hour) ' +
      'DO UPDATE SET scans = scans + ?3',
  );
  const addUncounted = database.query(
    'INSERT INTO uncounted_hits (qr_id, kind, hits) VALUES (?1, ?2, ?3) ON CONFLICT (qr_id, kind) ' +
      'DO UPDATE SET hits = hits + ?3',
  );

  const apply = database.transaction((sums: Sums, lastRow: number) => {
    for (const [qrId, { scans, lastMs }] of sums.scans) addToCounter.run(qrId, scans, lastMs);
    for (const [hourMs, inHour] of sums.hours)
      for (const [qrId, scans] of inHour) addToHour.run(qrId, hourMs, scans);
    for (const { qrId, kind, hits } of sums.uncounted.values()) addUncounted.run(qrId, kind, hits);
    forget.run(lastRow);
  });

  return () => {
    const sums = emptySums();
    let lastRow: number | null = null;
    let taken = 0;
    for (const row of oldest.iterate()) {
      const entries = decode(row.entries);
      addUp(entries, sums);
      lastRow = row.id;
      taken += entryCount(entries);
      if (taken >= pieceHits) break;
    }
    if (lastRow === null) return null;
    apply.immediate(sums, lastRow);
    return { sums, entries: taken };
  };
}
