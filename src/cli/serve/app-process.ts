import { readFileSync, writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { composeAppServer } from '../../compose/app/app-server.ts';
import type { StartRenderWorker } from '../../compose/runtime.ts';
import { readConfig, SecretFileError } from '../../config.ts';
import {
  DatabaseCorrupt,
  DatabaseUnreachable,
  DiskFull,
  StoreUnavailable,
} from '../../core/errors.ts';
import type { HealthReport } from '../../core/health.ts';
import { watchHealth } from '../../core/health.ts';
import { FileError } from '../../lib/errors.ts';
import { createStderrLog, withDetails } from '../../lib/logger.ts';
import type { AppMessage, AppOrder } from '../../redirect/app/messages.ts';
import { exitCodes } from '../errors/command-error.ts';
import { describeError } from '../errors/report.ts';

/**
 * The redirect server keeps connections open, and ends them.
 * Bun's types lack the option for Unix sockets.
 */
const withoutIdleTimeout: object = { idleTimeout: 0 };

/** By how much the app is nicer than the redirect server, which comes first where processors are few. */
const nicer = 5;
const greatestNiceness = 19;

/**
 * Runs the app server, which the redirect server starts and tells to stop.
 * Signals of a terminal or of a service manager reach both processes; only the redirect server acts on them.
 *
 * @param socket path of the Unix socket to listen on
 * @param isDatabaseRequired whether the redirect server has served the database, so that none may be created
 */
export async function runAppServer(
  socket: string,
  isDatabaseRequired: boolean,
  startRenderWorker: StartRenderWorker,
): Promise<void> {
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const)
    process.on(name, () => {});
  setPriority(Math.min(getPriority() + nicer, greatestNiceness));
  volunteerForOutOfMemory();
  const stopped = Promise.withResolvers<void>();
  process.on('disconnect', () => stopped.resolve());
  let redirectReport: HealthReport = { problems: [], warnings: [], conditions: [] };
  process.on('message', (order: AppOrder) => {
    if (order === 'stop') stopped.resolve();
    else if (typeof order === 'object') redirectReport = order;
  });
  let endHealth = () => {};
  try {
    const config = readConfig(Bun.env);
    const log = withDetails(createStderrLog(config), { process: 'app' });
    const health = watchHealth(log);
    endHealth = health.close;
    const app = await composeAppServer(config, {
      startRenderWorker,
      health,
      isDatabaseRequired,
      redirectReport: () => redirectReport,
      log,
    });
    const listener = Bun.serve({
      unix: socket,
      fetch: app.handle,
      // Bun would answer a crash with source code.
      development: false,
      // The API and the panel limit bodies themselves, with a message.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      ...withoutIdleTimeout,
    });
    process.on('message', (order: AppOrder) => {
      if (order === 'stop rendering') void app.stopRendering();
    });
    tell({ state: 'ready', firstLink: app.firstLink });
    await stopped.promise;
    endHealth();
    void listener.stop(true);
    await app.close();
  } catch (error) {
    endHealth();
    tell(failureOf(error));
    // A message is lost if its process ends before it is read.
    await stopped.promise;
  }
  process.exit();
}

const outOfMemoryScore = { path: '/proc/self/oom_score_adj', more: 500, greatest: 1000 } as const;

/** Has Linux end this process, or one of its own, rather than the redirect server when memory runs out. */
function volunteerForOutOfMemory(): void {
  const { path, more, greatest } = outOfMemoryScore;
  try {
    const own = Number(readFileSync(path, 'latin1'));
    writeFileSync(path, String(Math.min(own + more, greatest)));
  } catch {
    // Another system, or one that forbids it.
  }
}

/** Returns what to tell of a failed start. @throws an error that is none of settings or database */
function failureOf(error: unknown): AppMessage {
  if (error instanceof DatabaseCorrupt) return { state: 'damaged', detail: error.reason };
  if (error instanceof DiskFull) return { state: 'full' };
  const { reason, exitCode } = describeError(error);
  if (reason === null) throw error;
  if (mayPass(error)) return { state: 'failed', reason };
  return { state: 'refused', reason, isWrongValue: exitCode === exitCodes.misused };
}

/** Returns whether a start may succeed later with the same settings and the same database. */
function mayPass(error: unknown): boolean {
  return (
    error instanceof DatabaseUnreachable ||
    error instanceof StoreUnavailable ||
    error instanceof FileError ||
    error instanceof SecretFileError ||
    (error instanceof Error && 'syscall' in error)
  );
}

function tell(message: AppMessage): void {
  process.send?.(message);
}
