import { and, eq, lt, or } from 'drizzle-orm';
import type { StoredSignIn } from '../../core/accounts/session.ts';
import type { Store } from '../database/open.ts';
import { knownDevices, sessions } from '../database/schema.ts';

/** Adds a session and a known browser, and forgets those that are over, inside a transaction. */
export function addSession(
  transaction: Pick<Store, 'delete' | 'insert'>,
  accountId: number,
  { sessionHash, trustedBrowserHash, atMs, expired }: StoredSignIn,
): void {
  const isExpiredSession = or(
    lt(sessions.createdAt, expired.sessionsCreatedBeforeMs),
    lt(sessions.lastSeenAt, expired.sessionsSeenBeforeMs),
  );
  transaction.delete(sessions).where(isExpiredSession).run();
  transaction
    .insert(sessions)
    .values({ hash: sessionHash, accountId, createdAt: atMs, lastSeenAt: atMs })
    .run();
  const isExpiredBrowser = and(
    eq(knownDevices.accountId, accountId),
    lt(knownDevices.createdAt, expired.trustedBrowsersBeforeMs),
  );
  transaction.delete(knownDevices).where(isExpiredBrowser).run();
  transaction
    .insert(knownDevices)
    .values({ hash: trustedBrowserHash, accountId, createdAt: atMs })
    .run();
}
