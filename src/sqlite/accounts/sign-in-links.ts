import { and, eq, gt, isNull } from 'drizzle-orm';
import type { Account } from '../../core/accounts/account.ts';
import type { SignInLinkStore } from '../../core/accounts/sign-in-link.ts';
import type { Store } from '../database/open.ts';
import { accounts, signInLinks } from '../database/schema.ts';
import { hasAccounts } from '../database/startup-queries.ts';
import { write } from '../database/write.ts';
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
  const inTransaction = <T>(run: () => T): Promise<T> =>
    write(() => store.transaction(run, { behavior: 'immediate' }));

  return {
    add: (hash, accountId, expiresAtMs) =>
      inTransaction(() => {
        const earlier =
          accountId === null ? isNull(signInLinks.accountId) : eq(signInLinks.accountId, accountId);
        store.delete(signInLinks).where(earlier).run();
        store.insert(signInLinks).values({ hash, accountId, expiresAtMs }).run();
      }),
    find: async (hash, nowMs) => {
      const account = accountOf(hash, nowMs);
      if (account !== undefined) return { account };
      return isForFirstAccount(hash, nowMs) ? { account: null } : null;
    },
    redeem: (hash, passwordHash, tokens) =>
      inTransaction(() => {
        const account = accountOf(hash, tokens.atMs);
        if (account === undefined) return null;
        // Removes this link as well.
        setPassword(store, account.id, passwordHash);
        addSession(store, account.id, tokens);
        return account;
      }),
    redeemFirst: (hash, { email, passwordHash }, tokens) =>
      inTransaction(() => {
        const { atMs } = tokens;
        if (!isForFirstAccount(hash, atMs)) return null;
        store.delete(signInLinks).where(eq(signInLinks.hash, hash)).run();
        const row = { email, isOperator: true, passwordHash, createdAtMs: atMs };
        const account = insertAccount(store, row);
        if (account !== null) addSession(store, account.id, tokens);
        return account;
      }),
    isEmpty: async () => !hasAccounts(store),
  };
}
