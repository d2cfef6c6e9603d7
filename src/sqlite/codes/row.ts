import type { Qr } from '../../core/codes/qr.ts';
import { parseLogoPlacement } from '../designs/designs.ts';
import type { SqliteScanLog } from '../scans/log.ts';

/** A row of {@link selectQrById}. */
export interface QrRow extends Omit<Qr, 'logoPlacement' | 'scans' | 'flag'> {
  /** JSON. */
  readonly logoPlacement: string | null;
  /** Null without an aggregated scan. */
  readonly scans: number | null;
  readonly flagList: string | null;
  readonly flagExpression: string | null;
  readonly flagSinceMs: number | null;
}

/**
 * Selects QRs with their counters and flags; a condition on the id follows. Without drizzle, for speed.
 * Parameters belong into an inner SELECT: beside a joined column, SQLite prepares the statement again
 * at each run.
 */
export const selectQrById =
  'SELECT qrs.id AS id, code, account_id AS accountId, design_id AS designId, ' +
  'logo_placement AS logoPlacement, short_link AS shortLink, destination, status, ' +
  'created_at AS createdAtMs, image_hash AS imageHash, scans, last_scan AS lastScanMs, ' +
  'list AS flagList, expression AS flagExpression, since AS flagSinceMs ' +
  'FROM qrs LEFT JOIN scan_counters ON scan_counters.qr_id = qrs.id ' +
  'LEFT JOIN flags ON flags.qr_id = qrs.id WHERE qrs.id';

/** Converts a row and adds the hits that are not aggregated yet. */
export function toQr(row: QrRow, scanLog: Pick<SqliteScanLog, 'pending'>): Qr {
  const { flagList, flagExpression, flagSinceMs, ...columns } = row;
  let { scans, lastScanMs } = row;
  for (const { hits, lastMs } of scanLog.pending(row.id, 'scan')) {
    scans = (scans ?? 0) + hits;
    lastScanMs = Math.max(lastScanMs ?? 0, lastMs);
  }
  const isFlagged = flagList !== null && flagExpression !== null && flagSinceMs !== null;
  return {
    ...columns,
    logoPlacement: parseLogoPlacement(row.logoPlacement),
    flag: isFlagged ? { list: flagList, expression: flagExpression, sinceMs: flagSinceMs } : null,
    scans: scans ?? 0,
    lastScanMs,
  };
}
