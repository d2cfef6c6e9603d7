import { and, eq, gt, isNull } from 'drizzle-orm';
import type { Account } from '../../core/accounts/account.ts';
import type { SignInLinkStore } from '../../core/accounts/sign-in-link.ts';
import { plainDesign } from '../../core/designs/design.ts';
import type { Store } from '../database/open.ts';
import { accounts, designs, signInLinks } from '../database/schema.ts';
import { write } from '../database/write.ts';
import { designRow } from '../designs/designs.ts';
import { accountColumns } from './accounts.ts';
import { addSession } from './entries.ts';
import { hasAccounts } from './has-accounts.ts';
import { setPassword } from './set-password.ts';

/** One-time links to the account panel in SQLite, by the hash of their token. */
export function createSignInLinkStore(store: Store): SignInLinkStore {
  const isEmpty = () => !hasAccounts(store);
  const alive = (hash: string, nowMs: number) =>
    and(eq(signInLinks.hash, hash), gt(signInLinks.expiresAt, nowMs));
  const accountOf = (hash: string, nowMs: number): Account | undefined =>
    store
      .select(accountColumns)
      .from(signInLinks)
      .innerJoin(accounts, eq(accounts.id, signInLinks.accountId))
      .where(alive(hash, nowMs))
      .all()[0];
  const isForFirst = (hash: string, nowMs: number): boolean =>
    store
      .select({ hash: signInLinks.hash })
      .from(signInLinks)
      .where(and(alive(hash, nowMs), isNull(signInLinks.accountId)))
      .all().length > 0 && isEmpty();
  const atOnce = <T>(run: () => T): Promise<T> =>
    write(() => store.transaction(run, { behavior: 'immediate' }));

  return {
    add: async (hash, accountId, expiresAtMs) => {
      await atOnce(() => {
        const earlier =
          accountId === null ? isNull(signInLinks.accountId) : eq(signInLinks.accountId, accountId);
        store.delete(signInLinks).where(earlier).run();
        store.insert(signInLinks).values({ hash, accountId, expiresAt: expiresAtMs }).run();
      });
    },
    find: async (hash, nowMs) => {
      const account = accountOf(hash, nowMs);
      if (account !== undefined) return { account };
      return isForFirst(hash, nowMs) ? { account: null } : null;
    },
    redeem: async (hash, passwordHash, entry) =>
      atOnce(() => {
        const account = accountOf(hash, entry.atMs);
        if (account === undefined) return null;
        // Ends this very link, too.
        setPassword(store, account.id, passwordHash);
        addSession(store, account.id, entry);
        return account;
      }),
    redeemFirst: async (hash, { email, passwordHash }, entry) =>
      atOnce(() => {
        const { atMs } = entry;
        if (!isForFirst(hash, atMs)) return null;
        store.delete(signInLinks).where(eq(signInLinks.hash, hash)).run();
        const account = store
          .insert(accounts)
          .values({ email, isOperator: true, planUntil: null, passwordHash, createdAt: atMs })
          .returning(accountColumns)
          .get();
        store
          .insert(designs)
          .values(designRow(account.id, plainDesign, atMs))
          .run();
        addSession(store, account.id, entry);
        return account;
      }),
    isEmpty: async () => isEmpty(),
  };
}
