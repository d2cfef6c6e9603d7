import { asc, eq, getTableColumns, sql } from 'drizzle-orm';
import type { ListSource, ListSourceStore, RuleStore } from '../../core/safety/threat-lists.ts';
import type { Store } from '../database/open.ts';
import { listSources, rules } from '../database/safety-schema.ts';
import { write, writeTransaction } from '../database/write.ts';

/** Operator rules in SQLite. */
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

/** Sources of threat lists in SQLite, each row with its last update. */
export function createListSourceStore(store: Store): ListSourceStore {
  return {
    all: async () =>
      store
        .select()
        .from(listSources)
        .orderBy(asc(listSources.name))
        .all()
        .map(({ checkedAtMs, outcome, reason, ...source }) => ({
          ...toSource(source),
          lastUpdate:
            checkedAtMs === null || outcome === null
              ? null
              : { name: source.name, checkedAtMs, outcome, reason },
        })),
    put: async (source) => {
      const { format = null, column, ...rest } = source;
      const row = {
        ...rest,
        format,
        column: column === undefined ? null : JSON.stringify(column),
      };
      await write(() =>
        store
          .insert(listSources)
          .values(row)
          .onConflictDoUpdate({ target: listSources.name, set: row })
          .run(),
      );
    },
    remove: async (name) => {
      const removed = await write(() =>
        store.delete(listSources).where(eq(listSources.name, name)).returning().all(),
      );
      return removed.length > 0;
    },
    recordUpdate: async ({ name, ...update }) => {
      await write(() =>
        store.update(listSources).set(update).where(eq(listSources.name, name)).run(),
      );
    },
  };
}

type SourceRow = Omit<typeof listSources.$inferSelect, 'checkedAtMs' | 'outcome' | 'reason'>;

function toSource({ format, column, ...source }: SourceRow): ListSource {
  return {
    ...source,
    ...(format !== null && { format }),
    ...(column !== null && { column: JSON.parse(column) }),
  };
}
