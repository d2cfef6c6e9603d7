import { yieldToEventLoop } from '../../../lib/event-loop.ts';
import { ApiError, StoreUnavailable } from '../../errors.ts';
import type { Clock } from '../../ports.ts';
import type { CheckedDestination } from '../urls/destination-check.ts';
import { failDueChanges, makeDueChanges, type Verdict } from './make.ts';
import type { DueChange, ScheduleStore } from './ports.ts';

// On PostgreSQL, more could not be named in a step of `redirect_steps`, and each copy would forget all codes.
const codesPerSlice = 100;

/** Makes scheduled changes whose time has come. Each copy of the server has one. */
export interface ScheduleRunner {
  /** Makes all that are due. Resolves when none is left that this copy can make. */
  run(): Promise<void>;
  /** Ends it. Resolves when nothing more is written. */
  close(): Promise<void>;
}

/**
 * Creates the runner of scheduled changes.
 *
 * A code that cannot be decided or written keeps no other from being made: its due changes have failed.
 *
 * @param deps.checkDestination as an edit does, by what needs no waiting: rules and lists. Throws ApiError.
 * @param deps.onFailure called with a destination or a code of which changes have failed
 */
export function createScheduleRunner(deps: {
  store: Pick<ScheduleStore, 'due' | 'make'>;
  checkDestination: (url: string) => Promise<CheckedDestination>;
  clock: Pick<Clock, 'nowMs'>;
  onFailure?: (of: { destination: string } | { qrId: number }, error: unknown) => void;
}): ScheduleRunner {
  const { store, checkDestination, clock, onFailure = () => {} } = deps;
  let isClosed = false;
  let running: Promise<void> | null = null;

  const verdictOn = async (destination: string): Promise<Verdict> => {
    try {
      return (await checkDestination(destination)).needsRecheck ? 'needs recheck' : 'safe';
    } catch (error) {
      if (error instanceof ApiError && error.code === 'unsafe_url') return 'flagged';
      if (error instanceof ApiError && error.code === 'invalid_url') return 'not valid';
      if (error instanceof StoreUnavailable) throw error;
      onFailure({ destination }, error);
      return 'failed';
    }
  };
  /** Checks each destination once, before the transaction: SQLite waits for nothing within one. */
  const check = async (due: readonly DueChange[]): Promise<Map<string, Verdict>> => {
    const destinations = new Set(due.flatMap(({ destination }) => destination ?? []));
    const verdicts = Array.from(
      destinations,
      async (destination) => [destination, await verdictOn(destination)] as const,
    );
    return new Map(await Promise.all(verdicts));
  };

  /**
   * Runs steps until one does not fail, and returns its result.
   * When the database cannot be written, it fails for all codes.
   */
  const firstOf = async (
    qrId: number,
    steps: readonly (() => Promise<number>)[],
  ): Promise<number> => {
    for (const step of steps)
      try {
        return await step();
      } catch (error) {
        if (error instanceof StoreUnavailable) throw error;
        onFailure({ qrId }, error);
      }
    return 0;
  };

  const makeSlice = async (): Promise<number> => {
    const due = await store.due(clock.nowMs(), codesPerSlice);
    if (due.length === 0) return 0;
    const verdicts = await check(due);
    const qrIds = [...new Set(due.map(({ qrId }) => qrId))];
    const nowMs = clock.nowMs();
    const make = (ids: readonly number[]) =>
      store.make(ids, nowMs, (code) => makeDueChanges(code, verdicts, nowMs));
    try {
      return await make(qrIds);
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
    }
    let made = 0;
    for (const qrId of qrIds)
      made += await firstOf(qrId, [
        () => make([qrId]),
        () => store.make([qrId], nowMs, failDueChanges),
      ]);
    return made;
  };
  const runAll = async () => {
    while (!isClosed && (await makeSlice()) > 0) await yieldToEventLoop();
  };

  return {
    run: () => {
      running ??= runAll().finally(() => {
        running = null;
      });
      return running;
    },
    close: async () => {
      isClosed = true;
      // A failure was reported where it was run.
      await running?.catch(() => {});
    },
  };
}
