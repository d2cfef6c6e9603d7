import { type Config, readSecretFile } from '../config.ts';
import type { Storage } from '../core/storage.ts';
import type { PostgresDeps } from '../postgres/storage.ts';
import { createSqliteStorage } from '../sqlite/storage.ts';

/** Creates the storage that the settings name. Opens nothing yet. */
export async function createStorage({
  data,
  databaseUrl,
  databaseUrlFile,
}: Pick<Config, 'data' | 'databaseUrl' | 'databaseUrlFile'>): Promise<Storage> {
  if (databaseUrl === null) return createSqliteStorage(data);
  // Loaded on demand, because most servers use SQLite and start within milliseconds.
  const { createPostgresStorage } = await import('../postgres/storage.ts');
  const { withBackups } = await import('./postgres-backups.ts');
  const { createWaitingHits } = await import('../sqlite/hits/waiting-hits.ts');
  const deps: PostgresDeps = {
    password: () => passwordIn(databaseUrl, databaseUrlFile),
    openWaitingHits: (options) => createWaitingHits(data, options),
  };
  return withBackups(createPostgresStorage(databaseUrl, deps), data);
}

/** Returns the password in the address of the database, whose file may have a new one since the start. */
function passwordIn(databaseUrl: string, file: string | undefined): string {
  const current = file === undefined ? null : readSecretFile(file)?.trim();
  const { password } = URL.parse(current ?? '') ?? new URL(databaseUrl);
  return decodeURIComponent(password);
}
