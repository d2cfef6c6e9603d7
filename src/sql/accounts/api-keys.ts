import { and, eq, gt, isNotNull, type SQL, sql } from 'drizzle-orm';
import { keyUseIntervalMs } from '../../core/accounts/api-key.ts';
import type { ApiKeyStore, KeyResult } from '../../core/accounts/ports.ts';
import { createActivityLog } from '../activity/log.ts';
import { type Dialect, firstOf, type Operation, pick, rowOf } from '../dialect.ts';
import { requireRight } from '../rights.ts';
import { accountColumns } from './accounts.ts';

const noFormer = { formerHash: null, formerLastFour: null, formerUntilMs: null };

/** Creates the store of API keys. */
export function createKeyStore(dialect: Dialect): ApiKeyStore {
  const { tables, all, write, transaction, locked, isOneOf, prepareLookUp } = dialect;
  const { accounts, apiKeys } = tables;
  const log = createActivityLog(dialect);
  const prepareOwner = (isKey: SQL | undefined) =>
    prepareLookUp((db) => {
      // In a SELECT of its own: SQLite compiles a statement at each run that has a parameter beside a joined column.
      const owner = db.select({ id: apiKeys.accountId }).from(apiKeys).where(isKey);
      return db.select(accountColumns(tables)).from(accounts).where(isOneOf(accounts.id, owner));
    });
  // Every API request runs it.
  const byHash = prepareOwner(eq(apiKeys.hash, sql.placeholder('hash')));
  const byFormerHash = prepareOwner(
    and(
      eq(apiKeys.formerHash, sql.placeholder('hash')),
      gt(apiKeys.formerUntilMs, sql.placeholder('nowMs')),
    ),
  );
  const findRow = (accountId: number) =>
    firstOf(all((db) => db.select().from(apiKeys).where(eq(apiKeys.accountId, accountId))));
  const lastUses = new Map<number, number>();

  return {
    replace: async (acting, hash, lastFour, atMs, options = {}) => {
      const { accountId } = acting;
      const { expectedMs, limit, formerUntilMs = null } = options;
      const row = { hash, lastFour, createdAtMs: atMs, lastUsedAtMs: null };
      const former =
        formerUntilMs === null
          ? noFormer
          : ({
              formerHash: sql`${apiKeys.hash}`,
              formerLastFour: sql`${apiKeys.lastFour}`,
              formerUntilMs,
            } satisfies Record<keyof typeof noFormer, unknown>);
      const isAccount = eq(accounts.id, accountId);
      const result = await transaction(function* (db): Operation<KeyResult> {
        yield* requireRight(dialect, db, acting, 'owner');
        const query = db.select({ times: accounts.keyGenerations }).from(accounts).where(isAccount);
        const { times } = (yield* rowOf(locked(query))) ?? { times: '' };
        if (expectedMs !== undefined) {
          const created = db.select(pick(apiKeys, 'createdAtMs')).from(apiKeys);
          const current = yield* rowOf(created.where(eq(apiKeys.accountId, accountId)));
          if ((current?.createdAtMs ?? null) !== expectedMs) return { outcome: 'outdated' };
        }
        if (limit !== undefined) {
          // Later ones are from before the clock was set back.
          const recent = (times.match(/\d+/g) ?? [])
            .map(Number)
            .filter((timeMs) => timeMs > atMs - limit.windowMs && timeMs <= atMs);
          const [oldest = atMs] = recent;
          if (recent.length >= limit.count)
            return { outcome: 'too many', nextAtMs: oldest + limit.windowMs };
          const keyGenerations = [...recent, atMs].join(' ');
          yield db.update(accounts).set({ keyGenerations }).where(isAccount);
        }
        yield db
          .insert(apiKeys)
          .values({ accountId, ...row })
          .onConflictDoUpdate({ target: apiKeys.accountId, set: { ...row, ...former } });
        yield* log.record(db, acting, { kind: 'key-made', subject: lastFour }, atMs);
        return { outcome: 'replaced' };
      });
      if (result.outcome === 'replaced') lastUses.delete(accountId);
      return result;
    },
    endFormer: (acting, atMs) =>
      transaction(function* (db) {
        yield* requireRight(dialect, db, acting, 'owner');
        const isOwn = eq(apiKeys.accountId, acting.accountId);
        const former = db.select(pick(apiKeys, 'formerLastFour')).from(apiKeys);
        const key = yield* rowOf(locked(former.where(and(isOwn, isNotNull(apiKeys.formerHash)))));
        if (key === null) return false;
        yield db.update(apiKeys).set(noFormer).where(isOwn);
        const event = { kind: 'key-ended', subject: key.formerLastFour ?? '' } as const;
        yield* log.record(db, acting, event, atMs);
        return true;
      }),
    revoke: (acting, atMs) =>
      transaction(function* (db) {
        yield* requireRight(dialect, db, acting, 'owner');
        const removed = db.delete(apiKeys).where(eq(apiKeys.accountId, acting.accountId));
        const key = yield* rowOf(removed.returning(pick(apiKeys, 'lastFour')));
        if (key === null) return false;
        yield* log.record(db, acting, { kind: 'key-revoked', subject: key.lastFour }, atMs);
        return true;
      }),
    findOwner: async (hash, nowMs) => {
      const [account] = await byHash.all({ hash });
      if (account !== undefined) return { account, currentHash: hash };
      const [former] = await byFormerHash.all({ hash, nowMs });
      const current = former === undefined ? null : await findRow(former.id);
      return former === undefined || current === null
        ? null
        : { account: former, currentHash: current.hash };
    },
    findByAccount: async (accountId) => {
      const row = await findRow(accountId);
      if (row === null) return null;
      const { hash, lastFour, createdAtMs, lastUsedAtMs, formerLastFour, formerUntilMs } = row;
      const hasFormer = formerLastFour !== null && formerUntilMs !== null;
      const former = hasFormer ? { lastFour: formerLastFour, untilMs: formerUntilMs } : null;
      return { hash, lastFour, former, createdAtMs, lastUsedAtMs };
    },
    list: () =>
      all((db) =>
        db
          .select({
            ...pick(accounts, 'email'),
            ...pick(apiKeys, 'lastFour', 'createdAtMs', 'lastUsedAtMs'),
          })
          .from(apiKeys)
          .innerJoin(accounts, eq(accounts.id, apiKeys.accountId))
          .orderBy(accounts.email),
      ),
    recordUse: (accountId, lastUsedAtMs) => {
      if (lastUsedAtMs - (lastUses.get(accountId) ?? 0) < keyUseIntervalMs) return;
      lastUses.set(accountId, lastUsedAtMs);
      write((db) =>
        db.update(apiKeys).set({ lastUsedAtMs }).where(eq(apiKeys.accountId, accountId)),
      ).catch(() => {
        // For information only: a request must not fail because of it.
      });
    },
  };
}
