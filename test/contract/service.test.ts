import { dlopen, FFIType } from 'bun:ffi';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../support/free-port.ts';
import {
  createLoggedProcesses,
  type Env,
  programCommand,
  programEnv,
  runProgram,
} from '../support/program.ts';
import { until } from '../support/until.ts';

const folder = mkdtempSync(join(tmpdir(), 'waymark-service-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let servers = 0;
/** Starts a server without waiting for it. */
function launch(env: Env) {
  const processes = createLoggedProcesses(join(folder, `log-${++servers}`));
  const settings = { WAYMARK_PORT: String(freePort()), WAYMARK_DATA: `data-${servers}`, ...env };
  const child = processes.spawn([...programCommand(), 'serve'], {
    cwd: folder,
    env: programEnv(settings),
  });
  return { child, log: processes.log, settings };
}

/** Starts a server and waits until it listens. */
async function serve(env: Env) {
  const server = launch(env);
  await until(() => server.log().includes('Short links:'));
  return server;
}

const end = async ({ child }: ReturnType<typeof launch>, signal: NodeJS.Signals = 'SIGTERM') => {
  child.kill(signal);
  await child.exited;
};

describe('a Unix socket', () => {
  const socket = join(folder, 'waymark.sock');
  const env = {
    WAYMARK_HOST: socket,
    WAYMARK_PUBLIC_URL: 'https://qr.example.com',
    WAYMARK_DATA: 'socket',
  };
  const ask = (path: string, init: BunFetchRequestInit = {}) =>
    fetch(`http://qr.example.com${path}`, { unix: socket, redirect: 'manual', ...init });

  test('serves its owner and group, and a proxy says who asks', async () => {
    const server = await serve(env);
    expect((statSync(socket).mode & 0o777).toString(8)).toBe('660');
    expect((await ask('/healthz')).status).toBe(200);
    const health = await runProgram(['health'], { cwd: folder, env });
    expect(health).toMatchObject({ exitCode: 0, stdout: 'ok\n' });
    const headers = {
      'X-Forwarded-For': '198.51.100.1, 203.0.113.9',
      Origin: env.WAYMARK_PUBLIC_URL,
    };
    const body = new URLSearchParams({
      email: 'a@example.com',
      password: 'wrong',
      next: '',
      kept: '',
    });
    await ask('/account/sign-in', { method: 'POST', headers, body });
    await until(() => server.log().includes('sign-in failed'));
    expect(server.log()).toMatch(/sign-in failed.*address="?203\.0\.113\.9/);

    const other = launch({ ...env, WAYMARK_DATA: 'other' });
    expect(await other.child.exited).toBe(1);
    expect(other.log()).toContain(`Cannot listen on ${socket}: another program uses it`);
    expect((await ask('/healthz')).status).toBe(200);

    await end(server);
    expect(existsSync(socket)).toBe(false);
  });

  test('that a killed server has left is taken over, and no other file is', async () => {
    await end(await serve(env), 'SIGKILL');
    expect(existsSync(socket)).toBe(true);
    await end(await serve(env));

    writeFileSync(socket, 'a file');
    for (const [host, kind] of [
      [socket, 'file'],
      [folder, 'folder'],
    ]) {
      const refused = launch({ ...env, WAYMARK_HOST: host });
      expect(await refused.child.exited).toBe(1);
      expect(refused.log()).toContain(`is a ${kind}, not a socket`);
    }
    rmSync(socket);
  });

  test('needs the public address', async () => {
    const refused = launch({ ...env, WAYMARK_PUBLIC_URL: undefined });
    expect(await refused.child.exited).toBe(2);
    expect(refused.log()).toMatch(
      /WAYMARK_PUBLIC_URL .*must be the address of this server for phones/,
    );
  });
});

describe('the first account', () => {
  const file = join(folder, 'password');
  const env = {
    WAYMARK_DATA: 'first',
    WAYMARK_FIRST_ACCOUNT: 'Boss@Example.com',
    WAYMARK_FIRST_PASSWORD_FILE: file,
  };

  test('is created from a secret file, without a link in the log', async () => {
    writeFileSync(file, 'short\n');
    const refused = launch(env);
    expect(await refused.child.exited).toBe(2);
    expect(refused.log()).toContain('WAYMARK_FIRST_PASSWORD_FILE');
    expect(refused.log()).toContain('at least 10 characters');

    const password = 'a few unrelated words';
    // With the byte order mark and the line end of an editor on Windows.
    writeFileSync(file, `\ufeff${password}\r\n`);
    const server = await serve(env);
    expect(server.log()).not.toContain('/account/link/');
    expect(server.log()).not.toContain(password);
    const listed = await runProgram(['account', 'list', '--json'], {
      cwd: folder,
      env: { WAYMARK_DATA: 'first' },
    });
    expect(JSON.parse(listed.stdout)).toMatchObject([
      { email: 'boss@example.com', operator: true, plan_until: null },
    ]);
    const origin = `http://127.0.0.1:${server.settings.WAYMARK_PORT}`;
    const entered = await fetch(`${origin}/account/sign-in`, {
      method: 'POST',
      headers: { Origin: origin },
      body: new URLSearchParams({ email: 'boss@example.com', password, next: '', kept: '' }),
      redirect: 'manual',
    });
    expect([entered.status, entered.headers.get('location')]).toEqual([303, '/account']);
    await end(server);

    // The secret is needed once.
    rmSync(file);
    await end(await serve(env));
  });

  test('needs both settings, an address, and a file with one line', async () => {
    writeFileSync(file, 'a few unrelated words\nmore');
    const unnamed = { ...env, WAYMARK_DATA: 'unnamed' };
    const pipe = `${file}.pipe`;
    Bun.spawnSync(['mkfifo', pipe]);
    for (const [values, message] of [
      [unnamed, `${file} must have one line of text in UTF-8`],
      [{ ...unnamed, WAYMARK_FIRST_PASSWORD_FILE: 'none' }, 'none cannot be read: no such file'],
      [{ ...unnamed, WAYMARK_FIRST_PASSWORD_FILE: pipe }, `${pipe} is a pipe`],
      [{ ...unnamed, WAYMARK_FIRST_PASSWORD_FILE: '/dev/zero' }, '/dev/zero is longer than'],
      [{ WAYMARK_FIRST_ACCOUNT: 'a@example.com' }, 'belong together'],
      [{ WAYMARK_FIRST_PASSWORD_FILE: file }, 'belong together'],
      [{ ...env, WAYMARK_FIRST_ACCOUNT: 'boss' }, 'WAYMARK_FIRST_ACCOUNT is "boss"'],
    ] as const) {
      const refused = launch(values);
      expect(await refused.child.exited).toBe(2);
      expect(refused.log()).toContain(message);
    }
  });
});

describe.skipIf(process.platform !== 'linux')('a service manager', () => {
  const { i32, u32, u64, i64, ptr } = FFIType;
  const libc = () =>
    dlopen('libc.so.6', {
      socket: { args: [i32, i32, i32], returns: i32 },
      bind: { args: [i32, ptr, u32], returns: i32 },
      recv: { args: [i32, ptr, u64, i32], returns: i64 },
    }).symbols;
  const path = join(folder, 'notify');
  let descriptor = -1;
  const received: string[] = [];

  /** Reads what was sent to the socket until now. */
  const receive = (): readonly string[] => {
    const buffer = Buffer.alloc(1000);
    for (;;) {
      const length = Number(libc().recv(descriptor, buffer, buffer.length, 0x40));
      if (length < 0) return received;
      received.push(buffer.toString('utf8', 0, length));
    }
  };

  beforeAll(() => {
    const address = Buffer.concat([Buffer.from([1, 0]), Buffer.from(`${path}\0`)]);
    descriptor = libc().socket(1, 2, 0);
    expect(libc().bind(descriptor, address, address.length)).toBe(0);
  });

  test('is told that the server is up, that it is not hung, and that it stops', async () => {
    const server = await serve({ NOTIFY_SOCKET: path, WATCHDOG_USEC: '100000' });
    await until(() => receive().filter((message) => message === 'WATCHDOG=1').length > 2);
    expect(received[0]).toBe('READY=1');
    // Nor is a server at the limit of open files.
    Bun.spawnSync(['prlimit', '--nofile=10:', `--pid=${server.child.pid}`]);
    await until(() => server.log().includes('the limit of open files is reached'));
    const { length } = receive();
    await until(() => receive().length > length + 2);
    Bun.spawnSync(['prlimit', '--nofile=4096:', `--pid=${server.child.pid}`]);
    await end(server);
    expect(receive().at(-1)).toBe('STOPPING=1');
  });

  test('is not told where another process is watched, or nobody listens', async () => {
    receive();
    const { length } = received;
    const env = { WATCHDOG_USEC: '100000', WATCHDOG_PID: '1', NOTIFY_SOCKET: path };
    await end(await serve(env));
    expect(receive().slice(length)).toEqual(['READY=1', 'STOPPING=1']);
    await end(await serve({ NOTIFY_SOCKET: join(folder, 'nobody') }));
  });
});
