import type { Connection } from '../database/open.ts';

/** Where the short links of existing codes live, as `scheme://host[:port][/path]`, in alphabetical order. */
export function usedShortBases({ $client }: Connection): string[] {
  return $client
    .query<{ base: string }, []>('SELECT base FROM short_bases ORDER BY base')
    .all()
    .map(({ base }) => base);
}
