import { rmSync } from 'node:fs';
import { ConfigError } from '../../config.ts';
import { CannotServe } from '../../core/errors.ts';
import type { HealthReport } from '../../core/health.ts';
import {
  appServerEnv,
  databaseRequired,
  internalCommands,
  programCommand,
} from '../../lib/build/program-command.ts';
import { withDeadline } from '../../lib/deadline.ts';
import { errnoMessage } from '../../lib/errors.ts';
import { every, pause } from '../../lib/event-loop.ts';
import type { Logger } from '../../lib/logger.ts';
import { createForwarding } from '../forwarding/forward.ts';
import { healthReportPath } from '../pass-on.ts';
import { absenceConditions, type OffReason, offConditions } from './app-off.ts';
import type { AppMessage, AppOrder } from './messages.ts';
import type { AppSockets } from './sockets.ts';
import type { AppServer, AppStart, StartApp } from './start-app.ts';

const delaysMs = { first: 100, longest: 10_000 } as const;
/** An app that has served for so long starts again after the first delay. */
const steadyMs = 60_000;
/** How long a request waits for an app that starts. */
const waitMs = 10_000;
/** How often the app is asked, and after which silence it is ended. */
const standardTimes = { pingMs: 5_000, silentMs: 30_000 } as const;
const healthMs = 1_000;
/** How long a killed process may take to end: one that waits for a disk does not end at all. */
const killedMs = 1_000;

/** A process of the app. Every function may throw. */
export interface AppProcess {
  readonly socket: string;
  send(order: AppOrder): void;
  kill(): void;
  removeSocket(): void;
}

interface AppEvents {
  onMessage(message: AppMessage): void;
  /** @param cause `exit code 1` or `signal SIGKILL` */
  onExit(cause: string): void;
}

/** Starts a process of the app. @param isAgain whether the database must be there. Throws where none starts */
export type StartProcess = (events: AppEvents, isAgain: boolean) => AppProcess;

/** Returns how to start a process of the app. @param env the settings, as environment variables */
export function appProcesses(
  env: Readonly<Record<string, string | undefined>>,
  sockets: AppSockets,
): StartProcess {
  return (events, isAgain) => {
    const socket = sockets.next();
    const command = [...programCommand(), internalCommands.app, socket];
    const child = Bun.spawn(isAgain ? [...command, databaseRequired] : command, {
      argv0: 'waymark',
      env: {
        ...appServerEnv(env),
        // Ends it with this process, however that ends, and its own processes with it.
        BUN_FEATURE_FLAG_NO_ORPHANS: '1',
      },
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'inherit',
      ipc: (message: AppMessage) => events.onMessage(message),
      onExit: (_, exitCode, signal) =>
        events.onExit(signal === null ? `exit code ${exitCode}` : `signal ${signal}`),
    });
    return {
      socket,
      send: (order) => child.send(order),
      kill: () => child.kill('SIGKILL'),
      removeSocket: () => rmSync(socket, { force: true }),
    };
  };
}

/** One process of the app, and what is known of it. */
interface Child {
  readonly startMs: number;
  /** Null until it is known to have been started. */
  process: AppProcess | null;
  answeredMs: number;
  isReady: boolean;
  isKilled: boolean;
  /** Whether the last question is not answered in time. */
  isSilent: boolean;
  /** Why it cannot start, as it says itself. */
  reason: string | null;
  /** Resolves with how it has ended. */
  readonly ended: PromiseWithResolvers<string>;
}

/**
 * Creates the starter of an app in a process of its own.
 * The process is started again when it ends, and ended when it does not answer. Each step of that may fail, and is tried
 * again: what fails counts as a process that has ended.
 */
