import { eq, lte, sql } from 'drizzle-orm';
import {
  expiredKeysPerCreate,
  type IdempotencyKey,
  idempotencyWindowMs,
} from '../../core/codes/idempotency.ts';
import { nameSortKey } from '../../core/codes/lists/sort-key.ts';
import type { NewQr } from '../../core/codes/qr.ts';
import { type Builder, type Dialect, type Operation, rowOf } from '../dialect.ts';

const { placeholder } = sql;

/** Creates the steps that transactions which create or change codes have in common. */
export function createCodeChanges({ tables, isOneOf, lockedOrSkipped, prepare }: Dialect) {
  const { accounts, flags, formerDestinations, idempotencyKeys, qrs, recheckQueue } = tables;
  const accountId = placeholder('accountId');
  const addCodes = prepare((db) =>
    db
      .update(accounts)
      .set({ qrCount: sql`${accounts.qrCount} + ${placeholder('codes')}` })
      .where(eq(accounts.id, accountId)),
  );
  const addCounters = prepare((db) =>
    db
      .insert(tables.scanCounters)
      .values({ qrId: placeholder('qrId'), accountId, scans: 0, lastScanMs: 0 })
      .onConflictDoNothing(),
  );
  const addPrefix = prepare((db) =>
    db
      .insert(tables.shortUrlPrefixes)
      .values({ prefix: placeholder('prefix') })
      .onConflictDoNothing(),
  );

  /** Counts new codes of an account, and records the prefixes of their short links. */
  function* countCodes(
    db: Builder,
    accountId: number,
    codes: number,
    prefixes: readonly string[],
  ): Operation<void> {
    yield* addCodes.within(db, { accountId, codes });
    for (const prefix of prefixes) yield* addPrefix.within(db, { prefix });
  }

  /** Queues the destinations of codes for a re-check. */
  function* queueRechecks(db: Builder, qrIds: readonly number[]): Operation<void> {
    if (qrIds.length === 0) return;
    const rows = qrIds.map((qrId) => ({ qrId }));
    yield db.insert(recheckQueue).values(rows).onConflictDoNothing();
  }

  return {
    countCodes,
    queueRechecks,

    /**
     * Inserts a code.
     *
     * @returns its id, or null when the code exists
     */
    *insertQr(
      db: Builder,
      { image, ...columns }: NewQr,
      needsRecheck: boolean,
    ): Operation<number | null> {
      const stored = yield* rowOf(
        db
          .insert(qrs)
          .values({ ...columns, nameKey: nameSortKey(columns.name), ...image })
          .onConflictDoNothing({ target: qrs.code })
          .returning({ id: qrs.id }),
      );
      if (stored === null) return null;
      const { accountId, shortLink, code } = columns;
      const prefix = shortLink.slice(0, shortLink.length - code.length - '/'.length);
      yield* addCounters.within(db, { qrId: stored.id, accountId });
      yield* countCodes(db, accountId, 1, [prefix]);
      yield* queueRechecks(db, needsRecheck ? [stored.id] : []);
      return stored.id;
    },

    /** Records the former destinations of codes that have another one now, and forgets what was about them. */
    *recordFormer(
      db: Builder,
      changed: readonly { readonly qrId: number; readonly destination: string }[],
      untilMs: number,
    ): Operation<void> {
      if (changed.length === 0) return;
      const ids = changed.map(({ qrId }) => qrId);
      yield db.insert(formerDestinations).values(changed.map((former) => ({ ...former, untilMs })));
      yield db.delete(flags).where(isOneOf(flags.qrId, ids));
      yield db.delete(recheckQueue).where(isOneOf(recheckQueue.qrId, ids));
    },

    /** Adds an idempotency key, in place of an expired one, and deletes some expired ones. */
    *addIdempotencyKey(
      db: Builder,
      { digest, atMs }: IdempotencyKey,
      qrId: number,
    ): Operation<void> {
      // Those that another create is deleting are left to it.
      const expired = lockedOrSkipped(
        db
          .select({ digest: idempotencyKeys.digest })
          .from(idempotencyKeys)
          .where(lte(idempotencyKeys.createdAtMs, atMs - idempotencyWindowMs))
          .limit(expiredKeysPerCreate),
      );
      yield db.delete(idempotencyKeys).where(isOneOf(idempotencyKeys.digest, expired));
      yield db
        .insert(idempotencyKeys)
        .values({ digest, qrId, createdAtMs: atMs })
        .onConflictDoUpdate({
          target: idempotencyKeys.digest,
          set: { qrId, createdAtMs: atMs },
        });
    },
  };
}
