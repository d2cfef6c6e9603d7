import { version } from '../../package.json';
import { type Config, ConfigError } from '../config.ts';
import { unservedPrefixes } from '../core/codes/short-url.ts';
import type { Logger } from '../lib/logger.ts';
import { rendererIdentity } from '../render/renderer.ts';
import { isUnwritable } from '../sqlite/database/errors.ts';
import { hasDatabase } from '../sqlite/database/files.ts';
import { missingSteps } from '../sqlite/database/migrate.ts';
import { type Connection, openForReading } from '../sqlite/database/open.ts';
import {
  hasRows,
  lastServerVersion,
  recordServerVersion,
  type ServerVersion,
  usedShortUrlPrefixes,
} from '../sqlite/database/startup-queries.ts';
import { rejectCorrupt } from '../sqlite/maintenance/integrity.ts';
import { realClock } from './runtime.ts';
import type { VerificationDeps } from './verify-images.ts';

export const thisServerVersion: ServerVersion = { version, renderer: rendererIdentity };

/** Records that this version serves the database from now on. A full disk is only logged. */
export function recordThisServerVersion(connection: Connection, log: Logger): void {
  try {
    recordServerVersion(connection, thisServerVersion, realClock.nowMs());
  } catch (error) {
    if (!isUnwritable(error)) throw error;
    log.warn('the database cannot be written', { cause: String(error) });
  }
}

/**
 * Checks a database before a server writes to it: its integrity, its short-URL prefixes and, with another
 * renderer than before, a sample of its images. Only reads, so that the previous version can continue.
 *
 * @param deps.beforeUpgrade called if the schema is to be migrated; throws to end the start
 * @returns false if no image could be rendered, so that the next start must check again
 * @throws DatabaseUnusable when the database is corrupt, newer than this version or not Waymark's, or
 *   when images changed
 * @throws ConfigError when a short-URL prefix of existing codes is missing from the settings
 */
export async function checkBeforeServing(
  { data, shortUrl, shortUrlAliases }: Pick<Config, 'data' | 'shortUrl' | 'shortUrlAliases'>,
  deps: VerificationDeps & { beforeUpgrade: () => void },
): Promise<boolean> {
  if (!hasDatabase(data)) return true;
  const connection = openForReading(data);
  try {
    rejectCorrupt(data, connection);
    if (!hasRows(connection, 'sqlite_schema')) return true;
    requirePrefixes(usedShortUrlPrefixes(connection), [shortUrl, ...shortUrlAliases]);
    if (missingSteps(connection.$client).length > 0) deps.beforeUpgrade();
    const last = lastServerVersion(connection);
    if (last?.renderer === thisServerVersion.renderer || !hasRows(connection, 'qrs')) return true;
    // Loaded on demand, because most starts do not follow an upgrade.
    const { verifySampleImages } = await import('./verify-images.ts');
    return await verifySampleImages(connection, last, deps);
  } finally {
    connection.$client.close();
  }
}

/** @throws ConfigError when a used prefix is not configured: printed codes would stop redirecting */
function requirePrefixes(used: readonly string[], configured: readonly string[]): void {
  const missing = unservedPrefixes(used, configured);
  if (missing.length === 0) return;
  throw new ConfigError(
    `Codes were printed with short links at ${missing.join(', ')}, but WAYMARK_SHORT_URL is ` +
      `${configured[0]}. If the old address still points to this server, name it in ` +
      'WAYMARK_SHORT_URL_ALIASES; otherwise set WAYMARK_SHORT_URL back.',
  );
}
