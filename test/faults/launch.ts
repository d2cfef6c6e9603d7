import { afterAll, expect } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Env, guardAgainstOrphan, programCommand, programEnv } from '../support/program.ts';
import { freePort } from '../support/server.ts';

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

  afterAll(async () => {
    for (const child of running) child.kill('SIGKILL');
    await Promise.all([...running].map((child) => child.exited));
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
    const child = Bun.spawn([...through, ...programCommand(), 'serve'], {
      cwd: root,
      env: programEnv({ ...settings, ...env }),
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    });
    running.add(child);
    guardAgainstOrphan(child, root);
    const output: string[] = [];
    const { promise: listening, resolve: setListening } = Promise.withResolvers<boolean>();
    const collect = async (stream: ReadableStream<Uint8Array>) => {
      const decoder = new TextDecoder();
      for await (const chunk of stream) {
        output.push(decoder.decode(chunk, { stream: true }));
        if (/Waymark listens on/.test(output.join(''))) setListening(true);
      }
    };
    const read = Promise.all([collect(child.stdout), collect(child.stderr)]);
    const ended = child.exited.then(async (code) => {
      running.delete(child);
      await read;
      setListening(false);
      return child.signalCode ?? code;
    });
    return {
      origin,
      pid: child.pid,
      listening,
      ended,
      output: () => output.join(''),
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
