import { eq, inArray, lte, sql } from 'drizzle-orm';
import type { IdempotencyKey } from '../../core/codes/idempotency.ts';
import type { NewQr, Qr } from '../../core/codes/qr.ts';
import {
  accounts,
  flags,
  formerDestinations,
  idempotencyKeys,
  qrs,
  recheckQueue,
  shortUrlPrefixes,
} from '../database/schema.ts';
import type { Transaction } from '../database/store.ts';

export const idempotencyWindowMs = 24 * 3_600_000;
// A create deletes more expired keys than it adds, and few enough to stay short.
const expiredPerCreate = 100;

/**
 * Inserts a QR, inside a transaction.
 *
 * @returns its id, or null when the code exists
 */
export async function insertQr(
  transaction: Transaction,
  { image, ...columns }: NewQr,
  needsRecheck: boolean,
): Promise<number | null> {
  const [stored] = await transaction
    .insert(qrs)
    .values({ ...columns, ...image })
    .onConflictDoNothing({ target: qrs.code })
    .returning({ id: qrs.id });
  if (stored === undefined) return null;
  await transaction
    .update(accounts)
    .set({ qrCount: sql`${accounts.qrCount} + 1` })
    .where(eq(accounts.id, columns.accountId));
  const { shortLink, code } = columns;
  const prefix = shortLink.slice(0, shortLink.length - code.length - '/'.length);
  await transaction.insert(shortUrlPrefixes).values({ prefix }).onConflictDoNothing();
  if (needsRecheck) await addToRecheckQueue(transaction, stored.id);
  return stored.id;
}

/** Sets another destination, inside a transaction, and records the former one. */
export async function setDestination(
  transaction: Transaction,
  { id, destination: former }: Pick<Qr, 'id' | 'destination'>,
  destination: string,
  atMs: number,
): Promise<void> {
  await transaction
    .insert(formerDestinations)
    .values({ qrId: id, destination: former, untilMs: atMs });
  await transaction.update(qrs).set({ destination }).where(eq(qrs.id, id));
  // Both are about the former destination.
  await transaction.delete(flags).where(eq(flags.qrId, id));
  await transaction.delete(recheckQueue).where(eq(recheckQueue.qrId, id));
}

/** Queues the destination of a QR for a re-check, inside a transaction. */
export async function addToRecheckQueue(transaction: Transaction, qrId: number): Promise<void> {
  await transaction.insert(recheckQueue).values({ qrId }).onConflictDoNothing();
}

/** Makes other requests with the key wait until the end of the transaction. */
export async function lockIdempotencyKey(
  transaction: Transaction,
  { digest }: IdempotencyKey,
): Promise<void> {
  const number = new DataView(digest.buffer, digest.byteOffset).getBigInt64(0);
  await transaction.execute(sql`select pg_advisory_xact_lock(${String(number)}::bigint)`);
}

/** Adds an idempotency key and deletes expired ones, inside a transaction. */
export async function addIdempotencyKey(
  transaction: Transaction,
  { digest, atMs }: IdempotencyKey,
  qrId: number,
): Promise<void> {
  // Skips those that another create is deleting, for which it would wait.
  const expired = transaction
    .select({ digest: idempotencyKeys.digest })
    .from(idempotencyKeys)
    .where(lte(idempotencyKeys.createdAtMs, atMs - idempotencyWindowMs))
    .limit(expiredPerCreate)
    .for('update', { skipLocked: true });
  await transaction.delete(idempotencyKeys).where(inArray(idempotencyKeys.digest, expired));
  await transaction
    .insert(idempotencyKeys)
    .values({ digest, qrId, createdAtMs: atMs })
    .onConflictDoUpdate({ target: idempotencyKeys.digest, set: { qrId, createdAtMs: atMs } });
}
