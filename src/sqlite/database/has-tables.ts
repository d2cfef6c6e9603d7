import type { Connection } from './open.ts';

/** False for a database that is only just being made, or whose making was cut off. */
export function hasTables({ $client }: Connection): boolean {
  return $client.query('SELECT 1 FROM sqlite_schema LIMIT 1').get() !== null;
}
