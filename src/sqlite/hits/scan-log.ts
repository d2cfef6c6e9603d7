import type { Database } from 'bun:sqlite';
import { decodeHits } from '../../core/scans/hit-entries.ts';

/**
 * Reads the rows of `scan_log`, oldest first.
 * `entries` is null for a row that `encodeHits` cannot have written.
 */
export function* readScanLog(
  database: Database,
): Generator<{ readonly id: number; readonly entries: Float64Array | null }> {
  const rows = database.query<{ id: number; hits: unknown }, []>(
    'SELECT id, hits FROM scan_log ORDER BY id',
  );
  for (const { id, hits } of rows.iterate()) yield { id, entries: decodeHits(hits) };
}
