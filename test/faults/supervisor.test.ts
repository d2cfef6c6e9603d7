import { describe, expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { createApi } from '../support/api.ts';
import { appOf, argumentsOf, childrenOf, isRunning } from '../support/processes.ts';
import { until } from '../support/until.ts';
import { visit } from '../support/visit.ts';
import { createLaunches, type Launched } from './launch.ts';
import { seed } from './seeded.ts';

/** What holds while the app server cannot be started, and when it hangs as the server stops. */

const { newPath, launch, serve } = createLaunches();
const seeded = await seed(newPath(), 1);
const code = seeded.codes[0]?.code ?? '';

const linkIs302 = async ({ origin }: Launched) =>
  (await visit(`${origin}/${code}`).catch(() => null))?.status === 302;
const serves = async ({ origin }: Launched) =>
  (await createApi(origin, seeded.key)
    .read(code)
    .catch(() => null)) !== null;

/** Whether the app answers, with or without a database that it can write. */
const answers = async ({ origin }: Launched) =>
  (await visit(`${origin}/account/sign-in`).catch(() => null))?.status === 200;

/** Returns the app as soon as it has been started. */
async function startingAppOf({ pid }: Launched): Promise<number> {
  await until(() => childrenOf(pid).some((child) => argumentsOf(child).includes('serve-app')));
  return appOf(pid);
}

/** What becomes of the folder above the data, and how to take it back. */
const faults = {
  away: (_: string) => () => {},
  'a file': (path: string) => {
    writeFileSync(path, '');
    return () => rmSync(path);
  },
  'a link to itself': (path: string) => {
    symlinkSync(path, path);
    return () => rmSync(path);
  },
  'another folder': (path: string) => {
    mkdirSync(join(path, 'data'), { recursive: true });
    return () => rmSync(path, { recursive: true });
  },
} as const;

/** A copy of the data in a folder of its own. */
function newData() {
  const above = newPath();
  mkdirSync(above);
  const data = seeded.copyTo(join(above, 'data'));
  const breakIt = (fault: (path: string) => () => void) => {
    renameSync(above, `${above}-aside`);
    const undo = fault(above);
    return () => {
      undo();
      renameSync(`${above}-aside`, above);
    };
  };
  return { data, breakIt };
}

describe.skipIf(process.platform !== 'linux')('while the folder above the data is', () => {
  test.concurrent.each(Object.entries(faults))(
    '%s, the app that ended is tried again',
    async (_, fault) => {
      const { data, breakIt } = newData();
      const server = await serve(data);
      const repair = breakIt(fault);
      process.kill(appOf(server.pid), 'SIGKILL');
      await until(() => server.output().includes('the app server cannot start'));
      expect(await linkIs302(server)).toBe(true);
      repair();
      await until(() => serves(server));
      await server.stop();
      expect(readdirSync(data)).toContain('waymark.db');
    },
  );

  test.concurrent.each(Object.entries(faults))(
    '%s as the app starts, redirects go on',
    async (_, fault) => {
      const { data, breakIt } = newData();
      const server = launch(data);
      const app = await startingAppOf(server);
      process.kill(app, 'SIGSTOP');
      await until(() => linkIs302(server));
      const repair = breakIt(fault);
      process.kill(app, 'SIGCONT');
      // On a busy machine it may have opened the database before it was stopped. Then it goes on with that.
      await until(async () => !isRunning(app) || (await answers(server)));
      expect(await linkIs302(server)).toBe(true);
      repair();
      await until(() => serves(server));
      await server.stop();
    },
  );

  test('away, the app makes no other', async () => {
    const { data, breakIt } = newData();
    const server = await serve(data);
    const repair = breakIt(faults.away);
    process.kill(appOf(server.pid), 'SIGKILL');
    await until(() => server.output().includes('the app server cannot start'));
    expect(readdirSync(dirname(dirname(data)))).not.toContain('data');
    repair();
    await until(() => serves(server));
    await server.stop();
  });
});

test.skipIf(process.platform !== 'linux')(
  'the sockets get another folder when that in the temporary folder was removed',
  async () => {
    const temporary = newPath();
    mkdirSync(temporary);
    // As long as there is no data folder, the sockets are in the temporary one.
    const server = await serve(join(newPath(), 'data'), { env: { TMPDIR: temporary } });
    const [folder = ''] = readdirSync(temporary);
    expect(readdirSync(join(temporary, folder))).toEqual(['app-1.sock']);
    rmSync(temporary, { recursive: true });
    process.kill(appOf(server.pid), 'SIGKILL');
    await until(async () => (await visit(`${server.origin}/account/sign-in`)).status === 200);
    await server.stop();
  },
);

describe.skipIf(process.platform !== 'linux')('a stop', () => {
  test('answers short links until an app that hangs is killed', async () => {
    const server = await serve(seeded.copyTo(newPath()));
    const app = appOf(server.pid);
    process.kill(app, 'SIGSTOP');
    let lastMs = 0;
    let answered = 0;
    server.signal('SIGTERM');
    const asking = (async () => {
      for (;;) {
        const link = await visit(`${server.origin}/${code}`).catch(() => null);
        if (link === null) return;
        expect(link.status).toBe(302);
        lastMs = performance.now();
        answered++;
        await Bun.sleep(20);
      }
    })();
    expect(await server.ended).toBe(0);
    const endMs = performance.now();
    await asking;
    expect(isRunning(app)).toBe(false);
    expect(answered).toBeGreaterThan(50);
    // What a busy machine adds.
    expect(endMs - lastMs).toBeLessThan(10_000);
  });

  test('counts what was answered after the app had ended, and leaves nothing beside', async () => {
    const data = seeded.copyTo(newPath());
    const server = await serve(data);
    const before = (await createApi(server.origin, seeded.key).read(code)).scans;
    let answered = 0;
    server.signal('SIGTERM');
    while (await linkIs302(server)) answered++;
    expect(await server.ended).toBe(0);
    expect(readdirSync(data).filter((name) => /hits|-wal|-shm|sock/.test(name))).toEqual([]);
    const again = await serve(data);
    expect((await createApi(again.origin, seeded.key).read(code)).scans).toBe(before + answered);
    await again.stop();
  });
});

const canDropRoot = process.getuid?.() === 0 && Bun.which('setpriv') !== null;
// Bun builds the source with threads of its own.
const isExecutable = Boolean(process.env['WAYMARK_BIN']);

describe.skipIf(!canDropRoot || !isExecutable)('the smallest limit of processes', () => {
  // Of nobody else, since the limit is that of a user.
  const user = 60_000 + (process.pid % 5000);
  const through = ['prlimit', '--nproc=64', 'setpriv', `--reuid=${user}`, `--regid=${user}`].concat(
    '--clear-groups',
  );

  test('is enough for the app, and redirects go on when others have used it up', async () => {
    const data = seeded.copyTo(newPath());
    chmodSync(dirname(data), 0o755);
    spawnSync('chown', ['-R', `${user}:${user}`, data]);
    const server = await serve(data, { through });
    const api = createApi(server.origin, seeded.key);
    await Promise.all(Array.from({ length: 20 }, () => api.create()));

    // The shell ends when it can start no more.
    const others = Bun.spawn(
      [...through, 'sh', '-c', 'for turn in $(seq 100); do sleep 600 & done'],
      { detached: true, stdio: ['ignore', 'ignore', 'ignore'] },
    );
    expect(await others.exited).not.toBe(0);
    for (let turn = 0; turn < 500; turn++) expect(await linkIs302(server)).toBe(true);
    await api.read(code);
    process.kill(appOf(server.pid), 'SIGKILL');
    for (let turn = 0; turn < 500; turn++) expect(await linkIs302(server)).toBe(true);
    process.kill(-others.pid, 'SIGKILL');
    await until(() => serves(server));
    await server.stop();
  });
});
