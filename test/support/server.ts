import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { realRandomBytes } from '../../src/compose/runtime.ts';
import { createStorage } from '../../src/compose/storage.ts';
import { type Config, readConfig } from '../../src/config.ts';
import { generateKey as newKey } from '../../src/core/accounts/api-key.ts';
import { type Design, plainDesign } from '../../src/core/designs/design.ts';
import type { CommandStorage } from '../../src/core/storage.ts';
import { acting, noon } from '../stores/rows.ts';
import { type Api, createApi } from './api.ts';
import { freePort } from './free-port.ts';
import { sharedPostgres, usesPostgres } from './postgres.ts';
import {
  createLoggedProcesses,
  type Env,
  type Outcome,
  programCommand,
  programEnv,
  type RunOptions,
  runProgram,
} from './program.ts';
import { until } from './until.ts';

/** An account with a key. */
export interface Holder {
  readonly email: string;
  readonly key: string;
  readonly api: Api;
}

export type CommandStores = CommandStorage;

export interface AccountOptions {
  readonly isOperator?: boolean;
  /** By default the plan does not expire. */
  readonly planUntilMs?: number;
  readonly passwordHash?: string;
}

/** A server with its own data folder. */
export interface Server {
  /** `http://127.0.0.1:port`, unchanged by restarts. */
  readonly origin: string;
  /** Folder for files of the test. */
  readonly folder: string;
  readonly dataFolder: string;
  /** Settings that name its database. */
  readonly database: Env;
  /** Returns settings that name another database, which does not exist or has no tables. */
  otherDatabase(name: string): Promise<Env>;
  /** Creates a client of the API with or without a key. */
  api(key?: string): Api;
  /** Runs a command of the program on the same data. */
  cli(args: readonly string[], options?: Partial<RunOptions>): Promise<Outcome>;
  /** See {@link onStoresOf}. */
  onStores<T>(act: (stores: CommandStores, config: Config) => Promise<T>): Promise<T>;
  /** Creates an account without a key. */
  addAccount(email: string, options?: AccountOptions): Promise<number>;
  /** Creates an account with a plan and a key; its address is an unused one by default. */
  account(email?: string): Promise<Holder>;
  /** Sets when the plan of an account expires: in the past, or in 2099. */
  setPlan(email: string, plan: 'expired' | 'active'): Promise<void>;
  /** Makes the plain design with some changes the default of an account, without a check. */
  setDesign(email: string, changes: Partial<Design>): Promise<void>;
  /** Generates a key, which replaces the account's earlier one. */
  generateKey(email: string): Promise<string>;
  pid(): number;
  /** Returns stdout and stderr since the first start. */
  log(): string;
  /** Returns the warnings and errors of the log, without the one about the local public address. */
  problems(): string[];
  /** Starts again after `stop` or `kill`, with additional settings. */
  start(env?: Env): Promise<void>;
  /** Sends SIGTERM. Resolves with the exit code. */
  stop(): Promise<number>;
  /** Simulates a crash with SIGKILL. */
  kill(): Promise<void>;
  /** Ends the server and removes its data. */
  close(): Promise<void>;
}

/** A server that no test stops or starts again. */
export type SharedServer = Omit<Server, 'start' | 'stop' | 'kill' | 'close'>;

/**
 * Runs a function on the stores that settings name, in this process: cheaper than a command where no command is
 * tested. Creates the database if there is none.
 */
export async function onStoresOf<T>(
  env: Env,
  act: (stores: CommandStores, config: Config) => Promise<T>,
): Promise<T> {
  const config = readConfig(env);
  const stores = await (await createStorage(config)).openForCommand({ create: true });
  try {
    return await act(stores, config);
  } finally {
    await stores.close();
  }
}

let shared: Promise<Server> | undefined;

/**
 * Returns the server of this process with default settings, which ends with the process. Files that ask for it use
 * accounts of their own. Its log begins here for each of them.
 */
export async function sharedServer(): Promise<SharedServer> {
  shared ??= startServer();
  const server = await shared;
  const begin = server.log().length;
  const log = () => server.log().slice(begin);
  return { ...server, log, problems: () => problemsIn(log()) };
}

const longPlanMs = Date.parse('2099-12-31T23:59:59.999Z');
let holders = 0;

