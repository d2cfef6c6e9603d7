import { type ListedAccount, parseAccountId } from '../../core/accounts/account.ts';
import type { AccountStore } from '../../core/accounts/ports.ts';
import type { PersonContext } from '../request/request.ts';
import { pageNotFound } from '../routing/errors.tsx';

/** Returns the account whose id the path has. @throws PanelError 404 */
export async function findAccount(
  accounts: Pick<AccountStore, 'find'>,
  { params: { id = '' } }: PersonContext,
): Promise<ListedAccount> {
  const accountId = parseAccountId(id);
  const account = accountId === null ? null : await accounts.find(accountId);
  if (account === null) throw pageNotFound();
  return account;
}
