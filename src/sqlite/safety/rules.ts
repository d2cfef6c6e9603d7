import { asc, eq } from 'drizzle-orm';
import type { ListSourceStore, Rule, RuleStore } from '../../core/safety/threat-lists.ts';
import type { Store } from '../database/open.ts';
import { listSources, rules } from '../database/safety-schema.ts';
import { write, writeTransaction } from '../database/write.ts';

const selectRules = 'SELECT expression, decision, added_at AS addedAtMs, note FROM rules';

/** Creates the store of operator rules. */
export function createRuleStore(store: Store): RuleStore {
  const database = store.$client;
  const all = database.query<Rule, []>(`${selectRules} ORDER BY expression`);
  const find = database.query<Rule, [string]>(
    `${selectRules} WHERE expression IN (SELECT value FROM json_each(?))`,
  );
  // Every addition increases the last id; every mere removal decreases the number of rules.
  const revision = database.query<{ last: number | null; rows: number }, []>(
    "SELECT (SELECT seq FROM sqlite_sequence WHERE name = 'rules') AS last, count(*) AS rows FROM rules",
  );

  return {
    all: async () => all.all(),
    find: async (expressions) => find.all(JSON.stringify(expressions)),
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
    revision: async () => {
      const { last, rows } = revision.get() ?? {};
      return `${last ?? 0}/${rows ?? 0}`;
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
