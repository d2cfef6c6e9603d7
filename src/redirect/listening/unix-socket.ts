import { lstatSync, rmSync } from 'node:fs';
import { options } from '../../config.ts';
import { CannotServe } from '../../core/errors.ts';
import { errnoOf, withFileErrors } from '../../lib/errors.ts';

/**
 * Removes the socket that a server has left which was killed.
 *
 * @throws CannotServe when a server listens on it, or the file is no socket
 */
export async function removeAbandonedSocket(path: string): Promise<void> {
  const stats = withFileErrors(`${path} cannot be used`, () =>
    lstatSync(path, { throwIfNoEntry: false }),
  );
  if (stats === undefined) return;
  const change = `Change ${options.host.name}.`;
  if (!stats.isSocket())
    throw new CannotServe(
      `${path} is a ${stats.isDirectory() ? 'folder' : 'file'}, not a socket. ${change}`,
    );
  if (await isAnswered(path))
    throw new CannotServe(`Cannot listen on ${path}: another program uses it. ${change}`);
  withFileErrors(`${path} cannot be removed`, () => rmSync(path, { force: true }));
}

async function isAnswered(path: string): Promise<boolean> {
  try {
    const connection = await Bun.connect({ unix: path, socket: { data: () => {} } });
    connection.end();
    return true;
  } catch (error) {
    // Without permission, nobody knows.
    return errnoOf(error) === 'EACCES';
  }
}

// Its owner and group may connect: the proxy is in the group.
const otherwiseForbidden = 0o117;

/** Creates a socket with mode 0660. */
export function asPrivateSocket<T>(create: () => T): T {
  const before = process.umask(otherwiseForbidden);
  try {
    return create();
  } finally {
    process.umask(before);
  }
}
