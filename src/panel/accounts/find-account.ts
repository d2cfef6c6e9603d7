import type { ListedAccount } from '../../core/accounts/account.ts';
import type { AccountStore } from '../../core/accounts/ports.ts';
import type { SignedInContext } from '../request/request.ts';
import { pageNotFound } from '../routing/errors.tsx';

/** Returns the account whose id the path has. @throws PanelError 404 */
export async function findAccount(
  accounts: Pick<AccountStore, 'find'>,
  { params: { id = '' } }: SignedInContext,
): Promise<ListedAccount> {
  const account = /^\d{1,15}$/.test(id) ? await accounts.find(Number(id)) : null;
  if (account === null) throw pageNotFound();
  return account;
}
