import { createCache } from '../../lib/cache.ts';
import { pause } from '../../lib/event-loop.ts';
import type { Clock } from '../ports.ts';

/** Why an address does not lead to this server. A cause is a message of the system. */
export type DomainProblem =
  | { readonly kind: 'no address'; readonly hostname: string; readonly cause: string }
  | { readonly kind: 'no answer'; readonly host: string; readonly cause: string }
  | { readonly kind: 'slow answer'; readonly host: string; readonly seconds: number }
  | { readonly kind: 'bad certificate'; readonly host: string; readonly cause: string }
  /** Another server answers, or a proxy that does not forward it. */
  | { readonly kind: 'other server'; readonly host: string };

/** What was found when a domain was checked last. */
export interface DomainCheck {
  /** Null for a domain that leads to this server. */
  readonly problem: DomainProblem | null;
  readonly atMs: number;
}

export type DomainChecks = ReturnType<typeof createDomainChecks>;

const keptChecks = 1000;
/** Checks that run together. */
const maxRunning = 8;
/** How long a result is shown. One that leads elsewhere may be repaired at any moment. */
const maxAgeMs = { good: 3_600_000, bad: 60_000 };
/** How long a page waits for checks. It shows the others as soon as it is loaded again. */
const patienceMs = 1500;

/**
 * Creates what checks whether domains lead to this server, and remembers the results of this process.
 *
 * @param deps.check has a deadline of its own
 */
export function createDomainChecks({
  check,
  clock,
}: {
  check: (url: string) => Promise<DomainProblem | null>;
  clock: Clock;
}) {
  const known = createCache<string, DomainCheck & { readonly monotonicMs: number }>(keptChecks);
  const running = new Map<string, Promise<void>>();

  const run = (url: string): Promise<void> => {
    const current = running.get(url);
    if (current !== undefined) return current;
    const started = check(url)
      .then((problem) => {
        known.set(url, { problem, atMs: clock.nowMs(), monotonicMs: clock.monotonicMs() });
      })
      // Without the database, nothing is known.
      .catch(() => {})
      .finally(() => running.delete(url));
    running.set(url, started);
    return started;
  };
  const isOld = (url: string): boolean => {
    const last = known.get(url);
    if (last === undefined) return true;
    const ageMs = clock.monotonicMs() - last.monotonicMs;
    return ageMs > (last.problem === null ? maxAgeMs.good : maxAgeMs.bad);
  };
  const refresh = async (urls: readonly string[]): Promise<void> => {
    const old = urls.filter(isOld).slice(0, Math.max(0, maxRunning - running.size));
    if (old.length > 0) await Promise.race([Promise.all(old.map(run)), pause(patienceMs)]);
  };
  const last = (url: string): DomainCheck | null => known.get(url) ?? null;

  return {
    /** Returns what is known of a domain. Null before it is checked. */
    last,

    /** Checks domains of which nothing or something old is known, and waits for a moment. */
    refresh,

    /** Forgets what is known of a domain, checks it, and waits for a moment. */
    again: async (url: string): Promise<void> => {
      known.delete(url);
      await refresh([url]);
    },
  };
}
