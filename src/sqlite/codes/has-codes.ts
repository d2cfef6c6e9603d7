import type { Connection } from '../database/open.ts';

/** Whether anything may have been printed. Also for a database whose schema is not up to date. */
export function hasCodes({ $client }: Connection): boolean {
  return $client.query('SELECT 1 FROM qrs LIMIT 1').get() !== null;
}
