import type { QrBatchReader, QrCursor } from '../../core/ports.ts';
import type { Connection } from '../database/open.ts';
import type { SqliteScanLog } from '../scans/log.ts';
import { newestFirst, type QrRow, selectQrById, toQr } from './row.ts';

// The first bound repeats part of the second: SQLite seeks to it instead of scanning the index.
const afterCursor = `WHERE account_id = ?1 AND created_at <= ?2 AND (created_at < ?2 OR code > ?3) ${newestFirst}`;

const start: QrCursor = { createdAtMs: Number.MAX_SAFE_INTEGER, code: '' };

/** Creates a reader of an account's codes in batches, by keyset cursors on the index of the list. */
export function createQrBatchReader(
  { $client: database }: Connection,
  scanLog: Pick<SqliteScanLog, 'pending'>,
): QrBatchReader {
  const lastOfBatch = database.query<QrCursor, [number, number, string, number]>(
    `SELECT created_at AS createdAtMs, code FROM qrs ${afterCursor} LIMIT 1 OFFSET ?4 - 1`,
  );
  const matching = database.query<QrRow, [number, number, string, number, string]>(
    `${selectQrById} IN (
       SELECT id FROM (SELECT id, code, destination FROM qrs ${afterCursor} LIMIT ?4)
       WHERE instr(code, lower(?5)) OR instr(lower(destination), lower(?5))
     ) ${newestFirst}`,
  );
  return {
    matching: async (accountId, cursor, text, limit) => {
      const { createdAtMs, code } = cursor ?? start;
      const rows = matching.all(accountId, createdAtMs, code, limit, text);
      return {
        found: rows.map((row) => toQr(row, scanLog)),
        next: lastOfBatch.get(accountId, createdAtMs, code, limit),
      };
    },
  };
}
