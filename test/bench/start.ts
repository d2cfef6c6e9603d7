import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../support/server.ts';
import { median, printTable, residentMb } from './measure.ts';

const root = join(import.meta.dir, '../..');

/**
 * Measures the time from start to first response and the idle memory of the executable, compared with an
 * executable that holds a bare `Bun.serve`.
 */
export async function benchStart(rounds = 9): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'waymark-bench-start-'));
  const waymark = join(folder, 'waymark');
  const hello = join(folder, 'hello');
  await run([process.execPath, 'build.ts', '--outfile', waymark]);
  await run([
    process.execPath,
    'build',
    '--compile',
    '--minify',
    '--bytecode',
    join(import.meta.dir, 'bare.ts'),
    '--outfile',
    hello,
  ]);

  const data = join(folder, 'data');
  // Without an account, a start creates the one-time link to the first one.
  await run([waymark, 'account', 'create', 'bench@example.com', '--data', data]);
  const serve = (port: number) => [waymark, 'serve', '--port', String(port), '--data', data];
  const starts = { hello: [] as Started[], redirects: [] as Started[], api: [] as Started[] };
  for (let round = 0; round < rounds; round++) {
    starts.hello.push(await started((port) => [hello, String(port)], '/'));
    // An unknown code is looked up like any other.
    starts.redirects.push(await started(serve, '/01234567'));
    starts.api.push(await started(serve, '/api/v1/qrs'));
  }
  const base = starts.hello;
  const figure = (all: readonly Started[], of: (one: Started) => number) => median(all.map(of));
  const [ms, mb] = [(one: Started) => one.firstResponseMs, (one: Started) => one.idleMb];
  printTable(
    ['executable, request', 'first response, ms', 'of hello', 'idle, MB', 'of hello'],
    Object.entries({
      hello: base,
      'Waymark, a short link': starts.redirects,
      'Waymark, the API': starts.api,
    }).map(([name, all]) => [
      name,
      figure(all, ms).toFixed(1),
      (figure(all, ms) / figure(base, ms)).toFixed(1),
      figure(all, mb).toFixed(0),
      (figure(all, mb) / figure(base, mb)).toFixed(1),
    ]),
  );
  await rm(folder, { recursive: true });
}

interface Started {
  readonly firstResponseMs: number;
  readonly idleMb: number;
}

/** Starts a program and requests one path until it responds. */
async function started(
  commandOn: (port: number) => readonly string[],
  path: string,
): Promise<Started> {
  const port = freePort();
  const command = commandOn(port);
  const beginMs = performance.now();
  const child = Bun.spawn([...command], { stdout: 'ignore', stderr: 'ignore' });
  try {
    for (;;) {
      try {
        await fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual', keepalive: false });
        break;
      } catch {
        if (performance.now() - beginMs > 20_000) throw new Error(`${command[0]} does not respond`);
        await Bun.sleep(1);
      }
    }
    const firstResponseMs = performance.now() - beginMs;
    await Bun.sleep(500);
    return { firstResponseMs, idleMb: residentMb(child.pid) };
  } finally {
    child.kill('SIGTERM');
    await child.exited;
  }
}

async function run(command: readonly string[]): Promise<void> {
  const child = Bun.spawn([...command], { cwd: root, stdout: 'ignore', stderr: 'inherit' });
  if ((await child.exited) !== 0) throw new Error(`${command.join(' ')} failed`);
}
