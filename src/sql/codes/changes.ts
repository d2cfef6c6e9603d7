import { eq, lte, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { labelNames, mapLabels } from '../../core/codes/fields.ts';
import {
  expiredKeysPerCreate,
  type IdempotencyKey,
  idempotencyWindowMs,
} from '../../core/codes/idempotency.ts';
import { nameSortKey } from '../../core/codes/lists/sort-key.ts';
import type { PathConflict } from '../../core/codes/ports.ts';
import type { NewQr, Qr } from '../../core/codes/qr.ts';
import { foldPath } from '../../core/codes/urls/resolve.ts';
import { createCache } from '../../lib/cache.ts';
import {
  type Builder,
  type Dialect,
  insertFrom,
  type Operation,
  parameters,
  pick,
} from '../dialect.ts';
import { createPaths } from './paths.ts';

const { placeholder } = sql;

/** Columns of a new code that are texts or numbers, as they are stored. */
const storedColumns = ['code', 'accountId', 'shortLink', 'destination', 'createdAtMs'] as const;

/** Returns what the short link of a code has before it: `scheme://host[:port][/path]`. */
const prefixOf = ({ shortLink, code }: Pick<NewQr, 'shortLink' | 'code'>) =>
  shortLink.slice(0, shortLink.length - code.length - '/'.length);

/** Creates the steps that transactions which create or change codes have in common. */
export function createCodeChanges(dialect: Dialect) {
  const { tables, isOneOf, list, lockedOrSkipped, prepare, tableOf, execute } = dialect;
  const { accounts, domains, flags, formerDestinations, idempotencyKeys, qrs, recheckQueue } =
    tables;
  const accountId = placeholder('accountId');
  const askedIds = placeholder('ids');
  const addQr = prepare((db) =>
    db
      .insert(qrs)
      .values({
        ...parameters(...storedColumns, 'nameKey', 'designId', 'logoPlacement', 'imageHash'),
        ...mapLabels((name) => parameters(name)[name]),
        ...parameters('pathSinceMs', 'foldedPath'),
      })
      .onConflictDoNothing({ target: qrs.code })
      .returning(pick(qrs, 'id', ...storedColumns, ...labelNames)),
  );
  const paths = createPaths(dialect);
  const withPath = prepare((db) =>
    db
      .select(pick(qrs, 'id'))
      .from(qrs)
      .where(eq(qrs.path, placeholder('path'))),
  );
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
  const withUrl = prepare((db) =>
    db
      .select(pick(domains, 'url'))
      .from(domains)
      .where(eq(domains.url, placeholder('url'))),
  );
  const addPrefix = prepare((db) =>
    db
      .insert(tables.shortUrlPrefixes)
      .values({ prefix: placeholder('prefix') })
      .onConflictDoNothing(),
  );
  const addRecheck = prepare((db) =>
    db
      .insert(recheckQueue)
      .values({ qrId: placeholder('qrId') })
      .onConflictDoNothing(),
  );
  const addFormer = prepare((db) =>
    db.insert(formerDestinations).values(parameters('qrId', 'destination', 'untilMs')),
  );
  const isAskedQr = (column: AnyPgColumn) => eq(column, placeholder('qrId'));
  const removeFlag = prepare((db) => db.delete(flags).where(isAskedQr(flags.qrId)));
  const removeRecheck = prepare((db) =>
    db.delete(recheckQueue).where(isAskedQr(recheckQueue.qrId)),
  );
  const removeFlags = prepare((db) => db.delete(flags).where(isOneOf(flags.qrId, askedIds)));
  const removeRechecks = prepare((db) =>
    db.delete(recheckQueue).where(isOneOf(recheckQueue.qrId, askedIds)),
  );
  const removeExpiredKeys = prepare((db) => {
    const isExpired = lte(idempotencyKeys.createdAtMs, placeholder('expiredMs'));
    const expired = db.select({ digest: idempotencyKeys.digest }).from(idempotencyKeys);
    // Those that another create is deleting are left to it.
    const some = lockedOrSkipped(expired.where(isExpired).limit(expiredKeysPerCreate));
    return db.delete(idempotencyKeys).where(isOneOf(idempotencyKeys.digest, some));
  });
  const addKey = prepare((db) =>
    db
      .insert(idempotencyKeys)
      .values(parameters('digest', 'qrId', 'createdAtMs'))
      .onConflictDoUpdate({
        target: idempotencyKeys.digest,
        set: parameters('qrId', 'createdAtMs'),
      }),
  );

  // Prefixes of committed codes.
  const knownPrefixes = createCache<string, true>(1000);

  /** Counts new codes of an account, and records the prefixes of their short links that are no domains. */
  function* countCodes(
    db: Builder,
    accountId: number,
    codes: number,
    prefixes: readonly string[],
  ): Operation<void> {
    yield* addCodes.within(db, { accountId, codes });
    for (const prefix of prefixes)
      if ((yield* withUrl.within(db, { url: prefix.toLowerCase() })).length === 0)
        yield* addPrefix.within(db, { prefix });
  }

  /** Queues the destinations of codes for a re-check. */
  function* queueRechecks(db: Builder, qrIds: readonly number[]): Operation<void> {
    const [qrId, ...others] = qrIds;
    if (qrId === undefined) return;
    if (others.length === 0) yield* addRecheck.within(db, { qrId });
    else {
      const rows = qrIds.map((qrId) => ({ qrId }));
      yield db.insert(recheckQueue).values(rows).onConflictDoNothing();
    }
  }

  return {
    countCodes,
    queueRechecks,

    /**
     * Inserts a code. After the transaction, `markCommitted` spares the next ones a statement.
     *
     * @returns the code as it is stored, `taken` when it exists, or why its path cannot be had
     */
    *insertQr(
      db: Builder,
      { image, ...columns }: NewQr,
      needsRecheck: boolean,
    ): Operation<Qr | 'taken' | PathConflict> {
      const { path, accountId, createdAtMs } = columns;
      if (path !== null) yield* paths.lockPaths(db);
      const stored = path && (yield* paths.stored(db, path, columns.shortLink));
      const conflict = stored && (yield* paths.take(db, accountId, null, stored, createdAtMs));
      if (conflict) return conflict;
      if ((yield* withPath.within(db, { path: columns.code })).length > 0) return 'taken';
      const { designId = null, logoPlacement = null, imageHash = null } = image ?? {};
      const [added] = yield* addQr.within(db, {
        ...columns,
        path: stored,
        nameKey: nameSortKey(columns.name),
        pathSinceMs: path === null ? null : createdAtMs,
        foldedPath: stored && foldPath(stored),
        designId,
        logoPlacement: logoPlacement && JSON.stringify(logoPlacement),
        imageHash,
      });
      if (added === undefined) return 'taken';
      const { shortLink, code } = columns;
      const prefix = prefixOf({ shortLink, code });
      yield* addCounters.within(db, { qrId: added.id, accountId });
      yield* countCodes(db, accountId, 1, knownPrefixes.get(prefix) ? [] : [prefix]);
      yield* queueRechecks(db, needsRecheck ? [added.id] : []);
      return {
        ...added,
        path,
        image,
        status: 'active',
        isArchived: false,
        scans: 0,
        lastScanMs: null,
        flag: null,
      };
    },
    markCommitted: (qr: NewQr) => {
      knownPrefixes.set(prefixOf(qr), true);
    },

    /**
     * Records the former destinations of codes that have another one now, and forgets what was about them.
     *
     * @param isReplacedAsPlanned whether a planned change replaced them
     */
    *recordFormer(
      db: Builder,
      changed: readonly { readonly qrId: number; readonly destination: string }[],
      untilMs: number,
      isReplacedAsPlanned = false,
    ): Operation<void> {
      const [former, ...others] = changed;
      if (former === undefined) return;
      // Most edits are of one code: without a list, they take a tenth less.
      if (others.length === 0 && !isReplacedAsPlanned) {
        const { qrId } = former;
        yield* addFormer.within(db, { ...former, untilMs });
        yield* removeFlag.within(db, { qrId });
        yield* removeRecheck.within(db, { qrId });
        return;
      }
      const rows = changed.map(({ qrId, destination }) => ({ qrId, destination }));
      const replaced = tableOf('replaced', rows, { qrId: 'integer', destination: 'text' });
      const values = {
        ...replaced.columns,
        untilMs: sql`${untilMs}`,
        isReplacedAsPlanned: isReplacedAsPlanned ? sql`true` : sql`false`,
      };
      yield* execute(db, insertFrom(formerDestinations, values, replaced.from));
      const ids = list(changed.map(({ qrId }) => qrId));
      yield* removeFlags.within(db, { ids });
      yield* removeRechecks.within(db, { ids });
    },

    /** Adds an idempotency key, in place of an expired one, and deletes some expired ones. */
    *addIdempotencyKey(
      db: Builder,
      { digest, atMs }: IdempotencyKey,
      qrId: number,
    ): Operation<void> {
      yield* removeExpiredKeys.within(db, { expiredMs: atMs - idempotencyWindowMs });
      yield* addKey.within(db, { digest, qrId, createdAtMs: atMs });
    },
  };
}
