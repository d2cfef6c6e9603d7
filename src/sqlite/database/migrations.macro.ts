import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One step of the schema's history, as drizzle-kit wrote it. */
export interface Migration {
  readonly name: string;
  readonly statements: readonly string[];
}

/**
 * Reads `drizzle/` while the program is bundled (a Bun macro), so that the executable carries its
 * migrations as text. The names sort by age: drizzle-kit numbers them.
 */
export function readMigrations(): Migration[] {
  const folder = join(import.meta.dir, '../../../drizzle');
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => ({
      name: file.slice(0, -'.sql'.length),
      statements: readFileSync(join(folder, file), 'utf8')
        .split('--> statement-breakpoint')
        .map((statement) => statement.trim()),
    }));
}
