import { existsSync } from 'node:fs';
import type { Spawn } from '../compose.ts';
import type { Config } from '../config.ts';
import type { Log } from '../core/log.ts';
import type { RandomBytes } from '../core/ports.ts';
import { hasTables } from '../sqlite/has-tables.ts';
import { databasePath } from '../sqlite/open.ts';
import { lastProgram } from '../sqlite/programs.ts';
import { openForReading } from '../sqlite/read-only.ts';
import { refuseDamaged } from '../sqlite/refuse-damaged.ts';
import { drawsAsBefore } from './program.ts';

/**
 * Looks at a database before a server writes to it: whether it is whole, and, where another program
 * served it last, whether this one draws a sample of the codes as they were printed. Only reads, so
 * that whoever is refused here can go on with the program that served before.
 *
 * @returns whether it is known how this program draws the codes; where it could draw none, the next start
 *   looks again
 * @throws DatabaseRefused when the database is damaged, newer than this program or not Waymark's
 * @throws StartRefused when codes would be drawn differently
 */
export async function inspect(
  { data }: Pick<Config, 'data'>,
  world: { spawn: Spawn; log: Log; randomBytes: RandomBytes },
): Promise<boolean> {
  if (!existsSync(databasePath(data))) return true;
  const connection = openForReading(data);
  try {
    refuseDamaged(data, connection);
    if (!hasTables(connection)) return true;
    if (drawsAsBefore(connection)) return true;
    const { proveSample } = await import('./printed-sample.ts');
    return await proveSample(connection, lastProgram(connection), world);
  } finally {
    connection.$client.close();
  }
}
