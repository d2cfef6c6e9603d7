import type { Database } from 'bun:sqlite';

/**
 * Inserts many QRs of an account in one statement: three per millisecond, codes in random order.
 *
 * @param count at most 2^31
 */
export function addManyQrs(
  database: Database,
  { accountId, designId }: { accountId: number; designId: number },
  count: number,
): void {
  database.transaction(() => {
    // An odd factor below 2^32 gives each number another one of eight hexadecimal digits.
    database
      .query(
        `INSERT INTO qrs (code, account_id, design_id, short_link, destination, created_at, image_hash)
         WITH RECURSIVE number (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM number WHERE i + 1 < $count)
         SELECT printf('%08x', i * 2654435761 % 4294967296), $accountId, $designId,
           'https://qr.example.com/' || printf('%08x', i * 2654435761 % 4294967296),
           'https://shop.example.com/products/' || i || '?utm_source=print&utm_medium=qr',
           1750000000000 + i / 3, zeroblob(32)
         FROM number`,
      )
      .run({ count, accountId, designId });
    database.query('UPDATE accounts SET qr_count = $count WHERE id = $accountId').run({
      count,
      accountId,
    });
  })();
}

/** Returns the code of a number in {@link addManyQrs}. */
export function codeOf(number: number): string {
  return ((BigInt(number) * 2_654_435_761n) % 4_294_967_296n).toString(16).padStart(8, '0');
}

/** Returns the statements that a connection prepares while a function runs. */
export async function statementsOf(database: Database, run: () => Promise<unknown>) {
  const { prepare, query } = database;
  const statements: string[] = [];
  // The driver's methods are generic over rows and parameters, which a recorder does not touch.
  database.prepare = ((sql: string, ...rest: []) => {
    statements.push(sql);
    return prepare.call(database, sql, ...rest);
  }) as typeof prepare;
  database.query = ((sql: string) => {
    statements.push(sql);
    return query.call(database, sql);
  }) as typeof query;
  try {
    await run();
  } finally {
    database.prepare = prepare;
    database.query = query;
  }
  return statements;
}

/** Returns the query plan of a statement, one step per line, indented by depth. */
export function planOf(database: Database, sql: string): string[] {
  const steps = database
    .query<{ id: number; parent: number; detail: string }, []>(`EXPLAIN QUERY PLAN ${sql}`)
    .all();
  const depths = new Map<number, number>([[0, -1]]);
  return steps.map(({ id, parent, detail }) => {
    const depth = (depths.get(parent) ?? -1) + 1;
    depths.set(id, depth);
    return `${'  '.repeat(depth)}${detail}`;
  });
}
