import { afterAll, expect } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../support/free-port.ts';
import { createLoggedProcesses, type Env, programCommand, programEnv } from '../support/program.ts';
import { until } from '../support/until.ts';

/** A started server process. */
export interface Launched {
  readonly origin: string;
  readonly pid: number;
  /** Resolves with true once it accepts requests, with false if it ends before. */
  readonly listening: Promise<boolean>;
  /** The exit code, or the name of the signal that ended it. */
  readonly ended: Promise<number | string>;
  /** Returns what it wrote to stdout and stderr so far. */
  output(): string;
  signal(name: NodeJS.Signals): void;
  /** Sends SIGTERM, and expects an end without an error. */
  stop(): Promise<void>;
}

export interface LaunchOptions {
  readonly env?: Env;
  /** A command that runs the command in its arguments, such as `nice`. */
  readonly through?: readonly string[];
  readonly port?: number;
}

/** Creates folders and servers that are removed after the tests of a file. */
export function createLaunches() {
  const root = mkdtempSync(join(tmpdir(), 'waymark-faults-'));
  const running = new Set<Bun.Subprocess>();
  let folders = 0;
  const starts: Promise<boolean>[] = [];

  afterAll(async () => {
    for (const child of running) child.kill('SIGKILL');
    await Promise.all([...running].map((child) => child.exited));
    await Promise.all(starts);
    rmSync(root, { recursive: true, force: true });
  });

  const launch = (dataFolder: string, options: LaunchOptions = {}): Launched => {
    const { env = {}, through = [], port = freePort() } = options;
    const origin = `http://127.0.0.1:${port}`;
    const settings = {
      WAYMARK_DATA: dataFolder,
      WAYMARK_PORT: String(port),
      WAYMARK_PUBLIC_URL: origin,
      // The same at every port, so that a second start accepts the codes.
      WAYMARK_SHORT_URL: 'http://short.example.org',
      WAYMARK_RATE_LIMIT: '1000000',
    };
    const processes = createLoggedProcesses(join(root, `${starts.length}.log`));
    const child = processes.spawn([...through, ...programCommand(), 'serve'], {
      cwd: root,
      env: programEnv({ ...settings, ...env }),
    });
    running.add(child);
    const ended = child.exited.then((code) => {
      running.delete(child);
      return child.signalCode ?? code;
    });
    const isListening = () => processes.log().includes('Waymark listens on');
    const listening = until(() => !running.has(child) || isListening()).then(isListening);
    starts.push(listening);
    return {
      origin,
      pid: child.pid,
      listening,
      ended,
      output: processes.log,
      signal: (name) => child.kill(name),
      stop: async () => {
        child.kill('SIGTERM');
        expect(await ended).toBe(0);
      },
    };
  };

  const newPath = (): string => join(root, String(folders++));

  return {
    /** Returns a new path, where nothing exists yet. */
    newPath,
    /** Creates a data folder with this database, and perhaps its write-ahead log. */
    folderWith: (database: string | Uint8Array, log?: Uint8Array): string => {
      const folder = newPath();
      mkdirSync(folder, { mode: 0o700 });
      writeFileSync(join(folder, 'waymark.db'), database);
      if (log) writeFileSync(join(folder, 'waymark.db-wal'), log);
      return folder;
    },
    /** Starts `serve` on a data folder. */
    launch,
    /** Starts `serve` on a data folder, and waits until it accepts requests. */
    serve: async (dataFolder: string, options: LaunchOptions = {}): Promise<Launched> => {
      const server = launch(dataFolder, options);
      expect(await server.listening).toBe(true);
      return server;
    },
  };
}