export function supervisedApp(
  startProcess: StartProcess,
  log: Logger,
  { pingMs, silentMs }: { readonly pingMs: number; readonly silentMs: number } = standardTimes,
): StartApp {
  return ({ readings, report, absent, hasDatabase }) => {
    const started = Promise.withResolvers<AppStart>();
    // Who does not wait for it sees the same in `passOn`.
    started.promise.catch(() => {});
    /** Replaced whenever the app ends. */
    let ready = Promise.withResolvers<Child>();
    let hasServed = false;
    let isStopping = false;
    let isRefused = false;
    let off: OffReason | null = null;
    /** Why the last app ended or could not start, until the next one is ready. */
    let lost: { readonly kind: 'ended' | 'failed'; readonly cause: string } | null = null;
    let delayMs: number = delaysMs.first;
    let child = start();

    function start(): Child {
      const nowMs = performance.now();
      const started: Child = {
        startMs: nowMs,
        process: null,
        answeredMs: nowMs,
        isReady: false,
        isKilled: false,
        isSilent: false,
        reason: null,
        ended: Promise.withResolvers(),
      };
      const events: AppEvents = {
        onMessage: (message) => attempt(() => receive(started, message)),
        onExit: (cause) => onEnd(started, cause),
      };
      try {
        started.process = startProcess(events, hasDatabase || hasServed);
      } catch (error) {
        started.reason = errnoMessage(error);
        // Not before the caller has the child.
        queueMicrotask(() => onEnd(started, 'not started'));
      }
      return started;
    }

    function receive(from: Child, message: AppMessage): void {
      if (message.state === 'ready') {
        onReady(from, message.firstLink);
        return;
      }
      // It waits until it has been heard.
      order(from, 'stop');
      const wasOff = off !== null;
      off = offReason(message);
      if (message.state === 'damaged' || message.state === 'full') {
        started.resolve({ firstLink: null });
        return;
      }
      from.reason = message.reason;
      // Without a database nothing redirects, so that the reason is for who starts the server.
      const isFinal = message.state === 'refused' || !hasDatabase;
      if (!isFinal || hasServed || wasOff) return;
      isRefused = true;
      const isWrongValue = message.state === 'refused' && message.isWrongValue;
      started.reject(new (isWrongValue ? ConfigError : CannotServe)(message.reason));
    }

    function onReady(from: Child, firstLink: string | null): void {
      const isBack = lost !== null || off !== null;
      from.isReady = true;
      from.answeredMs = performance.now();
      hasServed = true;
      lost = null;
      off = null;
      ready.resolve(from);
      started.resolve({ firstLink });
      if (isBack) attempt(() => log.info('the app server serves again'));
      order(from, report);
    }

    function onEnd(ended: Child, cause: string): void {
      ended.ended.resolve(cause);
      attempt(() => ended.process?.removeSocket());
      if (ended.isReady) ready = Promise.withResolvers();
      ended.isReady = false;
      if (isStopping || isRefused || off?.kind === 'damage') return;
      if (performance.now() - ended.startMs > steadyMs) delayMs = delaysMs.first;
      const inMs = delayMs;
      delayMs = Math.min(delayMs * 2, delaysMs.longest);
      setTimeout(() => {
        if (!isStopping) child = start();
      }, inMs).unref();
      if (off !== null) return;
      const { reason } = ended;
      lost = reason === null ? { kind: 'ended', cause } : { kind: 'failed', cause: reason };
      attempt(() =>
        log.error(
          reason === null
            ? 'the app server has ended and is started again; short links redirect'
            : 'the app server cannot start, and is started again; short links redirect',
          { cause: reason ?? cause, in_ms: inMs },
        ),
      );
    }

    const fetchReport = (of: Child): Promise<HealthReport> =>
      withDeadline(silentMs, async (signal) => {
        // A connection of its own: an open one would hide that the socket is gone.
        const options = { unix: of.process?.socket ?? '', keepalive: false, signal };
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
      order(asked, report);
      if (performance.now() - asked.answeredMs < silentMs) return;
      if (!asked.isKilled)
        attempt(() => log.error('the app server has not answered for 30 seconds and is ended'));
      kill(asked);
    });

    /** Tells the app something, unless it has ended. */
    function order(to: Child, given: AppOrder | (() => AppOrder)): void {
      attempt(() => to.process?.send(typeof given === 'function' ? given() : given));
    }

    function kill(one: Child): void {
      one.isKilled = attempt(() => one.process?.kill());
    }

    return {
      started: started.promise,
      passOn: createForwarding({
        readings,
        absent,
        app: {
          socket: async (maxMs = waitMs) => {
            if (off !== null && !child.isReady) return 'off';
            if (isStopping) return 'starting';
            const one = await Promise.race([ready.promise, pause(maxMs)]);
            const path = one?.process?.socket;
            return path === undefined ? 'starting' : { path };
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
          if (lost !== null) return lost;
          if (!child.isReady) return { kind: 'starting' };
          return child.isSilent ? { kind: 'silent' } : null;
        }),
      ],
      stopRendering: () => order(child, 'stop rendering'),
      close: async (maxMs) => {
        isStopping = true;
        stopPings();
        const { process, ended } = child;
        if (process === null) return false;
        order(child, 'stop');
        const timer = setTimeout(kill, maxMs, child);
        const cause = await Promise.race([ended.promise, pause(maxMs + killedMs)]);
        clearTimeout(timer);
        return hasServed && cause === 'exit code 0';
      },
    } satisfies AppServer;
  };
}

/** Runs a step that may fail, and returns whether it did not. What follows does not depend on it. */
function attempt(step: () => void): boolean {
  try {
    step();
    return true;
  } catch {
    return false;
  }
}

function offReason(message: AppMessage): OffReason | null {
  if (message.state === 'damaged') return { kind: 'damage', detail: message.detail };
  return message.state === 'full' ? { kind: 'full' } : null;
}

const noReport: HealthReport = { problems: [], warnings: [], conditions: [] };
