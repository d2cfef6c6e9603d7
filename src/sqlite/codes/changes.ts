import { eq, sql } from 'drizzle-orm';
import type { NewQr, Qr, QrImage } from '../../core/codes/qr.ts';
import { flags, recheckQueue } from '../database/safety-schema.ts';
import { accounts, formerDestinations, qrs, shortUrlPrefixes } from '../database/schema.ts';
import type { Transaction } from '../database/write.ts';

/**
 * Inserts a QR, inside a transaction.
 *
 * @returns its id, or null when the code exists
 */
export function insertQr(
  transaction: Transaction,
  { image, ...columns }: NewQr,
  needsRecheck: boolean,
): number | null {
  const [stored] = transaction
    .insert(qrs)
    .values({ ...columns, ...(image && imageColumns(image)) })
    .onConflictDoNothing({ target: qrs.code })
    .returning({ id: qrs.id })
    .all();
  if (stored === undefined) return null;
  transaction
    .update(accounts)
    .set({ qrCount: sql`${accounts.qrCount} + 1` })
    .where(eq(accounts.id, columns.accountId))
    .run();
  const { shortLink, code } = columns;
  const prefix = shortLink.slice(0, shortLink.length - code.length - '/'.length);
  transaction.insert(shortUrlPrefixes).values({ prefix }).onConflictDoNothing().run();
  if (needsRecheck) addToRecheckQueue(transaction, stored.id);
  return stored.id;
}

function imageColumns({ imageHash, ...image }: QrImage) {
  return { ...image, imageHash: Buffer.from(imageHash) };
}

/** Sets another destination, inside a transaction, and records the former one. */
export function setDestination(
  transaction: Transaction,
  { id, destination: former }: Pick<Qr, 'id' | 'destination'>,
  destination: string,
  atMs: number,
): void {
  transaction
    .insert(formerDestinations)
    .values({ qrId: id, destination: former, untilMs: atMs })
    .run();
  transaction.update(qrs).set({ destination }).where(eq(qrs.id, id)).run();
  // Both are about the former destination.
  transaction.delete(flags).where(eq(flags.qrId, id)).run();
  transaction.delete(recheckQueue).where(eq(recheckQueue.qrId, id)).run();
}

/** Queues the destination of a QR for a re-check, inside a transaction. */
export function addToRecheckQueue(transaction: Transaction, qrId: number): void {
  transaction.insert(recheckQueue).values({ qrId }).onConflictDoNothing().run();
}
