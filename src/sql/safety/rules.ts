import { asc, count, eq, max, sql } from 'drizzle-orm';
import type { ListSourceStore, RuleStore } from '../../core/safety/ports.ts';
import { type Builder, type Dialect, pick } from '../dialect.ts';

/** Creates the store of operator rules. */
export function createRuleStore(dialect: Dialect): RuleStore {
  const { all, write, transaction, prepare, lock, isOneOf, list } = dialect;
  const { rules } = dialect.tables;
  const select = (db: Builder) =>
    db.select(pick(rules, 'expression', 'decision', 'addedAtMs', 'note')).from(rules);
  // Every create runs both.
  const byExpressions = prepare((db) =>
    select(db).where(isOneOf(rules.expression, sql.placeholder('expressions'))),
  );
  const last = prepare((db) => db.select({ last: max(rules.id), rows: count() }).from(rules));

  return {
    all: () => all((db) => select(db).orderBy(asc(rules.expression))),
    find: (expressions) => byExpressions.all({ expressions: list(expressions) }),
    put: (rule) =>
      transaction(function* (db) {
        // Ids become visible in their order, as the revision needs.
        yield* lock(db, 'rules');
        yield db.delete(rules).where(eq(rules.expression, rule.expression));
        yield db.insert(rules).values(rule);
      }),
    remove: async (expression) => {
      const isRemoved = eq(rules.expression, expression);
      return (await write((db) => db.delete(rules).where(isRemoved))) > 0;
    },
    revision: async () => {
      // Ids are never reused, so the largest and the number of rows name one set of rules.
      const [row] = await last.all({});
      return `${row?.last ?? 0}/${row?.rows ?? 0}`;
    },
  };
}

/** Creates the store of list sources. */
export function createListSourceStore({ tables, all, write }: Dialect): ListSourceStore {
  const { listSources } = tables;
  return {
    all: async () => {
      const rows = await all((db) => db.select().from(listSources).orderBy(asc(listSources.name)));
      return rows.map(({ source, lastUpdate }) => ({ ...source, lastUpdate }));
    },
    put: async (source) => {
      await write((db) =>
        db
          .insert(listSources)
          .values({ name: source.name, source })
          .onConflictDoUpdate({ target: listSources.name, set: { source } }),
      );
    },
    remove: async (name) => {
      const isRemoved = eq(listSources.name, name);
      return (await write((db) => db.delete(listSources).where(isRemoved))) > 0;
    },
    recordUpdate: async (lastUpdate) => {
      const isUpdated = eq(listSources.name, lastUpdate.name);
      await write((db) => db.update(listSources).set({ lastUpdate }).where(isUpdated));
    },
  };
}
