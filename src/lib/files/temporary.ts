import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { errnoOf, withFileErrors } from '../errors.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** What a signal that ends this process removes. */
const paths = new Set<string>();

/**
 * Removes a file or folder, and the files of SQLite beside it, when a signal ends this process.
 * A process that listens to the signal itself goes on, and removes nothing.
 *
 * @returns a function that ends that, once nothing is left to remove
 */
export function removeOnSignal(path: string): () => void {
  if (paths.size === 0) for (const name of signals) process.on(name, onSignal);
  paths.add(path);
  return () => {
    paths.delete(path);
    if (paths.size === 0) for (const name of signals) process.off(name, onSignal);
  };
}

function onSignal(name: NodeJS.Signals): void {
  if (process.listenerCount(name) > 1) return;
  for (const path of paths) removeQuietly(path);
  process.off(name, onSignal);
  // Ends as it would have ended, for a shell that asks.
  process.kill(process.pid, name);
}

function removeQuietly(path: string): void {
  for (const suffix of ['', '-journal', '-wal', '-shm'])
    try {
      rmSync(path + suffix, { recursive: true, force: true });
    } catch {
      // The next command tries again.
    }
}

/** A folder that is removed with all that is in it. */
export interface TemporaryFolder {
  readonly path: string;
  remove(): void;
}

/**
 * Creates a temporary folder of this process, and removes those of the same kind that ended ones have left.
 *
 * @param prefix begins its name
 * @throws FileError
 */
export function createTemporaryFolder(parent: string, prefix: string): TemporaryFolder {
  removeAbandoned(parent, (name) => {
    const [, pid, random] = name.slice(prefix.length).match(/^(\d+)-(\w{6})$/) ?? [];
    return name.startsWith(prefix) && random !== undefined ? Number(pid) : null;
  });
  const path = withFileErrors(`${parent} cannot be written`, () =>
    mkdtempSync(join(parent, `${prefix}${process.pid}-`)),
  );
  const release = removeOnSignal(path);
  return {
    path,
    remove: () => {
      rmSync(path, { recursive: true, force: true });
      release();
    },
  };
}

const ending = '.waymark-partial-';

/** Returns the path of this process's temporary file for a target, in the same folder. */
export function temporaryPath(target: string): string {
  return `${target}${ending}${process.pid}`;
}

/**
 * Removes temporary files of targets in the same folder that ended processes have left.
 * Also those of this target by a process that runs, which fails then.
 *
 * @throws FileError
 */
export function removeTemporaryFiles(target: string): void {
  const folder = dirname(target);
  removeAbandoned(folder, (name) => {
    const [, pid] = /\.waymark-partial-(\d+)(?:-\w+)?$/.exec(name) ?? [];
    return pid === undefined ? null : Number(pid);
  });
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    // Versions before 1.2 had the shorter ending.
    const [, written] = /^(.*)\.(?:waymark-)?partial-\d+(?:-\w+)?$/.exec(name) ?? [];
    if (written === basename(target))
      withFileErrors(`${name} cannot be removed`, () =>
        rmSync(join(folder, name), { force: true }),
      );
  }
}

/**
 * Removes what ended processes have left in a folder.
 *
 * @param ownerOf returns the process that has made a file or folder, by its name; null if it is not temporary
 */
function removeAbandoned(folder: string, ownerOf: (name: string) => number | null): void {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    // Writing to it fails as well, and says why.
    return;
  }
  for (const name of names) {
    const pid = ownerOf(name);
    if (pid !== null && !isRunning(pid)) removeQuietly(join(folder, name));
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errnoOf(error) !== 'ESRCH';
  }
}
