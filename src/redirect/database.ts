import { type Config, databasePassword } from '../config.ts';
import { openForRedirects } from './sqlite/redirects.ts';
import type { RedirectOptions, RedirectStorage } from './storage.ts';

/** The database of short links, before it is open. */
export interface RedirectDatabase {
  /**
   * Returns whether short links can be answered before the app has migrated the schema.
   * On SQLite always, on PostgreSQL unless the database is empty. False if it does not respond.
   */
  canRedirect(): Promise<boolean>;
  /**
   * Opens what short links need, whatever the schema: they are looked up, and hits written.
   *
   * @throws DatabaseUnusable when another server uses the database, or no code can be read
   */
  open(options: RedirectOptions): Promise<RedirectStorage>;
}

/** Chooses the database that the settings name. Opens nothing yet. */
export async function chooseDatabase({
  data,
  databaseUrl,
  databaseUrlFile,
}: Pick<Config, 'data' | 'databaseUrl' | 'databaseUrlFile'>): Promise<RedirectDatabase> {
  if (databaseUrl === null)
    return {
      canRedirect: async () => true,
      open: async (options) => openForRedirects(data, options),
    };
  // Loaded on demand, because most servers use SQLite and start within milliseconds.
  const postgres = await import('./postgres/redirects.ts');
  const { createWaitingHits } = await import('./sqlite/waiting-hits.ts');
  return {
    canRedirect: () => postgres.canRedirect(databaseUrl),
    open: async (options) =>
      postgres.openForRedirects(databaseUrl, {
        ...options,
        password: () => databasePassword(databaseUrl, databaseUrlFile),
        waiting: createWaitingHits(data, options),
      }),
  };
}
