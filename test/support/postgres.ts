import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { SQL } from 'bun';
import { freePort } from './free-port.ts';
import { createLoggedProcesses, type Env } from './program.ts';
import { until } from './until.ts';

/** A PostgreSQL server on loopback with its own folder and port. */
export interface Postgres {
  readonly host: string;
  readonly port: number;
  /** Of the superuser and a database that every server has. */
  readonly url: string;
  /**
   * Creates a database and returns its URL.
   *
   * @param template URL of a database to copy, to which nothing is connected; default is an empty one
   */
  createDatabase(template?: string): Promise<string>;
  /** Runs statements as superuser in a database of {@link createDatabase}, and returns the rows. */
  run(databaseUrl: string, statements: string): Promise<Record<string, unknown>[]>;
  /** Starts again after `kill`, on the same port. */
  start(): Promise<void>;
  /** Simulates a crash with SIGKILL of the postmaster. */
  kill(): Promise<void>;
  /** Ends the server and removes its folder. */
  close(): Promise<void>;
}

/** Folder of the newest installed PostgreSQL, or null. */
const binaries = findBinaries();

/** Whether PostgreSQL is installed, or this is CI, which must have it. */
export const hasPostgres = binaries !== null || process.env['CI'] === 'true';

const user = 'waymark';
const password = 'secret-of-the-test';

/** Whether servers of the tests use PostgreSQL: `WAYMARK_TEST_DATABASE=postgres`. */
export const usesPostgres = process.env['WAYMARK_TEST_DATABASE'] === 'postgres';

/** A server that no test stops. */
export type SharedPostgres = Pick<Postgres, 'url' | 'createDatabase' | 'run'>;

let shared: Promise<SharedPostgres> | undefined;

/**
 * Returns a server that tests share and must not stop: the one at `WAYMARK_TEST_POSTGRES`, see
 * run-on-postgres.ts, or one that ends with this process.
 */
export function sharedPostgres(): Promise<SharedPostgres> {
  const url = process.env['WAYMARK_TEST_POSTGRES'];
  shared ??= url === undefined ? startPostgres() : Promise.resolve(databasesOn(url));
  return shared;
}

function databasesOn(url: string): SharedPostgres {
  return {
    url,
    run: runOn,
    createDatabase: async (template) => {
      const name = `waymark_${crypto.getRandomValues(new Uint8Array(8)).toHex()}`;
      const from = template === undefined ? '' : ` TEMPLATE ${new URL(template).pathname.slice(1)}`;
      await runOn(url, `CREATE DATABASE ${name}${from}`);
      return Object.assign(new URL(url), { pathname: `/${name}` }).href;
    },
  };
}

/**
 * Starts a server. PostgreSQL refuses to run as root; then it runs as the user `postgres`.
 *
 * @param settings of postgresql.conf, beside those of a fast test
 * @param primary the server whose streaming standby this one is, until `SELECT pg_promote()`
 */
export async function startPostgres(settings: Env = {}, primary?: Postgres): Promise<Postgres> {
  const bin = binaries;
  if (bin === null) throw new Error('PostgreSQL is not installed: apt-get install postgresql');
  const folder = mkdtempSync(join(tmpdir(), 'waymark-postgres-'));
  const data = join(folder, 'data');
  const asPostgres: string[] = [];
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (process.getuid?.() === 0) {
    asPostgres.push('setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups');
    const id = (flag: string) =>
      Number(Bun.spawnSync(['id', flag, 'postgres']).stdout.toString().trim());
    for (const path of [folder, passwordFile]) chownSync(path, id('-u'), id('-g'));
  }
  const env: Env = { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8' };
  const [program, ...options] =
    primary === undefined
      ? ([
          ...(['initdb', '--username', user, `--pwfile=${passwordFile}`] as const),
          ...['--auth=scram-sha-256', '--encoding=UTF8'],
        ] as const)
      : (['pg_basebackup', '--dbname', primary.url, '--write-recovery-conf'] as const);
  const create = [join(bin, program), '--pgdata', data, '--no-sync', ...options];
  const created = Bun.spawnSync([...asPostgres, ...create], { env, cwd: folder });
  if (created.exitCode !== 0) throw new Error(`${program}: ${created.stderr}`);

  const port = freePort();
  const all: Env = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: folder,
    // Nothing survives the test, so nothing has to be on disk. A killed process loses nothing either way.
    fsync: 'off',
    max_connections: '200',
    shared_buffers: '64MB',
    // Defaults that an operator may have changed.
    default_transaction_isolation: 'repeatable read',
    standard_conforming_strings: 'off',
    bytea_output: 'escape',
    DateStyle: 'SQL, DMY',
    TimeZone: 'Asia/Kathmandu',
    ...settings,
  };
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const processes = createLoggedProcesses(join(folder, 'postgres.log'));
  let child: Bun.Subprocess | null = null;
  let isKilled = false;
  const urlOf = (database: string) =>
    `postgres://${user}:${password}@127.0.0.1:${port}/${database}`;

  const start = async (): Promise<void> => {
    const command = [...asPostgres, join(bin, 'postgres'), '-D', data, ...flags];
    const logged = isKilled ? processes.log().length : 0;
    const started = processes.spawn(command, { cwd: folder, env });
    child = started;
    await until(async () => started.exitCode !== null || responds(urlOf('postgres')));
    if (started.exitCode !== null) {
      // The sessions of a server that was killed end some milliseconds after it.
      if (isKilled && processes.log().slice(logged).includes('still in use')) return start();
      throw new Error(`PostgreSQL ended:\n${processes.log()}`);
    }
    isKilled = false;
  };
  const end = async (signal: 'SIGKILL' | 'SIGQUIT') => {
    const ending = child;
    child = null;
    ending?.kill(signal);
    await ending?.exited;
  };

  await start();
  return {
    host: '127.0.0.1',
    port,
    ...databasesOn(urlOf('postgres')),
    start,
    kill: async () => {
      await end('SIGKILL');
      isKilled = true;
    },
    close: async () => {
      // A killed server leaves shared memory, which its next start removes.
      if (isKilled) await start();
      await end('SIGQUIT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Runs statements on the database at a URL, and returns the rows. */
export async function runOn(url: string, statements: string): Promise<Record<string, unknown>[]> {
  const sql = new SQL(url, { max: 1 });
  try {
    return await sql.unsafe(statements);
  } finally {
    await sql.close();
  }
}

async function responds(url: string): Promise<boolean> {
  try {
    await runOn(url, 'SELECT 1');
    return true;
  } catch {
    return false;
  }
}

function findBinaries(): string | null {
  const onPath = Bun.which('initdb');
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).map(Number) : [];
  const newest = Math.max(...versions.filter((version) => version >= 15));
  if (Number.isFinite(newest)) return join(debian, String(newest), 'bin');
  if (userInfo().uid === 0 && Bun.spawnSync(['id', 'postgres']).exitCode !== 0) return null;
  return onPath === null ? null : join(onPath, '..');
}
