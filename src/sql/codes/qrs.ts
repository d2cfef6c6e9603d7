import { and, desc, eq, gt, lt, ne, type SQL, sql } from 'drizzle-orm';
import type { ActivityEvent, ActivityKind } from '../../core/accounts/activity/activity.ts';
import { type LabelName, labelNames, type QrLabels } from '../../core/codes/fields.ts';
import { type IdempotencyKey, idempotencyWindowMs } from '../../core/codes/idempotency.ts';
import { isStillSelected, matchWithin } from '../../core/codes/lists/search.ts';
import { nameSortKey } from '../../core/codes/lists/sort-key.ts';
import type { PathConflict, QrStore } from '../../core/codes/ports.ts';
import type { Qr, QrStatus } from '../../core/codes/qr.ts';
import { splitScope } from '../../core/codes/urls/resolve.ts';
import type { Acting, QrCursor } from '../../core/ports.ts';
import { createActivityLog } from '../activity/log.ts';
import {
  type Builder,
  type Dialect,
  firstOf,
  type Operation,
  type Prepared,
  parameters,
  pick,
} from '../dialect.ts';
import { createCodeChanges } from './changes.ts';
import { createFilters, indexOfAll, orderOf, rowsAfter } from './list-filters.ts';
import { createPaths } from './paths.ts';
import { createQrRows, newestFirst } from './qr-rows.ts';
import { createSameCodes } from './same-codes.ts';
import { createScanStatistics } from './statistics.ts';

const { placeholder } = sql;

