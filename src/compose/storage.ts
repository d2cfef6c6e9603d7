import { type Config, databasePassword } from '../config.ts';
import type { Storage } from '../core/storage.ts';
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
  const password = () => databasePassword(databaseUrl, databaseUrlFile);
  return withBackups(createPostgresStorage(databaseUrl, password), data);
}
