import type { Spawn } from '../compose.ts';
import type { Config } from '../config.ts';
import type { Log } from '../core/log.ts';
import { isLocked } from '../sqlite/lock.ts';
import { DatabaseRefused } from '../sqlite/migrate.ts';
import type { Connection } from '../sqlite/open.ts';
import { lastProgram } from '../sqlite/programs.ts';
import { openForReading } from '../sqlite/read-only.ts';
import { thisProgram } from './program.ts';

/**
 * Before a program takes over from another one: draws a sample of the stored codes and holds it
 * against what was printed. Only reads, also of a database with an older schema, so that whoever
 * is refused here can go on with the program that served before.
 *
 * @param seed decides the sample
 * @throws StartRefused when codes would be drawn differently
 */
export async function proveTakeover(
  config: Pick<Config, 'data'>,
  world: { spawn: Spawn; log: Log; seed: number },
): Promise<void> {
  // The start is about to refuse in its own words.
  const connection = openUnlessRefused(config.data);
  if (connection === null) return;
  try {
    const last = lastProgram(connection);
    if (last?.renderer === thisProgram.renderer) return;
    const { proveSample } = await import('./printed-sample.ts');
    await proveSample(connection, last, world);
  } finally {
    connection.$client.close();
  }
}

function openUnlessRefused(data: string): Connection | null {
  try {
    return isLocked(data) ? null : openForReading(data);
  } catch (error) {
    if (error instanceof DatabaseRefused) return null;
    throw error;
  }
}
