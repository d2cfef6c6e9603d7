import { setDefaultTimeout } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Api, createApi } from './api.ts';
import { guardAgainstOrphan } from './orphans.ts';
import {
  type Env,
  type Outcome,
  programCommand,
  programEnv,
  type RunOptions,
  runProgram,
} from './program.ts';
import { type Said, saidIn } from './said.ts';

/** An account with a key, and the API as seen with it. */
export interface Holder {
  readonly email: string;
  readonly key: string;
  readonly api: Api;
}

/** One data folder, and the program that serves it. */
export interface Server {
  /** `http://127.0.0.1:port`; the same through every restart. */
  readonly origin: string;
  /** Own folder for files of the test, beside the data. */
  readonly folder: string;
  readonly dataFolder: string;
  /** The API as seen with a key, or without one. */
  api(key?: string): Api;
  /** Runs another command of the program on the same data. */
  cli(args: readonly string[], options?: Partial<RunOptions>): Promise<Outcome>;
  /** Creates an account with a plan for years to come and a key. */
  account(email: string): Promise<Holder>;
  /** Generates a key; an earlier one of the account stops working. */
  generateKey(email: string): Promise<string>;
  /** The process that serves now. */
  pid(): number;
  /** What the program wrote to stdout and stderr since the first start. */
  log(): string;
  /** Starts again after `stop` or `kill`; `env` adds to what the server was created with. */
  start(env?: Env): Promise<void>;
  /** SIGTERM, as a service manager does. Resolves with the exit code. */
  stop(): Promise<number>;
  /** SIGKILL: what a crash looks like from outside. */
  kill(): Promise<void>;
  /** Ends the program and removes everything it stored. */
  close(): Promise<void>;
}

// Some tests start several processes; on a busy machine the default of 5 s is a matter of luck.
setDefaultTimeout(120_000);

/** Starts the program on a data folder and a port of its own and waits until it is healthy. */
export async function startServer(env: Env = {}, flags: readonly string[] = []): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), 'waymark-contract-'));
  const dataFolder = join(folder, 'data');
  const port = freePort();
  const origin = `http://127.0.0.1:${port}`;
  const baseEnv: Env = {
    WAYMARK_DATA: dataFolder,
    WAYMARK_HOST: '127.0.0.1',
    WAYMARK_PORT: String(port),
    WAYMARK_PUBLIC_URL: origin,
    // The default of 60 a minute has its own suite.
    WAYMARK_RATE_LIMIT: '1000000',
    ...env,
  };
  const said = saidIn(join(folder, 'said.log'));
  let child: Bun.Subprocess | null = null;
  let unguard = () => {};

  async function start(more: Env = {}): Promise<void> {
    const started = said.spawn([...programCommand(), 'serve', ...flags], {
      cwd: folder,
      env: programEnv({ ...baseEnv, ...more }),
    });
    child = started;
    unguard = guardAgainstOrphan(started, folder);
    await healthy(origin, started, said);
  }

  async function end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number> {
    const ending = child;
    child = null;
    if (ending === null) return 0;
    ending.kill(signal);
    const exitCode = await ending.exited;
    unguard();
    return exitCode;
  }

  const cli: Server['cli'] = (args, options = {}) =>
    runProgram(args, { ...options, cwd: folder, env: { ...baseEnv, ...options.env } });

  async function cliOrThrow(args: readonly string[]): Promise<string> {
    const outcome = await cli(args);
    if (outcome.exitCode !== 0)
      throw new Error(`${args.join(' ')}: exit ${outcome.exitCode}\n${outcome.stderr}`);
    return outcome.stdout;
  }

  async function generateKey(email: string): Promise<string> {
    const printed: unknown = JSON.parse(await cliOrThrow(['key', 'generate', email, '--json']));
    if (typeof printed === 'object' && printed !== null && 'key' in printed) {
      if (typeof printed.key === 'string') return printed.key;
    }
    throw new Error('key generate --json printed no key');
  }

  const close = async () => {
    await end('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  };

  try {
    await start();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    origin,
    folder,
    dataFolder,
    api: (key) => createApi(origin, key),
    cli,
    account: async (email) => {
      await cliOrThrow(['account', 'create', email, '--plan-until', '2099-12-31']);
      const key = await generateKey(email);
      return { email, key, api: createApi(origin, key) };
    },
    generateKey,
    pid: () => child?.pid ?? 0,
    log: said.read,
    start,
    stop: () => end('SIGTERM'),
    kill: async () => {
      await end('SIGKILL');
    },
    close,
  };
}

// Below those that the system gives to whoever asks for any, so that a server which starts again finds
// its port free; and each of the processes that run test files side by side has a block of its own.
const [firstPort, ports, block] = [10_000, 22_000, 64];
let asked = 0;

/** A port of this machine that nobody listens on. */
export function freePort(): number {
  for (;;) {
    const port = firstPort + ((process.pid * block + asked++) % ports);
    try {
      Bun.listen({ hostname: '127.0.0.1', port, socket: { data() {} } }).stop(true);
      return port;
    } catch (error) {
      if (asked > ports) throw error;
    }
  }
}

/** Polls `/healthz`: there is no other sign that every kind of start gives. */
async function healthy(origin: string, child: Bun.Subprocess, said: Said): Promise<void> {
  const deadlineMs = performance.now() + 60_000;
  while (performance.now() < deadlineMs) {
    if (child.exitCode !== null)
      throw new Error(`The server ended with ${child.exitCode} at the start:\n${said.read()}`);
    try {
      const answer = await fetch(`${origin}/healthz`, { keepalive: false });
      if (answer.ok) return;
    } catch {
      // Not listening yet.
    }
    await Bun.sleep(10);
  }
  child.kill('SIGKILL');
  throw new Error(`The server was not healthy within 60 s:\n${said.read()}`);
}
