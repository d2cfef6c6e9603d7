import { and, asc, count, eq, gt, type SQL, sql } from 'drizzle-orm';
import type { ActivityEvent } from '../../core/accounts/activity/activity.ts';
import {
  type BulkEditChange,
  type BulkEditKind,
  bulkEditKinds,
  type CodeEdit,
} from '../../core/batches/bulk-edit.ts';
import type { BulkEditStore } from '../../core/batches/ports.ts';
import type { Actor } from '../../core/ports.ts';
import { createActivityLog } from '../activity/log.ts';
import { createCodeChanges } from '../codes/changes.ts';
import {
  type Builder,
  type Dialect,
  firstOf,
  hasRow,
  insertedRow,
  type Operation,
  pick,
  rowOf,
  rowsOf,
} from '../dialect.ts';
import { isFreeLease } from './leases.ts';

/** Creates the store of bulk edits. */
export function createBulkEditStore(dialect: Dialect): BulkEditStore {
  const { tables, all, write, transaction, changeRedirects, locked, isOneOf } = dialect;
  const { accounts, bulkEditChanges, bulkEdits, qrs } = tables;
  const changes = createCodeChanges(dialect);
  const log = createActivityLog(dialect);

  // What an edit changes: how a code's value is read as a text, and set from one.
  const status = {
    current: sql`${qrs.status}`,
    set: (value: SQL) => ({ status: sql`${value}`, pausedMessage: null }),
  };
  const archived = {
    current: sql`case when ${qrs.isArchived} then 'archived' else 'listed' end`,
    set: (value: SQL) => ({ isArchived: sql`${value} = 'archived'` }),
  };
  const edited = {
    replace: {
      current: sql`${qrs.destination}`,
      set: (value: SQL) => ({ destination: sql`${value}` }),
    },
    folder: {
      current: sql`coalesce(${qrs.folder}, '')`,
      set: (value: SQL) => ({ folder: sql`nullif(${value}, '')` }),
    },
    pause: status,
    resume: status,
    archive: archived,
    unarchive: archived,
  } satisfies Record<BulkEditKind, unknown>;

  const last = dialect.prepare((db) => {
    const cases = bulkEditKinds.map(
      (kind) => sql`when ${sql.raw(`'${kind}'`)} then ${edited[kind].current}`,
    );
    const current = sql`case ${bulkEdits.kind} ${sql.join(cases, sql` `)} end`;
    const isChanged = sql`case when ${bulkEditChanges.after} <> ${current} then 1 end`;
    return db
      .select({
        ...pick(bulkEdits, 'id', 'kind', 'replaced', 'replacement', 'atMs'),
        codes: count(),
        changedSince: count(isChanged),
      })
      .from(bulkEdits)
      .innerJoin(bulkEditChanges, eq(bulkEditChanges.bulkEditId, bulkEdits.id))
      .innerJoin(qrs, eq(qrs.id, bulkEditChanges.qrId))
      .where(eq(bulkEdits.accountId, sql.placeholder('accountId')))
      .groupBy(bulkEdits.id);
  });

  /** Changes the codes that still have the value before. Returns their edits. */
  function* change(
    db: Builder,
    kind: BulkEditKind,
    edits: readonly CodeEdit[],
    atMs: number,
  ): Operation<CodeEdit[]> {
    const values = edits.map(({ qrId, before, after }) => ({ qrId, before, after }));
    const types = { qrId: 'integer', before: 'text', after: 'text' } as const;
    const edit = dialect.tableOf('edit', values, types);
    const { qrId, before, after } = edit.columns;
    const changed = yield* rowsOf(
      db
        .update(qrs)
        .set(edited[kind].set(after))
        .from(edit.from)
        .where(and(eq(qrs.id, qrId), eq(edited[kind].current, before)))
        .returning({ id: qrs.id }),
    );
    const changedIds = new Set(changed.map(({ id }) => id));
    const done = edits.filter((one) => changedIds.has(one.qrId));
    if (kind === 'replace') {
      const former = done.map((one) => ({ qrId: one.qrId, destination: one.before }));
      yield* changes.recordFormer(db, former, atMs);
      const unchecked = done.filter((one) => one.needsRecheck);
      const ids = unchecked.map(({ qrId }) => qrId);
      yield* changes.queueRechecks(db, ids);
    }
    return done;
  }

  /**
   * Changes codes, and adds those that were changed to the entry of the edit, or of its undo.
   *
   * @param record called with the edits of these codes
   */
  const changeAll = (
    by: Actor,
    entry: 'entryId' | 'undoEntryId',
    bulkEditId: number,
    edits: readonly CodeEdit[],
    atMs: number,
    record: (db: Builder, done: readonly CodeEdit[]) => Operation<void>,
  ): Promise<string[]> =>
    changeRedirects(function* (db) {
      const isThis = eq(bulkEdits.id, bulkEditId);
      const edit = yield* rowOf(locked(db.select().from(bulkEdits).where(isThis)));
      // A later bulk edit has replaced it.
      if (edit === null) return { codes: [], result: [] };
      const { accountId, kind, replaced, replacement } = edit;
      const done = yield* change(db, kind, edits, atMs);
      const codes = done.map(({ code }) => code);
      if (done.length === 0) return { codes, result: codes };
      const edited = eventOf(toChange(kind, replaced, replacement));
      const event = {
        ...(entry === 'entryId' ? edited : { kind: 'codes-edit-undone' as const }),
        count: done.length,
      };
      const entryId = yield* log.recordPart(db, edit[entry], { accountId, by }, event, atMs);
      if (edit[entry] === null)
        yield db
          .update(bulkEdits)
          .set({ [entry]: entryId })
          .where(isThis);
      yield* record(db, done);
      return { codes, result: codes };
    });

  return {
    lease: async (accountId, nowMs, untilMs) => {
      const isFree = and(eq(accounts.id, accountId), isFreeLease(accounts.bulkEditUntilMs, nowMs));
      const leased = { bulkEditUntilMs: untilMs };
      return (await write((db) => db.update(accounts).set(leased).where(isFree))) > 0;
    },
    release: async (accountId, untilMs) => {
      const isHeld = and(eq(accounts.id, accountId), eq(accounts.bulkEditUntilMs, untilMs));
      await write((db) => db.update(accounts).set({ bulkEditUntilMs: 0 }).where(isHeld));
    },
    begin: (accountId, bulkChange, atMs) =>
      transaction(function* (db) {
        // Of two that begin at once, one waits here for the other.
        const account = db.select(pick(accounts, 'id')).from(accounts);
        yield locked(account.where(eq(accounts.id, accountId)));
        yield* removeBulkEdits(dialect, db, eq(bulkEdits.accountId, accountId));
        const insert = db.insert(bulkEdits).values({ accountId, ...rowOfChange(bulkChange), atMs });
        return (yield* insertedRow(insert.returning({ id: bulkEdits.id }))).id;
      }),
    apply: (by, bulkEditId, edits, atMs) =>
      changeAll(by, 'entryId', bulkEditId, edits, atMs, function* (db, done) {
        const rows = done.map(({ qrId, before, after }) => ({ bulkEditId, qrId, before, after }));
        yield db.insert(bulkEditChanges).values(rows);
      }),
    last: async (accountId) => {
      const row = await firstOf(last.all({ accountId }));
      if (row === null) return null;
      const { kind, replaced, replacement, ...edit } = row;
      return { ...edit, change: toChange(kind, replaced, replacement) };
    },
    edits: async (bulkEditId, afterQrId, limit) => {
      const { qrId } = bulkEditChanges;
      const isAfter = and(eq(bulkEditChanges.bulkEditId, bulkEditId), gt(qrId, afterQrId));
      const columns = { ...pick(bulkEditChanges, 'qrId', 'before', 'after'), code: qrs.code };
      const rows = await all((db) => {
        const joined = db.select(columns).from(bulkEditChanges).innerJoin(qrs, eq(qrs.id, qrId));
        return joined.where(isAfter).orderBy(asc(qrId)).limit(limit);
      });
      return rows.map((edit) => ({ ...edit, needsRecheck: false }));
    },
    revert: (by, bulkEditId, edits, atMs) =>
      changeAll(by, 'undoEntryId', bulkEditId, edits, atMs, function* (db, done) {
        const isThis = eq(bulkEditChanges.bulkEditId, bulkEditId);
        const ids = done.map(({ qrId }) => qrId);
        yield db.delete(bulkEditChanges).where(and(isThis, isOneOf(bulkEditChanges.qrId, ids)));
        const left = db.select(pick(bulkEditChanges, 'qrId')).from(bulkEditChanges);
        if (!(yield* hasRow(left.where(isThis).limit(1))))
          yield* removeBulkEdits(dialect, db, eq(bulkEdits.id, bulkEditId));
      }),
  };
}

