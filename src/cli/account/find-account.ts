import type { Config } from '../../config.ts';
import { type ListedAccount, ownerlessEmail, parseEmail } from '../../core/accounts/account.ts';
import type { AccountStore } from '../../core/accounts/ports.ts';
import { type CommandDeps, type CommonFlags, type Outcome, run } from '../command.ts';
import { CommandError, UsageError } from '../errors.ts';

/** Creates the action of a command on the account that its argument names. */
export function onAccount<Flags extends CommonFlags>(
  act: (
    deps: CommandDeps,
    account: ListedAccount,
    flags: Flags,
    config: Config,
  ) => Promise<Outcome>,
): (email: string, flags: Flags) => Promise<void> {
  return (email, flags) =>
    run(flags, async (deps, config) =>
      act(deps, await findAccount(deps.accounts, email), flags, config),
    );
}

/** Finds the account with an e-mail address. @throws CommandError when there is none */
export async function findAccount(accounts: AccountStore, text: string): Promise<ListedAccount> {
  const email = requireEmail(text);
  const account = await accounts.findByEmail(email);
  if (account === null) throw new CommandError(`There is no account ${email}.`);
  return account;
}

/** Finds the owner of codes: an account, or "nobody" for those of deleted accounts. @throws CommandError */
export async function findOwner(accounts: AccountStore, text: string): Promise<ListedAccount> {
  if (text !== ownerlessEmail) return findAccount(accounts, text);
  const nobody = await accounts.findByEmail(ownerlessEmail);
  if (nobody === null) throw new CommandError('There are no codes of deleted accounts.');
  return nobody;
}

/** Returns an e-mail address in its stored form. @throws UsageError when it is not one */
export function requireEmail(text: string): string {
  const email = parseEmail(text);
  if (email === null) throw new UsageError(`${JSON.stringify(text)} is not an e-mail address.`);
  return email;
}
