import { Refused } from '../errors.ts';
import type { Acting } from '../ports.ts';
import type { Account } from './account.ts';
import type { AccountStore } from './ports.ts';

/**
 * Changes the e-mail address of an account, with which its owner signs in.
 * Password, sessions, keys, codes and what others let the person do stay.
 *
 * @param email see `parseNewEmail`
 * @throws Refused when it is the address of this account, or of another one
 */
export async function changeEmail(
  store: Pick<AccountStore, 'changeEmail'>,
  acting: Acting,
  account: Pick<Account, 'email'>,
  email: string,
  atMs: number,
): Promise<void> {
  if (email === account.email) throw new Refused({ kind: 'same e-mail address' });
  if ((await store.changeEmail(acting, email, atMs)) === 'taken')
    throw new Refused({ kind: 'e-mail address taken', email });
}
