import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { absenceConditions, type OffReason, offConditions } from '../../compose/app/app-off.ts';
import type { AppServer, AppStart, StartApp } from '../../compose/app/start-app.ts';
import type { Config } from '../../config.ts';
import type { HealthReport } from '../../core/health.ts';
import { createForwarding } from '../../http/forwarding/forward.ts';
import { healthReportPath } from '../../http/pass-on.ts';
import { internalCommands, programCommand } from '../../lib/build/program-command.ts';
import { withDeadline } from '../../lib/deadline.ts';
import { every, pause } from '../../lib/event-loop.ts';
import type { Logger } from '../../lib/logger.ts';
import { CommandError, UsageError } from '../errors/command-error.ts';
import type { AppMessage, AppOrder } from './app-messages.ts';

const delaysMs = { first: 100, longest: 10_000 } as const;
/** An app that has served for so long starts again after the first delay. */
const steadyMs = 60_000;
/** How long a request waits for an app that starts. */
const waitMs = 10_000;
const pingMs = 5_000;
/** The app is ended when it has not answered for so long. */
const silentMs = 30_000;
const healthMs = 1_000;
/** A stop of the app, after which it is killed. The redirect server has answered all requests before. */
const stopMs = 8_000;

/** One process of the app. */
interface Child {
  readonly process: Bun.Subprocess;
  readonly socket: string;
  readonly startMs: number;
  answeredMs: number;
  isReady: boolean;
  /** Whether the last question is not answered in time. */
  isSilent: boolean;
}

/**
 * Creates the starter of an app in a process of its own.
 * The process is started again when it ends, and ended when it does not answer.
 *
 * @param env the settings, as environment variables
 * @param folder for sockets, see {@link socketFolder}
 */
export function supervisedApp(
  env: Readonly<Record<string, string | undefined>>,
  folder: string,
  log: Logger,
): StartApp {
  return ({ readings, report, absent }) => {
    const started = Promise.withResolvers<AppStart>();
    // Who does not wait for it sees the same in `passOn`.
    started.promise.catch(() => {});
    /** Replaced whenever the app ends. */
    let ready = Promise.withResolvers<Child>();
    let hasServed = false;
    let isStopping = false;
    let isRefused = false;
    let off: OffReason | null = null;
    /** Why the last app ended, until the next one is ready. */
    let lost: string | null = null;
    let delayMs: number = delaysMs.first;
    let number = 0;
    // By now this server has the lock of the folder, so that no other uses these.
    removeSocketsIn(folder);
    let child = start();

    function start(): Child {
      // Another path for each, so that no pooled connection leads to one that has ended.
      const socket = join(folder, `app-${++number}.sock`);
      const process = Bun.spawn([...programCommand(), internalCommands.app, socket], {
        argv0: 'waymark',
        env: {
          ...env,
          // Ends it with this process, however that ends, and its own processes with it.
          BUN_FEATURE_FLAG_NO_ORPHANS: '1',
        },
        stdin: 'ignore',
        stdout: 'ignore',
        stderr: 'inherit',
        ipc: (message: AppMessage) => receive(started, message),
        onExit: (_, exitCode, signal) =>
          onExit(started, signal === null ? `exit code ${exitCode}` : `signal ${signal}`),
      });
      const nowMs = performance.now();
      const started: Child = {
        process,
        socket,
        startMs: nowMs,
        answeredMs: nowMs,
        isReady: false,
        isSilent: false,
      };
      return started;
    }

    function receive(from: Child, message: AppMessage): void {
      if (message.state === 'ready') {
        from.isReady = true;
        from.answeredMs = performance.now();
        if (lost !== null || off !== null) log.info('the app server serves again');
        hasServed = true;
        lost = null;
        off = null;
        order(report());
        ready.resolve(from);
        started.resolve({ firstLink: message.firstLink });
        return;
      }
      // It waits until it has been heard.
      order('stop');
      if (message.state === 'damaged') off = { kind: 'damage', detail: message.detail };
      if (message.state === 'full') off = { kind: 'full' };
      if (off !== null) started.resolve({ firstLink: null });
      if (message.state !== 'refused') return;
      if (hasServed) {
        log.error(message.reason);
        return;
      }
      isRefused = true;
      started.reject(new (message.isWrongValue ? UsageError : CommandError)(message.reason));
    }

    function onExit(ended: Child, cause: string): void {
      rmSync(ended.socket, { force: true });
      if (ended.isReady) ready = Promise.withResolvers();
      if (isStopping || isRefused || off?.kind === 'damage') return;
      if (performance.now() - ended.startMs > steadyMs) delayMs = delaysMs.first;
      if (off === null) {
        log.error('the app server has ended and is started again; short links redirect', {
          cause,
          in_ms: delayMs,
        });
        lost = cause;
      }
      setTimeout(() => {
        if (!isStopping) child = start();
      }, delayMs).unref();
      delayMs = Math.min(delayMs * 2, delaysMs.longest);
    }

    const fetchReport = (of: Child): Promise<HealthReport> =>
      withDeadline(silentMs, async (signal) => {
        // A connection of its own: an open one would hide that the socket is gone.
        const options = { unix: of.socket, keepalive: false, signal };
        const response = await fetch(`http://app${healthReportPath}`, options);
        const report = await response.json();
        of.answeredMs = performance.now();
        // The app has the same version.
        return report as HealthReport;
      });

    /** Returns the app's report, or null if it does not come in time. `isSilent` tells that too. */
    const readReport = async (of: Child, lateMs: number): Promise<HealthReport | null> => {
      const answer = fetchReport(of).catch(() => null);
      // Also once it is late.
      void answer.then((report) => {
        of.isSilent = report === null;
      });
      const first = await Promise.race([answer, pause(lateMs)]);
      if (first === undefined) of.isSilent = true;
      return first ?? null;
    };

    const stopPings = every(pingMs, async () => {
      const asked = child;
      if (!asked.isReady) return;
      await readReport(asked, pingMs);
      order(report());
      if (performance.now() - asked.answeredMs < silentMs || asked.process.killed) return;
      log.error('the app server has not answered for 30 seconds and is ended');
      asked.process.kill('SIGKILL');
    });

    function order(given: AppOrder): void {
      try {
        child.process.send(given);
      } catch {
        // It has ended.
      }
    }

    return {
      started: started.promise,
      passOn: createForwarding({
        readings,
        absent,
        app: {
          socket: async () => {
            if (off !== null && !child.isReady) return 'off';
            if (isStopping) return 'starting';
            const one = await Promise.race([ready.promise, pause(waitMs)]);
            return one === undefined ? 'starting' : { path: one.socket };
          },
        },
      }),
      readHealth: async () => {
        if (off !== null || !child.isReady) return noReport;
        return (await readReport(child, healthMs)) ?? noReport;
      },
      conditions: [
        ...offConditions(() => off),
        ...absenceConditions(() => {
          if (off !== null) return null;
          if (lost !== null) return { kind: 'ended', cause: lost };
          if (!child.isReady) return { kind: 'starting' };
          return child.isSilent ? { kind: 'silent' } : null;
        }),
      ],
      stopRendering: () => order('stop rendering'),
      close: async () => {
        isStopping = true;
        stopPings();
        order('stop');
        const timer = setTimeout(() => child.process.kill('SIGKILL'), stopMs);
        await child.process.exited;
        clearTimeout(timer);
        rmSync(child.socket, { force: true });
      },
    } satisfies AppServer;
  };
}

