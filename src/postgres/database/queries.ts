import type { SQL, TransactionSQL } from 'bun';
import type { Queries } from '../../sql/database/startup-queries.ts';

/** Runs queries of a start on a database of any schema. */
export async function runQueries<Result>(
  connection: SQL | TransactionSQL,
  queries: Queries<Result>,
): Promise<Result> {
  let step = queries.next();
  while (!step.done)
    try {
      const [sql, values] = step.value;
      step = queries.next(await connection.unsafe(sql, [...values]));
    } catch (error) {
      step = queries.throw(error);
    }
  return step.value;
}
