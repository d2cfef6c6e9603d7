import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { Log } from '../core/log.ts';
import type { Clock, Reputation } from '../core/ports.ts';
import { type FlagStore, makeRecheck, type RecheckReport } from '../core/recheck.ts';
import { makeProtocol, makeProvider } from '../safety/guarded-provider.ts';
import { openLocalList } from '../safety/local-list.ts';
import { makeReputation, type SafetyCheck } from '../safety/reputation.ts';

/** The safe-browsing check, and the part of it that needs nobody else. */
export interface Safety extends SafetyCheck {
  /** Decides by the lists alone; without a match it knows only in part where a provider is set. */
  readonly locally: Reputation;
  readonly hasProvider: boolean;
}

/** The folder of the safe-browsing lists. */
export function safetyFolder(config: Pick<Config, 'data'>): string {
  return join(config.data, 'safety');
}

/** The safe-browsing check: operator's entries, local lists, and the remote provider if one is set. */
export function composeSafety(config: Config, clock: Clock, log: Log): Safety {
  const { safeBrowsing, safeBrowsingKey: key, safeBrowsingUrl: url } = config;
  const provider =
    safeBrowsing === 'off'
      ? null
      : makeProvider(
          makeProtocol({ name: safeBrowsing, fetch, ...(key && { key }), ...(url && { url }) }),
          clock,
        );
  const local = openLocalList(safetyFolder(config));
  const lists = makeReputation({ local, provider: null, onFailure: 'allow' });
  const whole = makeReputation({
    local,
    provider,
    onFailure: config.safeBrowsingFailure,
    onProviderFailure: ({ kind, message }) => log.warn('safe-browsing provider', { kind, message }),
  });
  return {
    ...whole,
    hasProvider: provider !== null,
    locally: {
      check: async (destination) => {
        const answer = await lists.check(destination);
        return answer.flagged || provider === null ? answer : { ...answer, checked: 'partly' };
      },
    },
  };
}

/** What an operator should know of the lists and the provider. */
export function safetyWarnings(safety: Safety): string[] {
  const { local, localProblem, provider } = safety.status();
  return [
    ...local.lists.flatMap(({ source, problem }) =>
      problem === null ? [] : [`the list "${source}": ${problem}`],
    ),
    ...(localProblem === null ? [] : [`the lists cannot be read: ${localProblem}`]),
    ...(provider?.failing
      ? [`the safe-browsing provider fails: ${provider.lastFailure?.message ?? ''}`]
      : []),
  ];
}

const tickMs = 10_000;
const dayMs = 24 * 3_600_000;
// A slice is one or two milliseconds of work. Where a provider is asked, fifty destinations a second
// stay below the 6,000 a minute that Web Risk allows.
const sliceSize = 100;
const pauseMs = 20;
const providerPauseMs = 2000;

/**
 * Looks at destinations again while the server runs: again and again at those that could be
 * checked only in part, at all of them when a list has changed, and at all of them with the provider
 * once a day.
 *
 * @returns ends it
 */
export function startPatrol(store: FlagStore, safety: Safety, clock: Clock, log: Log): () => void {
  const recheck = makeRecheck({ store, reputation: safety, clock });
  const locally = makeRecheck({ store, reputation: safety.locally, clock });
  let stopped = false;
  let busy = false;
  let seenGeneration = '';
  let lastWholeMs = clock.monotonicMs();
  const pause = (ms: number) => async () => {
    await Bun.sleep(ms);
    return !stopped;
  };

  const look = async (): Promise<RecheckReport> => {
    const generation = safety.generation();
    if (clock.monotonicMs() - lastWholeMs >= dayMs) {
      lastWholeMs = clock.monotonicMs();
      seenGeneration = generation;
      return recheck.all(sliceSize, pause(safety.hasProvider ? providerPauseMs : pauseMs));
    }
    if (generation !== seenGeneration) {
      seenGeneration = generation;
      return locally.all(sliceSize, pause(pauseMs));
    }
    return recheck.queued(sliceSize);
  };

  // The lists are in memory before the first client asks.
  void safety.refresh();
  const timer = setInterval(async () => {
    if (busy) return;
    busy = true;
    try {
      const { found, cleared } = await look();
      if (found + cleared > 0) log.warn('destinations were looked at again', { found, cleared });
    } catch (error) {
      log.error('destinations could not be looked at again', { cause: String(error) });
    } finally {
      busy = false;
    }
  }, tickMs);
  timer.unref();

  return () => {
    stopped = true;
    clearInterval(timer);
  };
}
