import { and, asc, eq, sql } from 'drizzle-orm';
import type { SavedDesignStore } from '../../core/designs/ports.ts';
import { createActivityLog } from '../activity/log.ts';
import { type Builder, type Dialect, firstOf, hasRow, pick, rowOf } from '../dialect.ts';
import { addDesign } from './designs.ts';

/** Creates the store of saved designs. */
export function createSavedDesignStore(dialect: Dialect): SavedDesignStore {
  const { tables, all, transaction, lock, prepare } = dialect;
  const { savedDesigns } = tables;
  const log = createActivityLog(dialect);
  const named = (accountId: number, name: string) =>
    and(eq(savedDesigns.accountId, accountId), eq(savedDesigns.name, name));
  const select = (db: Builder) =>
    db.select(pick(savedDesigns, 'name', 'designId', 'savedAtMs')).from(savedDesigns);
  const byAccount = prepare((db) =>
    select(db)
      .where(eq(savedDesigns.accountId, sql.placeholder('accountId')))
      .orderBy(asc(savedDesigns.name)),
  );
  /**
   * Serializes changes of the names of an account's designs.
   * A new name stays free until it is written.
   */
  const lockNames = (db: Builder, accountId: number) => lock(db, `saved designs of ${accountId}`);

  return {
    list: (accountId) => byAccount.all({ accountId }),
    find: (accountId, name) => firstOf(all((db) => select(db).where(named(accountId, name)))),
    save: (acting, name, design, savedAtMs) =>
      transaction(function* (db) {
        const { accountId } = acting;
        yield* lockNames(db, accountId);
        const designId = yield* addDesign(tables, db, accountId, design, savedAtMs);
        const saved = { designId, savedAtMs };
        const target = [savedDesigns.accountId, savedDesigns.name];
        yield db
          .insert(savedDesigns)
          .values({ accountId, name, ...saved })
          .onConflictDoUpdate({ target, set: saved });
        yield* log.record(db, acting, { kind: 'design-saved', subject: name }, savedAtMs);
        return designId;
      }),
    rename: (acting, from, to, atMs) =>
      transaction(function* (db) {
        const { accountId } = acting;
        yield* lockNames(db, accountId);
        if ((yield* rowOf(select(db).where(named(accountId, from)))) === null) return 'missing';
        if ((yield* rowOf(select(db).where(named(accountId, to)))) !== null) return 'taken';
        yield db.update(savedDesigns).set({ name: to }).where(named(accountId, from));
        yield* log.record(db, acting, { kind: 'design-renamed', before: from, after: to }, atMs);
        return 'renamed';
      }),
    remove: (acting, name, atMs) =>
      transaction(function* (db) {
        const removed = db.delete(savedDesigns).where(named(acting.accountId, name));
        const isRemoved = yield* hasRow(removed.returning(pick(savedDesigns, 'id')));
        if (isRemoved)
          yield* log.record(db, acting, { kind: 'design-removed', subject: name }, atMs);
        return isRemoved;
      }),
  };
}
