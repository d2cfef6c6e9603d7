import { eq } from 'drizzle-orm';
import type { Store } from '../database/open.ts';
import { accounts, signInLinks } from '../database/schema.ts';
import { endSessions } from './end-sessions.ts';

/**
 * Sets an account's password and ends every other way in: sessions, known browsers and the link that waits
 * to be used. Inside a transaction; whatever changes a password goes through here.
 */
export function setPassword(
  transaction: Pick<Store, 'update' | 'delete'>,
  accountId: number,
  passwordHash: string,
): void {
  transaction.update(accounts).set({ passwordHash }).where(eq(accounts.id, accountId)).run();
  endSessions(transaction, accountId);
  transaction.delete(signInLinks).where(eq(signInLinks.accountId, accountId)).run();
}
