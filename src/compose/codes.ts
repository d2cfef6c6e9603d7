import { hostname, networkInterfaces } from 'node:os';
import type { Config } from '../config.ts';
import { createBatches } from '../core/batches/batches.ts';
import { createBulkEditRunner } from '../core/batches/bulk-edit-runner.ts';
import { createBulkEdits } from '../core/batches/bulk-edits.ts';
import type { FileReaders } from '../core/batches/ports.ts';
import { createBatchRunner } from '../core/batches/runner.ts';
import { createLinkImports } from '../core/codes/imports/link-imports.ts';
import { createQrs } from '../core/codes/qrs.ts';
import { createScheduleRunner, type ScheduleRunner } from '../core/codes/schedule/runner.ts';
import { createSchedule, type Schedule } from '../core/codes/schedule/schedule.ts';
import { createDestinationCheck } from '../core/codes/urls/destination-check.ts';
import { findLoops, isLoop } from '../core/codes/urls/loops.ts';
import { sampleShortLink } from '../core/codes/urls/short-url.ts';
import type { RendererFor } from '../core/designs/ports.ts';
import { createSavedDesigns } from '../core/designs/saved-designs.ts';
import type { Health } from '../core/health.ts';
import type { Stores } from '../core/storage.ts';
import { every } from '../lib/event-loop.ts';
import type { Logger } from '../lib/logger.ts';
import { formatCount } from '../lib/numbers.ts';
import type { SafetyCheck } from '../reputation/reputation.ts';
import { realClock, realRandomBytes } from './runtime.ts';

/**
 * Creates what creates and edits codes, for a server or a command.
 *
 * @param deps.servedPrefixes prefixes at which codes redirect
 * @param deps.concurrency codes of a batch that are created at the same time
 */
export function composeCodes(
  config: Pick<Config, 'shortUrl' | 'denseLinks' | 'port'>,
  deps: {
    stores: Stores;
    rendererFor: RendererFor;
    readTable: FileReaders['readTable'];
    safety: SafetyCheck;
    servedPrefixes: readonly string[];
    concurrency: number;
    log: Logger;
  },
) {
  const { stores, rendererFor, readTable, safety, servedPrefixes, concurrency, log } = deps;
  const clock = realClock;
  const shortUrls = {
    shortUrl: config.shortUrl,
    prefixes: [...servedPrefixes, ...machineUrls(config.port)],
    isDense: config.denseLinks,
  };
  const qrs = createQrs({
    store: stores.qrs,
    linkImports: stores.linkImports,
    designs: stores.designs,
    rendererFor,
    reputation: safety,
    domains: stores.domains,
    clock,
    randomBytes: realRandomBytes,
    shortUrls,
  });
  const { checkDestination } = qrs;
  const { checkDestination: checkDestinationHere } = createDestinationCheck({
    linkImports: stores.linkImports,
    reputation: safety.rechecks.listsOnly,
    domains: stores.domains,
    shortUrls,
  });
  const scheduleRunner = createScheduleRunner({
    store: stores.schedule,
    // The remote check was asked when the change was planned, and is asked again after it.
    checkDestination: checkDestinationHere,
    clock,
    onFailure: (of, error) =>
      log.error('a planned change could not be made', { ...of, cause: String(error) }),
  });
  const runner = createBatchRunner({
    store: stores.batches,
    prepare: qrs.prepare,
    accounts: stores.accounts,
    clock,
    sleep: Bun.sleep,
    concurrency,
    onError: (error) => log.error('a batch of codes was interrupted', { cause: String(error) }),
  });
  const bulkEditRunner = createBulkEditRunner({
    store: stores.bulkEdits,
    accounts: stores.accounts,
    checkDestination,
    clock,
    onError: (error) => log.error('a bulk edit was interrupted', { cause: String(error) }),
  });
  return {
    qrs,
    runner,
    bulkEditRunner,
    scheduleRunner,
    schedule: createSchedule({
      store: stores.schedule,
      accounts: stores.accounts,
      clock,
    }),
    batches: createBatches({
      store: stores.batches,
      columnChoices: stores.columnChoices,
      qrs: stores.qrs,
      paths: stores.linkImports,
      designs: stores.designs,
      rendererFor,
      readTable,
      checkDestination,
      checkDestinationHere,
      runner,
      clock,
      sleep: Bun.sleep,
      sampleLink: sampleShortLink(config),
      newDomains: qrs.newDomains,
    }),
    bulkEdits: createBulkEdits({
      store: stores.bulkEdits,
      runner: bulkEditRunner,
      qrs: stores.qrs,
      checkDestination,
      checkDestinationHere,
      clock,
      sleep: Bun.sleep,
    }),
    linkImports: createLinkImports({
      store: stores.linkImports,
      checkDestination,
      shortUrl: config.shortUrl,
      prefixes: servedPrefixes,
      domains: stores.domains,
      clock,
      sleep: Bun.sleep,
    }),
    savedDesigns: createSavedDesigns({
      store: stores.savedDesigns,
      designs: stores.designs,
      clock,
    }),
  };
}

