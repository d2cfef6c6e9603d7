import { type Account, parseEmail } from '../core/account.ts';
import type { AccountStore } from '../core/ports.ts';
import { Refused } from './refusals.ts';

/** The account that a person named. @throws Refused when there is none */
export async function existing(accounts: AccountStore, text: string): Promise<Account> {
  const email = emailOf(text);
  const account = await accounts.findByEmail(email);
  if (account === null) throw new Refused(`There is no account ${email}.`);
  return account;
}

/** How an address is kept. @throws Refused when it can be none */
export function emailOf(text: string): string {
  const email = parseEmail(text);
  if (email === null) throw new Refused(`${JSON.stringify(text)} is not an e-mail address.`);
  return email;
}