/** Creates the store of codes. */
export function createQrStore(dialect: Dialect): QrStore {
  const { tables, all, read, transaction, changeRedirects, locked, lock, isOneOf, list } = dialect;
  const { accounts, formerDestinations, idempotencyKeys, qrs, scanCounters } = tables;
  const { select, toQr } = createQrRows(dialect);
  const filters = createFilters(dialect);
  const changes = createCodeChanges(dialect);
  const paths = createPaths(dialect);
  const log = createActivityLog(dialect);

  const order = newestFirst(qrs);
  const owner = placeholder('accountId');
  const limit = placeholder('limit');
  const idsOf = (db: Builder) => db.select(pick(qrs, 'id')).from(qrs);

  const byCode = dialect.prepareLookUp((db) =>
    select(db, idsOf(db).where(and(eq(qrs.code, placeholder('code')), eq(qrs.accountId, owner)))),
  );
  const byKey = dialect.prepareLookUp((db) => {
    const isKey = eq(idempotencyKeys.digest, placeholder('digest'));
    // The clock of another copy may be ahead. One that is further ahead was wrong.
    const isCurrent = and(
      gt(idempotencyKeys.createdAtMs, placeholder('expiredMs')),
      lt(idempotencyKeys.createdAtMs, placeholder('wrongMs')),
    );
    const created = db.select({ id: idempotencyKeys.qrId }).from(idempotencyKeys);
    // A code that was stopped since, with its address, is no answer to a retry.
    const isInUse = and(eq(qrs.id, idempotencyKeys.qrId), ne(qrs.status, 'stopped'));
    return select(db, created.innerJoin(qrs, isInUse).where(and(isKey, isCurrent)));
  });
  const total = dialect.prepareLookUp((db) =>
    db.select({ total: accounts.qrCount }).from(accounts).where(eq(accounts.id, owner)),
  );
  // The inner SELECTs need the index only; the rows of the page alone are read from the table.
  const pageIn = (idsInOrder: SQL) =>
    dialect.prepare((db) => {
      const own = idsOf(db).where(eq(qrs.accountId, owner)).orderBy(idsInOrder);
      return select(db, own.limit(limit).offset(placeholder('offset'))).orderBy(...order);
    });
  const page = pageIn(orderOf(indexOfAll(tables)));
  const pageFromEnd = pageIn(orderOf(indexOfAll(tables), { isReversed: true }));
  /** What a search reads. */
  const texts = pick(qrs, 'id', 'createdAtMs', 'code', 'destination', ...labelNames);
  const byIds = dialect.prepare((db) => select(db, placeholder('ids')).orderBy(...order));
  const byCodes = dialect.prepare((db) => {
    // Without the plus, SQLite could prefer to read all codes of the account.
    const isOwned = sql`+${qrs.accountId} = ${owner}`;
    return select(db, idsOf(db).where(and(isOneOf(qrs.code, placeholder('codes')), isOwned)));
  });

  const isAsked = and(eq(qrs.accountId, owner), eq(qrs.code, placeholder('code')));
  const destinationOf = dialect.prepare((db) =>
    locked(db.select({ qrId: qrs.id, destination: qrs.destination }).from(qrs).where(isAsked)),
  );
  const setDestination = dialect.prepare((db) =>
    db
      .update(qrs)
      .set(parameters('destination'))
      .where(eq(qrs.id, placeholder('qrId'))),
  );
  const labelsOf = dialect.prepare((db) =>
    locked(
      db
        .select(pick(qrs, 'id', 'isArchived', ...labelNames))
        .from(qrs)
        .where(isAsked),
    ),
  );
  const setStatus = dialect.prepare((db) =>
    db
      .update(qrs)
      .set({ status: parameters('to').to, pausedMessage: null })
      .where(and(isAsked, eq(qrs.status, placeholder('from'))))
      .returning(pick(qrs, 'id', 'code')),
  );
  const setPausedMessage = dialect.prepare((db) =>
    db
      .update(qrs)
      .set(parameters('pausedMessage'))
      .where(and(isAsked, eq(qrs.status, 'paused'))),
  );
  /** Prepares the change of some labels; there are few sets of them. */
  const labelChanges = new Map<string, Prepared<unknown>>();
  const setLabels = (columns: readonly string[]) => {
    const known = labelChanges.get(columns.join());
    const change =
      known ??
      dialect.prepare((db) =>
        db
          .update(qrs)
          .set(parameters(...columns))
          .where(isAsked),
      );
    labelChanges.set(columns.join(), change);
    return change;
  };

  const find = async (accountId: number, code: string): Promise<Qr | null> => {
    const row = await firstOf(byCode.all({ accountId, code }));
    return row && toQr(row);
  };
  type Labels = Omit<Parameters<QrStore['changeLabels']>[2], 'path'>;
  function* writeLabels(
    db: Builder,
    acting: Acting,
    code: string,
    labels: Labels,
    atMs: number,
  ): Operation<void> {
    const { accountId } = acting;
    const { name } = labels;
    const changed = Object.entries({
      ...labels,
      ...(name !== undefined && { nameKey: nameSortKey(name) }),
    }).filter(([, label]) => label !== undefined);
    if (changed.length === 0) return;
    const [former] = yield* labelsOf.within(db, { accountId, code });
    if (former === undefined) return;
    const set = setLabels(changed.map(([column]) => column));
    yield* set.within(db, { accountId, code, ...Object.fromEntries(changed) });
    for (const event of labelEvents(former, labels)) yield* log.record(db, acting, event, atMs);
  }

  /** Returns the paths that lead elsewhere by now, why the path cannot be had, or null for no code of the account. */
  function* changePath(
    db: Builder,
    acting: Acting,
    code: string,
    path: string | null,
    atMs: number,
  ): Operation<string[] | PathConflict | null> {
    const { accountId } = acting;
    yield* paths.lockPaths(db);
    const current = yield* paths.ofCode(db, accountId, code);
    if (current === null) return null;
    const { qrId, path: former } = current;
    const stored = path && (yield* paths.stored(db, path, current.shortLink));
    if (former === stored) return [];
    const conflict = stored && (yield* paths.take(db, accountId, qrId, stored, atMs));
    if (conflict) return conflict;
    const [row] = yield* byCode.within(db, { accountId, code });
    const lastScanMs = row === undefined ? null : toQr(row).lastScanMs;
    yield* paths.giveUp(db, { ...current, lastScanMs }, atMs);
    yield paths.set(db, qrId, stored, atMs);
    const change = { before: former && splitScope(former).path, after: path };
    yield* log.record(db, acting, { kind: 'path-changed', qrId, ...change }, atMs);
    return [former, stored].filter((one) => one !== null);
  }
  const keyValues = ({ digest, atMs }: IdempotencyKey) => ({
    digest,
    expiredMs: atMs - idempotencyWindowMs,
    wrongMs: atMs + idempotencyWindowMs,
  });

  return {
    insert: async (qr, key, by, needsRecheck = false) => {
      const outcome = await transaction(function* (db) {
        if (key !== null) {
          yield* lock(db, key.digest.toHex());
          const [earlier] = yield* byKey.within(db, keyValues(key));
          if (earlier !== undefined) return { earlier: toQr(earlier) };
        }
        const stored = yield* changes.insertQr(db, qr, needsRecheck);
        if (typeof stored === 'string') return stored;
        if (key !== null) yield* changes.addIdempotencyKey(db, key, stored.id);
        const created = { qrId: stored.id, after: stored.destination };
        const acting = { accountId: qr.accountId, by };
        yield* log.record(db, acting, { kind: 'code-created', ...created }, qr.createdAtMs);
        return { stored };
      });
      if (typeof outcome === 'object' && 'stored' in outcome) changes.markCommitted(qr);
      return outcome;
    },
    findByIdempotencyKey: async (key) => {
      const row = await firstOf(byKey.all(keyValues(key)));
      return row && toQr(row);
    },
    find,
    listPage: async (accountId, limit, offset) => {
      const [account] = await total.all({ accountId });
      const codes = account?.total ?? 0;
      // Read from the nearer end. The last page may be shorter.
      const shown = Math.max(0, Math.min(limit, codes - offset));
      const isFromEnd = offset > codes / 2;
      const skipped = isFromEnd ? codes - offset - shown : offset;
      const pageOf = isFromEnd ? pageFromEnd : page;
      const rows =
        shown === 0 ? [] : await pageOf.all({ accountId, limit: shown, offset: skipped });
      return { qrs: rows.map(toQr), total: codes };
    },
    findSame: createSameCodes(dialect),
    searchBatch: (accountId, cursor, text, most, filter = {}) => {
      const { index, values, prepare, cursorAfter } = filters(accountId, filter, 'always newest');
      const batch = prepare('search', (db) =>
        db
          .select(texts)
          .from(sql`(${rowsAfter(index)} limit ${limit}) as slice`)
          .innerJoin(qrs, eq(qrs.id, sql`slice.id`))
          .leftJoin(scanCounters, eq(scanCounters.qrId, sql`slice.id`))
          .where(index.rest)
          .orderBy(...order),
      );
      const toCursor = ({ createdAtMs, code }: QrCursor) => ({ major: createdAtMs, minor: code });
      return read(function* (db) {
        const from = cursor === null ? index.start : toCursor(cursor);
        const rows = yield* batch.within(db, { ...values, ...from, limit: most });
        const { found, last } = matchWithin(rows, text);
        const ids = list(found.map(({ id }) => id));
        const matching = found.length === 0 ? [] : yield* byIds.within(db, { ids });
        const end = yield* cursorAfter(db, from, most);
        const isCut = last !== undefined && last !== rows.at(-1);
        const next = isCut
          ? { createdAtMs: last.createdAtMs, code: last.code }
          : end && { createdAtMs: Number(end.major), code: String(end.minor) };
        return { found: matching.map(toQr).filter(isStillSelected(filter)), next };
      });
    },
    findMany: async (accountId, codes) =>
      (await byCodes.all({ accountId, codes: list(codes) })).map(toQr),
    changeDestination: (acting, code, destination, atMs, needsRecheck = false) =>
      changeRedirects(function* (db) {
        const { accountId } = acting;
        const [current] = yield* destinationOf.within(db, { accountId, code });
        if (current === undefined) return { codes: [], result: null };
        const { qrId } = current;
        const isChanged = current.destination !== destination;
        if (isChanged) {
          yield* setDestination.within(db, { qrId, destination });
          yield* changes.recordFormer(db, [current], atMs);
          const change = { before: current.destination, after: destination };
          yield* log.record(db, acting, { kind: 'destination-changed', qrId, ...change }, atMs);
        }
        if (needsRecheck) yield* changes.queueRechecks(db, [qrId]);
        const [row] = yield* byCode.within(db, { accountId, code });
        return { codes: isChanged ? [code] : [], result: row === undefined ? null : toQr(row) };
      }),
    changeLabels: async (acting, code, { path, ...labels }, atMs) => {
      const { accountId } = acting;
      if (path === undefined && labels.query === undefined) {
        await transaction((db) => writeLabels(db, acting, code, labels, atMs));
        return find(accountId, code);
      }
      return changeRedirects<Qr | PathConflict | null>(function* (db) {
        const changed = path === undefined ? [] : yield* changePath(db, acting, code, path, atMs);
        if (typeof changed === 'string' || changed === null) return { codes: [], result: changed };
        yield* writeLabels(db, acting, code, labels, atMs);
        const [row] = yield* byCode.within(db, { accountId, code });
        return { codes: [code, ...changed], result: row === undefined ? null : toQr(row) };
      });
    },
    changeStatus: async (acting, code, from, to, atMs, pausedMessage) => {
      const { accountId } = acting;
      await changeRedirects(function* (db) {
        const changed = yield* setStatus.within(db, { accountId, code, from, to });
        if (pausedMessage !== undefined)
          yield* setPausedMessage.within(db, { accountId, code, pausedMessage });
        const kind = from === to ? undefined : statusKinds[to];
        if (kind !== undefined)
          for (const { id } of changed) yield* log.record(db, acting, { kind, qrId: id }, atMs);
        return { codes: changed.map((row) => row.code), result: null };
      });
      return find(accountId, code);
    },
    pausedTexts: async (qrId) => {
      const row = await firstOf(
        all((db) =>
          db
            .select({
              ownMessage: qrs.pausedMessage,
              ...pick(accounts, 'businessName', 'pausedMessage', 'pausedLink'),
              ...pick(accounts, 'isPausedLinkFlagged'),
            })
            .from(qrs)
            .innerJoin(accounts, eq(accounts.id, qrs.accountId))
            .where(eq(qrs.id, qrId)),
        ),
      );
      if (row === null) return null;
      const { ownMessage, isPausedLinkFlagged, ...texts } = row;
      return {
        businessName: texts.businessName,
        pausedMessage: ownMessage ?? texts.pausedMessage,
        pausedLink: isPausedLinkFlagged ? null : texts.pausedLink,
        isOwnMessage: ownMessage !== null,
      };
    },
    formerDestinations: (qrId, limit) =>
      all((db) =>
        db
          .select(pick(formerDestinations, 'destination', 'untilMs', 'isReplacedAsPlanned'))
          .from(formerDestinations)
          .where(eq(formerDestinations.qrId, qrId))
          .orderBy(desc(formerDestinations.id))
          .limit(limit),
      ),
    ...createScanStatistics(dialect),
  };
}

/** What a change to a status is in the activity. */
const statusKinds: Partial<Record<QrStatus, ActivityKind>> = {
  active: 'code-resumed',
  paused: 'code-paused',
};

/** Kinds of the labels that have one of their own. */
const labelKinds: Partial<Record<LabelName, ActivityKind>> = {
  name: 'name-changed',
  folder: 'folder-changed',
};

/** Returns what a change of labels is in the activity. */
function labelEvents(
  { id: qrId, ...former }: Pick<Qr, 'id' | 'isArchived'> & QrLabels,
  labels: Partial<QrLabels & Pick<Qr, 'isArchived'>>,
): ActivityEvent[] {
  const events = labelNames.flatMap((name): ActivityEvent[] => {
    const before = former[name];
    const after = labels[name];
    if (after === undefined || after === before) return [];
    const kind = labelKinds[name] ?? 'label-changed';
    return [{ kind, qrId, before, after, ...(kind === 'label-changed' && { subject: name }) }];
  });
  const { isArchived } = labels;
  if (isArchived === undefined || isArchived === former.isArchived) return events;
  return [...events, { kind: isArchived ? 'code-archived' : 'code-unarchived', qrId }];
}
