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
  const find = (hash: string, nowMs: number): { account: Account | null } | null => {
    const link = store
      .select({ account: accountColumns })
      .from(signInLinks)
      .leftJoin(accounts, eq(accounts.id, signInLinks.accountId))
      .where(and(eq(signInLinks.hash, hash), gt(signInLinks.expiresAtMs, nowMs)))
      .get();
    if (link === undefined || (link.account === null && hasAccounts(store))) return null;
    return link;
  };

  return {
    add: (hash, accountId, expiresAtMs) =>
      writeTransaction(store, (transaction) => {
        const earlier =
          accountId === null ? isNull(signInLinks.accountId) : eq(signInLinks.accountId, accountId);
        transaction.delete(signInLinks).where(earlier).run();
        transaction.insert(signInLinks).values({ hash, accountId, expiresAtMs }).run();
      }),
    find: async (hash, nowMs) => find(hash, nowMs),
    redeem: (hash, email, passwordHash, tokens) =>
      writeTransaction(store, (transaction) => {
        const { atMs } = tokens;
        const link = find(hash, atMs);
        if (link === null) return null;
        const first = { email, isOperator: true, passwordHash, createdAtMs: atMs };
        const account = link.account ?? insertAccount(transaction, first);
        if (account === null) return null;
        setPassword(transaction, account.id, passwordHash);
        transaction.delete(signInLinks).where(eq(signInLinks.hash, hash)).run();
        addSession(transaction, account.id, tokens);
        return account;
      }),
    isFirstAccountMissing: async () => !hasAccounts(store),
  };
}
