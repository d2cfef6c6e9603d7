import { and, eq, isNotNull, isNull, lt, type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { ActivityKind } from '../../core/accounts/activity/activity.ts';
import type { SecondFactorStore } from '../../core/accounts/ports.ts';
import type { Acting } from '../../core/ports.ts';
import { createActivityLog } from '../activity/log.ts';
import { type Builder, type Dialect, hasRow, pick, rowOf } from '../dialect.ts';
import { requireRight } from '../rights.ts';
import { removeSteps } from './accounts.ts';

/** Creates the store of second factors, which are columns of their accounts. */
export function createSecondFactorStore(dialect: Dialect): SecondFactorStore {
  const { tables, prepare, write, transaction, locked } = dialect;
  const log = createActivityLog(dialect);
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
  /** Does the same, ends steps of sign-ins, and records it. */
  const changeAndRecord = (
    acting: Acting,
    condition: SQL,
    values: Partial<typeof accounts.$inferInsert>,
    kind: ActivityKind,
    atMs: number,
  ): Promise<boolean> =>
    transaction(function* (db) {
      yield* requireRight(dialect, db, acting, 'owner', 'operator');
      const isChanged = and(eq(accounts.id, acting.accountId), condition);
      const update = db.update(accounts).set(values).where(isChanged);
      const isDone = yield* hasRow(update.returning(pick(accounts, 'id')));
      if (!isDone) return false;
      yield* removeSteps(tables, db, acting.accountId);
      yield* log.record(db, acting, { kind }, atMs);
      return true;
    });
  const owner = (accountId: number): Acting => ({ accountId, by: { kind: 'person', accountId } });

  return {
    find: async (accountId) => {
      const [row] = await found.all({ accountId });
      if (row === undefined || row.secret === null) return null;
      return { secret: row.secret, recoveryHashes: hashesOf(row.recoveryCodes) };
    },
    add: (accountId, totpSecret, totpStep, hashes, atMs) => {
      const values = { totpSecret, totpStep, recoveryCodes: hashes.join(' ') };
      const isOff = isNull(accounts.totpSecret);
      return changeAndRecord(owner(accountId), isOff, values, 'second-factor-on', atMs);
    },
    useStep: (accountId, secret, totpStep) => {
      const isUnused = and(eq(accounts.totpSecret, secret), lt(accounts.totpStep, totpStep));
      return change(accountId, isUnused, { totpStep });
    },
    replaceSecret: (accountId, from, to) =>
      change(accountId, eq(accounts.totpSecret, from), { totpSecret: to }),
    useRecoveryCode: (accountId, hash, atMs) =>
      transaction(function* (db) {
        const row = yield* rowOf(locked(factorOf(db, accountId)));
        const hashes = hashesOf(row?.recoveryCodes ?? '');
        if (!hashes.includes(hash)) return { outcome: 'wrong' };
        const left = hashes.filter((other) => other !== hash);
        const values = { recoveryCodes: left.join(' ') };
        yield db.update(accounts).set(values).where(eq(accounts.id, accountId));
        yield* log.record(db, owner(accountId), { kind: 'recovery-code-used' }, atMs);
        return { outcome: 'used', codesLeft: left.length };
      }),
    replaceRecoveryCodes: async (accountId, hashes, atMs) => {
      const values = { recoveryCodes: hashes.join(' ') };
      await changeAndRecord(owner(accountId), isOn, values, 'recovery-codes-made', atMs);
    },
    remove: (acting, atMs) => {
      const values = { totpSecret: null, recoveryCodes: '' };
      return changeAndRecord(acting, isOn, values, 'second-factor-off', atMs);
    },
  };
}

function hashesOf(text: string): string[] {
  return text === '' ? [] : text.split(' ');
}
