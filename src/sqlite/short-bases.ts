import type { Connection } from './open.ts';

/** Where the short links of existing codes live, as `scheme://host[:port][/path]`. */
export function usedShortBases({ $client }: Connection): string[] {
  return $client
    .query<{ base: string }, []>('SELECT base FROM short_bases')
    .all()
    .map(({ base }) => base);
}
