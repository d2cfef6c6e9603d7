import { describe, expect, test } from 'bun:test';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { DatabaseUnusable } from '../../src/core/errors.ts';
import { lock } from '../../src/redirect/sqlite/lock.ts';
import { createApi } from '../support/api.ts';
import { freePort } from '../support/free-port.ts';
import { appOf, argumentsOf, childrenOf, isRunning } from '../support/processes.ts';
import { runProgram } from '../support/program.ts';
import { sampleOf } from '../support/sample.ts';
import { until } from '../support/until.ts';
import { visit } from '../support/visit.ts';
import { createLaunches, type Launched } from './launch.ts';
import { seed } from './seeded.ts';
import { canTrace, tracing } from './strace.ts';

/** What holds while the app server, or the redirect server, is stopped, killed or away. */

const { newPath, launch, serve } = createLaunches();
const seeded = await seed(newPath(), 1);
const code = seeded.codes[0]?.code ?? '';

const start = () => serve(seeded.copyTo(newPath()));
const scansOf = async ({ origin }: Launched) =>
  (await createApi(origin, seeded.key).read(code)).scans;

/** Follows the link some times, one after the other. */
async function redirect({ origin }: Launched, times = 20): Promise<void> {
  for (let turn = 0; turn < times; turn++)
    expect((await visit(`${origin}/${code}`)).status).toBe(302);
}

const health = async ({ origin }: Launched) => {
  const response = await fetch(`${origin}/healthz`);
  const { problems } = await response.json();
  return { code: response.status, problems };
};

/** Returns the names of the conditions that hold and are problems, according to the metrics. */
async function problemsInMetrics({ origin }: Launched): Promise<string[]> {
  const { status, body } = await visit(`${origin}/metrics`);
  expect([status, body]).toEqual([200, expect.stringContaining('waymark_health{')]);
  const holding = /^waymark_health\{condition="([a-z_]+)",severity="problem"\} 1$/gm;
  return [...body.matchAll(holding)].map(([, name = '']) => name);
}

/** Waits until the health check reports a single problem, and the metrics a single condition. */
async function expectProblem(server: Launched, name: string, text: string): Promise<void> {
  await until(async () => {
    const { problems } = await health(server);
    return problems.length === 1 && problems[0].includes(text);
  });
  expect(await problemsInMetrics(server)).toEqual([name]);
  await redirect(server, 3);
}

/** Kills the app until its folder is locked before the next app has locked it. */
async function lockBeforeTheNextApp(server: Launched, folder: string): Promise<() => void> {
  let unlock: (() => void) | null = null;
  await until(() => {
    try {
      process.kill(appOf(server.pid), 'SIGKILL');
    } catch {
      // Between two apps there is none.
    }
    try {
      unlock = lock(folder, 'app');
    } catch (error) {
      if (!(error instanceof DatabaseUnusable)) throw error;
    }
    return unlock !== null;
  });
  return unlock ?? (() => {});
}

test.skipIf(process.platform !== 'linux')(
  'each state of the app server is a problem in the health check, and a condition in the metrics',
  async () => {
    const folder = seeded.copyTo(newPath());
    // The app waits for it for ten seconds.
    const unlock = lock(folder, 'app');
    const server = launch(folder);
    await until(async () => (await health(server).catch(() => null)) !== null);
    await expectProblem(server, 'app_starting', 'is starting');
    unlock();
    await until(async () => (await health(server)).code === 200);
    expect(await problemsInMetrics(server)).toEqual([]);
    process.kill(appOf(server.pid), 'SIGSTOP');
    await expectProblem(server, 'app_not_answering', 'does not answer');
    const relock = await lockBeforeTheNextApp(server, folder);
    await expectProblem(server, 'app_not_running', 'has ended');
    relock();
    await until(async () => (await health(server)).code === 200);
    expect(await problemsInMetrics(server)).toEqual([]);
    await server.stop();
  },
);

const replacements: [what: string, replace: (path: string) => void][] = [
  ['away', () => {}],
  ['a file', (path) => writeFileSync(path, '')],
  ['a link to itself', (path) => symlinkSync(path, path)],
  ['another folder', (path) => mkdirSync(path)],
];