/** Returns warnings and errors of a log. */
const problemsIn = (log: string) =>
  log.split('\n').filter((line) => / (warn|error) (?!phones can't open)/.test(line));

/** Asks for a server of one process, which starts faster, in tests that are not about processes. */
export const oneProcess: Env = { ONE_PROCESS_FOR_TESTS: '1' };

/**
 * Starts a server with its own data folder and port, and waits until it is healthy.
 *
 * @param program the command that starts it
 */
export async function startServer(
  env: Env = {},
  flags: readonly string[] = [],
  program: readonly string[] = programCommand(),
): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), 'waymark-contract-'));
  const dataFolder = join(folder, 'data');
  const port = freePort();
  const origin = `http://127.0.0.1:${port}`;
  const databaseIn = async (data: string): Promise<Env> => ({
    WAYMARK_DATA: data,
    ...(usesPostgres && {
      WAYMARK_DATABASE_URL: await (await sharedPostgres()).createDatabase(),
    }),
  });
  const database: Env = {
    ...(await databaseIn(dataFolder)),
  };
  const baseEnv: Env = {
    ...database,
    WAYMARK_HOST: '127.0.0.1',
    WAYMARK_PORT: String(port),
    WAYMARK_PUBLIC_URL: origin,
    WAYMARK_RATE_LIMIT: '1000000',
    ...env,
  };
  const processes = createLoggedProcesses(join(folder, 'server.log'));
  let child: Bun.Subprocess | null = null;

  async function start(more: Env = {}): Promise<void> {
    const before = processes.log().length;
    const started = processes.spawn([...program, 'serve', ...flags], {
      cwd: folder,
      env: programEnv({ ...baseEnv, ...more }),
    });
    child = started;
    await healthy(origin, started, () => processes.log().slice(before));
  }

  async function end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number> {
    const ending = child;
    child = null;
    if (ending === null) return 0;
    ending.kill(signal);
    return ending.exited;
  }

  const cli: Server['cli'] = (args, options = {}) =>
    runProgram(args, { ...options, cwd: folder, env: { ...baseEnv, ...options.env } });

  const onStores: Server['onStores'] = (act) => onStoresOf(baseEnv, act);

  const addAccount: Server['addAccount'] = (email, options = {}) =>
    onStores((stores) => createAccount(stores, email, options));

  const onAccount = <T>(
    email: string,
    act: (accountId: number, stores: CommandStores, config: Config) => Promise<T>,
  ) =>
    onStores(async (stores, config) => {
      const account = await stores.accounts.findByEmail(email);
      if (account === null) throw new Error(`There is no account ${email}.`);
      return act(account.id, stores, config);
    });

  const generateKey: Server['generateKey'] = (email) => onAccount(email, replaceKey);

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
    database,
    otherDatabase: (name) => databaseIn(join(folder, name)),
    api: (key) => createApi(origin, key),
    cli,
    onStores,
    addAccount,
    account: async (email = `holder${holders++}@example.org`) => {
      const key = await onStores(async (stores, config) =>
        replaceKey(await createAccount(stores, email, { planUntilMs: longPlanMs }), stores, config),
      );
      return { email, key, api: createApi(origin, key) };
    },
    setPlan: (email, plan) =>
      onAccount(email, async (accountId, { accounts }) => {
        await accounts.changePlan(acting(accountId), plan === 'expired' ? 1 : longPlanMs, noon);
      }),
    setDesign: (email, changes) =>
      onAccount(email, async (accountId, { designs }) => {
        await designs.add(acting(accountId), { ...plainDesign, ...changes }, Date.now());
      }),
    generateKey,
    pid: () => child?.pid ?? 0,
    log: processes.log,
    problems: () => problemsIn(processes.log()),
    start,
    stop: () => end('SIGTERM'),
    kill: async () => {
      await end('SIGKILL');
    },
    close,
  };
}

async function createAccount(
  { accounts }: CommandStores,
  email: string,
  options: AccountOptions,
): Promise<number> {
  const { isOperator = false, planUntilMs = null, passwordHash = null } = options;
  const atMs = Date.now();
  const created = await accounts.create({
    ...{ email, isOperator, planUntilMs, passwordHash, atMs },
    by: { kind: 'command' },
  });
  if (created.outcome === 'taken') throw new Error(`There is already an account ${email}.`);
  return created.account.id;
}

/** Generates a key for an account, and returns it. */
async function replaceKey(
  accountId: number,
  { keys }: CommandStores,
  { keyPrefix }: Config,
): Promise<string> {
  const { key, hash, lastFour } = newKey(keyPrefix, realRandomBytes);
  await keys.replace(acting(accountId), hash, lastFour, Date.now());
  return key;
}

/**
 * Waits until a server is healthy, and has opened its database: it answers before, and a test that writes the database
 * then would be in its way.
 */
async function healthy(origin: string, child: Bun.Subprocess, log: () => string): Promise<void> {
  await until(async () => {
    if (child.exitCode !== null)
      throw new Error(`The server ended with ${child.exitCode} at the start:\n${log()}`);
    const response = await fetch(`${origin}/healthz`, { keepalive: false }).catch(() => null);
    return response?.ok === true && /Waymark listens on|"listening"/.test(log());
  });
}
