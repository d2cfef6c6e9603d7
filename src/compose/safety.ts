import { join } from 'node:path';
import { version } from '../../package.json';
import type { Config } from '../config.ts';
import type { Clock, RandomBytes } from '../core/ports.ts';
import type { FlagStore } from '../core/safety/recheck.ts';
import { createRecheckSchedule, type RecheckRunStore } from '../core/safety/schedule.ts';
import type { Logger } from '../lib/logger.ts';
import { openLocalList } from '../reputation/lists/local-list.ts';
import { createProtocol, createProvider } from '../reputation/providers/guarded-provider.ts';
import { createReputation, type SafetyCheck } from '../reputation/reputation.ts';

/** The folder of the safe-browsing lists. */
export function safetyFolder(config: Pick<Config, 'data'>): string {
  return join(config.data, 'safety');
}

/** The safe-browsing check: the operator's rules, local lists, and the remote provider if one is set. */
export function composeSafety(config: Config, clock: Clock, log: Logger): SafetyCheck {
  const { safeBrowsing, safeBrowsingKey: key, safeBrowsingUrl: url } = config;
  const provider =
    safeBrowsing === 'off'
      ? null
      : createProvider(
          createProtocol({ name: safeBrowsing, fetch, ...(key && { key }), ...(url && { url }) }),
          clock,
        );
  return createReputation({
    local: openLocalList(safetyFolder(config)),
    provider,
    onFailure: config.safeBrowsingFailure,
    onProviderFailure: ({ kind, message }) => log.warn('safe-browsing provider', { kind, message }),
  });
}

/** What an operator should know of the lists and the provider. */
export function safetyWarnings(safety: SafetyCheck): string[] {
  const { local, localProblem, provider } = safety.status();
  return [
    ...local.lists.flatMap(({ source, problem }) =>
      problem === null ? [] : [`the list "${source}": ${problem}`],
    ),
    ...local.damagedRules.map((name) => `the entry in safety/entries/${name} is damaged`),
    ...(localProblem === null ? [] : [`the lists cannot be read: ${localProblem}`]),
    ...(provider?.failing
      ? [`the safe-browsing provider fails: ${provider.lastFailure?.message ?? ''}`]
      : []),
  ];
}

/** What destinations are held against now. Another program may read URLs otherwise. */
export function generationOf(safety: SafetyCheck): string {
  return `${version} ${safety.generation()}`;
}

const tickMs = 10_000;
// Where a provider is asked, fifty destinations a second stay below the 6,000 a minute that Web Risk
// allows.
const pauseMs = 20;
const providerPauseMs = 2000;

/**
 * Looks at destinations again while the server runs; see `createRecheckSchedule`.
 *
 * @returns ends it
 */
export function startPatrol(
  { store, looks }: { store: FlagStore; looks: RecheckRunStore },
  safety: SafetyCheck,
  { clock, randomBytes, log }: { clock: Clock; randomBytes: RandomBytes; log: Logger },
): () => void {
  let stopped = false;
  let busy = false;
  const pause = (ms: number) => async () => {
    await Bun.sleep(ms);
    return !stopped;
  };
  const hasProvider = safety.status().provider !== null;
  const patrol = createRecheckSchedule({
    store,
    looks,
    check: {
      ...safety.rechecks,
      listVersion: () => generationOf(safety),
    },
    clock,
    chance: () => Buffer.from(randomBytes(4)).readUInt32LE() / 2 ** 32,
    pauses: { lists: pause(pauseMs), whole: pause(hasProvider ? providerPauseMs : pauseMs) },
  });

  // The lists are in memory before the first client asks.
  void safety.refresh();
  const timer = setInterval(async () => {
    if (busy) return;
    busy = true;
    try {
      // Lists that could not be read may be by now, also where nobody asks for anything.
      await safety.refresh();
      const { flagged, cleared } = await patrol.look();
      if (flagged + cleared > 0)
        log.warn('destinations were looked at again', { flagged, cleared });
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
