import { availableParallelism } from 'node:os';
import { version } from '../package.json';
import { composePanel } from './compose/panel.ts';
import { noteThisProgram } from './compose/program.ts';
import { composeSafety, safetyWarnings, startPatrol } from './compose/safety.ts';
import { composeSafetyDesk } from './compose/safety-desk.ts';
import type { Config } from './config.ts';
import { makeAccess } from './core/access.ts';
import { makeLinks } from './core/links.ts';
import type { Log } from './core/log.ts';
import type { Clock, RandomBytes } from './core/ports.ts';
import { makeQrs } from './core/qrs.ts';
import { makeApi } from './http/api.ts';
import { makeMetrics } from './http/metrics.ts';
import { makeSite } from './http/site.ts';
import { makeSlidingWindow } from './memory/sliding-window.ts';
import { type ClientAddress, makeClientAddress } from './panel/client-address.ts';
import { makeRenderer } from './render/renderer.ts';
import { makeAccountStore } from './sqlite/accounts.ts';
import { openForCommand } from './sqlite/command-store.ts';
import { makeDesignStore } from './sqlite/designs.ts';
import { makeFlagStore } from './sqlite/flags.ts';
import { makeKeyStore } from './sqlite/keys.ts';
import { makeLinkStore } from './sqlite/links.ts';
import { lockFolder } from './sqlite/lock.ts';
import { closeStore, openStore } from './sqlite/open.ts';
import { makeQrStore, usedShortBases } from './sqlite/qrs.ts';
import { refuseDamaged } from './sqlite/refuse-damaged.ts';
import { makeScanLog } from './sqlite/scan-log.ts';
import { sizeOf } from './sqlite/size.ts';

/** The world as it is outside of tests. */
export const realClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
};
export const realRandomBytes: RandomBytes = (length) =>
  crypto.getRandomValues(new Uint8Array(length));

/** Starts a render worker. Only main.ts can: a compiled program finds its workers from there alone. */
export type Spawn = () => Worker;

/** The configuration does not fit the data; the message says what to change. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused';
}

// Another process may be writing: the redirects of everyone are never held up for longer than this.
const serverBusyTimeoutMs = 20;

// Several clients may spend their whole minute at once: some hundred codes wait in turn for two or
// three seconds rather than being turned away. Where other programs want every processor, workers that
// give way get a tenth of one: the wait stays below the thirty seconds that clients and proxies allow.
const patience = { queueLimit: 512, waitMs: 20_000 };

/**
 * What the command line works with: the stores of a data folder, beside a server or without one.
 *
 * @param create whether the command may make the database where there is none
 */
export function composeCommand(config: Config, spawn: Spawn, create: boolean) {
  const store = openForCommand(config.data, create);
  const renderer = makeRenderer({ spawn, workers: 1 });
  return {
    accounts: makeAccountStore(store),
    designs: makeDesignStore(store),
    keys: makeKeyStore(store),
    // A running server hears of changes through the database itself.
    flags: makeFlagStore(store, { forget: () => {} }),
    renderer,
    close: async () => {
      await renderer.close();
      store.$client.close();
    },
  };
}