/**
 * Returns the URLs by names and addresses of this machine at which the server can be reached.
 * They do not depend on its public URL.
 */
function machineUrls(port: number): string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((all = []) =>
    all.map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address)),
  );
  return ['localhost', hostname(), ...addresses]
    .map((host) => `http://${host}:${port}`)
    .filter((url) => URL.canParse(url));
}

const namedLoops = 3;
const maxFoundLoops = 1000;
const loopPauseMs = 20;
const loopPollMs = 60_000;

/**
 * Looks at the start for codes that lead back to themselves: an address of the server may have been added since they
 * were set. `/healthz` names them until they lead elsewhere.
 *
 * @returns a function that ends it
 */
export function startLoopCheck(
  { domains, flags, linkImports }: Pick<Stores, 'domains' | 'flags' | 'linkImports'>,
  prefixes: readonly string[],
  { health, log }: { health: Pick<Health, 'add'>; log: Logger },
): () => void {
  const server = { links: linkImports, prefixes, domains };
  const found = new Set<string>();
  let isStopped = false;
  health.add({
    name: 'redirect_loops',
    severity: 'warning',
    check: () => (found.size === 0 ? [] : [loopMessage(found)]),
  });
  const report = (error: unknown) =>
    log.warn('codes could not be searched for loops', { cause: String(error) });
  const search = async () => {
    const pause = async () => {
      await Bun.sleep(loopPauseMs);
      return !isStopped && found.size < maxFoundLoops;
    };
    for await (const code of findLoops(flags.after, server, pause)) found.add(code);
  };
  search().catch(report);
  const stop = every(
    loopPollMs,
    async () => {
      for (const code of found) if (!(await isLoop(code, server))) found.delete(code);
    },
    report,
  );
  return () => {
    isStopped = true;
    stop();
  };
}

function loopMessage(found: ReadonlySet<string>): string {
  const named = [...found].slice(0, namedLoops).join(', ');
  return found.size === 1
    ? `The code ${named} leads back to itself. Give it another destination: waymark code set ${named} --url URL.`
    : `${formatCount(found.size, 'code')} lead back to themselves, such as ${named}. Give them other destinations: waymark code set CODE --url URL.`;
}

// What a process that was killed has left is continued after its lease of ten seconds.
const batchPollMs = 5000;

/** Works in the background on what no process works on. */
interface Runner {
  wake(): void;
  close(): Promise<void>;
}

/**
 * Runs batches and bulk edits that no process runs, now and from time to time.
 *
 * @returns a function that stops it, and resolves when nothing more is written
 */
export function startBatches(runners: readonly Runner[]): () => Promise<void> {
  const wake = () => {
    for (const runner of runners) runner.wake();
  };
  wake();
  const stop = every(batchPollMs, wake);
  return async () => {
    stop();
    await Promise.all(runners.map((runner) => runner.close()));
  };
}

// A change is made half a second late at most, if others leave it the time.
const schedulePollMs = 500;
const zoneRulesMs = 3_600_000;

/**
 * Makes scheduled changes whose time has come, now and all the time.
 * At the start and each hour, those that wait follow the rules of time zones that this version knows.
 *
 * @returns a function that stops it, and resolves when nothing more is written
 */
export function startSchedule(
  runner: ScheduleRunner,
  schedule: Pick<Schedule, 'followZoneRules'>,
  log: Logger,
): () => Promise<void> {
  let isClosed = false;
  const report = (error: unknown) =>
    log.error('planned changes could not be made, and are tried again', { cause: String(error) });
  runner.run().catch(report);
  let following = Promise.resolve();
  const follow = () => {
    following = schedule
      .followZoneRules(() => !isClosed)
      .then(
        (moved) => {
          if (moved > 0)
            log.info('planned changes follow the rules of their time zones', { moved });
        },
        (error) =>
          log.warn('planned changes could not follow the rules of their time zones', {
            cause: String(error),
          }),
      );
    return following;
  };
  follow();
  const stops = [every(schedulePollMs, runner.run, report), every(zoneRulesMs, follow)];
  return async () => {
    isClosed = true;
    for (const stop of stops) stop();
    await following;
    await runner.close();
  };
}
