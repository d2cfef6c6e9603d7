import { type Account, parseEmail } from '../../core/accounts/account.ts';
import type { AccountStore } from '../../core/ports.ts';
import { CommandError } from '../exit-codes.ts';

/** The account that a person named. @throws CommandError when there is none */
export async function existing(accounts: AccountStore, text: string): Promise<Account> {
  const email = emailOf(text);
  const account = await accounts.findByEmail(email);
  if (account === null) throw new CommandError(`There is no account ${email}.`);
  return account;
}

/** How an address is kept. @throws CommandError when it can be none */
export function emailOf(text: string): string {
  const email = parseEmail(text);
  if (email === null) throw new CommandError(`${JSON.stringify(text)} is not an e-mail address.`);
  return email;
}
