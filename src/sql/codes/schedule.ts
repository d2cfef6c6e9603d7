import {
  and,
  asc,
  desc,
  eq,
  gt,
  gte,
  isNotNull,
  isNull,
  lt,
  lte,
  type SQL,
  sql,
} from 'drizzle-orm';
import type { ActivityEvent, ActivityKind } from '../../core/accounts/activity/activity.ts';
import type { ScheduledAction } from '../../core/codes/schedule/change.ts';
import type {
  DueCode,
  MadeChanges,
  NewScheduledChange,
  ScheduleConflict,
  ScheduleStore,
} from '../../core/codes/schedule/ports.ts';
import type { Acting, Actor } from '../../core/ports.ts';
import { createActivityLog } from '../activity/log.ts';
import { type Builder, type Dialect, type Operation, pick, rowOf, rowsOf } from '../dialect.ts';
import { createCodeChanges } from './changes.ts';

const types = { qrId: 'integer', destination: 'text', status: 'text' } as const;
const keptTypes = { id: 'integer', nextMs: 'integer', problem: 'text' } as const;

/** The zone of an account that is gone. */
const noZone = { timeZone: null };

/** Key of the lock of transactions that need the time zone of an account, or change it. */
export const timeZoneLock = (accountId: number) => `time zone ${accountId}`;

type CodeState = Omit<DueCode, 'account' | 'due'> & { readonly id: number; readonly code: string };

