import { createActivityRetention } from '../core/accounts/activity/retention.ts';
import type { Stores } from '../core/storage.ts';
import { every } from '../lib/event-loop.ts';
import type { Logger } from '../lib/logger.ts';
import { realClock } from './runtime.ts';

// Entries may be an hour older than they are kept.
const intervalMs = 3_600_000;
// Between two parts, so that others write.
const pauseMs = 20;

/**
 * Deletes old entries of the activity of accounts from time to time.
 * Every copy does: what one has deleted, the others do not find.
 *
 * @returns a function that stops it
 */
export function startActivityRetention({ activity }: Pick<Stores, 'activity'>, log: Logger) {
  let isStopped = false;
  const run = createActivityRetention({
    store: activity,
    clock: realClock,
    pause: async () => {
      await Bun.sleep(pauseMs);
      return !isStopped;
    },
  });
  const stop = every(intervalMs, run, (error) =>
    log.error('old activity could not be deleted, and is tried again', { cause: String(error) }),
  );
  return () => {
    isStopped = true;
    stop();
  };
}
