import { and, eq, isNotNull, isNull, lt, type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { SecondFactorStore } from '../../core/accounts/ports.ts';
import { type Builder, type Dialect, rowOf } from '../dialect.ts';

/** Creates the store of second factors, which are columns of their accounts. */
export function createSecondFactorStore({
  tables,
  prepare,
  write,
  transaction,
  locked,
}: Dialect): SecondFactorStore {
  const { accounts } = tables;
  const columns = { secret: accounts.totpSecret, recoveryCodes: accounts.recoveryCodes };
  const factorOf = (db: Builder, accountId: number | Placeholder) =>
    db
      .select(columns)
      .from(accounts)
      .where(and(eq(accounts.id, accountId), isNotNull(accounts.totpSecret)));
  const found = prepare((db) => factorOf(db, sql.placeholder('accountId')));
  /** Changes the row of an account that meets a condition. Resolves false when there is none. */
  const change = async (
    accountId: number,
    condition: SQL | undefined,
    values: Partial<typeof accounts.$inferInsert>,
  ): Promise<boolean> => {
    const isChanged = and(eq(accounts.id, accountId), condition);
    return (await write((db) => db.update(accounts).set(values).where(isChanged))) > 0;
  };
  const isOn = isNotNull(accounts.totpSecret);

  return {
    find: async (accountId) => {
      const [row] = await found.all({ accountId });
      if (row === undefined || row.secret === null) return null;
      return { secret: row.secret, recoveryHashes: hashesOf(row.recoveryCodes) };
    },
    add: (accountId, totpSecret, totpStep, hashes) =>
      change(accountId, isNull(accounts.totpSecret), {
        totpSecret,
        totpStep,
        recoveryCodes: hashes.join(' '),
      }),
    useStep: (accountId, secret, totpStep) => {
      const isUnused = and(eq(accounts.totpSecret, secret), lt(accounts.totpStep, totpStep));
      return change(accountId, isUnused, { totpStep });
    },
    replaceSecret: (accountId, from, to) =>
      change(accountId, eq(accounts.totpSecret, from), { totpSecret: to }),
    useRecoveryCode: (accountId, hash) =>
      transaction(function* (db) {
        const row = yield* rowOf(locked(factorOf(db, accountId)));
        const hashes = hashesOf(row?.recoveryCodes ?? '');
        if (!hashes.includes(hash)) return null;
        const left = hashes.filter((other) => other !== hash);
        const values = { recoveryCodes: left.join(' ') };
        yield db.update(accounts).set(values).where(eq(accounts.id, accountId));
        return left.length;
      }),
    replaceRecoveryCodes: async (accountId, hashes) => {
      await change(accountId, isOn, { recoveryCodes: hashes.join(' ') });
    },
    remove: (accountId) => change(accountId, isOn, { totpSecret: null, recoveryCodes: '' }),
  };
}

function hashesOf(text: string): string[] {
  return text === '' ? [] : text.split(' ');
}