/** The server's parts joined: a function that answers requests, and how to end it. */
export function composeServer(
  config: Config,
  world: { spawn: Spawn; log: Log; clock?: Clock; randomBytes?: RandomBytes },
) {
  const { spawn, log, clock = realClock, randomBytes = realRandomBytes } = world;
  // The lock first: a second server must not upgrade the schema under the one that runs.
  const unlock = lockFolder(config.data);
  const clientAddress = trustedAddress(config.trustProxy);
  refuseDamaged(config.data);
  const store = openStore(config.data, {
    durability: config.durability,
    busyTimeoutMs: serverBusyTimeoutMs,
  });
  const shortBases = [config.shortUrl, ...config.shortUrlAliases];
  refuseForgottenBases(usedShortBases(store), shortBases);

  noteThisProgram(store, clock, log);

  const scanLog = makeScanLog(
    store,
    (problem) =>
      problem === null
        ? log.info('scans are written again')
        : log.error('scans cannot be written and wait in memory', { cause: problem }),
    (problem) => log.error('scans are written but cannot be added up', { cause: problem }),
  );
  const linkStore = makeLinkStore(store);
  const keys = makeKeyStore(store);
  const renderer = makeRenderer({
    spawn,
    workers: Math.max(1, availableParallelism() - 1),
    ...patience,
  });
  const safety = composeSafety(config, clock, log);
  const flagStore = makeFlagStore(store, linkStore);
  const rate = makeSlidingWindow(config.rateLimit, clock);
  const qrStore = makeQrStore(store, linkStore, scanLog);
  const designs = makeDesignStore(store);
  const qrs = makeQrs({
    store: qrStore,
    designs,
    renderer,
    reputation: safety,
    clock,
    randomBytes,
    bases: {
      shortUrl: config.shortUrl,
      // Codes are answered at the public address as well, so a link there would lead in a circle too.
      shortBases: [...shortBases, config.publicUrl],
      dense: config.denseLinks,
    },
  });
  const api = makeApi({
    qrs,
    access: makeAccess({ keys, rate, clock }),
    clock,
    baseUrl: `${config.publicUrl}/api/v1`,
    rateLimit: config.rateLimit,
  });
  const { panel, firstLink } = composePanel(config, {
    ...{ store, scanLog, qrStore, designs, keys, rate, renderer, qrs },
    safety: composeSafetyDesk(config, { store, flagStore, safety, clock, shortBases }),
    ...{ clientAddress, clock, randomBytes },
  });
  const site = makeSite({
    api,
    panel: panel.fetch,
    links: makeLinks({
      links: linkStore,
      scans: scanLog,
      clock,
      warnOfFlagged: config.safetyWarning,
    }),
    health: () => {
      const { problem, waiting } = scanLog.status();
      const foldProblem = scanLog.foldProblem();
      return {
        problems: [
          ...(problem === null ? [] : [`${waiting} scans wait to be written: ${problem}`]),
          ...(foldProblem === null ? [] : [`the database is damaged: ${foldProblem}`]),
        ],
        warnings: safetyWarnings(safety),
      };
    },
    metrics: makeMetrics({
      version,
      startMs: performance.timeOrigin,
      read: () => ({
        scans: scanLog.status(),
        safety: safety.status().checks,
        rendering: renderer.load(),
        ...sizeOf(config.data),
      }),
    }),
    publicUrl: config.publicUrl,
    basePaths: pathsOf([config.publicUrl, ...shortBases]),
    log,
    newRequestId: () => randomBytes(8).toHex(),
  });

  const stopPatrol = startPatrol(flagStore, safety, clock, log);

  return {
    site,
    /** The one-time link that makes the first account, or null when there is an account. */
    firstLink,
    /** Writes what is left and lets go of the data folder. Ask no more of the site first. */
    close: async () => {
      await renderer.close();
      stopPatrol();
      safety.close();
      const lost = scanLog.close();
      if (lost > 0) log.error('scans could not be written and are lost', { scans: lost });
      keys.close();
      closeStore(store);
      unlock();
    },
  };
}

/** @throws StartRefused when an entry is neither an address nor a network */
function trustedAddress(trusted: readonly string[]): ClientAddress {
  try {
    return makeClientAddress(trusted);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new StartRefused(
      `WAYMARK_TRUST_PROXY names ${JSON.stringify(error.message)}, but must name addresses or ` +
        'networks such as 10.0.0.1 or 10.0.0.0/8, separated by commas.',
    );
  }
}

/** Printed codes would lead nowhere, and nobody would notice before the boxes are out. */
function refuseForgottenBases(used: readonly string[], answered: readonly string[]): void {
  const known = answered.map((base) => base.toLowerCase());
  const forgotten = used.filter((base) => !known.includes(base.toLowerCase()));
  if (forgotten.length === 0) return;
  throw new StartRefused(
    `Codes were printed with short links at ${forgotten.join(', ')}, but WAYMARK_SHORT_URL is ` +
      `${answered[0]}. If the old address still leads to this server, name it in ` +
      'WAYMARK_SHORT_URL_ALIASES; otherwise set WAYMARK_SHORT_URL back.',
  );
}

function pathsOf(bases: readonly string[]): string[] {
  const paths = bases.map((base) => new URL(base).pathname.replace(/\/$/, ''));
  return [...new Set(paths)].filter((path) => path !== '');
}