/** Creates the store of scheduled changes. */
export function createScheduleStore(dialect: Dialect): ScheduleStore {
  const { tables, all, transaction, changeRedirects, lock } = dialect;
  const { locked, lockedOrSkipped, isOneOf, tableOf } = dialect;
  const { accounts, scheduledChanges, qrs } = tables;
  const changes = createCodeChanges(dialect);
  const log = createActivityLog(dialect);

  const stored = {
    ...pick(scheduledChanges, 'id', 'qrId', 'accountId', 'action', 'destination'),
    ...pick(scheduledChanges, 'firstLocal', 'every', 'nextMs', 'problem'),
  };
  const planner = { scheduledBy: accounts.email };
  const isPlanner = eq(accounts.id, scheduledChanges.scheduledById);
  const select = (db: Builder) =>
    db
      .select({ ...stored, ...planner })
      .from(scheduledChanges)
      .leftJoin(accounts, isPlanner);
  const ofAccount = (db: Builder, condition: SQL | undefined) =>
    db
      .select({ ...stored, ...planner, ...pick(qrs, 'code', 'name') })
      .from(scheduledChanges)
      .innerJoin(qrs, eq(qrs.id, scheduledChanges.qrId))
      .leftJoin(accounts, isPlanner)
      .where(condition);
  const ofCode = (accountId: number, qrId: number) =>
    and(eq(scheduledChanges.qrId, qrId), eq(scheduledChanges.accountId, accountId));

  /** Returns the time zones of accounts by their ids. */
  function* zonesOf(
    db: Builder,
    ids: readonly number[],
  ): Operation<Map<number, { timeZone: string | null }>> {
    const columns = pick(accounts, 'id', 'timeZone');
    const owners = db.select(columns).from(accounts).where(isOneOf(accounts.id, ids));
    return new Map((yield* rowsOf(owners)).map((owner) => [owner.id, owner]));
  }

  /**
   * Reads codes that no other transaction has locked, with their due changes.
   * Both stay locked until the end.
   */
  function* readDue(
    db: Builder,
    qrIds: readonly number[],
    nowMs: number,
  ): Operation<(CodeState & DueCode)[]> {
    const columns = pick(qrs, 'id', 'code', 'accountId', 'destination', 'status');
    const asked = db.select(columns).from(qrs).where(isOneOf(qrs.id, qrIds));
    const codes = yield* rowsOf(lockedOrSkipped(asked.orderBy(asc(qrs.id))));
    const ids = codes.map(({ id }) => id);
    const isDue = and(isOneOf(scheduledChanges.qrId, ids), lte(scheduledChanges.nextMs, nowMs));
    // Locked, so that a change that is cancelled meanwhile is not made.
    const due = yield* rowsOf(locked(db.select(stored).from(scheduledChanges).where(isDue)));
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
    yield* changes.recordFormer(db, former, nowMs, true);
    const unchecked = made.filter(({ outcome }) => outcome.needsRecheck);
    yield* changes.queueRechecks(
      db,
      unchecked.map(({ code }) => code.id),
    );
    const over = made.flatMap(({ outcome }) => outcome.over);
    if (over.length > 0)
      yield db.delete(scheduledChanges).where(isOneOf(scheduledChanges.id, over));
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
      .update(scheduledChanges)
      .set({ nextMs: sql`${nextMs}`, problem: sql`${problem}` })
      .from(next.from)
      .where(eq(scheduledChanges.id, id));
  }

  /** Records scheduled changes: of one code as that of the code, of many with their number. */
  function* recordPlan(
    db: Builder,
    plan: {
      readonly entryId: number | null;
      readonly accountId: number;
      readonly qrIds: readonly number[];
      readonly isForMany: boolean;
    },
    [change]: readonly NewScheduledChange[],
  ): Operation<number | null> {
    const { entryId, accountId, qrIds, isForMany } = plan;
    if (change === undefined) return entryId;
    const acting = { accountId, by: plannerOf(change.scheduledById) };
    const event = eventOf('plan-added', change);
    const [qrId] = qrIds;
    if (isForMany || qrId === undefined) {
      const ofMany = { ...event, count: qrIds.length };
      return yield* log.recordPart(db, entryId, acting, ofMany, change.createdAtMs);
    }
    yield* log.record(db, acting, { ...event, qrId }, change.createdAtMs);
    return entryId;
  }

  /** Returns what is recorded about a code and its due changes. */
  function eventsOf(
    { id: qrId, accountId, ...code }: CodeState & DueCode,
    { kept, ...outcome }: MadeChanges,
  ): { acting: Acting; event: ActivityEvent }[] {
    const acting = { accountId, by: { kind: 'plan', accountId: null } } as const;
    const events: ActivityEvent[] = [];
    if (code.destination !== outcome.destination) {
      const change = { before: code.destination, after: outcome.destination };
      events.push({ kind: 'destination-changed', qrId, ...change });
    }
    if (code.status !== outcome.status)
      events.push({ kind: outcome.status === 'paused' ? 'code-paused' : 'code-resumed', qrId });
    for (const { id, problem } of kept) {
      const change = code.due.find((one) => one.id === id);
      if (problem === null || change === undefined) continue;
      events.push({ ...eventOf('plan-not-made', change), qrId, before: problem });
    }
    return events.map((event) => ({ acting, event }));
  }

  return {
    add: ({ accountId, qrIds }, plan, { maxPerCode, replacedId, entryId = null }) =>
      transaction(function* (db) {
        yield* lock(db, timeZoneLock(accountId));
        const asked = plan((yield* zonesOf(db, [accountId])).get(accountId) ?? noZone);
        // Of two that are planned at once, one waits here for the other.
        const own = and(isOneOf(qrs.id, qrIds), eq(qrs.accountId, accountId));
        const columnsOfCodes = pick(qrs, 'id', 'destination');
        const codes = db.select(columnsOfCodes).from(qrs).where(own).orderBy(asc(qrs.id));
        const found = yield* rowsOf(locked(codes));
        const ids = found.map(({ id }) => id);
        const destinationOf = new Map(found.map(({ id, destination }) => [id, destination]));
        const isOfCodes = isOneOf(scheduledChanges.qrId, ids);
        const columns = pick(scheduledChanges, 'id', 'qrId', 'action', 'nextMs');
        const planned = yield* rowsOf(db.select(columns).from(scheduledChanges).where(isOfCodes));
        const scheduledOf = Map.groupBy(planned, ({ qrId }) => qrId);
        const conflictOf = (qrId: number): ScheduleConflict | null => {
          if (!ids.includes(qrId)) return 'missing';
          const all = scheduledOf.get(qrId) ?? [];
          const others = all.filter(({ id }) => id !== replacedId);
          if (replacedId !== undefined && others.length === all.length) return 'gone';
          if (others.length + asked.length > maxPerCode) return 'too many';
          const isTaken = asked.some((change) =>
            others.some((other) => other.nextMs === change.nextMs && isSameKind(other, change)),
          );
          return isTaken ? 'same time' : null;
        };
        const refused = qrIds.flatMap((qrId) => {
          const conflict = conflictOf(qrId);
          return conflict === null ? [] : [{ qrId, conflict }];
        });
        const refusedIds = new Set(refused.map(({ qrId }) => qrId));
        const rows = qrIds
          .filter((qrId) => !refusedIds.has(qrId))
          .flatMap((qrId) =>
            asked.map(({ leadsBack = false, destination, ...change }) => {
              const to = leadsBack ? (destinationOf.get(qrId) ?? null) : destination;
              return { ...change, destination: to, qrId, accountId };
            }),
          );
        if (rows.length === 0) return { added: [], refused, entryId };
        if (replacedId !== undefined)
          yield db.delete(scheduledChanges).where(eq(scheduledChanges.id, replacedId));
        const insert = db.insert(scheduledChanges).values(rows);
        const inserted = yield* rowsOf(insert.returning(pick(scheduledChanges, 'id')));
        const addedIds = inserted.map(({ id }) => id);
        const stored = select(db).where(isOneOf(scheduledChanges.id, addedIds));
        const scheduledIds = [...new Set(rows.map(({ qrId }) => qrId))];
        const entry = { entryId, accountId, qrIds: scheduledIds, isForMany: qrIds.length > 1 };
        const added = yield* rowsOf(stored.orderBy(asc(scheduledChanges.id)));
        return { added, refused, entryId: yield* recordPlan(db, entry, asked) };
      }),
    list: (accountId, qrId) =>
      all((db) =>
        select(db)
          .where(ofCode(accountId, qrId))
          .orderBy(
            sql`${scheduledChanges.nextMs} is null`,
            asc(scheduledChanges.nextMs),
            scheduledChanges.id,
          ),
      ),
    upcoming: (accountId, fromMs, untilMs, limit) =>
      all((db) =>
        ofAccount(
          db,
          and(
            eq(scheduledChanges.accountId, accountId),
            gte(scheduledChanges.nextMs, fromMs),
            lt(scheduledChanges.nextMs, untilMs),
          ),
        )
          .orderBy(asc(scheduledChanges.nextMs), asc(scheduledChanges.id))
          .limit(limit),
      ),
    problems: (accountId, limit) =>
      all((db) =>
        ofAccount(
          db,
          and(eq(scheduledChanges.accountId, accountId), isNotNull(scheduledChanges.problem)),
        )
          .orderBy(desc(scheduledChanges.id))
          .limit(limit),
      ),
    remove: (acting, qrId, id, atMs) =>
      transaction(function* (db) {
        const isAsked = and(eq(scheduledChanges.id, id), ofCode(acting.accountId, qrId));
        const removed = db.delete(scheduledChanges).where(isAsked).returning();
        const change = yield* rowOf(removed);
        if (change === null) return false;
        yield* log.record(db, acting, { ...eventOf('plan-cancelled', change), qrId }, atMs);
        return true;
      }),
    settle: (accountId, qrId, id) =>
      transaction(function* (db) {
        const isAsked = and(eq(scheduledChanges.id, id), ofCode(accountId, qrId));
        yield db.delete(scheduledChanges).where(and(isAsked, isNull(scheduledChanges.every)));
        yield db.update(scheduledChanges).set({ problem: null }).where(isAsked);
      }),
    reschedule: ({ accountId, nowMs, afterId, limit }, timeOf) =>
      transaction(function* (db) {
        const isOwn = accountId === null ? undefined : eq(scheduledChanges.accountId, accountId);
        const isWaiting = and(gt(scheduledChanges.id, afterId), gt(scheduledChanges.nextMs, nowMs));
        const columns = pick(scheduledChanges, 'id', 'accountId', 'firstLocal', 'every', 'nextMs');
        const asked = db.select(columns).from(scheduledChanges).where(and(isOwn, isWaiting));
        // Locked, so that none is made meanwhile.
        const waiting = yield* rowsOf(locked(asked.orderBy(asc(scheduledChanges.id)).limit(limit)));
        const ownerIds = waiting.map((change) => change.accountId);
        const zones = yield* zonesOf(db, [...new Set(ownerIds)]);
        const times = waiting.flatMap(({ accountId, nextMs, ...change }) => {
          const account = zones.get(accountId) ?? noZone;
          const otherMs = timeOf({ ...change, nextMs: nextMs ?? 0, account });
          return otherMs === null ? [] : [{ id: change.id, nextMs: otherMs }];
        });
        if (times.length > 0) {
          const next = tableOf('moved', times, { id: 'integer', nextMs: 'integer' });
          const nextMs = sql`${next.columns.nextMs}`;
          const update = db.update(scheduledChanges).set({ nextMs }).from(next.from);
          yield update.where(eq(scheduledChanges.id, next.columns.id));
        }
        const lastId = waiting.length < limit ? null : (waiting.at(-1)?.id ?? null);
        return { lastId, read: waiting.length, moved: times.length };
      }),
    due: async (nowMs, maxCodes) => {
      const isDue = lte(scheduledChanges.nextMs, nowMs);
      return all((db) => {
        const first = db
          .select(pick(scheduledChanges, 'qrId'))
          .from(scheduledChanges)
          .where(isDue)
          .orderBy(asc(scheduledChanges.nextMs), asc(scheduledChanges.id))
          .limit(maxCodes);
        return db
          .select(pick(scheduledChanges, 'id', 'qrId', 'destination'))
          .from(scheduledChanges)
          .where(and(isOneOf(scheduledChanges.qrId, first), isDue));
      });
    },
    make: (qrIds, nowMs, decide) =>
      changeRedirects(function* (db) {
        const codes = yield* readDue(db, qrIds, nowMs);
        const made = codes.map((code) => ({ code, outcome: decide(code) }));
        const handled = made.flatMap(({ outcome }) => [...outcome.over, ...outcome.kept]);
        const changed = yield* writeMade(db, made, nowMs);
        const events = made.flatMap(({ code, outcome }) => eventsOf(code, outcome));
        yield* log.recordAll(db, events, nowMs);
        return { codes: changed, result: handled.length };
      }),
  };
}

interface Timed {
  readonly action: ScheduledAction;
}

/**
 * Returns whether two changes at the same time contradict each other.
 * Both lead elsewhere, or both set the status.
 */
function isSameKind(one: Timed, other: Timed): boolean {
  return (one.action === 'destination') === (other.action === 'destination');
}

/** Returns who has planned a change. */
function plannerOf(accountId: number | null): Actor {
  return accountId === null ? { kind: 'command' } : { kind: 'person', accountId };
}

/** Returns a scheduled change as the activity shows it: what, since when, and to where. */
function eventOf<Kind extends ActivityKind>(
  kind: Kind,
  {
    action,
    firstLocal,
    destination,
  }: Pick<NewScheduledChange, 'action' | 'firstLocal' | 'destination'>,
) {
  return { kind, subject: action, before: firstLocal, after: destination };
}