/** Removes the bulk edits that meet a condition. Running parts of them are waited for. */
export function* removeBulkEdits(
  { tables: { bulkEdits, bulkEditChanges }, locked, isOneOf }: Dialect,
  db: Builder,
  isRemoved: SQL,
): Operation<void> {
  const edits = db.select(pick(bulkEdits, 'id')).from(bulkEdits).where(isRemoved);
  const ids = (yield* rowsOf(locked(edits))).map(({ id }) => id);
  yield db.delete(bulkEditChanges).where(isOneOf(bulkEditChanges.bulkEditId, ids));
  yield db.delete(bulkEdits).where(isOneOf(bulkEdits.id, ids));
}

function toChange(
  kind: BulkEditKind,
  replaced: string | null,
  replacement: string | null,
): BulkEditChange {
  if (kind === 'folder') return { kind, folder: replacement };
  return kind === 'replace' ? { kind, replaced, replacement: replacement ?? '' } : { kind };
}

function rowOfChange(change: BulkEditChange) {
  return change.kind === 'folder' ? { kind: change.kind, replacement: change.folder } : change;
}

/** Returns what a bulk edit is in the activity. */
function eventOf(change: BulkEditChange): ActivityEvent {
  switch (change.kind) {
    case 'replace': {
      const { replaced: before, replacement: after } = change;
      return { kind: 'codes-destination-changed', before, after };
    }
    case 'folder':
      return { kind: 'codes-moved', after: change.folder };
    default:
      return { kind: kindsOfEdits[change.kind] };
  }
}

const kindsOfEdits = {
  pause: 'codes-paused',
  resume: 'codes-resumed',
  archive: 'codes-archived',
  unarchive: 'codes-unarchived',
} as const;
