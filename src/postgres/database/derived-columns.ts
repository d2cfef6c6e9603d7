import type { SQL, TransactionSQL } from 'bun';
import { every } from '../../lib/event-loop.ts';
import { type DerivedColumn, derivedColumns } from '../../sql/database/derived-columns.ts';

/** Ids of a statement, which takes some milliseconds. */
const idsPerStatement = 10_000;
/** Ids that a transaction may have taken before later ones were committed. */
const lateIds = 10_000;
const intervalMs = 10_000;

/**
 * Fills in a column of codes where it is missing.
 *
 * @param afterId not of codes up to this id
 * @returns the last id
 */
export async function fill(
  sql: SQL | TransactionSQL,
  { column, from, condition, missing, derive }: DerivedColumn,
  afterId = 0,
): Promise<number> {
  const [newest]: { id: number | null }[] = await sql.unsafe(
    'SELECT max(id)::float8 AS id FROM qrs',
  );
  const lastId = newest?.id ?? 0;
  for (let id = afterId; id < lastId; id += idsPerStatement) {
    const rows: { id: string; value: string }[] = await sql.unsafe(
      `SELECT id::text, ${from} AS value FROM qrs
       WHERE id > $1 AND id <= $2 AND ${condition} AND ${missing}`,
      [id, id + idsPerStatement],
    );
    const filled = rows.flatMap((row) => {
      const derived = derive(row.value);
      return derived === null ? [] : { ...row, derived };
    });
    if (filled.length === 0) continue;
    // It may have been changed since.
    await sql.unsafe(
      `UPDATE qrs SET ${column} = filled.derived
       FROM json_to_recordset($1::text::json) AS filled (id bigint, value text, derived text)
       WHERE qrs.id = filled.id AND qrs.${from} = filled.value AND ${missing}`,
      [JSON.stringify(filled)],
    );
  }
  return lastId;
}

/**
 * Fills in the columns of codes that a server of 1.1.0 adds, which runs beside this one during an upgrade and does not
 * know them: all at the first run, and then those of the newest codes.
 *
 * @returns a function that ends it
 */
export function keepFilled(sql: () => SQL): () => void {
  let afterId = 0;
  const run = async () => {
    const lastIds: number[] = [];
    for (const derived of derivedColumns) lastIds.push(await fill(sql(), derived, afterId));
    afterId = Math.max(0, Math.min(...lastIds) - lateIds);
  };
  // It is tried again. That the database does not answer is told elsewhere.
  return every(intervalMs, run, () => {});
}
