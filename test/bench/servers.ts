import { Database } from 'bun:sqlite';
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

/** Starts a bare `Bun.serve` in a process of its own, the practical limit of any server on Bun. */
export async function startBare(): Promise<Target & { close(): void }> {
  const child = Bun.spawn([process.execPath, '-e', bare], { stdout: 'pipe' });
  const { value } = await child.stdout.getReader().read();
  process.on('exit', () => child.kill('SIGKILL'));
  return {
    name: 'bare Bun.serve',
    port: Number(new TextDecoder().decode(value)),
    pid: child.pid,
    requests: [getRequest('/')],
    close: () => child.kill('SIGKILL'),
  };
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
