import {
  and,
  asc,
  desc,
  eq,
  gt,
  lt,
  lte,
  or,
  type Placeholder,
  type SQLWrapper,
} from 'drizzle-orm';
import { mapLabels } from '../../core/codes/fields.ts';
import type { Qr } from '../../core/codes/qr.ts';
import type { QrCursor } from '../../core/ports.ts';
import type { Builder, Dialect, Values } from '../dialect.ts';
import type { Tables } from '../tables.ts';

/** The cursor before the newest code of an account. */
export const beforeNewest: QrCursor = { createdAtMs: Number.MAX_SAFE_INTEGER, code: '' };

/** Returns the order of the list, newest first. The index `qrs_newest_first` has it. */
export function newestFirst(qrs: Tables['qrs']) {
  return [desc(qrs.createdAtMs), asc(qrs.code)];
}

/** Tells whether a code of an account is after a cursor in the order of the list. */
export function isAfterCursor(
  qrs: Tables['qrs'],
  accountId: number | Placeholder,
  { createdAtMs, code }: { [Name in keyof QrCursor]: QrCursor[Name] | Placeholder },
) {
  return and(
    eq(qrs.accountId, accountId),
    // Repeats a part of the next, so that the index is used.
    lte(qrs.createdAtMs, createdAtMs),
    or(lt(qrs.createdAtMs, createdAtMs), gt(qrs.code, code)),
  );
}

/**
 * Creates what reads codes with their flags and scans. A single statement sees a hit once: in the counters, or
 * among those that are not aggregated yet.
 */
export function createQrRows({ tables, pendingHits, isOneOf }: Dialect) {
  const { flags, qrs, scanCounters } = tables;

  /** Selects codes by their ids. Parameters belong into `ids`: beside a joined column SQLite compiles at each run. */
  const select = (db: Builder, ids: Values | SQLWrapper) =>
    pendingHits.join(
      db
        .select({
          id: qrs.id,
          code: qrs.code,
          accountId: qrs.accountId,
          ...mapLabels((name) => qrs[name]),
          designId: qrs.designId,
          logoPlacement: qrs.logoPlacement,
          imageHash: qrs.imageHash,
          shortLink: qrs.shortLink,
          destination: qrs.destination,
          status: qrs.status,
          isArchived: qrs.isArchived,
          createdAtMs: qrs.createdAtMs,
          scans: scanCounters.scans,
          lastScanMs: scanCounters.lastScanMs,
          pendingScans: pendingHits.scans,
          pendingLastMs: pendingHits.lastMs,
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

  /** Converts a row. Names each field, which takes half the time of copying the rest of an object. */
  const toQr = (row: Row): Qr => {
    const { id, designId, logoPlacement, imageHash, flagList, flagExpression, flagSinceMs } = row;
    // Without a design there is no image (constraint qrs_image).
    const hasImage = designId !== null && imageHash !== null;
    const isFlagged = flagList !== null && flagExpression !== null && flagSinceMs !== null;
    let scans = (row.scans ?? 0) + (row.pendingScans ?? 0);
    let lastScanMs = Math.max(row.lastScanMs ?? 0, row.pendingLastMs ?? 0);
    for (const { hits, lastMs } of pendingHits.inMemory(id, 'scan')) {
      scans += hits;
      lastScanMs = Math.max(lastScanMs, lastMs);
    }
    return {
      id,
      code: row.code,
      accountId: row.accountId,
      image: hasImage ? { designId, logoPlacement, imageHash } : null,
      shortLink: row.shortLink,
      ...mapLabels((name) => row[name]),
      destination: row.destination,
      status: row.status,
      isArchived: row.isArchived,
      createdAtMs: row.createdAtMs,
      scans,
      lastScanMs: lastScanMs === 0 ? null : lastScanMs,
      flag: isFlagged ? { list: flagList, expression: flagExpression, sinceMs: flagSinceMs } : null,
    };
  };
  return { select, toQr };
}
