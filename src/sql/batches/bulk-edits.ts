import { and, asc, count, eq, gt, lte, type SQL, sql } from 'drizzle-orm';
import {
  type BulkEditChange,
  type BulkEditKind,
  bulkEditKinds,
  type CodeEdit,
} from '../../core/batches/bulk-edit.ts';
import type { BulkEditStore } from '../../core/batches/ports.ts';
import { createCodeChanges } from '../codes/changes.ts';
import { type Builder, type Dialect, type Operation, rowOf, rowsOf, run } from '../dialect.ts';

/** Creates the store of bulk edits. */
export function createBulkEditStore(dialect: Dialect): BulkEditStore {
  const { tables, read, write, transaction, changeRedirects, locked, isOneOf } = dialect;
  const { accounts, bulkEditChanges, bulkEdits, qrs } = tables;
  const changes = createCodeChanges(dialect);

  /** Returns the value of a code that an edit changes, as a text. */
  const currentOf = (kind: BulkEditKind): SQL =>
    ({
      replace: sql`${qrs.destination}`,
      pause: sql`${qrs.status}`,
      resume: sql`${qrs.status}`,
      folder: sql`coalesce(${qrs.folder}, '')`,
      archive: sql`case when ${qrs.isArchived} then 'archived' else 'listed' end`,
      unarchive: sql`case when ${qrs.isArchived} then 'archived' else 'listed' end`,
    })[kind];
  const setOf = (kind: BulkEditKind, value: SQL) => {
    if (kind === 'replace') return { destination: sql`${value}` };
    if (kind === 'folder') return { folder: sql`nullif(${value}, '')` };
    return kind === 'archive' || kind === 'unarchive'
      ? { isArchived: sql`${value} = 'archived'` }
      : { status: sql`${value}` };
  };

  const last = dialect.prepare((db) => {
    const cases = bulkEditKinds.map(
      (kind) => sql`when ${sql.raw(`'${kind}'`)} then ${currentOf(kind)}`,
    );
    const current = sql`case ${bulkEdits.kind} ${sql.join(cases, sql` `)} end`;
    const isChanged = sql`case when ${bulkEditChanges.after} <> ${current} then 1 end`;
    return db
      .select({
        id: bulkEdits.id,
        kind: bulkEdits.kind,
        replaced: bulkEdits.replaced,
        replacement: bulkEdits.replacement,
        atMs: bulkEdits.atMs,
        codes: count(),
        changedSince: count(isChanged),
      })
      .from(bulkEdits)
      .innerJoin(bulkEditChanges, eq(bulkEditChanges.bulkEditId, bulkEdits.id))
      .innerJoin(qrs, eq(qrs.id, bulkEditChanges.qrId))
      .where(eq(bulkEdits.accountId, sql.placeholder('accountId')))
      .groupBy(bulkEdits.id);
  });

  function* remove(db: Builder, bulkEditId: number): Operation<void> {
    yield* run(db.delete(bulkEditChanges).where(eq(bulkEditChanges.bulkEditId, bulkEditId)));
    yield* run(db.delete(bulkEdits).where(eq(bulkEdits.id, bulkEditId)));
  }

  /** Changes the codes that still have the value before. Returns their edits. */
  function* change(
    db: Builder,
    kind: BulkEditKind,
    edits: readonly CodeEdit[],
    atMs: number,
  ): Operation<CodeEdit[]> {
    const values = edits.map(({ qrId, before, after }) => ({ qrId, before, after }));
    const edit = dialect.tableOf('edit', values, {
      qrId: 'integer',
      before: 'text',
      after: 'text',
    });
    const { qrId, before, after } = edit.columns;
    const changed = yield* rowsOf(
      db
        .update(qrs)
        .set(setOf(kind, after))
        .from(edit.from)
        .where(and(eq(qrs.id, qrId), eq(currentOf(kind), before)))
        .returning({ id: qrs.id }),
    );
    const ids = new Set(changed.map(({ id }) => id));
    const done = edits.filter((one) => ids.has(one.qrId));
    if (kind === 'replace') {
      const former = done.map((one) => ({ qrId: one.qrId, destination: one.before }));
      yield* changes.recordFormer(db, former, atMs);
      const unchecked = done.filter((one) => one.needsRecheck);
      yield* changes.queueRechecks(
        db,
        unchecked.map((one) => one.qrId),
      );
    }
    return done;
  }

  /** Changes codes and calls `record` with the edits of those that were changed. */
  const changeAll = (
    bulkEditId: number,
    edits: readonly CodeEdit[],
    atMs: number,
    record: (db: Builder, done: readonly CodeEdit[]) => Operation<void>,
  ): Promise<string[]> =>
    changeRedirects(function* (db) {
      const own = db.select({ kind: bulkEdits.kind }).from(bulkEdits);
      const edit = yield* rowOf(locked(own.where(eq(bulkEdits.id, bulkEditId))));
      // A later bulk edit has replaced it.
      if (edit === null) return { codes: [], result: [] };
      const done = yield* change(db, edit.kind, edits, atMs);
      if (done.length > 0) yield* record(db, done);
      const codes = done.map(({ code }) => code);
      return { codes, result: codes };
    });

  return {
    lease: async (accountId, nowMs, untilMs) => {
      const isFree = and(eq(accounts.id, accountId), lte(accounts.bulkEditUntilMs, nowMs));
      const update = (db: Builder) =>
        db.update(accounts).set({ bulkEditUntilMs: untilMs }).where(isFree);
      return (await write((db) => update(db).returning({ id: accounts.id }))).length > 0;
    },
    release: async (accountId) => {
      const isAccount = eq(accounts.id, accountId);
      await write((db) => db.update(accounts).set({ bulkEditUntilMs: 0 }).where(isAccount));
    },
    begin: (accountId, bulkChange, atMs) =>
      transaction(function* (db) {
        // Of two that begin at once, one waits here for the other.
        yield* rowOf(
          locked(db.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, accountId))),
        );
        const earlier = yield* rowOf(
          db.select({ id: bulkEdits.id }).from(bulkEdits).where(eq(bulkEdits.accountId, accountId)),
        );
        if (earlier !== null) yield* remove(db, earlier.id);
        const begun = yield* rowOf(
          db
            .insert(bulkEdits)
            .values({ accountId, ...rowOfChange(bulkChange), atMs })
            .returning({ id: bulkEdits.id }),
        );
        if (begun === null) throw new Error('the insert of a bulk edit returned no row');
        return begun.id;
      }),
    apply: (bulkEditId, edits, atMs) =>
      changeAll(bulkEditId, edits, atMs, (db, done) => {
        const rows = done.map(({ qrId, before, after }) => ({ bulkEditId, qrId, before, after }));
        return run(db.insert(bulkEditChanges).values(rows));
      }),
    last: async (accountId) => {
      const [row] = await last.all({ accountId });
      if (row === undefined) return null;
      const { kind, replaced, replacement, ...edit } = row;
      return { ...edit, change: toChange(kind, replaced, replacement) };
    },
    edits: async (bulkEditId, afterQrId, limit) => {
      const isAfter = and(
        eq(bulkEditChanges.bulkEditId, bulkEditId),
        gt(bulkEditChanges.qrId, afterQrId),
      );
      const rows = await read((db) =>
        rowsOf(
          db
            .select({
              qrId: bulkEditChanges.qrId,
              code: qrs.code,
              before: bulkEditChanges.before,
              after: bulkEditChanges.after,
            })
            .from(bulkEditChanges)
            .innerJoin(qrs, eq(qrs.id, bulkEditChanges.qrId))
            .where(isAfter)
            .orderBy(asc(bulkEditChanges.qrId))
            .limit(limit),
        ),
      );
      return rows.map((edit) => ({ ...edit, needsRecheck: false }));
    },
    revert: (bulkEditId, edits, atMs) =>
      changeAll(bulkEditId, edits, atMs, function* (db, done) {
        const isThis = eq(bulkEditChanges.bulkEditId, bulkEditId);
        const ids = done.map(({ qrId }) => qrId);
        yield* run(
          db.delete(bulkEditChanges).where(and(isThis, isOneOf(bulkEditChanges.qrId, ids))),
        );
        const left = db.select({ qrId: bulkEditChanges.qrId }).from(bulkEditChanges);
        if ((yield* rowOf(left.where(isThis).limit(1))) === null) yield* remove(db, bulkEditId);
      }),
  };
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
