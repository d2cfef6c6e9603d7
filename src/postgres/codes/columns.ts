import { eq, type SQL, sql } from 'drizzle-orm';
import type { Qr } from '../../core/codes/qr.ts';
import { kindRange } from '../../core/scans/hit-entries.ts';
import { flags, qrs, scanCounters, scanLog } from '../database/schema.ts';
import type { Transaction } from '../database/store.ts';

/**
 * Selects QRs with their flags and scans. A single statement sees a hit either in the log or in the
 * counters, never in both.
 *
 * @param ids an SQL expression: the ids as an array. With an array, PostgreSQL uses the index whatever their number,
 *   and skips the rows of the log that have no hit on them
 */
export function selectQrs(reader: Transaction, ids: SQL) {
  // The target of a scan is the id times this number, see `hitTarget`.
  const range = sql.raw(String(kindRange));
  const pending = reader
    .select({
      qrId: sql<number>`target / ${range}`.as('pending_qr_id'),
      scans: sql`sum(coalesce(count, 1))`.as('pending_scans'),
      lastMs: sql`max(at)`.as('pending_last'),
    })
    .from(sql`${scanLog}, unnest(targets, times, counts) as hit (target, at, count)`)
    .where(
      // True of every row: without a condition, PostgreSQL does not scan by index (`Connection.lookUps`).
      sql`copy >= 0 and targets && array(select id * ${range} from unnest(${ids}) as id) and target % ${range} = 0`,
    )
    .groupBy(sql`target`)
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
    .leftJoin(pending, eq(pending.qrId, qrs.id))
    .where(sql`${qrs.id} = any(${ids})`);
}

/** Returns ids as an SQL array. */
export function arrayOf(ids: readonly number[]): SQL {
  return sql`${`{${ids.join()}}`}::bigint[]`;
}

type QrRow = Omit<Qr, 'image'> & {
  readonly designId: number | null;
  readonly imageHash: Uint8Array | null;
  readonly logoPlacement: NonNullable<Qr['image']>['logoPlacement'];
};

/** Converts a row of {@link selectQrs}. */
export function toQr({ designId, imageHash, logoPlacement, ...columns }: QrRow): Qr {
  // Without a design there is no image (constraint qrs_image).
  const image = designId === null || imageHash === null ? null : { designId, imageHash };
  return { ...columns, image: image && { ...image, logoPlacement } };
}
