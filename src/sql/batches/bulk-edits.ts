import { and, asc, count, eq, gt, inArray, isNotNull, type SQL, sql } from 'drizzle-orm';
import {
  type ActivityEvent,
  parseActor,
  storedActor,
} from '../../core/accounts/activity/activity.ts';
import { reasonOfStored, storedReason } from '../../core/batches/batch.ts';
import {
  type BulkEdit,
  type BulkEditChange,
  type BulkEditKind,
  bulkEditKinds,
  type CodeEdit,
  type EditOutcome,
} from '../../core/batches/bulk-edit.ts';
import type { BulkEditStore } from '../../core/batches/ports.ts';
import { createActivityLog } from '../activity/log.ts';
import { createCodeChanges } from '../codes/changes.ts';
import {
  type Builder,
  type Dialect,
  firstOf,
  hasRow,
  insertedRow,
  insertFrom,
  type Operation,
  pick,
  rowOf,
  rowsOf,
} from '../dialect.ts';
import { inParts } from '../parts.ts';
import { requireRight } from '../rights.ts';
import { isFreeLease } from './leases.ts';

/** Codes that are recorded in one transaction when an edit begins. */
const codesPerPart = 1000;

/** Creates the store of bulk edits. */
export function createBulkEditStore(dialect: Dialect): BulkEditStore {
  const { tables, all, write, transaction, changeRedirects, execute } = dialect;
  const { locked, lockedOrSkipped, isOneOf, tableOf } = dialect;
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
  const query = {
    current: sql`coalesce(${qrs.query}, '')`,
    set: (value: SQL) => ({ query: sql`nullif(${value}, '')` }),
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
    'query-on': query,
    'query-off': query,
  } satisfies Record<BulkEditKind, unknown>;

  // In the words of its index.
  const hasNotEnded = sql`${bulkEdits.state} in ('running', 'undoing')`;
  const isThis = (bulkEditId: number) => eq(bulkEdits.id, bulkEditId);
  const idsOf = (db: Builder) => db.select(pick(bulkEdits, 'id')).from(bulkEdits);
  const isHeld = (accountId: number, untilMs: number) =>
    and(eq(accounts.id, accountId), eq(accounts.bulkEditUntilMs, untilMs));

  const last = dialect.prepare((db) => {
    const cases = bulkEditKinds.map(
      (kind) => sql`when ${sql.raw(`'${kind}'`)} then ${edited[kind].current}`,
    );
    const current = sql`case ${bulkEdits.kind} ${sql.join(cases, sql` `)} end`;
    const isMade = sql`${bulkEditChanges.outcome} = 'made'`;
    const countIf = (condition: SQL) => count(sql`case when ${condition} then 1 end`);
    return db
      .select({
        ...pick(bulkEdits, 'id', 'accountId', 'kind', 'replaced', 'replacement', 'atMs'),
        ...pick(bulkEdits, 'state', 'problem'),
        selected: count(bulkEditChanges.qrId),
        codes: countIf(isMade),
        leftOut: countIf(sql`${bulkEditChanges.outcome} = 'left out'`),
        undone: countIf(sql`${bulkEditChanges.outcome} = 'undone'`),
        changedSince: countIf(sql`${isMade} and ${bulkEditChanges.after} <> ${current}`),
      })
      .from(bulkEdits)
      .leftJoin(bulkEditChanges, eq(bulkEditChanges.bulkEditId, bulkEdits.id))
      .leftJoin(qrs, eq(qrs.id, bulkEditChanges.qrId))
      .where(eq(bulkEdits.accountId, sql.placeholder('accountId')))
      .groupBy(bulkEdits.id);
  });
  const findLast = async (accountId: number): Promise<BulkEdit | null> => {
    const row = await firstOf(last.all({ accountId }));
    if (row === null || row.state === 'planned') return null;
    const { kind, replaced, replacement, problem, ...edit } = row;
    return {
      ...edit,
      change: toChange(kind, replaced, replacement),
      problem: problem === null ? null : reasonOfStored(problem),
    };
  };

  /** Changes the codes that still have the value before. Returns their edits. */
  function* change(
    db: Builder,
    { accountId, kind }: { readonly accountId: number; readonly kind: BulkEditKind },
    edits: readonly CodeEdit[],
    atMs: number,
  ): Operation<CodeEdit[]> {
    const values = edits.map(({ qrId, before, after }) => ({ qrId, before, after }));
    const types = { qrId: 'integer', before: 'text', after: 'text' } as const;
    const edit = tableOf('edit', values, types);
    const { qrId, before, after } = edit.columns;
    // With the sign, SQLite reads the codes by their ids and not all of the account.
    const isOwn = and(eq(qrs.id, qrId), sql`+${qrs.accountId} = ${accountId}`);
    const changed = yield* rowsOf(
      db
        .update(qrs)
        .set(edited[kind].set(after))
        .from(edit.from)
        .where(and(isOwn, eq(edited[kind].current, before)))
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

  /** Records codes of an edit that has begun. With the last ones, it runs. Resolves false when it is gone. */
  const record = (bulkEditId: number, edits: readonly CodeEdit[], isLast: boolean) =>
    transaction(function* (db) {
      if (!(yield* hasRow(locked(idsOf(db).where(isThis(bulkEditId)))))) return false;
      const rows = edits.map(({ qrId, before, after, needsRecheck }) => {
        const outcome: EditOutcome = needsRecheck ? 'unchecked' : 'waiting';
        return { qrId, before, after, outcome };
      });
      const types = { qrId: 'integer', before: 'text', after: 'text', outcome: 'text' } as const;
      const { from, columns } = tableOf('recorded', rows, types);
      const values = { bulkEditId: sql`${bulkEditId}`, ...columns };
      yield* execute(db, insertFrom(bulkEditChanges, values, from));
      if (isLast) yield db.update(bulkEdits).set({ state: 'running' }).where(isThis(bulkEditId));
      return true;
    });

  /** Records what has become of codes. */
  function* settle(
    db: Builder,
    bulkEditId: number,
    rows: readonly { qrId: number; outcome: EditOutcome; problem: string | null }[],
  ): Operation<void> {
    const types = { qrId: 'integer', outcome: 'text', problem: 'text' } as const;
    const settled = tableOf('settled', rows, types);
    const { qrId, outcome, problem } = settled.columns;
    const ids = rows.map((row) => row.qrId);
    yield db
      .update(bulkEditChanges)
      .set({ outcome: sql`${outcome}`, problem: sql`${problem}` })
      .from(settled.from)
      .where(
        and(
          eq(bulkEditChanges.bulkEditId, bulkEditId),
          // SQLite would read all rows of the edit for each.
          isOneOf(bulkEditChanges.qrId, ids),
          eq(bulkEditChanges.qrId, qrId),
        ),
      );
  }

  /** Reads codes of an edit in order, with their codes. */
  const recorded = (db: Builder, condition: SQL | undefined, limit: number) =>
    db
      .select({
        ...pick(bulkEditChanges, 'qrId', 'before', 'after', 'outcome', 'problem'),
        ...pick(qrs, 'code'),
      })
      .from(bulkEditChanges)
      .innerJoin(qrs, eq(qrs.id, bulkEditChanges.qrId))
      .where(condition)
      .orderBy(asc(bulkEditChanges.qrId))
      .limit(limit);
  const isAfter = (bulkEditId: number, qrId: number) =>
    and(eq(bulkEditChanges.bulkEditId, bulkEditId), gt(bulkEditChanges.qrId, qrId));
  const isPending = inArray(bulkEditChanges.outcome, ['unchecked', 'waiting']);
  const isMade = eq(bulkEditChanges.outcome, 'made');

  return {
    lease: async (accountId, nowMs, untilMs) => {
      const isFree = and(eq(accounts.id, accountId), isFreeLease(accounts.bulkEditUntilMs, nowMs));
      return transaction(function* (db) {
        const running = idsOf(db).where(and(eq(bulkEdits.accountId, accountId), hasNotEnded));
        if (yield* hasRow(running)) return false;
        const leased = db.update(accounts).set({ bulkEditUntilMs: untilMs }).where(isFree);
        return yield* hasRow(leased.returning({ id: accounts.id }));
      });
    },
    leaseUnfinished: async (nowMs, untilMs) => {
      const free = (db: Builder) =>
        db
          .select({ accountId: accounts.id })
          .from(accounts)
          .innerJoin(bulkEdits, eq(bulkEdits.accountId, accounts.id))
          .where(and(hasNotEnded, isFreeLease(accounts.bulkEditUntilMs, nowMs)))
          .orderBy(asc(bulkEdits.id))
          .limit(1);
      // Looks first, because a server asks every few seconds and a transaction locks an SQLite database.
      if ((await all(free)).length === 0) return null;
      const leased = await transaction(function* (db) {
        // Another process that leases one at the same time takes the next.
        const found = yield* rowOf(lockedOrSkipped(free(db)));
        if (found === null) return null;
        const update = db.update(accounts).set({ bulkEditUntilMs: untilMs });
        yield update.where(eq(accounts.id, found.accountId));
        return found.accountId;
      });
      return leased === null ? null : findLast(leased);
    },
    renew: async (accountId, heldUntilMs, untilMs) => {
      const extended = { bulkEditUntilMs: untilMs };
      const held = isHeld(accountId, heldUntilMs);
      return (await write((db) => db.update(accounts).set(extended).where(held))) > 0;
    },
    release: async (accountId, untilMs) => {
      const held = isHeld(accountId, untilMs);
      await write((db) => db.update(accounts).set({ bulkEditUntilMs: 0 }).where(held));
    },
    begin: async ({ accountId, by }, heldUntilMs, bulkChange, edits, atMs) => {
      const id = await transaction(function* (db) {
        const account = db.select(pick(accounts, 'id')).from(accounts);
        if (!(yield* hasRow(locked(account.where(isHeld(accountId, heldUntilMs)))))) return null;
        yield* removeBulkEdits(dialect, db, eq(bulkEdits.accountId, accountId));
        const actor = storedActor(by);
        const edit = {
          accountId,
          ...rowOfChange(bulkChange),
          atMs,
          state: 'planned',
          actor,
        } as const;
        return (yield* insertedRow(
          db.insert(bulkEdits).values(edit).returning({ id: bulkEdits.id }),
        )).id;
      });
      let isThere = id !== null;
      if (id !== null)
        await inParts(0, async (from) => {
          const next = from + codesPerPart;
          const isLast = next >= edits.length;
          isThere = await record(id, edits.slice(from, next), isLast);
          return isThere && !isLast ? next : null;
        });
      return isThere ? id : null;
    },
    beginUndo: ({ accountId, by }, heldUntilMs, bulkEditId) =>
      transaction(function* (db) {
        const account = db.select(pick(accounts, 'id')).from(accounts);
        if (!(yield* hasRow(locked(account.where(isHeld(accountId, heldUntilMs)))))) return false;
        const undo = { state: 'undoing', actor: storedActor(by), problem: null } as const;
        const isDone = and(isThis(bulkEditId), eq(bulkEdits.state, 'done'));
        const begun = db
          .update(bulkEdits)
          .set({ ...undo, undoEntryId: null })
          .where(isDone);
        return yield* hasRow(begun.returning({ id: bulkEdits.id }));
      }),
    pending: async (bulkEditId, afterQrId, limit) => {
      const edit = await firstOf(
        all((db) =>
          db
            .select(pick(bulkEdits, 'kind', 'state'))
            .from(bulkEdits)
            .where(and(isThis(bulkEditId), hasNotEnded)),
        ),
      );
      if (edit === null) return [];
      const isUndo = edit.state === 'undoing';
      const condition = and(isAfter(bulkEditId, afterQrId), isUndo ? isMade : isPending);
      const rows = await all((db) => recorded(db, condition, limit));
      return rows.map(({ qrId, code, before, after, outcome }) =>
        isUndo
          ? { qrId, code, before: after, after: before, needsRecheck: edit.kind === 'replace' }
          : { qrId, code, before, after, needsRecheck: outcome === 'unchecked' },
      );
    },
    make: (bulkEditId, edits, refused, atMs) =>
      changeRedirects(function* (db) {
        const nothing = { codes: [], result: [] };
        const asked = db
          .select()
          .from(bulkEdits)
          .where(and(isThis(bulkEditId), hasNotEnded));
        const edit = yield* rowOf(locked(asked));
        // It has ended, or a later bulk edit has replaced it.
        if (edit === null) return nothing;
        const { accountId, kind, replaced, replacement, state } = edit;
        const by = parseActor(edit.actor ?? '');
        if (by === null) throw new Error(`the bulk edit ${bulkEditId} is of nobody`);
        yield* requireRight(dialect, db, { accountId, by }, 'owner', 'editor');
        const isUndo = state === 'undoing';
        // Another process may have changed some of them.
        const ids = [...edits, ...refused].map(({ qrId }) => qrId);
        const left = db
          .select(pick(bulkEditChanges, 'qrId'))
          .from(bulkEditChanges)
          .where(
            and(
              eq(bulkEditChanges.bulkEditId, bulkEditId),
              isOneOf(bulkEditChanges.qrId, ids),
              isUndo ? isMade : isPending,
            ),
          );
        const leftIds = new Set((yield* rowsOf(left)).map(({ qrId }) => qrId));
        const leftEdits = edits.filter(({ qrId }) => leftIds.has(qrId));
        const done = yield* change(db, edit, leftEdits, atMs);
        const doneIds = new Set(done.map(({ qrId }) => qrId));
        const without: EditOutcome = isUndo ? 'made' : 'left out';
        yield* settle(db, bulkEditId, [
          ...leftEdits.map(({ qrId }) =>
            doneIds.has(qrId)
              ? { qrId, outcome: isUndo ? ('undone' as const) : ('made' as const), problem: null }
              : { qrId, outcome: without, problem: storedReason({ kind: 'changed meanwhile' }) },
          ),
          ...refused
            .filter(({ qrId }) => leftIds.has(qrId))
            .map(({ qrId, reason }) => ({ qrId, outcome: without, problem: storedReason(reason) })),
        ]);
        const codes = done.map(({ code }) => code);
        if (codes.length === 0) return nothing;
        const event = {
          ...(isUndo
            ? { kind: 'codes-edit-undone' as const }
            : eventOf(toChange(kind, replaced, replacement))),
          count: codes.length,
        };
        const entry = isUndo ? 'undoEntryId' : 'entryId';
        const entryId = yield* log.recordPart(db, edit[entry], { accountId, by }, event, atMs);
        if (edit[entry] === null)
          yield db
            .update(bulkEdits)
            .set({ [entry]: entryId })
            .where(isThis(bulkEditId));
        return { codes, result: codes };
      }),
    end: (bulkEditId, reason) =>
      transaction(function* (db) {
        const asked = db.select(pick(bulkEdits, 'accountId', 'state')).from(bulkEdits);
        const edit = yield* rowOf(locked(asked.where(and(isThis(bulkEditId), hasNotEnded))));
        if (edit === null) return;
        const made = db.select(pick(bulkEditChanges, 'qrId')).from(bulkEditChanges);
        const isOfThis = eq(bulkEditChanges.bulkEditId, bulkEditId);
        const isUndone =
          edit.state === 'undoing' && !(yield* hasRow(made.where(and(isOfThis, isMade)).limit(1)));
        const state = isUndone ? 'undone' : 'done';
        const problem = reason === null ? null : storedReason(reason);
        yield db.update(bulkEdits).set({ state, problem }).where(isThis(bulkEditId));
        const isOwner = eq(accounts.id, edit.accountId);
        yield db.update(accounts).set({ bulkEditUntilMs: 0 }).where(isOwner);
      }),
    last: findLast,
    edits: async (bulkEditId, afterQrId, limit) => {
      const rows = await all((db) =>
        recorded(db, and(isAfter(bulkEditId, afterQrId), isMade), limit),
      );
      return rows.map(({ qrId, code, before, after }) => ({
        ...{ qrId, code, before, after },
        needsRecheck: false,
      }));
    },
    refused: async (bulkEditId, limit) => {
      const hasProblem = and(isAfter(bulkEditId, 0), isNotNull(bulkEditChanges.problem));
      const rows = await all((db) => recorded(db, hasProblem, limit));
      return rows.map(({ code, before, after, problem }) => ({
        ...{ code, before, after },
        reason: reasonOfStored(problem ?? ''),
      }));
    },
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
  'query-on': 'codes-query-on',
  'query-off': 'codes-query-off',
} as const;
