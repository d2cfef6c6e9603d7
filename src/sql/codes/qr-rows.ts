import { asc, desc, eq, type SQLWrapper } from 'drizzle-orm';
import { labelNames } from '../../core/codes/fields.ts';
import type { Qr } from '../../core/codes/qr.ts';
import { splitScope } from '../../core/codes/urls/resolve.ts';
import { type Builder, type Dialect, pick, type Values } from '../dialect.ts';
import type { Tables } from '../tables.ts';

/** Returns the order of the list, newest first. The index `qrs_newest_first` has it. */
export function newestFirst(qrs: Tables['qrs']) {
  return [desc(qrs.createdAtMs), asc(qrs.code)];
}

/**
 * Creates what reads codes with their flags and scans.
 * A single statement sees a hit once: in the counters, or among those that are not aggregated yet.
 */
export function createQrRows({ tables, pendingHits, isOneOf }: Dialect) {
  const { flags, qrs, scanCounters } = tables;

  /**
   * Selects codes by their ids.
   * Parameters belong into `ids`: beside a joined column SQLite compiles at each run.
   */
  const select = (db: Builder, ids: Values | SQLWrapper) =>
    pendingHits.join(
      db
        .select({
          ...pick(qrs, 'id', 'code', 'accountId', 'shortLink', 'destination', 'status'),
          ...pick(qrs, 'createdAtMs', 'isArchived', ...labelNames),
          ...pick(qrs, 'designId', 'logoPlacement', 'imageHash'),
          ...pick(scanCounters, 'scans', 'lastScanMs'),
          pendingScans: pendingHits.scans,
          pendingLastMs: pendingHits.lastMs,
          // Not as an object, which drizzle makes for each code, and few are flagged.
          flagList: flags.list,
          flagExpression: flags.expression,
          flagSinceMs: flags.sinceMs,
        })
        .from(qrs)
        .leftJoin(scanCounters, eq(scanCounters.qrId, qrs.id))
        .leftJoin(flags, eq(flags.qrId, qrs.id))
        .where(isOneOf(qrs.id, ids))
        .$dynamic(),
      ids,
    );
  type Row = Awaited<ReturnType<typeof select>>[number];

  /** Adds what no column has: the hits in memory, and what is null together as one object. */
  const toQr = (row: Row): Qr => {
    const {
      designId,
      logoPlacement,
      imageHash,
      flagList,
      flagExpression,
      flagSinceMs,
      pendingScans,
      pendingLastMs,
      ...qr
    } = row;
    // Without a design there is no image (constraint qrs_image).
    const hasImage = designId !== null && imageHash !== null;
    const isFlagged = flagList !== null && flagExpression !== null && flagSinceMs !== null;
    let scans = (qr.scans ?? 0) + (pendingScans ?? 0);
    let lastScanMs = Math.max(qr.lastScanMs ?? 0, pendingLastMs ?? 0);
    for (const { hits, lastMs } of pendingHits.inMemory(qr.id, 'scan')) {
      scans += hits;
      lastScanMs = Math.max(lastScanMs, lastMs);
    }
    return {
      ...qr,
      path: qr.path === null ? null : splitScope(qr.path).path,
      image: hasImage ? { designId, logoPlacement, imageHash } : null,
      scans,
      lastScanMs: lastScanMs === 0 ? null : lastScanMs,
      flag: isFlagged ? { list: flagList, expression: flagExpression, sinceMs: flagSinceMs } : null,
    };
  };
  return { select, toQr };
}
