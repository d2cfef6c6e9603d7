import { mkdirSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Config, options } from '../config.ts';
import {
  backupTimeMs,
  createBackupSchedule,
  noBackupsCondition,
} from '../core/backups/schedule.ts';
import type { Health } from '../core/health.ts';
import type { ServerStorage } from '../core/storage.ts';
import { programCommand } from '../lib/build/program-command.ts';
import { errnoMessage, errnoOf } from '../lib/errors.ts';
import { every } from '../lib/event-loop.ts';
import type { Logger } from '../lib/logger.ts';
import { realClock } from './runtime.ts';

const intervalMs = 5_000;

/**
 * Starts the daily backup, if the settings name a folder for it.
 *
 * @param deps.exclusively runs a task if no other copy does
 * @returns a function that stops it
 */
export function startBackups(
  config: Config,
  deps: {
    health: Pick<Health, 'add'>;
    log: Logger;
    exclusively: ServerStorage['exclusively'];
  },
): () => void {
  const { health, log, exclusively } = deps;
  if (config.backupDir === null) health.add(noBackupsCondition);
  if (config.backupDir === null || config.backupDir === 'off') return () => {};
  const folder = resolve(config.backupDir);
  let child: Bun.Subprocess | null = null;
  const schedule = createBackupSchedule({
    folder,
    backupTimes: () => backupTimesIn(folder),
    backUp: () =>
      exclusively('backup', async () => {
        createFolder(folder);
        const started = Bun.spawn(
          [...programCommand(), 'backup', '--json', '--keep', String(config.backupKeep), folder],
          {
            env: commandEnvironment(config),
            stdin: 'ignore',
            stdout: 'pipe',
            stderr: 'pipe',
          },
        );
        child = started;
        const [output, problem, exitCode] = await Promise.all([
          new Response(started.stdout).text(),
          new Response(started.stderr).text(),
          started.exited,
        ]);
        child = null;
        if (exitCode !== 0)
          throw new Error(problem.trim().replace(/^waymark: /, '') || `exit code ${exitCode}`);
        const { file, bytes, codes, removed } = JSON.parse(output);
        log.info('backup written and checked', { file, bytes, codes, removed: removed.length });
      }),
    clock: realClock,
    hourOf: (atMs) => new Date(atMs).getHours(),
  });
  health.add(schedule.condition);
  const stop = every(intervalMs, schedule.run);
  return () => {
    stop();
    child?.kill();
  };
}

/** Returns the times of the dated backups in a folder; none if it cannot be read. */
function backupTimesIn(folder: string): number[] {
  try {
    return readdirSync(folder)
      .map(backupTimeMs)
      .filter((time) => time !== null);
  } catch {
    // The backup itself fails, and says why.
    return [];
  }
}

/** Creates the folder, but not the one that it is in: a disk may not be mounted. */
function createFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return;
    throw new Error(`the folder cannot be created: ${errnoMessage(error)}`);
  }
}

/**
 * Returns the environment of a command on the same database.
 * It runs in a process of its own, because copying and checking a large database would hold up redirects.
 */
function commandEnvironment({ data, databaseUrl }: Config): Record<string, string | undefined> {
  const others = Object.entries(Bun.env).filter(([name]) => !/^WAYMARK/i.test(name));
  return {
    ...Object.fromEntries(others),
    [options.data.name]: resolve(data),
    ...(databaseUrl !== null && { [options.databaseUrl.name]: databaseUrl }),
  };
}
