import { Database } from 'bun:sqlite';
import { join } from 'node:path';
import { addManyQrs } from '../sqlite/many-qrs.ts';
import { freePort, type Server, startServer } from '../support/server.ts';
import { getRequest } from './load.ts';
import { settled, type Target } from './measure.ts';

/**
 * A bare `Bun.serve` in a process of its own.
 *
 * @param file what it answers with; by default with a redirect
 * @param mixed answer with the file under `/api/` alone, and with a redirect elsewhere
 */
export async function startBare(file?: string, mixed = false): Promise<Target & { close(): void }> {
  const port = freePort();
  const args = [String(port), ...(file === undefined ? [] : [file]), ...(mixed ? ['mixed'] : [])];
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'bare.ts'), ...args], {
    stdout: 'pipe',
  });
  // It prints one line when it listens.
  await child.stdout.getReader().read();
  process.on('exit', () => child.kill('SIGKILL'));
  return {
    name: 'bare Bun.serve',
    port,
    pid: child.pid,
    requests: [getRequest('/')],
    close: () => child.kill('SIGKILL'),
  };
}

/** Waymark with one account and so many codes, which were put into its database and never drawn. */
export async function startFilled(count: number, env: Record<string, string> = {}) {
  const server = await startServer(env);
  const { key } = await server.account('bench@example.com');
  await server.stop();
  const database = new Database(join(server.dataFolder, 'waymark.db'), { strict: true });
  addManyQrs(database, { accountId: 1, designId: 1 }, count);
  database.close();
  await server.start();
  await settled(server.pid());
  return { server, key };
}

/** What a redirect of one of the codes of {@link startFilled} is asked for. */
export function redirectTo(number: number): string {
  return getRequest(`/${codeOf(number)}`);
}

/** The code of a number in `addManyQrs`. */
export function codeOf(number: number): string {
  return ((BigInt(number) * 2_654_435_761n) % 4_294_967_296n).toString(16).padStart(8, '0');
}

export function targetOf(name: string, server: Server, requests: readonly string[]): Target {
  return { name, port: Number(new URL(server.origin).port), pid: server.pid(), requests };
}
