import { statSync } from 'node:fs';
import type { Config } from '../../config.ts';
import { unservedPrefixes } from '../../core/codes/short-url.ts';
import { errorMessage } from '../../lib/errors.ts';
import { DatabaseCorrupt, withDatabaseErrors } from '../../sqlite/database/errors.ts';
import { databasePath, hasDatabase } from '../../sqlite/database/files.ts';
import { missingSteps } from '../../sqlite/database/migrate.ts';
import { type Connection, openForReading } from '../../sqlite/database/open.ts';
import { usedShortUrlPrefixes } from '../../sqlite/database/startup-queries.ts';
import { findIntegrityError } from '../../sqlite/maintenance/integrity.ts';
import { formatMegabytes } from '../output.ts';
import { broken, type Check, ok } from './check.ts';

const restoreAdvice =
  'Restore a backup with "waymark restore FILE --force"; the damaged file is kept.';
const readAdvice =
  'Run Waymark as the user that owns the data folder, and in the version that served from it last.';

/** Checks the database without writing to it. */
export function checkDatabase(config: Config): Check[] {
  try {
    if (!hasDatabase(config.data))
      return [ok('database', 'there is none yet; the first start creates it')];
    const connection = openForReading(config.data);
    try {
      return withDatabaseErrors(databasePath(config.data), 'read', () => [
        checkIntegrity(connection, config.data),
        checkPrefixes(connection, config),
      ]);
    } finally {
      connection.$client.close();
    }
  } catch (error) {
    const advice = error instanceof DatabaseCorrupt ? restoreAdvice : readAdvice;
    return [broken('database', errorMessage(error), advice)];
  }
}

function checkIntegrity(connection: Connection, data: string): Check {
  const path = databasePath(data);
  const problem = findIntegrityError(data, connection, 'full');
  if (problem !== null) return broken('database', `${path} is damaged: ${problem}`, restoreAdvice);
  const size = formatMegabytes(statSync(path).size);
  const isOld = missingSteps(connection.$client).length > 0;
  const upgrade = isOld ? '; the next start updates its schema' : '';
  return ok('database', `${path} has no integrity errors, ${size}${upgrade}`);
}

function checkPrefixes(connection: Connection, { shortUrl, shortUrlAliases }: Config): Check {
  const name = 'printed links';
  const used = usedShortUrlPrefixes(connection);
  const missing = unservedPrefixes(used, [shortUrl, ...shortUrlAliases]);
  if (missing.length > 0)
    return broken(
      name,
      `codes were printed with ${missing.join(', ')}, which the settings don't name`,
      'If it still points to this server, add it to WAYMARK_SHORT_URL_ALIASES; otherwise set ' +
        "WAYMARK_SHORT_URL back. The server doesn't start until then.",
    );
  return ok(name, used.length === 0 ? 'none yet' : `all begin with ${used.join(', ')}`);
}
