import { eq } from 'drizzle-orm';
import type { Store } from '../database/open.ts';
import { knownDevices, sessions } from '../database/schema.ts';

/** Ends every session of an account and forgets its browsers, inside a transaction. */
export function endSessions(transaction: Pick<Store, 'delete'>, accountId: number): void {
  transaction.delete(sessions).where(eq(sessions.accountId, accountId)).run();
  transaction.delete(knownDevices).where(eq(knownDevices.accountId, accountId)).run();
}