test.skipIf(process.platform !== 'linux').each(sampleOf(replacements, 4))(
  'health check and metrics tell that the folder above the data is %s',
  async (_, replace) => {
    const above = newPath();
    mkdirSync(above);
    const server = await serve(seeded.copyTo(join(above, 'data')));
    renameSync(above, `${above}-moved`);
    replace(above);
    await redirect(server, 3);
    const { code: status, problems } = await health(server);
    expect([status, problems.length > 1]).toEqual([503, true]);
    const names = await problemsInMetrics(server);
    expect(names).toContain('app_not_answering');
    expect(names).toContain('database_files_replaced');
    rmSync(above, { recursive: true, force: true });
    renameSync(`${above}-moved`, above);
    await until(async () => (await health(server)).code === 200);
    expect(await problemsInMetrics(server)).toEqual([]);
    await server.stop();
  },
);

describe.skipIf(process.platform !== 'linux')('the app server', () => {
  test('is a process of its own, which ps tells from the redirect server', async () => {
    const server = await start();
    expect(argumentsOf(server.pid)).toContain('serve');
    expect(argumentsOf(appOf(server.pid))[0]).toBe('waymark');
    const nameOf = (pid: number) => readFileSync(`/proc/${pid}/comm`, 'latin1').trim();
    expect([nameOf(server.pid), nameOf(appOf(server.pid))]).toEqual(['waymark', 'waymark-app']);
    await server.stop();
    expect(server.output()).toMatch(/ info stopping: .* process="redirect"$/m);
  });

  test('comes after the redirect server for a processor, and before it when memory runs out', async () => {
    // Of a service that is nice itself.
    const server = await serve(seeded.copyTo(newPath()), { through: ['nice', '-n', '8'] });
    const app = appOf(server.pid);
    expect(getPriority(app)).toBe(Math.min(getPriority(server.pid) + 5, 19));
    const outOfMemoryScore = (pid: number) =>
      Number(readFileSync(`/proc/${pid}/oom_score_adj`, 'latin1'));
    expect(outOfMemoryScore(app)).toBe(Math.min(outOfMemoryScore(server.pid) + 500, 1000));
    await server.stop();
  });

  test('is started again after kill -9; redirects go on, and requests wait for it', async () => {
    const server = await start();
    const before = await scansOf(server);
    const killed = appOf(server.pid);
    process.kill(killed, 'SIGKILL');
    const list = createApi(server.origin, seeded.key).list();
    await redirect(server);
    expect((await list).total).toBeGreaterThan(0);
    expect(await scansOf(server)).toBe(before + 20);
    expect(appOf(server.pid)).not.toBe(killed);
    expect(server.output()).toContain('the app server has ended and is started again');
    await until(async () => (await health(server)).code === 200);
    await server.stop();
  });

  test('that stands still delays no redirect, and the health check says so', async () => {
    const server = await start();
    const before = await scansOf(server);
    process.kill(appOf(server.pid), 'SIGSTOP');
    const list = createApi(server.origin, seeded.key).list();
    await redirect(server);
    const { code: status, problems } = await health(server);
    expect(status).toBe(503);
    expect(problems.join()).toContain('app server (API and panel) does not answer');
    const metrics = await visit(`${server.origin}/metrics`);
    expect([metrics.status, metrics.body]).toEqual([
      200,
      expect.stringMatching(/process="redirect"/),
    ]);
    expect(metrics.body).not.toMatch(/process="app"/);
    process.kill(appOf(server.pid), 'SIGCONT');
    expect((await list).total).toBeGreaterThan(0);
    expect(await scansOf(server)).toBe(before + 20);
    await until(async () => (await health(server)).code === 200);
    await server.stop();
  });

  test('whose socket is gone counts as one that does not answer', async () => {
    const folder = seeded.copyTo(newPath());
    const server = await serve(folder);
    // A connection that stays open leads to it still.
    expect((await health(server)).code).toBe(200);
    for (const name of readdirSync(folder)) if (/sock/.test(name)) rmSync(join(folder, name));
    expect((await health(server)).problems.join()).toContain('does not answer');
    await redirect(server);
    await server.stop();
  });

  test('ends with the redirect server, also while it stands still, and no scan is lost', async () => {
    const folder = seeded.copyTo(newPath());
    const first = await serve(folder);
    const before = await scansOf(first);
    const app = appOf(first.pid);
    process.kill(app, 'SIGSTOP');
    await redirect(first);
    first.signal('SIGKILL');
    await first.ended;
    await until(() => !isRunning(app));
    const second = await serve(folder);
    expect(await scansOf(second)).toBe(before + 20);
    await second.stop();
  });

  test('ignores the signals that a terminal sends to both', async () => {
    const server = await start();
    const app = appOf(server.pid);
    for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const)
      process.kill(app, name);
    await redirect(server);
    expect(appOf(server.pid)).toBe(app);
    expect(await scansOf(server)).toBeGreaterThan(0);
    await server.stop();
  });

  test('leaves nothing behind when both stop', async () => {
    const folder = seeded.copyTo(newPath());
    const server = await serve(folder);
    await redirect(server);
    const processes = [server.pid, ...childrenOf(server.pid)];
    await server.stop();
    expect(processes.filter(isRunning)).toEqual([]);
    const left = readdirSync(folder).filter((name) => /sock|hits|-wal|-shm/.test(name));
    expect(left).toEqual([]);
  });

  test('leaves nothing behind when both were killed after it had been started again', async () => {
    const folder = seeded.copyTo(newPath());
    const killed = await serve(folder);
    const first = appOf(killed.pid);
    process.kill(first, 'SIGKILL');
    await until(() => !isRunning(first));
    // The request waits for the next one.
    await scansOf(killed);
    const second = appOf(killed.pid);
    killed.signal('SIGKILL');
    await killed.ended;
    await until(() => !isRunning(second));
    await (await serve(folder)).stop();
    expect(readdirSync(folder).filter((name) => /sock/.test(name))).toEqual([]);
  });

  test('is reached from a data folder with a long path', async () => {
    const parent = join(newPath(), 'a'.repeat(80), 'b'.repeat(80));
    mkdirSync(parent, { recursive: true });
    const server = await serve(seeded.copyTo(join(parent, 'data')));
    expect(await scansOf(server)).toBeGreaterThanOrEqual(0);
    expect(childrenOf(server.pid).length).toBeGreaterThan(0);
    await server.stop();
  });
});

