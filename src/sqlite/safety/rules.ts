import { asc, eq, getTableColumns, sql } from 'drizzle-orm';
import type { ListSourceStore, RuleStore } from '../../core/safety/threat-lists.ts';
import type { Store } from '../database/open.ts';
import { listSources, rules } from '../database/safety-schema.ts';
import { write, writeTransaction } from '../database/write.ts';

/** Creates the store of operator rules. */
export function createRuleStore(store: Store): RuleStore {
  const { id: _, ...columns } = getTableColumns(rules);
  // Prepared, because every check of a destination runs it.
  const find = store
    .select(columns)
    .from(rules)
    .where(sql`${rules.expression} IN (SELECT value FROM json_each(${sql.placeholder('json')}))`)
    .prepare();
  const changes = store
    .select({
      added: sql<number | null>`(SELECT seq FROM sqlite_sequence WHERE name = 'rules')`,
      rows: sql<number>`(SELECT count(*) FROM ${rules})`,
    })
    .from(sql`(SELECT 1)`)
    .prepare();

  return {
    all: async () => store.select(columns).from(rules).orderBy(asc(rules.expression)).all(),
    find: async (expressions) => find.all({ json: JSON.stringify(expressions) }),
    put: async (rule) => {
      await writeTransaction(store, (transaction) => {
        transaction.delete(rules).where(eq(rules.expression, rule.expression)).run();
        transaction.insert(rules).values(rule).run();
      });
    },
    remove: async (expression) => {
      const removed = await write(() =>
        store.delete(rules).where(eq(rules.expression, expression)).returning().all(),
      );
      return removed.length > 0;
    },
    // Every addition increases the last id, and every removal alone decreases the number of rules.
    revision: async () => {
      const { added, rows } = changes.get() ?? {};
      return `${added ?? 0}/${rows ?? 0}`;
    },
  };
}

/** Creates the store of list sources. */
export function createListSourceStore(store: Store): ListSourceStore {
  return {
    all: async () =>
      store
        .select()
        .from(listSources)
        .orderBy(asc(listSources.name))
        .all()
        .map(({ source, lastUpdate }) => ({ ...source, lastUpdate })),
    put: async (source) => {
      await write(() =>
        store
          .insert(listSources)
          .values({ name: source.name, source })
          .onConflictDoUpdate({ target: listSources.name, set: { source } })
          .run(),
      );
    },
    remove: async (name) => {
      const removed = await write(() =>
        store.delete(listSources).where(eq(listSources.name, name)).returning().all(),
      );
      return removed.length > 0;
    },
    recordUpdate: async (lastUpdate) => {
      await write(() =>
        store
          .update(listSources)
          .set({ lastUpdate })
          .where(eq(listSources.name, lastUpdate.name))
          .run(),
      );
    },
  };
}
