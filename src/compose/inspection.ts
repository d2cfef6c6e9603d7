import { existsSync } from 'node:fs';
import type { Config } from '../config.ts';
import { unservedPrefixes } from '../core/codes/short-url.ts';
import type { RandomBytes } from '../core/ports.ts';
import type { Logger } from '../lib/logger.ts';
import { usedShortBases } from '../sqlite/codes/short-urls.ts';
import { hasTables } from '../sqlite/database/has-tables.ts';
import { missingSteps } from '../sqlite/database/migrate.ts';
import { databasePath } from '../sqlite/database/open.ts';
import { openForReading } from '../sqlite/database/read-only.ts';
import { lastServerVersion } from '../sqlite/database/versions.ts';
import { refuseDamaged } from '../sqlite/maintenance/refuse-damaged.ts';
import { drawsAsBefore } from './program.ts';
import type { StartRenderWorker } from './server.ts';
import { StartupError } from './start-refused.ts';

/** The settings that decide whether a database can be served. */
type Served = Pick<Config, 'data' | 'shortUrl' | 'shortUrlAliases'>;

/**
 * Looks at a database before a server writes to it: whether it is whole, whether its short links are
 * answered, and, where another program served it last, whether this one draws a sample of the codes as
 * they were printed. Only reads, so that whoever is refused here can go on with the program that served
 * before.
 *
 * @param deps.beforeUpgrade called where the schema is going to be brought up to date: throws whatever
 *   would end the start after that
 * @returns whether it is known how this program draws the codes; where it could draw none, the next start
 *   looks again
 * @throws DatabaseUnusable when the database is damaged, newer than this program or not Waymark's
 * @throws StartupError when codes would be drawn differently, or lead nowhere
 */
export async function inspect(
  { data, shortUrl, shortUrlAliases }: Served,
  deps: {
    startRenderWorker: StartRenderWorker;
    log: Logger;
    randomBytes: RandomBytes;
    beforeUpgrade: () => void;
  },
): Promise<boolean> {
  if (!existsSync(databasePath(data))) return true;
  const connection = openForReading(data);
  try {
    refuseDamaged(data, connection);
    if (!hasTables(connection)) return true;
    refuseForgottenBases(usedShortBases(connection), [shortUrl, ...shortUrlAliases]);
    if (missingSteps(connection.$client).length > 0) deps.beforeUpgrade();
    if (drawsAsBefore(connection)) return true;
    const { proveSample } = await import('./printed-sample.ts');
    return await proveSample(connection, lastServerVersion(connection), deps);
  } finally {
    connection.$client.close();
  }
}

/** Printed codes would lead nowhere, and nobody would notice before the boxes are out. */
function refuseForgottenBases(used: readonly string[], answered: readonly string[]): void {
  const forgotten = unservedPrefixes(used, answered);
  if (forgotten.length === 0) return;
  throw new StartupError(
    `Codes were printed with short links at ${forgotten.join(', ')}, but WAYMARK_SHORT_URL is ` +
      `${answered[0]}. If the old address still leads to this server, name it in ` +
      'WAYMARK_SHORT_URL_ALIASES; otherwise set WAYMARK_SHORT_URL back.',
  );
}
