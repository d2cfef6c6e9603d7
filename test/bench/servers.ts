import { Database } from 'bun:sqlite';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addManyQrs, codeOf } from '../stores/many-qrs.ts';
import type { Postgres } from '../support/postgres.ts';
import { type Server, startServer } from '../support/server.ts';
import { type Target, waitUntilIdle } from './measure.ts';

/** Sends the same redirect to every request. */
const bare = `
  const headers = { Location: 'https://example.com/' };
  const fetch = () => new Response(null, { status: 302, headers });
  console.log(Bun.serve({ port: 0, hostname: '127.0.0.1', development: false, fetch }).port);
`;

/**
 * Looks each code up in SQLite, and commits one row with the hits of an event-loop tick before it responds, with the
 * headers that a redirect of Waymark has.
 */
const counting = `
  const { Database } = require('bun:sqlite');
  const [path, synchronous] = process.argv.slice(1);
  const database = new Database(path);
  database.run('PRAGMA synchronous = ' + synchronous);
  const select = database.query('SELECT id, destination FROM qrs WHERE code = ?');
  const insert = database.query('INSERT INTO hits (hits) VALUES (?)');
  const headers = new Headers({
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'X-Robots-Tag': 'noindex',
  });
  let tick = null;
  const commit = () => {
    const { hits, committed } = tick;
    tick = null;
    insert.run(new Uint8Array(new Float64Array(hits).buffer));
    committed.resolve();
  };
  const fetch = async ({ url }) => {
    const { id, destination } = select.get(url.slice(url.lastIndexOf('/') + 1));
    if (tick === null) {
      tick = { hits: [], committed: Promise.withResolvers() };
      setImmediate(commit);
    }
    tick.hits.push(id, Date.now(), 1);
    await tick.committed.promise;
    headers.set('Location', destination);
    return new Response(null, { status: 302, headers });
  };
  console.log(Bun.serve({ port: 0, hostname: '127.0.0.1', development: false, fetch }).port);
`;

interface Bare extends Target {
  close(): void;
}

/** Starts a bare `Bun.serve` in a process of its own, the practical limit of any server on Bun. */
export async function startBare(): Promise<Bare> {
  return startScript('bare Bun.serve', bare, [], [getRequest('/')]);
}

/** Starts a bare server that looks up and counts, the practical limit of redirects that are on disk before they are sent. */
export async function startCounting(
  count: number,
  durability: 'process' | 'power',
  requests: readonly string[],
): Promise<Bare> {
  const folder = await mkdtemp(join(tmpdir(), 'waymark-limit-'));
  const path = join(folder, 'limit.db');
  const database = new Database(path, { strict: true });
  database.run('PRAGMA journal_mode = WAL');
  database.run('CREATE TABLE qrs (id INTEGER PRIMARY KEY, code TEXT UNIQUE, destination TEXT)');
  database.run('CREATE TABLE hits (id INTEGER PRIMARY KEY, hits BLOB)');
  const insert = database.query('INSERT INTO qrs (code, destination) VALUES (?, ?)');
  database.transaction(() => {
    for (let number = 0; number < count; number++)
      insert.run(codeOf(number), `https://shop.example.com/products/${number}?utm_source=print`);
  })();
  database.close();
  const synchronous = durability === 'power' ? 'FULL' : 'NORMAL';
  const name = `bare Bun.serve that counts, "${durability}"`;
  const server = await startScript(name, counting, [path, synchronous], requests);
  return {
    ...server,
    close: () => {
      server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startScript(
  name: string,
  script: string,
  args: readonly string[],
  requests: readonly string[],
): Promise<Bare> {
  const child = Bun.spawn([process.execPath, '-e', script, ...args], { stdout: 'pipe' });
  const { value } = await child.stdout.getReader().read();
  process.on('exit', () => child.kill('SIGKILL'));
  const port = Number(new TextDecoder().decode(value));
  return { name, port, pid: child.pid, requests, close: () => child.kill('SIGKILL') };
}

/** Starts Waymark with one account and a number of codes, written straight to its database. */
export async function startFilled(count: number, env: Record<string, string> = {}) {
  const server = await startServer(env);
  const { key } = await server.account('bench@example.com');
  await server.stop();
  const database = new Database(join(server.dataFolder, 'waymark.db'), { strict: true });
  addManyQrs(database, { accountId: 1, designId: 1 }, count);
  database.close();
  await server.start();
  await waitUntilIdle(server.pid());
  return { server, key, database: server.database };
}

/** Does the same on a PostgreSQL server. */
export async function startFilledOnPostgres(count: number, postgres: Postgres) {
  const database = { WAYMARK_DATABASE_URL: await postgres.createDatabase() };
  const server = await startServer(database);
  const { key } = await server.account('bench@example.com');
  await postgres.run(
    database.WAYMARK_DATABASE_URL,
    `INSERT INTO qrs (code, account_id, design_id, short_link, destination, created_at, image_hash)
       SELECT code, 1, 1, 'https://qr.example.com/' || code,
         'https://shop.example.com/products/' || i || '?utm_source=print&utm_medium=qr',
         1750000000000 + i / 3, decode(repeat('00', 32), 'hex')
       FROM (SELECT i, lpad(to_hex(i::bigint * 2654435761 % 4294967296), 8, '0') AS code
         FROM generate_series(0, ${count - 1}) AS i) AS numbered;
     UPDATE accounts SET qr_count = ${count}; ANALYZE`,
  );
  await waitUntilIdle(server.pid());
  return { server, key, database };
}

/** A phone's user agent: scans by other agents may not be counted. */
const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 Version/26.0 Mobile/15E148 Safari/604.1';

/** Returns a GET as a phone sends it, with further header lines that each end in CRLF. */
export function getRequest(path: string, headers = ''): string {
  return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: ${phone}\r\n${headers}\r\n`;
}

/** Returns the request for the redirect of a code of {@link startFilled}. */
export function redirectTo(number: number): string {
  return getRequest(`/${codeOf(number)}`);
}

export function targetOf(name: string, server: Server, requests: readonly string[]): Target {
  return { name, port: Number(new URL(server.origin).port), pid: server.pid(), requests };
}
