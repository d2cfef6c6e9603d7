import { Database } from 'bun:sqlite';
import {
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { storedEnv } from '../golden/facts.ts';
import { type PanelClient, type PanelResponse, signedIn } from '../panel/client.ts';
import { addManyQrs } from '../stores/many-qrs.ts';
import { hostileTexts, hostileWorkbooks } from './hostile-files.ts';
import { appOf } from './processes.ts';
import { outputOf } from './program.ts';
import { type Server, startServer } from './server.ts';
import { until } from './until.ts';

/** A server with an account whose work must not delay redirects. */
export interface BusyServer {
  readonly server: Server;
  readonly owner: PanelClient;
  readonly key: string;
  readonly codes: number;
}

export interface WorkOptions {
  /** Links of the import. */
  readonly links: number;
  /** Bytes that slow clients download together. */
  readonly downloadBytes: number;
  /** Size of the database that is checked at a start, at least. */
  readonly databaseBytes: number;
  /** Kills a command that takes longer. */
  readonly maxCommandMs: number;
}

/**
 * Runs what is to be sampled.
 *
 * @param server another than the busy one
 */
export type During = (run: () => Promise<unknown>, server?: Server) => Promise<void>;

/** Does some work, and calls `during` with the part of it beside which redirects are sampled. */
export type Work = (during: During) => Promise<void>;

const email = 'busy@example.com';
const halves = ['Spring', 'Summer'] as const;
/** For how long short requests are repeated. */
const repeatedMs = 2000;
const heldMs = 3000;
const planUntilMs = Date.parse('2099-12-31');

/** Starts a server on which an account has many codes, half of them in a folder. */
export async function startBusyServer(codes: number): Promise<BusyServer> {
  const server = await startServer();
  const owner = await signedIn(server, email, { planUntilMs });
  const key = await server.generateKey(email);
  await server.stop();
  const database = new Database(join(server.dataFolder, 'waymark.db'), { strict: true });
  addManyQrs(database, { accountId: 1, designId: 1 }, codes);
  database.query('UPDATE qrs SET folder = ? WHERE id % 2 = 0').run(halves[0]);
  database.close();
  await server.start();
  return { server, owner, key, codes };
}

/**
 * Returns work that must delay no redirect, by its name. All may be done several times, except the last, which deletes
 * the account.
 */
export function isolationWorks(
  busy: BusyServer,
  options: WorkOptions,
): Readonly<Record<string, Work>> {
  const { server, owner, key, codes } = busy;
  const { origin, dataFolder, folder } = server;
  const count = (number: number) => number.toLocaleString('en');

  const pageOf = async (path: string) => expectStatus(await owner.get(path), 200);
  const send = async (path: string, fields: Record<string, string | Blob>) =>
    owner.post(path, { csrf: await owner.csrf(), account: '1', ...fields });
  /** Uploads a table, and waits for its check. */
  const checkTable = async (name: string, content: string | Uint8Array<ArrayBuffer>) => {
    const response = await send('/account/batches', { file: new File([content], name) });
    // A draft, or the page again with what is wrong.
    if (response.status !== 303) expectStatus(response, 422);
  };
  const command = async (...args: string[]) => {
    const startMs = performance.now();
    const { exitCode, stderr } = await server.cli(args, { deadlineMs: options.maxCommandMs });
    const isCut = performance.now() - startMs >= options.maxCommandMs;
    if (exitCode !== 0 && !isCut) throw new Error(`${args.join(' ')}: exit ${exitCode}\n${stderr}`);
  };
  const isHealthy = async () => (await fetch(`${origin}/healthz`)).ok;
  let isRenamed = false;

  return {
    [`pages of a list of ${count(codes)} codes by scans`]: (during) =>
      during(() =>
        repeat(async () => {
          await pageOf('/account/codes?sort=scans');
          await pageOf('/account/codes?status=active&sort=scans&page=2');
          await pageOf('/account/codes?sort=name&page=300');
        }),
      ),
    'a folder with half of them is renamed': async (during) => {
      const [from, to] = isRenamed ? halves.toReversed() : halves;
      isRenamed = !isRenamed;
      const fields = { folder: from ?? '', name: to ?? '' };
      await during(async () => expectStatus(await send('/account/folders/rename', fields), 303));
      await pageOf(`/account/folders/rename?folder=${to}`);
    },
    'long query strings of strangers': (during) =>
      during(() =>
        repeat(async () => {
          const query = `${'&'.repeat(7000)}=${'a'.repeat(7000)}`;
          const paths = ['/api/v1/qrs', '/account/sign-in', '/docs', '/favicon.ico', '/no-such'];
          await Promise.all(paths.map((path) => fetch(`${origin}${path}?${query}`).then(drain)));
        }),
      ),
    'a table with a cell of 40,000 blanks': (during) =>
      during(() => checkTable('table.csv', hostileTexts['a cell of blanks']?.(40_000) ?? '')),
    'a workbook with 20,000 links on ranges': (during) => {
      const workbook = hostileWorkbooks['links on long ranges']?.(1).slice() ?? '';
      return during(() => checkTable('table.xlsx', workbook));
    },
    '200 pages of the panel at once': (during) =>
      during(() => Promise.all(Array.from({ length: 200 }, () => pageOf('/account/codes')))),
    'long lists of the API': (during) =>
      during(() =>
        Promise.all(
          Array.from({ length: 50 }, async (_, page) => {
            const path = `${origin}/api/v1/qrs?limit=100&offset=${page * 1000}`;
            const response = await fetch(path, { headers: { Authorization: `Bearer ${key}` } });
            await drain(response);
            if (response.status !== 200) throw new Error(`a list: ${response.status}`);
          }),
        ),
      ),
    'health checks while the data folder cannot be found': async (during) => {
      const aside = `${dataFolder}-aside`;
      await during(async () => {
        renameSync(dataFolder, aside);
        symlinkSync(dataFolder, dataFolder);
        await repeat(async () => {
          const response = await fetch(`${origin}/healthz`);
          await drain(response);
          if (response.status !== 503) throw new Error(`healthy: ${response.status}`);
          await Bun.sleep(50);
        });
        rmSync(dataFolder);
        renameSync(aside, dataFolder);
      });
      await until(isHealthy);
    },
    'a write lock of 3 s on waymark.db': (during) =>
      during(() => lockDatabase(join(dataFolder, 'waymark.db'))),
    'a backup': (during) => during(() => command('backup', join(folder, `${Date.now()}.db`))),
    [`an import of ${count(options.links)} links`]: async (during) => {
      const file = join(folder, 'links.csv');
      const prefix = `printed-${Date.now()}`;
      const lines = Array.from(
        { length: options.links },
        (_, at) => `${prefix}-${at},https://example.com/${at}\n`,
      );
      writeFileSync(file, `path,destination\n${lines.join('')}`);
      await during(() => command('link', 'import', file, '--account', email));
    },
    [`slow downloads of ${count(options.downloadBytes / 1e6)} MB`]: (during) =>
      during(() => downloadSlowly(server, owner, options.downloadBytes)),
    'the app server stands still for 3 s': (during) =>
      during(async () => {
        const app = appOf(server.pid());
        process.kill(app, 'SIGSTOP');
        await Bun.sleep(heldMs);
        process.kill(app, 'SIGCONT');
        await until(isHealthy);
      }),
    'kill -9 of the app server, and its next start': (during) =>
      during(async () => {
        process.kill(appOf(server.pid()), 'SIGKILL');
        await until(isHealthy);
      }),
    'the app server at its limit of memory': (during) =>
      during(async () => {
        const app = appOf(server.pid());
        await limitMemory(app);
        await repeat(async () => {
          // Without memory, no worker that draws can be started.
          const { status, text } = await send('/account/codes', { url: 'https://example.com/' });
          if (status !== 503) throw new Error(`${status}: ${text.slice(0, 2000)}`);
        });
        await outputOf(['prlimit', '--pid', String(app), '--as=unlimited'], { cwd: folder });
      }),
    'the check of the database at the start': async (during) => {
      await server.stop();
      enlarge(join(dataFolder, 'waymark.db'), options.databaseBytes);
      await during(() => server.start());
    },
    [`a migration of ${count(codes)} codes of 1.1.0`]: async (during) => {
      const upgraded = await startStored('1.1.0', codes);
      await during(() => upgraded.start(), upgraded);
      await upgraded.close();
    },
    [`the account of ${count(codes)} codes is deleted`]: (during) =>
      during(() => command('account', 'delete', email, '--codes', 'keep', '--yes')),
  };
}

/** Adds pictures to a database, which the server forgets after a day, until its file has a size. */
function enlarge(path: string, bytes: number): void {
  const pictureBytes = 1_000_000;
  const missing = Math.ceil((bytes - statSync(path).size) / pictureBytes);
  if (missing <= 0) return;
  const database = new Database(path, { strict: true });
  database.run(
    `INSERT INTO pictures (account_id, digest, content, kept_at)
     WITH RECURSIVE number (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM number WHERE i < ?)
     SELECT 1, 'enlarged ' || i, zeroblob(${pictureBytes}), ? FROM number`,
    [missing, Date.now()],
  );
  database.close();
}

/** Returns a server that is stopped, on the stored database of a version, with many more codes. */
async function startStored(version: string, codes: number): Promise<Server> {
  const server = await startServer(storedEnv);
  await server.stop();
  rmSync(server.dataFolder, { recursive: true });
  mkdirSync(server.dataFolder, { mode: 0o700 });
  const path = join(server.dataFolder, 'waymark.db');
  const packed = Bun.file(join(import.meta.dir, '../golden', version, 'waymark.db.gz'));
  writeFileSync(path, Bun.gunzipSync(await packed.bytes()));
  const database = new Database(path, { strict: true });
  const { id } = database.query<{ id: number }, []>('SELECT max(id) AS id FROM qrs').get() ?? {
    id: 0,
  };
  addManyQrs(database, { accountId: 1, designId: 1 }, codes);
  // Imported links, whose images the upgrade does not compare.
  database.query('UPDATE qrs SET design_id = NULL, image_hash = NULL WHERE id > ?').run(id);
  database.close();
  return server;
}

async function repeat(act: () => Promise<unknown>): Promise<void> {
  const endMs = performance.now() + repeatedMs;
  do await act();
  while (performance.now() < endMs);
}

async function drain(response: Response): Promise<void> {
  await response.bytes();
}

function expectStatus(response: PanelResponse, status: number): PanelResponse {
  if (response.status !== status)
    throw new Error(`${response.status} instead of ${status}: ${response.text.slice(0, 2000)}`);
  return response;
}

/** Holds the write lock of a database from another process. */
async function lockDatabase(path: string): Promise<void> {
  const script = `
    const { Database } = require('bun:sqlite');
    const database = new Database(${JSON.stringify(path)});
    database.run('PRAGMA busy_timeout = 60000');
    database.run('BEGIN IMMEDIATE');
    Bun.sleepSync(${heldMs});
    database.run('COMMIT');`;
  await outputOf([process.execPath, '-e', script], { cwd: '/' });
}

const slowClients = 8;
const readPauseMs = 20;

/** Downloads tables of all codes again and again, with clients that pause after each piece. */
async function downloadSlowly(server: Server, owner: PanelClient, bytes: number): Promise<void> {
  const { hostname, port } = new URL(server.origin);
  const cookies = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const request = `GET /account/codes.csv HTTP/1.1\r\nHost: ${hostname}:${port}\r\nCookie: ${cookies}\r\nConnection: close\r\n\r\n`;
  let left = bytes;
  const download = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => socket.write(request));
      let isFirst = true;
      socket.on('data', (data) => {
        if (isFirst && !data.toString('latin1').startsWith('HTTP/1.1 200'))
          reject(new Error(data.toString('latin1', 0, 100)));
        isFirst = false;
        left -= data.length;
        if (left <= 0) socket.destroy();
        socket.pause();
        setTimeout(() => socket.resume(), readPauseMs);
      });
      socket.on('close', () => resolve());
      socket.on('error', reject);
    });
  const client = async () => {
    while (left > 0) await download();
  };
  await Promise.all(Array.from({ length: slowClients }, client));
}

/** Limits the memory of a process to what it has. */
async function limitMemory(pid: number): Promise<void> {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  const kilobytes = Number(/^VmSize:\s*(\d+) kB$/m.exec(status)?.[1]);
  await outputOf(['prlimit', '--pid', String(pid), `--as=${kilobytes * 1024}:`], { cwd: '/' });
}
