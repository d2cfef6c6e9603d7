import { desc } from 'drizzle-orm';
import type { Store } from './open.ts';
import { programs } from './schema.ts';

/** A program that has served a database. */
export interface Program {
  readonly version: string;
  /** Names what it draws with. */
  readonly renderer: string;
}

/**
 * Who served last, or null when nobody has or when it was a program that did not note itself. Also
 * for a database whose schema is not up to date.
 */
export function lastProgram(store: Store): Program | null {
  const isThere = store.$client
    .query("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'programs'")
    .get();
  if (isThere === null) return null;
  return (
    store
      .select({ version: programs.version, renderer: programs.renderer })
      .from(programs)
      .orderBy(desc(programs.id))
      .limit(1)
      .get() ?? null
  );
}

/** Notes who serves from now on. Throws what SQLite throws. */
export function noteProgram(store: Store, program: Program, atMs: number): void {
  const last = lastProgram(store);
  if (last?.version === program.version && last.renderer === program.renderer) return;
  store
    .insert(programs)
    .values({ ...program, since: atMs })
    .run();
}
