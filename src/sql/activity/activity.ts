import { and, asc, desc, eq, gt, lt, max, min, sql } from 'drizzle-orm';
import {
  activityKinds,
  parseActor,
  personOf,
  storedActor,
  topics,
} from '../../core/accounts/activity/activity.ts';
import type {
  ActivityEntry,
  ActivityFilter,
  ActivityStore,
} from '../../core/accounts/activity/ports.ts';
import { type Builder, type Dialect, type Operation, pick, rowOf, rowsOf } from '../dialect.ts';
import { inParts } from '../parts.ts';
import { createActivityLog } from './log.ts';

// Deleting them takes some milliseconds, in which no other write is made on SQLite.
const rowsPerStep = 500;
// Counting them takes a millisecond.
const rowsPerCount = 10_000;

const { placeholder } = sql;

/** Creates the store of the activity of accounts. */
export function createActivityStore(dialect: Dialect): ActivityStore {
  const { tables, all, read, transaction, prepare, isOneOf } = dialect;
  const { accounts, activity, qrs } = tables;
  const log = createActivityLog(dialect);

  const columns = {
    ...pick(activity, 'id', 'accountId', 'atMs', 'actor', 'topic', 'kind', 'qrId'),
    ...pick(activity, 'subject', 'before', 'after', 'codes'),
  };
  type Row = Pick<typeof activity.$inferSelect, keyof typeof columns>;
  const isAccount = eq(activity.accountId, placeholder('accountId'));
  const isTopic = eq(activity.topic, placeholder('topic'));
  const isActor = eq(activity.actor, placeholder('actor'));
  const isCode = eq(activity.qrId, placeholder('qrId'));
  const pageWhere = (...conditions: (typeof isAccount)[]) =>
    prepare((db) =>
      db
        .select(columns)
        .from(activity)
        .where(and(...conditions, lt(activity.id, placeholder('before'))))
        .orderBy(desc(activity.id))
        .limit(placeholder('limit')),
    );
  const ofTopic = pageWhere(isAccount, isTopic);
  const ofActor = pageWhere(isAccount, isActor, isTopic);
  const ofCode = pageWhere(isCode, isAccount);
  const nextActor = prepare((db) =>
    db
      .select(pick(activity, 'actor'))
      .from(activity)
      .where(and(isAccount, gt(activity.actor, placeholder('after'))))
      .orderBy(asc(activity.actor))
      .limit(1),
  );

  /** Reads the newest entries that a filter selects: of several topics, along the index of each. */
  function* rowsOfFilter(
    db: Builder,
    filter: ActivityFilter,
    values: { readonly accountId: number; readonly before: number; readonly limit: number },
  ): Operation<Row[]> {
    if (filter.qrId !== undefined)
      return yield* ofCode.within(db, { ...values, qrId: filter.qrId });
    const { by, topic: asked } = filter;
    const [page, actor] = by === undefined ? [ofTopic, {}] : [ofActor, { actor: storedActor(by) }];
    const rows: Row[] = [];
    for (const topic of asked === undefined ? topics : [asked])
      rows.push(...(yield* page.within(db, { ...values, ...actor, topic })));
    return rows.sort((one, other) => other.id - one.id).slice(0, values.limit);
  }

  /** Returns the e-mail addresses of actors, by their stored forms. */
  function* emailsOf(db: Builder, stored: readonly string[]): Operation<Map<string, string>> {
    const ids = new Map(
      stored.flatMap((text) => {
        const id = personOf(parseActor(text));
        return id === null ? [] : [[text, id] as const];
      }),
    );
    const asked = [...new Set(ids.values())];
    if (asked.length === 0) return new Map();
    const found = yield* rowsOf(
      db
        .select(pick(accounts, 'id', 'email'))
        .from(accounts)
        .where(isOneOf(accounts.id, asked)),
    );
    const emails = new Map(found.map(({ id, email }) => [id, email]));
    return new Map(
      [...ids].flatMap(([text, id]) => {
        const email = emails.get(id);
        return email === undefined ? [] : [[text, email] as const];
      }),
    );
  }

  /** Adds what entries name. Leaves out those of a later version that this one cannot tell. */
  function* entriesOf(db: Builder, rows: readonly Row[]): Operation<ActivityEntry[]> {
    const qrIds = [...new Set(rows.flatMap(({ qrId }) => qrId ?? []))];
    const codes =
      qrIds.length === 0
        ? []
        : yield* rowsOf(
            db
              .select(pick(qrs, 'id', 'code', 'name', 'accountId'))
              .from(qrs)
              .where(isOneOf(qrs.id, qrIds)),
          );
    const codeOf = new Map(codes.map((code) => [code.id, code]));
    const emails = yield* emailsOf(
      db,
      rows.map(({ actor }) => actor),
    );
    return rows.flatMap(({ accountId, actor, topic: _, qrId, codes: count, ...row }) => {
      const by = parseActor(actor);
      if (by === null || !activityKinds.includes(row.kind)) return [];
      const qr = qrId === null ? undefined : codeOf.get(qrId);
      const isOwn = qr?.accountId === accountId;
      const code = qr === undefined ? null : { code: qr.code, name: isOwn ? qr.name : null, isOwn };
      return [{ ...row, by, email: emails.get(actor) ?? null, code, count }];
    });
  }

  return {
    add: (acting, event, atMs) => transaction((db) => log.record(db, acting, event, atMs)),
    page: (accountId, filter, before, limit) =>
      read(function* (db) {
        const values = { accountId, before: before ?? Number.MAX_SAFE_INTEGER, limit: limit + 1 };
        const rows = yield* rowsOfFilter(db, filter, values);
        const shown = rows.slice(0, limit);
        const entries = yield* entriesOf(db, shown);
        return { entries, next: rows.length > limit ? (shown.at(-1)?.id ?? null) : null };
      }),
    actors: (accountId, limit) =>
      read(function* (db) {
        const found: string[] = [];
        while (found.length < limit) {
          const [next] = yield* nextActor.within(db, { accountId, after: found.at(-1) ?? '' });
          if (next === undefined) break;
          found.push(next.actor);
        }
        const emails = yield* emailsOf(db, found);
        return found.flatMap((actor) => {
          const by = parseActor(actor);
          return by === null ? [] : [{ by, email: emails.get(actor) ?? null }];
        });
      }),
    removeBefore: (timeMs, afterId) =>
      transaction(function* (db) {
        const { id, atMs } = activity;
        const first = db.select({ id, atMs }).from(activity).where(gt(id, afterId));
        const rows = yield* rowsOf(first.orderBy(asc(id)).limit(rowsPerStep));
        const old = rows.filter((row) => row.atMs < timeMs).map((row) => row.id);
        if (old.length === 0) return null;
        yield db.delete(activity).where(isOneOf(id, old));
        return rows.at(-1)?.id ?? null;
      }),
    largeAccounts: (most, afterId, limit) =>
      read(function* (db) {
        const { id } = activity;
        const ends = db.select({ first: min(id), last: max(id) }).from(activity);
        const { first, last } = (yield* rowOf(ends)) ?? { first: null, last: null };
        // The usual case: there are not so many entries of all accounts.
        if ((last ?? 0) - (first ?? 0) < most) return [];
        const next = db.select(pick(accounts, 'id')).from(accounts).where(gt(accounts.id, afterId));
        return (yield* rowsOf(next.orderBy(asc(accounts.id)).limit(limit))).map((row) => row.id);
      }),
    count: async (accountId) => {
      let entries = 0;
      for (const topic of topics)
        await inParts<number>(0, async (afterId) => {
          const [part] = await all((db) => {
            const isNext = and(eq(activity.accountId, accountId), eq(activity.topic, topic));
            const some = db
              .select(pick(activity, 'id'))
              .from(activity)
              .where(and(isNext, gt(activity.id, afterId)))
              .orderBy(asc(activity.id))
              .limit(rowsPerCount)
              .as('some');
            const rows = sql`count(*)`.mapWith(Number);
            return db.select({ rows, last: max(some.id) }).from(some);
          });
          entries += part?.rows ?? 0;
          return part?.last ?? null;
        });
      return entries;
    },
    removeOldest: async (accountId, limit) => {
      const isOwn = eq(activity.accountId, accountId);
      await inParts<number>(limit, async (left) => {
        const removed = await transaction(function* (db) {
          const most = Math.min(left, rowsPerStep);
          const oldest: number[] = [];
          for (const topic of topics) {
            const ids = db.select(pick(activity, 'id')).from(activity);
            const some = ids.where(and(isOwn, eq(activity.topic, topic))).orderBy(asc(activity.id));
            oldest.push(...(yield* rowsOf(some.limit(most))).map(({ id }) => id));
          }
          const ids = oldest.sort((one, other) => one - other).slice(0, most);
          if (ids.length > 0) yield db.delete(activity).where(isOneOf(activity.id, ids));
          return ids.length;
        });
        return removed === 0 || removed >= left ? null : left - removed;
      });
    },
  };
}
