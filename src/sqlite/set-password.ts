import { eq } from 'drizzle-orm';
import { endSessions } from './end-sessions.ts';
import type { Store } from './open.ts';
import { accounts } from './schema.ts';

/**
 * Sets an account's password, ends its sessions and forgets its browsers, inside a transaction. Whatever
 * changes a password goes through here.
 */
export function setPassword(
  transaction: Pick<Store, 'update' | 'delete'>,
  accountId: number,
  passwordHash: string,
): void {
  transaction.update(accounts).set({ passwordHash }).where(eq(accounts.id, accountId)).run();
  endSessions(transaction, accountId);
}
