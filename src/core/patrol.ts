import type { Clock, Reputation } from './ports.ts';
import { type FlagStore, makeRecheck, type RecheckReport } from './recheck.ts';

/** A look at all destinations that went through to the end. */
export interface Look {
  /** What the destinations were held against; see {@link Check.generation}. */
  readonly generation: string;
  /** In milliseconds since 1970, UTC. */
  readonly beganMs: number;
}

/** `lists`: by the lists alone. `whole`: the provider was asked as well. */
export type LookKind = 'lists' | 'whole';

/** What was looked at, through restarts. */
export interface LookStore {
  last(kind: LookKind): Promise<Look | null>;
  note(kind: LookKind, look: Look): Promise<void>;
}

/** What destinations are held against. */
export interface Check {
  readonly whole: Reputation;
  /** Decides by the lists alone. */
  readonly locally: Reputation;
  /** False while nothing would be found out of what waits for the provider. */
  canAsk(): boolean;
  /**
   * Differs after every change of lists, operator's entries and program, also through restarts, and while
   * one of them cannot be read.
   */
  generation(): string;
}

const dayMs = 24 * 3_600_000;
// A slice is one or two milliseconds of work.
const sliceSize = 100;

/**
 * Looks at destinations again: at all of them when a list has changed since they were last looked at,
 * with this start of the program or an earlier one, at all of them with the provider once a day, and
 * otherwise at those that could not be checked fully.
 *
 * @param pauses between two slices; each resolves false to end a look early
 */
export function makePatrol(world: {
  store: FlagStore;
  looks: LookStore;
  check: Check;
  clock: Clock;
  pauses: Readonly<Record<LookKind, () => Promise<boolean>>>;
}) {
  const { store, looks, check, clock, pauses } = world;
  const rechecks = {
    whole: makeRecheck({ store, reputation: check.whole, clock }),
    lists: makeRecheck({ store, reputation: check.locally, clock }),
  };
  const firstMs = clock.nowMs();
  let seen: { generation: string | null; wholeMs: number } | null = null;

  const remember = async () => ({
    generation: (await looks.last('lists'))?.generation ?? null,
    // Whoever never asked the provider about all codes does not begin with it.
    wholeMs: (await looks.last('whole'))?.beganMs ?? firstMs,
  });

  const lookAtAll = async (kind: LookKind): Promise<RecheckReport> => {
    const look: Look = { generation: check.generation(), beganMs: clock.nowMs() };
    let ended = false;
    const report = await rechecks[kind].all(sliceSize, async () => {
      const goesOn = await pauses[kind]();
      ended ||= !goesOn;
      return goesOn;
    });
    if (ended) return report;
    const wholeMs = kind === 'whole' ? look.beganMs : (seen?.wholeMs ?? firstMs);
    seen = { generation: look.generation, wholeMs };
    await looks.note('lists', look);
    if (kind === 'whole') await looks.note('whole', look);
    return report;
  };

  return {
    /**
     * Looks at whatever is due.
     *
     * @throws what the store throws. A look that failed is due again at once, one that could only not
     *   be noted at the next start.
     */
    look: async (): Promise<RecheckReport> => {
      seen ??= await remember();
      // A clock that was set back must not put the look off.
      if (Math.abs(clock.nowMs() - seen.wholeMs) >= dayMs) return lookAtAll('whole');
      if (check.generation() !== seen.generation) return lookAtAll('lists');
      return rechecks.whole.queued(sliceSize, check.canAsk);
    },
  };
}
