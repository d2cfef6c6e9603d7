import type { Connection } from '../database/open.ts';

/** Whether anybody has been here before: false on the first start of a server. */
export function hasAccounts({ $client }: Connection): boolean {
  return $client.query('SELECT 1 FROM accounts LIMIT 1').get() !== null;
}