test.skipIf(process.platform !== 'linux')(
  'a first start reaches the app where nothing but the data folder can be written',
  async () => {
    const parent = join(newPath(), 'a'.repeat(80), 'b'.repeat(80));
    const server = await serve(join(parent, 'data'), { env: { TMPDIR: '/proc' } });
    expect(argumentsOf(appOf(server.pid)).join()).toContain('data/app-');
    const response = await visit(`${server.origin}/account/sign-in`);
    expect(response.status).toBe(200);
    await server.stop();
  },
);

test.skipIf(!canTrace)(
  'where no socket can be made, health check and doctor say that there is one process',
  async () => {
    const folder = seeded.copyTo(newPath());
    const port = freePort();
    // The data folder, the one for temporary files, and the data folder again.
    const noSockets = tracing(['trace=bind', 'inject=bind:error=EOPNOTSUPP:when=1..3']);
    const server = await serve(folder, { through: noSockets, port });
    const { warnings } = await (await fetch(`${server.origin}/healthz`)).json();
    expect(warnings.join()).toContain('The server is one process');
    const { body } = await visit(`${server.origin}/metrics`);
    expect(body).toContain('waymark_health{condition="one_process",severity="warning"} 1');
    const env = { WAYMARK_DATA: folder, WAYMARK_PORT: String(port) };
    const doctor = await runProgram(['doctor'], { cwd: folder, env });
    expect(doctor.stdout).toMatch(/^warning {2}server: The server is one process/m);
    await server.stop();
  },
);

test('more slow requests than Bun passes on at a time delay no others', async () => {
  const server = await start();
  const { hostname, port, host } = new URL(server.origin);
  // Each is passed on before its body is complete.
  const head = `POST /account/sign-in HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n`;
  const stalled = await Promise.all(
    Array.from({ length: 400 }, async () => {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => {});
      await new Promise((resolve) => socket.once('connect', resolve));
      socket.write(head);
      return socket;
    }),
  );
  await redirect(server);
  expect(await scansOf(server)).toBeGreaterThan(0);
  for (const socket of stalled) socket.destroy();
  await server.stop();
});

test('an app that can never start ends the server with its reason', async () => {
  const folder = seeded.copyTo(newPath());
  const server = launch(folder, { env: { WAYMARK_SHORT_URL: 'http://other.example.org' } });
  expect(await server.listening).toBe(false);
  expect(await server.ended).toBe(1);
  expect(server.output()).toContain('waymark: Codes were printed with short links at');
  expect(existsSync(join(folder, 'waymark.db'))).toBe(true);
});
