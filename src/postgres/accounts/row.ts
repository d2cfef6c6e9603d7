import type { Account } from '../../core/accounts/account.ts';
import { plainDesign } from '../../core/designs/design.ts';
import { accounts } from '../database/schema.ts';
import type { Transaction } from '../database/store.ts';
import { addDefaultDesign } from '../designs/designs.ts';

/** The columns of an account, under their names in core. */
export const accountColumns = {
  id: accounts.id,
  email: accounts.email,
  isOperator: accounts.isOperator,
  planUntilMs: accounts.planUntilMs,
  createdAtMs: accounts.createdAtMs,
};

/**
 * Inserts an account with the plain design, inside a transaction.
 *
 * @returns null when the e-mail address is taken
 */
export async function insertAccount(
  transaction: Transaction,
  row: typeof accounts.$inferInsert,
): Promise<Account | null> {
  const [account] = await transaction
    .insert(accounts)
    .values(row)
    .onConflictDoNothing({ target: accounts.email })
    .returning(accountColumns);
  if (account === undefined) return null;
  await addDefaultDesign(transaction, account.id, plainDesign, account.createdAtMs);
  return account;
}
