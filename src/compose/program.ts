import { version } from '../../package.json';
import type { Clock } from '../core/ports.ts';
import type { Logger } from '../lib/logger.ts';
import { rendererIdentity } from '../render/identity.ts';
import { hasCodes } from '../sqlite/codes/has-codes.ts';
import type { Connection } from '../sqlite/database/open.ts';
import {
  lastServerVersion,
  recordServerVersion,
  type ServerVersion,
} from '../sqlite/database/versions.ts';
import { isUnwritable } from '../sqlite/database/write.ts';

/** This program, as a database remembers it. */
export const thisServerVersion: ServerVersion = { version, renderer: rendererIdentity };

/**
 * Whether this program is known to draw the codes of a database as they were printed, or was accepted by
 * the operator as it draws them: nobody has to look at them before it serves or changes the schema.
 */
export function drawsAsBefore(connection: Connection): boolean {
  return (
    lastServerVersion(connection)?.renderer === thisServerVersion.renderer || !hasCodes(connection)
  );
}

/** Notes that this program serves from now on. */
export function noteThisProgram(connection: Connection, clock: Clock, log: Logger): void {
  try {
    recordServerVersion(connection, thisServerVersion, clock.nowMs());
  } catch (error) {
    // A disk that takes no write now must not keep the redirects from starting.
    if (!isUnwritable(error)) throw error;
    log.warn('the database cannot be written', { cause: String(error) });
  }
}
