import { and, eq, isNotNull, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core';
import { ownerlessEmail } from '../../core/accounts/account.ts';
import type { CodesOfDeleted } from '../../core/accounts/ports.ts';
import { mapLinkLabels } from '../../core/codes/fields.ts';
import { nameSortKey } from '../../core/codes/lists/sort-key.ts';
import { firstLocalIn } from '../../core/codes/schedule/schedule.ts';
import { type Builder, type Dialect, type Operation, pick, rowOf, rowsOf } from '../dialect.ts';
import { insertAccount } from './accounts.ts';

/** Rows of a table that a transaction deletes: some milliseconds. */
export const rowsPerPart = 250;
/**
 * Codes of a transaction.
 * What else waits for the event loop, or on SQLite to write, waits some ten milliseconds. On PostgreSQL, no more can be
 * named in a step of `redirect_steps`.
 */
export const codesPerPart = 50;

/** Labels of codes without an owner. Their paths may be printed, and stay. */
const noLabels = {
  ...mapLinkLabels(() => null),
  nameKey: nameSortKey(null),
  pausedMessage: null,
};
/** What a stopped code has. */
const stopped = {
  status: 'stopped',
  statusBeforeBlock: null,
  blockReason: null,
  destination: '',
  designId: null,
  imageHash: null,
  logoPlacement: null,
} as const;

/** Creates the operations that give codes to another account, or stop them for good. */
export function createCodeMoves(dialect: Dialect) {
  const { tables, isOneOf, tableOf } = dialect;
  const { accounts, designs, scheduledChanges, qrs, scanCounters } = tables;

  /** Returns the account that owns the codes of deleted accounts. Creates it for the first. */
  function* findNobody(db: Builder, atMs: number): Operation<number> {
    const nobody = { email: ownerlessEmail, createdAtMs: atMs };
    const isNobody = eq(accounts.email, ownerlessEmail);
    const found =
      (yield* rowOf(db.select(pick(accounts, 'id')).from(accounts).where(isNobody))) ??
      (yield* insertAccount(tables, db, nobody));
    if (found === null) throw new Error('the account without an owner cannot be created');
    return found.id;
  }

  /** Deletes rows of a table, up to {@link rowsPerPart}. Returns whether there may be more. */
  function* removeSome<Table extends PgTable>(
    db: Builder,
    table: Table,
    key: AnyPgColumn,
    isRemoved: SQL | undefined,
  ): Operation<boolean> {
    const keys = db.select({ key: sql`${key}`.as('key') }).from(table as PgTable);
    const some = keys.where(isRemoved).limit(rowsPerPart);
    const removed = db.delete(table).where(and(isRemoved, isOneOf(key, some)));
    return (yield* rowsOf(removed.returning({ key: sql`1` }))).length >= rowsPerPart;
  }

  /** Deletes some of what was recorded about codes. Returns whether there may be more. */
  function* forget(
    db: Builder,
    ids: readonly number[],
    kind: CodesOfDeleted['kind'],
  ): Operation<boolean> {
    for (const table of forgotten[kind]) {
      const key = table === tables.formerDestinations ? table.id : table.qrId;
      if (yield* removeSome(db, table, key, isOneOf(table.qrId, ids))) return true;
    }
    return false;
  }

  /** What is deleted about codes. */
  const forgotten = {
    give: [],
    keep: [tables.formerDestinations],
    stop: [tables.formerDestinations, tables.scheduledChanges, tables.flags, tables.recheckQueue],
  } satisfies Record<CodesOfDeleted['kind'], unknown>;

  /**
   * Gives codes of an account, and the designs that they have, to another one.
   * Without their names where that is nobody. Returns those that stop.
   */
  function* moveCodes(
    db: Builder,
    ids: readonly number[] | SQLWrapper,
    to: number,
    { kind }: CodesOfDeleted,
  ): Operation<string[]> {
    const isMoved = isOneOf(qrs.id, ids);
    for (const table of forgotten[kind]) yield db.delete(table).where(isOneOf(table.qrId, ids));
    yield db.update(tables.flags).set({ accountId: to }).where(isOneOf(tables.flags.qrId, ids));
    const isCounter = isOneOf(scanCounters.qrId, ids);
    yield db.update(scanCounters).set({ accountId: to }).where(isCounter);
    if (kind !== 'stop') {
      const used = db
        .selectDistinct({ id: qrs.designId })
        .from(qrs)
        .where(and(isMoved, isNotNull(qrs.designId)));
      yield db.update(designs).set({ accountId: to }).where(isOneOf(designs.id, used));
    }
    const labels = kind === 'give' ? {} : noLabels;
    const moved = { accountId: to, ...labels, ...(kind === 'stop' ? stopped : {}) };
    const update = db.update(qrs).set(moved).where(isMoved);
    const codes = yield* rowsOf(update.returning(pick(qrs, 'id', 'code')));
    // After the codes, whose locks wait for what is being planned.
    const movedIds = codes.map(({ id }) => id);
    if (kind === 'give') yield* moveScheduled(db, movedIds, to);
    return kind === 'stop' ? codes.map(({ code }) => code) : [];
  }

  /**
   * Gives planned changes of codes to another account, whose time zone is locked.
   * They are made at the same instant.
   */
  function* moveScheduled(db: Builder, qrIds: readonly number[], to: number): Operation<void> {
    const isTo = eq(accounts.id, to);
    const heir = yield* rowOf(db.select(pick(accounts, 'timeZone')).from(accounts).where(isTo));
    const columns = pick(scheduledChanges, 'id', 'firstLocal', 'nextMs');
    const planned = yield* rowsOf(
      db
        .select({ ...columns, timeZone: accounts.timeZone })
        .from(scheduledChanges)
        .innerJoin(accounts, eq(accounts.id, scheduledChanges.accountId))
        .where(isOneOf(scheduledChanges.qrId, qrIds)),
    );
    if (heir === null || planned.length === 0) return;
    const rows = planned.map(({ id, timeZone, ...change }) => ({
      id,
      firstLocal: firstLocalIn(change, { timeZone }, heir),
    }));
    const next = tableOf('moved', rows, { id: 'integer', firstLocal: 'text' });
    const { id, firstLocal } = next.columns;
    yield db
      .update(scheduledChanges)
      .set({ accountId: to, firstLocal: sql`${firstLocal}` })
      .from(next.from)
      .where(eq(scheduledChanges.id, id));
  }

  /** Changes the number of codes of an account. */
  function* count(db: Builder, id: number, change: number): Operation<void> {
    const qrCount = sql`${accounts.qrCount} + ${change}`;
    yield db.update(accounts).set({ qrCount }).where(eq(accounts.id, id));
  }

  return { findNobody, removeSome, forget, moveCodes, count };
}