/** Removes the sockets of a server that was killed. */
function removeSocketsIn(folder: string): void {
  for (const name of readdirSync(folder))
    if (/^app-\d+\.sock$/.test(name)) rmSync(join(folder, name), { force: true });
}

const noReport: HealthReport = { problems: [], warnings: [], conditions: [] };

/** A folder for sockets. */
interface SocketFolder {
  readonly path: string;
  remove(): void;
}

/**
 * Returns a folder for sockets that no other server uses, or null where there are no sockets.
 * That is the data folder on SQLite, which locks it. Copies on PostgreSQL may share theirs, so that each creates
 * another.
 */
export function socketFolder({
  data,
  databaseUrl,
}: Pick<Config, 'data' | 'databaseUrl'>): SocketFolder | null {
  if (process.platform === 'win32') return null;
  const isLocked = databaseUrl === null;
  const first = (isLocked ? lockedFolder(data) : null) ?? createFolderIn(tmpdir());
  if (first !== null) return first;
  try {
    // The first start, where the folder of the data is the only one that can be written.
    mkdirSync(data, { recursive: true, mode: 0o700 });
  } catch {
    return null;
  }
  return isLocked ? lockedFolder(data) : createFolderIn(data);
}

function lockedFolder(path: string): SocketFolder | null {
  return canListenIn(path) ? { path, remove: () => {} } : null;
}

function createFolderIn(parent: string): SocketFolder | null {
  try {
    const path = mkdtempSync(join(parent, 'waymark-'));
    const remove = () => rmSync(path, { recursive: true, force: true });
    if (canListenIn(path)) return { path, remove };
    remove();
  } catch {
    // It cannot be written.
  }
  return null;
}

function canListenIn(folder: string): boolean {
  const unix = join(folder, 'app.sock');
  try {
    rmSync(unix, { force: true });
    Bun.listen({ unix, socket: { data: () => {} } }).stop(true);
    rmSync(unix, { force: true });
    return true;
  } catch {
    return false;
  }
}
