import { withDeadline } from '../../lib/deadline.ts';
import { every } from '../../lib/event-loop.ts';
import { readSharedClock } from '../../lib/shared-clock.ts';

/** Runs a statement, and returns its rows as arrays. */
type Run = (statement: string) => Promise<unknown[]>;

const intervalMs = 5000;
const deadlineMs = 3000;
const selectNow = 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8';

/** Reads the clock of PostgreSQL, which times everything that copies share. */
export async function readClock(run: Run): Promise<void> {
  await readSharedClock(async () => {
    const [row] = await run(selectNow);
    // The cast is safe: the statement selects one number.
    const [nowMs] = row as [number];
    return nowMs;
  });
}

/**
 * Reads the clock of PostgreSQL regularly.
 *
 * @returns a function that ends it
 */
export function followClock({
  run,
}: {
  run(text: string, values: []): Promise<unknown[]>;
}): () => void {
  return every(intervalMs, () =>
    // Without an answer, time goes on as before.
    withDeadline(deadlineMs, () => readClock((text) => run(text, []))).catch(() => {}),
  );
}
