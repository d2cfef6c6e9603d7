import { asc, count, eq, inArray, max, sql } from 'drizzle-orm';
import type { ListSourceStore, RuleStore } from '../../core/safety/threat-lists.ts';
import { listSources, rules } from '../database/schema.ts';
import type { Store } from '../database/store.ts';

/** Creates the store of operator rules. */
export function createRuleStore(store: Store): RuleStore {
  const select = () =>
    store
      .select({
        expression: rules.expression,
        decision: rules.decision,
        addedAtMs: rules.addedAtMs,
        note: rules.note,
      })
      .from(rules);

  return {
    all: () => select().orderBy(asc(rules.expression)),
    find: async (expressions) =>
      expressions.length === 0 ? [] : select().where(inArray(rules.expression, [...expressions])),
    put: (rule) =>
      store.transaction(async (transaction) => {
        // Ids become visible in their order, as the revision needs.
        await transaction.execute(sql`lock table ${rules} in share row exclusive mode`);
        await transaction.delete(rules).where(eq(rules.expression, rule.expression));
        await transaction.insert(rules).values(rule);
      }),
    remove: async (expression) => {
      const removed = await store
        .delete(rules)
        .where(eq(rules.expression, expression))
        .returning({ id: rules.id });
      return removed.length > 0;
    },
    revision: async () => {
      // Ids are never reused, so the largest and the number of rows name one set of rules.
      const [row] = await store.select({ last: max(rules.id), rows: count() }).from(rules);
      return `${row?.last ?? 0}/${row?.rows ?? 0}`;
    },
  };
}

/** Creates the store of list sources. */
export function createListSourceStore(store: Store): ListSourceStore {
  return {
    all: async () => {
      const rows = await store.select().from(listSources).orderBy(asc(listSources.name));
      return rows.map(({ source, lastUpdate }) => ({ ...source, lastUpdate }));
    },
    put: async (source) => {
      await store
        .insert(listSources)
        .values({ name: source.name, source })
        .onConflictDoUpdate({ target: listSources.name, set: { source } });
    },
    remove: async (name) => {
      const removed = await store
        .delete(listSources)
        .where(eq(listSources.name, name))
        .returning({ name: listSources.name });
      return removed.length > 0;
    },
    recordUpdate: async (lastUpdate) => {
      await store
        .update(listSources)
        .set({ lastUpdate })
        .where(eq(listSources.name, lastUpdate.name));
    },
  };
}
