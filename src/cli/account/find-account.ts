import { realClock } from '../../compose/runtime.ts';
import {
  type ListedAccount,
  ownerlessEmail,
  requireActivePlan,
} from '../../core/accounts/account.ts';
import { parseEmail, parseNewEmail, storedEmails } from '../../core/accounts/email.ts';
import type { AccountStore } from '../../core/accounts/ports.ts';
import { Refused } from '../../core/errors.ts';
import { type CommandDeps, type Outcome, onStores } from '../command.ts';
import { CommandError, UsageError } from '../errors/command-error.ts';
import { messageOf } from '../errors/report.ts';

/** Creates the action of a command on the account that its first argument names. */
export function onAccount<Given extends unknown[]>(
  act: (deps: CommandDeps, account: ListedAccount, ...given: Given) => Promise<Outcome>,
) {
  return onStores(async (deps, email: string, ...given: Given) =>
    act(deps, await findAccount(deps.accounts, email), ...given),
  );
}

/** Finds the account with an e-mail address. @throws CommandError when there is none */
export async function findAccount(accounts: AccountStore, text: string): Promise<ListedAccount> {
  return existing(accounts, requireEmail(text));
}

/** Finds an account that may create codes. @throws CommandError, ApiError plan_required */
export async function findActiveAccount(
  accounts: AccountStore,
  text: string,
): Promise<ListedAccount> {
  const account = await findAccount(accounts, text);
  requireActivePlan(account, realClock.nowMs());
  return account;
}

/**
 * Finds the owner of codes: an account, or `nobody`, who has those of deleted accounts.
 *
 * @throws CommandError
 */
export async function findOwner(accounts: AccountStore, text: string): Promise<ListedAccount> {
  return existing(accounts, requireOwner(text));
}

async function existing(accounts: AccountStore, email: string): Promise<ListedAccount> {
  // "nobody" is no e-mail address.
  const forms = new Set([email, ...storedEmails(email)]);
  const found = await Promise.all(Array.from(forms, accounts.findByEmail));
  const account = found.find((one) => one !== null);
  if (account === undefined) throw noOwner(email);
  return account;
}

/** Returns the stored form of the owner of codes, see {@link findOwner}. @throws UsageError */
export function requireOwner(text: string): string {
  return text === ownerlessEmail ? text : requireEmail(text);
}

/** Says that there is no owner of this stored form. */
export function noOwner(email: string): CommandError {
  return new CommandError(
    email === ownerlessEmail
      ? 'There are no codes of deleted accounts.'
      : `There is no account ${email}.`,
  );
}

/**
 * Returns the stored form of an e-mail address that may have no account yet.
 * That of an existing account may be one that no new account gets.
 *
 * @throws UsageError
 */
export async function requireAnyEmail(accounts: AccountStore, text: string): Promise<string> {
  for (const email of storedEmails(text)) {
    const account = await accounts.findByEmail(email);
    if (account !== null) return account.email;
  }
  return requireNewEmail(text);
}

/** Returns an e-mail address for an account in its stored form. @throws UsageError */
export function requireNewEmail(text: string): string {
  try {
    return parseNewEmail(text);
  } catch (error) {
    if (error instanceof Refused)
      throw new UsageError(`${JSON.stringify(text)}: ${messageOf(error)}`);
    throw error;
  }
}

/**
 * Returns the e-mail address of an existing account in its stored form.
 *
 * @throws UsageError when it is not one
 */
export function requireEmail(text: string): string {
  const email = parseEmail(text);
  if (email === null) throw new UsageError(`${JSON.stringify(text)} is not an e-mail address.`);
  return email;
}
