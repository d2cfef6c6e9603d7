import type { Config } from '../config.ts';
import type { Storage } from '../core/storage.ts';
import { createSqliteStorage } from '../sqlite/storage.ts';

/** Creates the storage that the settings name. Opens nothing yet. */
export function createStorage({ data }: Pick<Config, 'data'>): Storage {
  return createSqliteStorage(data);
}
