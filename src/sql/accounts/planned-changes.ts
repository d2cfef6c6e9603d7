import { and, asc, count, desc, eq, gt, gte, isNotNull, lt, lte, type SQL, sql } from 'drizzle-orm';
import type { PlannedChange } from '../../core/accounts/planned-changes/planned-change.ts';
import type {
  DueCode,
  MadeChanges,
  PlannedChangeStore,
} from '../../core/accounts/planned-changes/ports.ts';
import { createCodeChanges } from '../codes/changes.ts';
import {
  type Builder,
  type Dialect,
  hasRow,
  insertedRow,
  type Operation,
  pick,
  rowOf,
  rowsOf,
} from '../dialect.ts';

const types = { qrId: 'integer', destination: 'text', status: 'text' } as const;
const keptTypes = { id: 'integer', nextMs: 'integer', problem: 'text' } as const;

type CodeState = Omit<DueCode, 'account' | 'due'> & { readonly id: number; readonly code: string };

/** Creates the store of planned changes. */
export function createPlannedChangeStore(dialect: Dialect): PlannedChangeStore {
  const { tables, all, write, transaction, changeRedirects } = dialect;
  const { locked, lockedOrSkipped, isOneOf, tableOf } = dialect;
  const { accounts, plannedChanges, qrs } = tables;
  const changes = createCodeChanges(dialect);

  const stored = {
    ...pick(plannedChanges, 'id', 'qrId', 'accountId', 'action', 'destination'),
    ...pick(plannedChanges, 'firstLocal', 'every', 'nextMs', 'problem'),
  };
  const planner = { plannedBy: accounts.email };
  const isPlanner = eq(accounts.id, plannedChanges.plannedById);
  const select = (db: Builder) =>
    db
      .select({ ...stored, ...planner })
      .from(plannedChanges)
      .leftJoin(accounts, isPlanner);
  const ofAccount = (db: Builder, condition: SQL | undefined) =>
    db
      .select({ ...stored, ...planner, ...pick(qrs, 'code', 'name') })
      .from(plannedChanges)
      .innerJoin(qrs, eq(qrs.id, plannedChanges.qrId))
      .leftJoin(accounts, isPlanner)
      .where(condition);
  const ofCode = (accountId: number, qrId: number) =>
    and(eq(plannedChanges.qrId, qrId), eq(plannedChanges.accountId, accountId));

  /** Reads the codes that nobody is changing, with their due changes. Both stay locked until the end. */
  function* readDue(
    db: Builder,
    qrIds: readonly number[],
    nowMs: number,
  ): Operation<(CodeState & DueCode)[]> {
    const columns = pick(qrs, 'id', 'code', 'accountId', 'destination', 'status');
    const asked = db.select(columns).from(qrs).where(isOneOf(qrs.id, qrIds));
    const codes = yield* rowsOf(lockedOrSkipped(asked.orderBy(asc(qrs.id))));
    const ids = codes.map(({ id }) => id);
    const isDue = and(isOneOf(plannedChanges.qrId, ids), lte(plannedChanges.nextMs, nowMs));
    // Locked, so that a change that is cancelled meanwhile is not made.
    const due = yield* rowsOf(locked(db.select(stored).from(plannedChanges).where(isDue)));
    const ownerIds = [...new Set(codes.map(({ accountId }) => accountId))];
    const owners = yield* rowsOf(
      db
        .select(pick(accounts, 'id', 'planUntilMs', 'timeZone'))
        .from(accounts)
        .where(isOneOf(accounts.id, ownerIds)),
    );
    const ownerOf = new Map(owners.map((owner) => [owner.id, owner]));
    const dueOf = Map.groupBy(due, ({ qrId }) => qrId);
    return codes.flatMap((code) => {
      const account = ownerOf.get(code.accountId);
      const ofIt = dueOf.get(code.id);
      return account && ofIt ? [{ ...code, account, due: ofIt }] : [];
    });
  }

  /** Writes what was decided about codes. Returns those whose redirect changes. */
  function* writeMade(
    db: Builder,
    made: readonly { readonly code: CodeState; readonly outcome: MadeChanges }[],
    nowMs: number,
  ): Operation<string[]> {
    const changed = made.filter(
      ({ code, outcome }) =>
        code.destination !== outcome.destination || code.status !== outcome.status,
    );
    if (changed.length > 0) {
      const rows = changed.map(({ code, outcome }) => ({
        qrId: code.id,
        destination: outcome.destination,
        status: outcome.status,
      }));
      const next = tableOf('made', rows, types);
      const { qrId } = next.columns;
      const destination = sql`${next.columns.destination}`;
      const status = sql`${next.columns.status}`;
      // The message of an earlier pause goes.
      const pausedMessage = sql`case when ${qrs.status} = ${status} then ${qrs.pausedMessage} end`;
      yield db
        .update(qrs)
        .set({ destination, status, pausedMessage })
        .from(next.from)
        .where(eq(qrs.id, qrId));
    }
    const former = made.flatMap(({ code, outcome }) =>
      outcome.former.map((destination) => ({ qrId: code.id, destination })),
    );
    yield* changes.recordFormer(db, former, nowMs);
    const unchecked = made.filter(({ outcome }) => outcome.needsRecheck);
    yield* changes.queueRechecks(
      db,
      unchecked.map(({ code }) => code.id),
    );
    const over = made.flatMap(({ outcome }) => outcome.over);
    if (over.length > 0) yield db.delete(plannedChanges).where(isOneOf(plannedChanges.id, over));
    yield* keep(
      db,
      made.flatMap(({ outcome }) => outcome.kept),
    );
    return changed.map(({ code }) => code.code);
  }

  function* keep(db: Builder, kept: MadeChanges['kept']): Operation<void> {
    if (kept.length === 0) return;
    const next = tableOf('kept', kept, keptTypes);
    const { id, nextMs, problem } = next.columns;
    yield db
      .update(plannedChanges)
      .set({ nextMs: sql`${nextMs}`, problem: sql`${problem}` })
      .from(next.from)
      .where(eq(plannedChanges.id, id));
  }

  return {
    add: ({ plannedById, ...change }, maxPerCode) =>
      transaction(function* (db) {
        const { qrId, accountId, action, nextMs } = change;
        const isAsked = and(eq(qrs.id, qrId), eq(qrs.accountId, accountId));
        // Of two that are planned at once, one waits here for the other.
        const code = db.select(pick(qrs, 'id')).from(qrs).where(isAsked);
        if (!(yield* hasRow(locked(code)))) return 'missing';
        const isOfCode = eq(plannedChanges.qrId, qrId);
        const own = db.select({ changes: count() }).from(plannedChanges).where(isOfCode);
        if (((yield* rowOf(own))?.changes ?? 0) >= maxPerCode) return 'too many';
        const isDestination = eq(plannedChanges.action, 'destination');
        const isSameKind = action === 'destination' ? isDestination : sql`not ${isDestination}`;
        const same = and(isOfCode, eq(plannedChanges.nextMs, nextMs), isSameKind);
        const rival = db.select(pick(plannedChanges, 'id')).from(plannedChanges).where(same);
        if (yield* hasRow(rival.limit(1))) return 'same time';
        const row = { ...change, plannedById };
        const added = db.insert(plannedChanges).values(row).returning(pick(plannedChanges, 'id'));
        const { id } = yield* insertedRow(added);
        const found = yield* rowOf<PlannedChange>(select(db).where(eq(plannedChanges.id, id)));
        return found ?? 'missing';
      }),
    list: (accountId, qrId) =>
      all((db) =>
        select(db)
          .where(ofCode(accountId, qrId))
          .orderBy(
            sql`${plannedChanges.nextMs} is null`,
            asc(plannedChanges.nextMs),
            plannedChanges.id,
          ),
      ),
    upcoming: (accountId, fromMs, untilMs, limit) =>
      all((db) =>
        ofAccount(
          db,
          and(
            eq(plannedChanges.accountId, accountId),
            gte(plannedChanges.nextMs, fromMs),
            lt(plannedChanges.nextMs, untilMs),
          ),
        )
          .orderBy(asc(plannedChanges.nextMs), asc(plannedChanges.id))
          .limit(limit),
      ),
    problems: (accountId, limit) =>
      all((db) =>
        ofAccount(
          db,
          and(eq(plannedChanges.accountId, accountId), isNotNull(plannedChanges.problem)),
        )
          .orderBy(desc(plannedChanges.id))
          .limit(limit),
      ),
    remove: async (accountId, qrId, id) => {
      const isAsked = and(eq(plannedChanges.id, id), ofCode(accountId, qrId));
      return (await write((db) => db.delete(plannedChanges).where(isAsked))) > 0;
    },
    slice: (accountId, afterId, limit) =>
      all((db) => {
        const isOwn = and(eq(plannedChanges.accountId, accountId), gt(plannedChanges.id, afterId));
        return select(db)
          .where(and(isOwn, isNotNull(plannedChanges.nextMs)))
          .orderBy(asc(plannedChanges.id))
          .limit(limit);
      }),
    reschedule: async (times) => {
      const next = tableOf('moved', times, { id: 'integer', nextMs: 'integer' });
      const { id, nextMs } = next.columns;
      await write((db) =>
        db
          .update(plannedChanges)
          .set({ nextMs: sql`${nextMs}` })
          .from(next.from)
          .where(and(eq(plannedChanges.id, id), isNotNull(plannedChanges.nextMs))),
      );
    },
    due: async (nowMs, maxCodes) => {
      const isDue = lte(plannedChanges.nextMs, nowMs);
      return all((db) => {
        const first = db
          .select(pick(plannedChanges, 'qrId'))
          .from(plannedChanges)
          .where(isDue)
          .orderBy(asc(plannedChanges.nextMs), asc(plannedChanges.id))
          .limit(maxCodes);
        return db
          .select(pick(plannedChanges, 'id', 'qrId', 'destination'))
          .from(plannedChanges)
          .where(and(isOneOf(plannedChanges.qrId, first), isDue));
      });
    },
    make: (qrIds, nowMs, decide) =>
      changeRedirects(function* (db) {
        const codes = yield* readDue(db, qrIds, nowMs);
        const made = codes.map((code) => ({ code, outcome: decide(code) }));
        const handled = made.flatMap(({ outcome }) => [...outcome.over, ...outcome.kept]);
        return { codes: yield* writeMade(db, made, nowMs), result: handled.length };
      }),
  };
}
