import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { createLoggedProcesses } from './program.ts';
import { until } from './until.ts';

/** A Valkey or Redis server on loopback with its own folder and port. It stores nothing on disk. */
export interface ValkeyServer {
  readonly port: number;
  /** Without a password. */
  readonly url: string;
  pid(): number;
  /** Starts again after `kill`, on the same port. */
  start(): Promise<void>;
  kill(): Promise<void>;
  /** Ends the server and removes its folder. */
  close(): Promise<void>;
}

const program = Bun.which('valkey-server') ?? Bun.which('redis-server');

/** Whether a server is installed, or this is CI, which must have it. */
export const hasValkey = program !== null || process.env['CI'] === 'true';

/** Whether servers of the tests use Valkey: `WAYMARK_TEST_VALKEY` is its URL, see run-on-postgres-and-valkey.ts. */
export const usesValkey = process.env['WAYMARK_TEST_VALKEY'] !== undefined;

/** Returns the URL of a database that no other test uses, on the server at `WAYMARK_TEST_VALKEY`. */
export async function createValkeyDatabase(): Promise<string> {
  const url = process.env['WAYMARK_TEST_VALKEY'];
  const client = new Bun.RedisClient(url);
  try {
    // Database 0 has the last number that was taken by any of the test processes.
    return `${url}/${await client.incr('last-database')}`;
  } finally {
    client.close();
  }
}

/** Starts a server. @param settings such as `--requirepass`, `secret` */
export async function startValkey(...settings: string[]): Promise<ValkeyServer> {
  if (program === null)
    throw new Error('Neither Valkey nor Redis is installed: apt install redis-server');
  const folder = mkdtempSync(join(tmpdir(), 'waymark-valkey-'));
  const port = freePort();
  const processes = createLoggedProcesses(join(folder, 'valkey.log'));
  const flags = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
  let child: Bun.Subprocess | null = null;

  const start = async () => {
    const started = processes.spawn([program, ...flags, '--appendonly', 'no', ...settings], {
      cwd: folder,
      env: { PATH: process.env['PATH'] },
    });
    child = started;
    await until(async () => {
      if (started.exitCode !== null) throw new Error(`It ended:\n${processes.log()}`);
      const connected = await Bun.connect({
        hostname: '127.0.0.1',
        port,
        socket: { data() {} },
      }).catch(() => null);
      connected?.end();
      return connected !== null;
    });
  };
  const kill = async () => {
    child?.kill('SIGKILL');
    await child?.exited;
    child = null;
  };
  await start();
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    pid: () => {
      // 0 would be the whole process group.
      if (child === null) throw new Error('Valkey does not run');
      return child.pid;
    },
    start,
    kill,
    close: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
