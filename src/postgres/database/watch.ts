import { isDeadline, withDeadline } from '../../lib/deadline.ts';
import { every } from '../../lib/event-loop.ts';
import { readClock } from '../../redirect/postgres/clock.ts';
import type { Connection } from '../../redirect/postgres/connection.ts';

const intervalMs = 1000;
// Longer than any pause of a busy server.
const deadlineMs = 3000;

/**
 * Reads the clock of the database every second, and replaces the connections when it does not respond.
 * What waits for them fails now instead of never, and the next statements connect again.
 *
 * @returns a function that ends the watch
 */
export function watchConnection(connection: Connection): () => void {
  return every(intervalMs, async () => {
    const pools = [connection.sql(), connection.lookUps()];
    const checks = pools.map((sql) =>
      withDeadline(deadlineMs, () => readClock((text) => sql.unsafe(text).values())),
    );
    // A refused connection is no silence: statements fail by themselves.
    const results = await Promise.allSettled(checks);
    const isSilent = results.some(
      (result) => result.status === 'rejected' && isDeadline(result.reason),
    );
    if (isSilent && connection.sql() === pools[0]) connection.reset();
  });
}
