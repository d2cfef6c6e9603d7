import type { Clock, Reputation } from '../ports.ts';
import { createRecheck, emptyReport, type FlagStore, type RecheckReport } from './recheck.ts';

/** A look at all destinations that went through to the end. */
export interface RecheckRun {
  /** What the destinations were held against; see {@link RecheckSource.listVersion}. */
  readonly listVersion: string;
  /** In milliseconds since 1970, UTC. */
  readonly startedMs: number;
}

/** `lists`: by the lists alone. `whole`: the provider was asked as well. */
export type RecheckKind = 'lists' | 'whole';

/** What was looked at, through restarts. */
export interface RecheckRunStore {
  last(kind: RecheckKind): Promise<RecheckRun | null>;
  record(kind: RecheckKind, look: RecheckRun): Promise<void>;
}

/** What destinations are held against. */
export interface RecheckSource {
  readonly whole: Reputation;
  /** Decides by the lists alone. */
  readonly locally: Reputation;
  /** False while nothing would be found out of what waits for the provider. */
  canAsk(): boolean;
  /**
   * Differs after every change of lists, rules and program, also through restarts, and while
   * one of them cannot be read.
   */
  listVersion(): Promise<string>;
}

const dayMs = 24 * 3_600_000;
// A slice is one or two milliseconds of work.
const sliceSize = 100;

/**
 * Looks at destinations again: at all of them when a list has changed since they were last looked at,
 * with this start of the program or an earlier one, at all of them with the provider once a day, and
 * otherwise, and in between, at those that could not be checked fully.
 *
 * A look with the provider may take longer than the program runs, and is then begun anew. Each begins,
 * by chance, at another code, so that every code is reached in the end.
 *
 * @param world.chance from 0 up to, not including, 1
 * @param world.pauses between two slices; each resolves false to end a look early
 */
export function createRecheckSchedule(world: {
  store: FlagStore;
  looks: RecheckRunStore;
  check: RecheckSource;
  clock: Clock;
  chance: () => number;
  pauses: Readonly<Record<RecheckKind, () => Promise<boolean>>>;
}) {
  const { store, looks, check, clock, chance, pauses } = world;
  const rechecks = {
    whole: createRecheck({ store, reputation: check.whole, clock }),
    lists: createRecheck({ store, reputation: check.locally, clock }),
  };
  const firstMs = clock.nowMs();
  let seen: { generation: string | null; wholeMs: number } | null = null;

  const lastLooks = async () => {
    if (seen !== null) return seen;
    const whole = await looks.last('whole');
    seen = {
      generation: (await looks.last('lists'))?.listVersion ?? null,
      wholeMs: whole?.startedMs ?? firstMs,
    };
    // Whoever never asked the provider about all codes does not begin with it, but asks after a day, however
    // often the program is started until then.
    if (whole === null)
      await looks.record('whole', {
        listVersion: await check.listVersion(),
        startedMs: seen.wholeMs,
      });
    return seen;
  };

  const lookAtAll = async (
    kind: RecheckKind,
    report: RecheckReport,
    between: () => Promise<boolean>,
    begin = 0,
  ): Promise<void> => {
    const run: RecheckRun = { listVersion: await check.listVersion(), startedMs: clock.nowMs() };
    const last = await lastLooks();
    const isComplete = await rechecks[kind].all(sliceSize, between, report, begin);
    if (!isComplete) return;
    if (kind === 'lists') last.generation = run.listVersion;
    else last.wholeMs = run.startedMs;
    await looks.record(kind, run);
  };

  /** What nobody should wait for longer than seconds. */
  const lookAtUrgent = async (report: RecheckReport): Promise<void> => {
    const { generation } = await lastLooks();
    if ((await check.listVersion()) !== generation) return lookAtAll('lists', report, pauses.lists);
    await rechecks.whole.queued(sliceSize, check.canAsk, report);
  };

  /** Takes hours where a provider is asked about many codes. */
  const lookAtWhole = async (report: RecheckReport): Promise<void> => {
    const between = async () => {
      const { checked } = report;
      await lookAtUrgent(report);
      // That may have asked as much as a slice.
      if (report.checked > checked && !(await pauses.whole())) return false;
      return pauses.whole();
    };
    const begin = Math.floor(chance() * (await store.newest()));
    await lookAtAll('whole', report, between, begin);
  };

  return {
    /**
     * Looks at whatever is due, by the lists first, because that is soon done.
     *
     * @throws what the store throws. A look that failed is due again at once, one that could only not
     *   be noted at the next start.
     */
    look: async (): Promise<RecheckReport> => {
      const report = emptyReport();
      const { generation, wholeMs } = await lastLooks();
      // A clock that was set back must not put the look off.
      const isWholeDue = Math.abs(clock.nowMs() - wholeMs) >= dayMs;
      if (isWholeDue && (await check.listVersion()) === generation) await lookAtWhole(report);
      else await lookAtUrgent(report);
      return report;
    },
  };
}
