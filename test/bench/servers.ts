import { Database } from 'bun:sqlite';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { addManyQrs } from '../stores/many-qrs.ts';
import { runProgram } from '../support/program.ts';
import { freePort, type Server, startServer } from '../support/server.ts';
import { until } from '../support/until.ts';
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

const email = 'bench@example.com';
// A little longer than the server's first look at its destinations takes to come.
const firstLookMs = 30_000;

/** Waymark with one account and so many codes, which were put into its database and never drawn. */
export async function startFilled(count: number, env: Record<string, string> = {}) {
  const server = await startServer(env);
  const { key } = await server.account(email);
  await fill(server, server.dataFolder, count);
  await settled(server.pid());
  return { server, key };
}

/**
 * The same on a data folder that is kept, because filling it takes minutes; filled where it is not there.
 * Its codes are printed with an address of their own, for the port is another one each time.
 */
export async function startKept(dataFolder: string, count: number) {
  const env = { WAYMARK_DATA: dataFolder, WAYMARK_SHORT_URL: 'https://qr.example.com' };
  const isFilled = existsSync(dataFolder);
  // None of its codes was ever drawn, so a program that draws otherwise would not start.
  if (isFilled) await runProgram(['verify', '--accept'], { cwd: dataFolder, env });
  const server = await startServer(env);
  if (!isFilled) {
    await server.account(email);
    await fill(server, dataFolder, count);
  }
  const key = await server.generateKey(email);
  await settled(server.pid());
  return { server, key };
}

async function fill(server: Server, dataFolder: string, count: number): Promise<void> {
  const database = new Database(join(dataFolder, 'waymark.db'), { strict: true });
  // What is filled in afterwards counts as looked at, as it would be a day later.
  await until(() => database.query('SELECT 1 FROM looks').get() !== null, firstLookMs);
  await server.stop();
  // The indexes, whose places are asked for in no order, are kept in memory: minutes instead of an hour.
  database.run(`PRAGMA cache_size = -${2 * 1024 * 1024}`);
  addManyQrs(database, { accountId: 1, designId: 1 }, count);
  database.close();
  await server.start();
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
