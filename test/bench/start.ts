import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../support/server.ts';
import { getRequest } from './load.ts';
import { measure, residentMb } from './measure.ts';
import { codeOf, redirectTo, startFilled, targetOf } from './servers.ts';
import { median, printTable } from './table.ts';

const root = join(import.meta.dir, '../..');

/** The executable from start to first answer and its memory, beside an executable that only says hello. */
export async function benchStart(rounds = 9, requests = 1_000_000): Promise<void> {
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
  const starts = { hello: [] as Started[], waymark: [] as Started[] };
  for (let round = 0; round < rounds; round++) {
    starts.hello.push(await started([hello], (port) => [String(port)]));
    starts.waymark.push(
      await started([waymark, 'serve'], (port) => ['--port', String(port), '--data', data]),
    );
  }
  const [base, ours] = [starts.hello, starts.waymark];
  const figure = (all: readonly Started[], of: (one: Started) => number) => median(all.map(of));
  const [ms, mb] = [(one: Started) => one.firstAnswerMs, (one: Started) => one.idleMb];
  printTable(
    ['executable', 'first answer, ms', 'of hello', 'idle, MB', 'of hello'],
    Object.entries({ hello: base, waymark: ours }).map(([name, all]) => [
      name,
      figure(all, ms).toFixed(0),
      (figure(all, ms) / figure(base, ms)).toFixed(1),
      figure(all, mb).toFixed(0),
      (figure(all, mb) / figure(base, mb)).toFixed(1),
    ]),
  );
  process.env['WAYMARK_BIN'] = waymark;
  await benchMemory(requests);
  await rm(folder, { recursive: true });
}

interface Started {
  readonly firstAnswerMs: number;
  readonly idleMb: number;
}

async function started(
  command: readonly string[],
  argsOf: (port: number) => readonly string[],
): Promise<Started> {
  const port = freePort();
  const beginMs = performance.now();
  const child = Bun.spawn([...command, ...argsOf(port)], { stdout: 'ignore', stderr: 'ignore' });
  try {
    for (;;) {
      try {
        await fetch(`http://127.0.0.1:${port}/healthz`, { redirect: 'manual', keepalive: false });
        break;
      } catch {
        if (performance.now() - beginMs > 20_000) throw new Error(`${command[0]} does not answer`);
        await Bun.sleep(1);
      }
    }
    const firstAnswerMs = performance.now() - beginMs;
    await Bun.sleep(500);
    return { firstAnswerMs, idleMb: residentMb(child.pid) };
  } finally {
    child.kill('SIGTERM');
    await child.exited;
  }
}

/** Memory after mixed requests, after many more, and after heavy image load. */
async function benchMemory(requests: number): Promise<void> {
  const { server, key } = await startFilled(100_000);
  const bearer = `Authorization: Bearer ${key}\r\n`;
  const mixed = Array.from({ length: 5000 }, (_, number) => [
    ...Array.from({ length: 7 }, (_, more) => redirectTo(number * 7 + more)),
    getRequest(`/api/v1/qrs/${codeOf(number)}`, bearer),
    getRequest('/api/v1/qrs?limit=5', bearer),
    getRequest('/account', ''),
  ]).flat();
  const rows: string[][] = [['idle', residentMb(server.pid()).toFixed(0)]];
  const after = (name: string) => rows.push([name, residentMb(server.pid()).toFixed(0)]);
  const load = targetOf('mixed', server, mixed);
  let answered = 0;
  for (const goal of [requests / 10, requests]) {
    while (answered < goal) answered += (await measure(load, { seconds: 2 })).answers;
    await Bun.sleep(2000);
    after(`after ${goal.toLocaleString('en')} mixed requests`);
  }
  const images = Array.from({ length: 500 }, (_, number) =>
    getRequest(`/api/v1/qrs/${codeOf(number)}.png?size=4096`, bearer),
  );
  await measure(targetOf('images', server, images), { connections: 4, seconds: 15 });
  after('right after 15 s of PNGs at 4096 px');
  await Bun.sleep(60_000);
  after('a minute later');
  printTable(['resident memory', 'MB'], rows);
  await server.close();
}

async function run(command: readonly string[]): Promise<void> {
  const child = Bun.spawn([...command], { cwd: root, stdout: 'ignore', stderr: 'inherit' });
  if ((await child.exited) !== 0) throw new Error(`${command.join(' ')} failed`);
}
