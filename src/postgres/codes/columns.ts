import { eq, max, sql, sum } from 'drizzle-orm';
import type { Qr } from '../../core/codes/qr.ts';
import { hitKinds } from '../../core/scans/hit.ts';
import { flags } from '../database/safety-schema.ts';
import { pendingHits, qrs, scanCounters } from '../database/schema.ts';
import type { Transaction } from '../database/store.ts';

/**
 * Selects QRs with their flags and scans. A single statement sees a hit either in the log or in the
 * counters, never in both.
 */
export function selectQrs(reader: Transaction) {
  const pending = reader
    .select({
      qrId: pendingHits.qrId,
      scans: sum(pendingHits.hits).as('pending_scans'),
      lastMs: max(pendingHits.atMs).as('pending_last'),
    })
    .from(pendingHits)
    .where(eq(pendingHits.kind, sql.raw(String(hitKinds.indexOf('scan')))))
    .groupBy(pendingHits.qrId)
    .as('pending');
  return reader
    .select({
      id: qrs.id,
      code: qrs.code,
      accountId: qrs.accountId,
      name: qrs.name,
      note: qrs.note,
      designId: qrs.designId,
      logoPlacement: qrs.logoPlacement,
      imageHash: qrs.imageHash,
      pngHash: qrs.pngHash,
      shortLink: qrs.shortLink,
      destination: qrs.destination,
      status: qrs.status,
      createdAtMs: qrs.createdAtMs,
      scans:
        sql<number>`coalesce(${scanCounters.scans}, 0) + coalesce(${pending.scans}, 0)`.mapWith(
          Number,
        ),
      lastScanMs: sql<
        number | null
      >`greatest(nullif(${scanCounters.lastScanMs}, 0), ${pending.lastMs})`.mapWith(Number),
      flag: { list: flags.list, expression: flags.expression, sinceMs: flags.sinceMs },
    })
    .from(qrs)
    .leftJoin(scanCounters, eq(scanCounters.qrId, qrs.id))
    .leftJoin(flags, eq(flags.qrId, qrs.id))
    .leftJoin(pending, eq(pending.qrId, qrs.id));
}

type QrRow = Omit<Qr, 'image'> & {
  readonly designId: number | null;
  readonly imageHash: Uint8Array | null;
  readonly pngHash: Uint8Array | null;
  readonly logoPlacement: NonNullable<Qr['image']>['logoPlacement'];
};

/** Converts a row of {@link selectQrs}. */
export function toQr({ designId, imageHash, pngHash, logoPlacement, ...columns }: QrRow): Qr {
  // Without a design there is no image (constraint qrs_image).
  const image = designId === null || imageHash === null ? null : { designId, imageHash, pngHash };
  return { ...columns, image: image && { ...image, logoPlacement } };
}
