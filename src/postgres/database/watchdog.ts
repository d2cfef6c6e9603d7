import { withDeadline } from '../../lib/deadline.ts';
import type { Connection } from './open.ts';

const intervalMs = 1000;
// Longer than any pause of a busy server.
const deadlineMs = 3000;

/**
 * Replaces a pool when PostgreSQL stops to respond without ending its connections, such as behind a cut
 * network: its statements would wait for minutes, also after the network is back.
 *
 * @param probe a connection of its own, since a busy pool lets others wait
 * @returns a function that ends it, and the probe
 */
export function watchPool(pool: Connection, probe: Connection): () => Promise<void> {
  let timer: Timer | null = null;
  let isStopped = false;

  const check = async () => {
    try {
      await withDeadline(deadlineMs, async () => probe.sql().unsafe('SELECT 1'));
    } catch (error) {
      // Other errors have ended the statements of the pool as well.
      if (error instanceof DOMException && !isStopped) {
        pool.reset();
        probe.reset();
      }
    }
    if (!isStopped) schedule();
  };
  const schedule = () => {
    timer = setTimeout(check, intervalMs);
    timer.unref();
  };
  schedule();

  return async () => {
    isStopped = true;
    if (timer !== null) clearTimeout(timer);
    await probe.close();
  };
}
