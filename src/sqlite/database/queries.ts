import type { Database, SQLQueryBindings } from 'bun:sqlite';
import type { Queries } from '../../sql/database/startup-queries.ts';

/** Runs queries of a start on a database of any schema. */
export function runQueries<Result>(database: Database, queries: Queries<Result>): Result {
  let step = queries.next();
  while (!step.done)
    try {
      const [sql, values] = step.value;
      const rows = database.query<Record<string, unknown>, SQLQueryBindings[]>(sql).all(...values);
      step = queries.next(rows);
    } catch (error) {
      step = queries.throw(error);
    }
  return step.value;
}
