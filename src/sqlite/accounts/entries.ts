import { and, eq, lt, or } from 'drizzle-orm';
import type { KeptEntry } from '../../core/accounts/tokens.ts';
import type { Store } from '../database/open.ts';
import { knownDevices, sessions } from '../database/schema.ts';

/** Adds a session and a known browser, and forgets those that are over, inside a transaction. */
export function addEntry(
  transaction: Pick<Store, 'delete' | 'insert'>,
  accountId: number,
  { sessionHash, deviceHash, atMs, forget }: KeptEntry,
): void {
  const isOver = or(
    lt(sessions.createdAt, forget.sessionsCreatedBeforeMs),
    lt(sessions.lastSeenAt, forget.sessionsSeenBeforeMs),
  );
  transaction.delete(sessions).where(isOver).run();
  transaction
    .insert(sessions)
    .values({ hash: sessionHash, accountId, createdAt: atMs, lastSeenAt: atMs })
    .run();
  const isForgotten = and(
    eq(knownDevices.accountId, accountId),
    lt(knownDevices.createdAt, forget.devicesBeforeMs),
  );
  transaction.delete(knownDevices).where(isForgotten).run();
  transaction.insert(knownDevices).values({ hash: deviceHash, accountId, createdAt: atMs }).run();
}
