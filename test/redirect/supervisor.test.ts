import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HealthReport } from '../../src/core/health.ts';
import type { AppServer } from '../../src/redirect/app/start-app.ts';
import {
  type AppProcess,
  type StartProcess,
  supervisedApp,
} from '../../src/redirect/app/supervisor.ts';
import { until } from '../support/until.ts';

/** The supervisor of the app, each of whose calls may throw. */

const folder = mkdtempSync(join(tmpdir(), 'waymark-supervisor-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const healthy: HealthReport = { problems: [], warnings: [], conditions: [] };

const calls = ['start', 'send', 'kill', 'removeSocket', 'error', 'info', 'report'] as const;
type Call = (typeof calls)[number];

/** Supervises apps of this process, of which some calls throw. */
function supervise(hasDatabase = true) {
  /** How often each call throws from now on. */
  const throwing = new Map<Call, number>();
  const made = new Map<Call, number>();
  const call = (name: Call) => {
    made.set(name, (made.get(name) ?? 0) + 1);
    const left = throwing.get(name) ?? 0;
    throwing.set(name, left - 1);
    if (left > 0) throw new Error(`${name} fails`);
  };
  let number = 0;
  let current: { end: (cause: string) => void; stall: () => void; tell: (reason: string) => void };
  const startProcess: StartProcess = ({ onMessage, onExit }) => {
    number++;
    call('start');
    const socket = join(folder, `${Math.random()}.sock`);
    let isStalled = false;
    const server = Bun.serve({
      unix: socket,
      fetch: () => (isStalled ? Promise.withResolvers<Response>().promise : Response.json(healthy)),
    });
    let hasEnded = false;
    const end = (cause: string) => {
      if (hasEnded) return;
      hasEnded = true;
      void server.stop(true);
      onExit(cause);
    };
    current = {
      end,
      stall: () => {
        isStalled = true;
      },
      tell: (reason) => onMessage({ state: 'failed', reason }),
    };
    const started = number;
    setTimeout(() => {
      if (!hasEnded && started >= readyFrom) onMessage({ state: 'ready', firstLink: null });
    }, 1);
    return {
      socket,
      send: (order) => {
        call('send');
        if (order === 'stop') setTimeout(() => end('exit code 0'), 1);
      },
      kill: () => {
        call('kill');
        setTimeout(() => end('signal SIGKILL'), 1);
      },
      removeSocket: () => call('removeSocket'),
    } satisfies AppProcess;
  };
  let readyFrom = 1;
  const log = { info: () => call('info'), warn: () => {}, error: () => call('error') };
  const begin = (): AppServer =>
    supervisedApp(startProcess, log, { pingMs: 50, silentMs: 500 })({
      readings: () => {
        throw new Error('no test asks for metrics');
      },
      report: () => {
        call('report');
        return healthy;
      },
      absent: async () => new Response(null, { status: 503 }),
      hasDatabase,
    });
  return {
    begin,
    made: (name: Call) => made.get(name) ?? 0,
    fail: (name: Call, times: number) => void throwing.set(name, times),
    readyFrom: (first: number) => {
      readyFrom = first;
    },
    end: () => current.end('signal SIGKILL'),
    stall: () => current.stall(),
    tell: (reason: string) => current.tell(reason),
  };
}

const isServing = async (app: AppServer) =>
  (await app.passOn('/', new Request('http://localhost/'))).status === 200;

const problemsOf = (app: AppServer) => app.conditions.flatMap(({ check }) => check()).join();

test.each(calls)('at the start, %s throws: the app serves later', async (name) => {
  const apps = supervise();
  apps.fail(name, 2);
  // The first one ends before it is ready.
  apps.readyFrom(2);
  const app = apps.begin();
  await until(() => apps.made('start') > 0);
  if (name !== 'start') apps.end();
  await until(async () => (await isServing(app)) && problemsOf(app) === '');
  await app.close(1000);
});

test.each(calls)('later, %s throws: the app serves again', async (name) => {
  const apps = supervise();
  const app = apps.begin();
  await until(() => isServing(app));
  apps.fail(name, 2);
  const before = apps.made('start');
  // It is killed, as soon as that is possible.
  if (name === 'kill') apps.stall();
  else apps.end();
  await until(() => apps.made('start') > before);
  await until(async () => (await isServing(app)) && problemsOf(app) === '');
  await app.close(1000);
});

test('an app that cannot be started is a problem with its reason', async () => {
  const apps = supervise();
  apps.fail('start', 3);
  const app = apps.begin();
  await until(() => problemsOf(app).includes('cannot start, and is tried again'));
  expect(problemsOf(app)).toContain('start fails');
  await until(() => isServing(app));
  await app.close(1000);
});

test('an app that says what may pass is tried again, and ends a start without a database', async () => {
  const apps = supervise();
  apps.readyFrom(3);
  const app = apps.begin();
  await until(() => apps.made('start') === 1);
  apps.tell('The data folder cannot be read.');
  await until(() => problemsOf(app).includes('The data folder cannot be read.'));
  apps.readyFrom(0);
  await until(() => isServing(app));
  await app.close(1000);

  const first = supervise(false);
  first.readyFrom(3);
  const refused = first.begin();
  first.tell('The data folder cannot be read.');
  await expect(refused.started).rejects.toThrow('The data folder cannot be read.');
  await refused.close(1000);
});

test('a stop says whether the app has ended by itself, and lasts as long as it says', async () => {
  const apps = supervise();
  const app = apps.begin();
  await until(() => isServing(app));
  expect(await app.close(1000)).toBe(true);

  const deaf = supervise();
  const kept = deaf.begin();
  await until(() => isServing(kept));
  deaf.fail('send', 1000);
  deaf.fail('kill', 1000);
  expect(await kept.close(50)).toBe(false);
  deaf.end();
});
