import type { Config } from '../config.ts';
import { createSafetyAdmin, type SafetyAdmin } from '../core/safety/admin.ts';
import type { RecheckReport } from '../core/safety/recheck.ts';
import { createRecheckSchedule } from '../core/safety/schedule.ts';
import type { ServerStorage, Stores } from '../core/storage.ts';
import { version } from '../lib/build/version.ts';
import { every } from '../lib/event-loop.ts';
import type { Logger } from '../lib/logger.ts';
import { createHttpProtocol } from '../reputation/providers/http.ts';
import { createProvider, type Protocol } from '../reputation/providers/provider.ts';
import { createSafeBrowsingV5 } from '../reputation/providers/safe-browsing-v5.ts';
import { createWebRisk } from '../reputation/providers/web-risk.ts';
import { createReputation, type SafetyCheck } from '../reputation/reputation.ts';
import { addRule } from '../reputation/rules.ts';
import { realClock } from './runtime.ts';

/** Creates the reputation check: rules, lists, and the remote provider if there is one. */
export function composeSafety(
  config: Config,
  { rules, lists }: Pick<Stores, 'rules' | 'lists'>,
  log: Logger,
): SafetyCheck {
  const protocol = protocolOf(config);
  return createReputation({
    serverVersion: version,
    rules,
    lists,
    provider: protocol && createProvider(protocol, realClock),
    onFailure: config.safeBrowsingFailure,
    onProviderFailure: ({ message }) => log.warn('safe-browsing provider', { message }),
  });
}

/** Returns the protocol of the remote check, or null. The settings ensure that it has a key or URL. */
function protocolOf(config: Config): Protocol | null {
  const { safeBrowsing: name, safeBrowsingKey: key, safeBrowsingUrl: url } = config;
  const connection = { fetch, key: key ?? '', ...(url && { url }) };
  if (name === 'webrisk') return createWebRisk(connection);
  if (name === 'v5') return createSafeBrowsingV5(connection);
  return name === 'http' && url ? createHttpProtocol({ ...connection, url }) : null;
}

/**
 * Returns the time since each threat list was imported, or found unchanged by an update.
 * Empty when the lists cannot be read.
 */
export async function listAges(
  { lists, sources }: Pick<Stores, 'lists' | 'sources'>,
  nowMs: number,
): Promise<{ source: string; ageMs: number }[]> {
  try {
    const updates = new Map(
      (await sources.all()).map(({ name, lastUpdate }) => [name, lastUpdate]),
    );
    return (await lists.all()).map(({ source, importedAtMs }) => {
      const update = updates.get(source);
      const checkedAtMs = update?.outcome === 'unchanged' ? update.checkedAtMs : 0;
      return { source, ageMs: nowMs - Math.max(importedAtMs, checkedAtMs) };
    });
  } catch {
    return [];
  }
}

/** Creates what operators see and decide in the panel about dangerous destinations. */
export function composeSafetyAdmin(
  {
    flags,
    runs,
    rules,
    lists,
    domains,
  }: Pick<Stores, 'flags' | 'runs' | 'rules' | 'lists' | 'domains'>,
  safety: SafetyCheck,
  servedPrefixes: readonly string[],
): SafetyAdmin {
  return createSafetyAdmin({
    flags,
    rules,
    status: async () => {
      const last = await runs.last('lists');
      const isRecheckDue = last?.listVersion !== (await safety.listVersion());
      const { provider, warnings } = safety.status();
      return { lists: await lists.all().catch(() => []), provider, isRecheckDue, warnings };
    },
    explain: safety.explain,
    addRule: (decision, text, note) =>
      addRule(rules, decision, text, { nowMs: realClock.nowMs(), note }),
    servedPrefixes,
    domains,
  });
}

const intervalMs = 10_000;
// Pauses between two slices of codes.
const pauseMs = 20;
// Fifty destinations a second stay below the 6,000 a minute that Web Risk allows.
const providerPauseMs = 2000;

/**
 * Starts the schedule of re-checks, see `createRecheckSchedule`.
 *
 * @param exclusively runs a task if no other copy does
 * @returns a function that stops it
 */
export function startRechecks(
  { flags, runs }: Pick<Stores, 'flags' | 'runs'>,
  safety: SafetyCheck,
  log: Logger,
  exclusively: ServerStorage['exclusively'],
): () => void {
  let isStopped = false;
  const holds = { lists: () => true, provider: () => true };
  const pause = (ms: number, check: keyof typeof holds) => async () => {
    await Bun.sleep(ms);
    return !isStopped && holds[check]();
  };
  const schedule = createRecheckSchedule({
    store: flags,
    runs,
    check: safety.rechecks,
    listVersion: safety.listVersion,
    clock: realClock,
    onFailure: (checked, error) =>
      log.error('a destination could not be checked again', { checked, cause: String(error) }),
    pauses: { lists: pause(pauseMs, 'lists'), provider: pause(providerPauseMs, 'provider') },
  });

  const start = (check: keyof typeof holds, run: () => Promise<RecheckReport | null>) =>
    every(intervalMs, async () => {
      try {
        await exclusively(`${check} rechecks`, async (isHeld) => {
          holds[check] = isHeld;
          const { flagged = 0, cleared = 0 } = (await run()) ?? {};
          if (flagged + cleared > 0)
            log.warn('destinations were checked again', { flagged, cleared });
        });
      } catch (error) {
        log.error('destinations could not be checked again', { cause: String(error) });
      }
    });
  const stops = [
    start('lists', schedule.recheckChanges),
    ...(safety.status().provider === null ? [] : [start('provider', schedule.recheckDaily)]),
  ];

  return () => {
    isStopped = true;
    for (const stop of stops) stop();
  };
}
