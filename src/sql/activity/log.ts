import { and, eq, sql } from 'drizzle-orm';
import {
  type ActivityEvent,
  shortText,
  storedActor,
  topicOf,
} from '../../core/accounts/activity/activity.ts';
import type { Acting } from '../../core/ports.ts';
import { type Builder, type Dialect, insertFrom, type Operation, parameters } from '../dialect.ts';

const columnTypes = {
  accountId: 'integer',
  atMs: 'integer',
  actor: 'text',
  topic: 'text',
  kind: 'text',
  qrId: 'integer',
  subject: 'text',
  before: 'text',
  after: 'text',
  codes: 'integer',
} as const;

/** Creates the steps that record what a transaction changes in an account. */
export function createActivityLog({
  tables: { activity },
  prepare,
  tableOf,
  execute,
}: Pick<Dialect, 'tables' | 'prepare' | 'tableOf' | 'execute'>) {
  const columns = parameters(
    ...(['accountId', 'atMs', 'actor', 'topic', 'kind'] as const),
    ...(['qrId', 'subject', 'before', 'after', 'codes'] as const),
  );
  const add = prepare((db) => db.insert(activity).values(columns));
  const addCounted = prepare((db) =>
    db.insert(activity).values(columns).returning({ id: activity.id }),
  );
  const addToCount = prepare((db) =>
    db
      .update(activity)
      .set({ codes: sql`${activity.codes} + ${sql.placeholder('codes')}` })
      .where(eq(activity.id, sql.placeholder('id'))),
  );
  const textOf = (text: string | null | undefined) => (text == null ? null : shortText(text));
  const valuesOf = ({ accountId, by }: Acting, event: ActivityEvent, atMs: number) => ({
    accountId,
    atMs,
    actor: storedActor(by),
    topic: topicOf(event.kind),
    kind: event.kind,
    qrId: event.qrId ?? null,
    subject: textOf(event.subject),
    before: textOf(event.before),
    after: textOf(event.after),
    codes: event.count ?? null,
  });

  return {
    /** Records an event. */
    *record(db: Builder, acting: Acting, event: ActivityEvent, atMs: number): Operation<void> {
      yield* add.within(db, valuesOf(acting, event, atMs));
    },

    /** Records events, by one statement. */
    *recordAll(
      db: Builder,
      events: readonly { readonly acting: Acting; readonly event: ActivityEvent }[],
      atMs: number,
    ): Operation<void> {
      if (events.length === 0) return;
      const rows = events.map(({ acting, event }) => valuesOf(acting, event, atMs));
      const logged = tableOf('logged', rows, columnTypes);
      yield* execute(db, insertFrom(activity, logged.columns, logged.from));
    },

    /** Replaces the e-mail address of a person in what all accounts recorded about people; null erases it. */
    *renamePerson(db: Builder, email: string, next: string | null): Operation<void> {
      // The words of its index.
      const isOfPeople = sql`${activity.topic} = 'people'`;
      const isPerson = and(isOfPeople, eq(activity.subject, shortText(email)));
      yield db
        .update(activity)
        .set({ subject: textOf(next) })
        .where(isPerson);
    },

    /**
     * Records an event about many codes that several transactions change.
     * The first adds the entry, the others add to its number.
     *
     * @param entryId what the transaction before returned; null in the first
     */
    *recordPart(
      db: Builder,
      entryId: number | null,
      acting: Acting,
      event: ActivityEvent & { readonly count: number },
      atMs: number,
    ): Operation<number> {
      if (entryId !== null) {
        yield* addToCount.within(db, { id: entryId, codes: event.count });
        return entryId;
      }
      const [entry] = yield* addCounted.within(db, valuesOf(acting, event, atMs));
      if (entry === undefined) throw new Error('an INSERT has returned no row');
      return entry.id;
    },
  };
}
