import { and, eq, gt, isNull } from 'drizzle-orm';
import type { Account } from '../../core/accounts/account.ts';
import type { SignInLinkStore } from '../../core/accounts/sign-in-link.ts';
import type { Store } from '../database/open.ts';
import { accounts, signInLinks } from '../database/schema.ts';
import { hasAccounts } from '../database/startup-queries.ts';
import { writeTransaction } from '../database/write.ts';
import { setPassword } from './credentials.ts';
import { accountColumns, insertAccount } from './row.ts';
import { addSession } from './sessions.ts';

/** Creates the store of one-time links to the account panel. */
export function createSignInLinkStore(store: Store): SignInLinkStore {
  const isValid = (hash: string, nowMs: number) =>
    and(eq(signInLinks.hash, hash), gt(signInLinks.expiresAtMs, nowMs));
  const accountOf = (hash: string, nowMs: number): Account | undefined =>
    store
      .select(accountColumns)
      .from(signInLinks)
      .innerJoin(accounts, eq(accounts.id, signInLinks.accountId))
      .where(isValid(hash, nowMs))
      .get();
  const isForFirstAccount = (hash: string, nowMs: number): boolean =>
    store
      .select({ hash: signInLinks.hash })
      .from(signInLinks)
      .where(and(isValid(hash, nowMs), isNull(signInLinks.accountId)))
      .all().length > 0 && !hasAccounts(store);

  return {
    add: (hash, accountId, expiresAtMs) =>
      writeTransaction(store, (transaction) => {
        const earlier =
          accountId === null ? isNull(signInLinks.accountId) : eq(signInLinks.accountId, accountId);
        transaction.delete(signInLinks).where(earlier).run();
        transaction.insert(signInLinks).values({ hash, accountId, expiresAtMs }).run();
      }),
    find: async (hash, nowMs) => {
      const account = accountOf(hash, nowMs);
      if (account !== undefined) return { account };
      return isForFirstAccount(hash, nowMs) ? { account: null } : null;
    },
    redeem: (hash, passwordHash, tokens) =>
      writeTransaction(store, (transaction) => {
        const account = accountOf(hash, tokens.atMs);
        if (account === undefined) return null;
        // Removes this link as well.
        setPassword(transaction, account.id, passwordHash);
        addSession(transaction, account.id, tokens);
        return account;
      }),
    redeemFirst: (hash, { email, passwordHash }, tokens) =>
      writeTransaction(store, (transaction) => {
        const { atMs } = tokens;
        if (!isForFirstAccount(hash, atMs)) return null;
        transaction.delete(signInLinks).where(eq(signInLinks.hash, hash)).run();
        const row = { email, isOperator: true, passwordHash, createdAtMs: atMs };
        const account = insertAccount(transaction, row);
        if (account !== null) addSession(transaction, account.id, tokens);
        return account;
      }),
    isEmpty: async () => !hasAccounts(store),
  };
}
