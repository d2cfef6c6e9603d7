import type { Connection } from './open.ts';

/** A program that has served a database. */
export interface ServerVersion {
  readonly version: string;
  /** Names what it draws with. */
  readonly renderer: string;
}

/**
 * Who served last, or null when nobody has or when it was a program that did not note itself. Also
 * for a database whose schema is not up to date.
 */
export function lastServerVersion({ $client }: Connection): ServerVersion | null {
  const isThere = $client
    .query("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'programs'")
    .get();
  if (isThere === null) return null;
  return $client
    .query<ServerVersion, []>('SELECT version, renderer FROM programs ORDER BY id DESC LIMIT 1')
    .get();
}

/** Notes who serves from now on. Throws what SQLite throws. */
export function recordServerVersion(
  connection: Connection,
  program: ServerVersion,
  atMs: number,
): void {
  const last = lastServerVersion(connection);
  if (last?.version === program.version && last.renderer === program.renderer) return;
  connection.$client
    .query('INSERT INTO programs (version, renderer, since) VALUES (?, ?, ?)')
    .run(program.version, program.renderer, atMs);
}
