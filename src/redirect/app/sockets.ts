import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../config.ts';

/** The sockets of the processes of an app, one after the other. */
export interface AppSockets {
  /**
   * Returns a path for the socket of the next process, which none before had: no pooled connection leads to one that
   * has ended. Makes the folder again when it was removed. To be called once the data folder is locked: the first call
   * removes what a server has left there that was killed.
   *
   * @throws Error when no socket can be made anywhere
   */
  next(): string;
  /** Removes the folder, if it is only for sockets. */
  remove(): void;
}

/** A folder for sockets. */
interface SocketFolder {
  readonly path: string;
  /** Whether it is only for sockets, and the server's own. */
  readonly isOwn: boolean;
}

type Place = Pick<Config, 'data' | 'databaseUrl'>;

/**
 * Creates the sockets of a server in a folder that no other server uses, or returns null where there are no sockets.
 * That is the data folder on SQLite, which locks it. Copies on PostgreSQL may share theirs, so that each creates
 * another.
 */
export function createAppSockets(place: Place): AppSockets | null {
  if (process.platform === 'win32') return null;
  let folder = findFolder(place) ?? createDataFolder(place);
  if (folder === null) return null;
  let number = 0;
  return {
    next: () => {
      // The data folder is not made again: one that was moved away comes back.
      const current = folder !== null && existsSync(folder.path) ? folder : findFolder(place);
      if (current === null) throw new Error('there is no folder for the socket of the app');
      folder = current;
      if (number === 0) removeSocketsIn(current.path);
      return join(current.path, `app-${++number}.sock`);
    },
    remove: () => {
      if (folder?.isOwn) rmSync(folder.path, { recursive: true, force: true });
    },
  };
}

function removeSocketsIn(folder: string): void {
  for (const name of readdirSync(folder))
    if (/^app-\d+\.sock$/.test(name)) rmSync(join(folder, name), { force: true });
}

/** Finds a folder, without making that of the data. */
function findFolder(place: Place): SocketFolder | null {
  const isLocked = place.databaseUrl === null;
  const inData = () => folderIn(place);
  const inTemporary = () => createFolderIn(tmpdir());
  return isLocked ? (inData() ?? inTemporary()) : (inTemporary() ?? inData());
}

/** Creates the data folder, for a first start where it is the only one that can be written. */
function createDataFolder(place: Place): SocketFolder | null {
  try {
    mkdirSync(place.data, { recursive: true, mode: 0o700 });
  } catch {
    return null;
  }
  return folderIn(place);
}

/** Returns the data folder, or another in it where other servers may use it. */
function folderIn({ data, databaseUrl }: Place): SocketFolder | null {
  if (databaseUrl !== null) return createFolderIn(data);
  return canListenIn(data) ? { path: data, isOwn: false } : null;
}

function createFolderIn(parent: string): SocketFolder | null {
  try {
    const path = mkdtempSync(join(parent, 'waymark-'));
    if (canListenIn(path)) return { path, isOwn: true };
    rmSync(path, { recursive: true, force: true });
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
