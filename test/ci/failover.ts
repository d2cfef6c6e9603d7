import { afterAll, expect, test } from 'bun:test';
import { SQL } from 'bun';
import { startFlakyProxy } from '../support/flaky-proxy.ts';
import { hasPostgres, startPostgres } from '../support/postgres.ts';
import { type Server, startServer } from '../support/server.ts';
import { until } from '../support/until.ts';

/**
 * Two copies and a synchronous standby, as in docs/scale.md, "Failover with a replica". The copies connect through
 * a proxy, so that WAYMARK_DATABASE_URL stays the same.
 */

const codeCount = 40;
const scanners = 6;
// The load leaves most of the machine to the servers.
const scanIntervalMs = 10;
const editIntervalMs = 10;
/** docs/scale.md: "Everything is back to normal within five seconds". */
const recoveryMs = 5000;

/** A code, and what the clients know of it. */
interface Code {
  readonly code: string;
  readonly index: number;
  /** Requests that were answered with a redirect. */
  redirects: number;
  /** Other requests: they may have been counted. */
  uncertain: number;
  /** Destinations end in a version: the highest that was answered, and the highest that was sent. */
  answeredVersion: number;
  sentVersion: number;
}

/** State of the database as the copies see it. */
type Phase = 'primary' | 'away' | 'standby' | 'promoting' | 'promoted';

const closing: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closing.reverse()) await close();
});

test.skipIf(!hasPostgres)('a failover to a synchronous standby loses nothing', async () => {
  const primary = await startPostgres();
  closing.push(primary.close);
  const standby = await startPostgres({}, primary);
  closing.push(standby.close);
  // Only now: pg_basebackup copies the settings, and the promoted server would wait for a standby of its own.
  await primary.run(primary.url, "ALTER SYSTEM SET synchronous_standby_names = '*'");
  await primary.run(primary.url, 'SELECT pg_reload_conf()');
  const synchronous = "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'";
  await until(async () => (await query(primary.url, synchronous)).length === 1);

  const proxy = await startFlakyProxy(primary);
  closing.push(proxy.close);
  const databaseUrl = await primary.createDatabase();
  const through = (port: number) => Object.assign(new URL(databaseUrl), { port }).href;
  const env = {
    WAYMARK_DATABASE_URL: through(proxy.port),
    WAYMARK_PUBLIC_URL: 'http://qr.example.com',
  };
  const startCopy = async () => {
    const copy = await startServer(env);
    closing.push(copy.close);
    return copy;
  };
  const copies = await Promise.all([startCopy(), startCopy()]);
  const [first, second] = copies;
  const { key } = await first.account('failover@example.com');

  const failures: string[] = [];
  const fail = (text: string) => void failures.push(text);
  let phase: Phase = 'primary';
  /** Number of responses by what was asked, the phase at the beginning, and the status. */
  const responses: Record<string, number> = {};
  /** Whether the database may have been away during a request, or read-only. */
  const mayBeAway = (began: Phase) =>
    phase !== 'primary' && (began === 'primary' || began === 'away');
  const mayBeReadOnly = (began: Phase) => phase !== 'primary' && began !== 'promoted';

  /** Sends a request and checks the status. Returns null when it is refused with 503, or there is no response. */
  const send = async (
    address: string,
    { what, mayRefuse, ...init }: RequestInit & { what: string; mayRefuse: typeof mayBeAway },
  ): Promise<Response | null> => {
    const began = phase;
    // On a kept connection that the server closes, `fetch` would send the request again.
    const options: RequestInit = { ...init, redirect: 'manual', keepalive: false };
    const response = await fetch(address, options).catch(() => null);
    const status = response?.status ?? 'no response';
    const line = `${what}, ${began}: ${status}`;
    responses[line] = (responses[line] ?? 0) + 1;
    if (response !== null && response.status < 400) return response;
    if (!mayRefuse(began)) fail(line);
    if (response === null) return null;
    await response.arrayBuffer();
    if (status !== 503) fail(line);
    if (!response.headers.has('retry-after')) fail(`no Retry-After: ${line}`);
    return null;
  };

  /** Sends a request to the API of a copy and returns its JSON, or null when there is no result. */
  const api = async (copy: Server, method: string, path: string, body?: unknown) => {
    const response = await send(`${copy.origin}/api/v1/qrs${path}`, {
      what: method,
      mayRefuse: method === 'GET' ? mayBeAway : mayBeReadOnly,
      method,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (response === null) return null;
    return (await response.json()) as { code: string; scans: number; destination: string };
  };
  const destinationOf = ({ index }: Pick<Code, 'index'>, version: number) =>
    `https://example.com/${index}?version=${version}`;
  const versionIn = (one: Code, destination: string) => {
    const version = Number(destination.split('=')[1]);
    if (destination !== destinationOf(one, version)) fail(`wrong: ${destination}`);
    if (version > one.sentVersion) fail(`never sent: ${destination}`);
    return version;
  };

  /** Scans a code at a copy. Returns the version that it redirects to, or null when it does not. */
  const scan = async (copy: Server, one: Code): Promise<number | null> => {
    const atLeast = one.answeredVersion;
    const response = await send(`${copy.origin}/${one.code}`, {
      what: 'scan',
      // A code that was changed shortly before the outage is not in memory.
      mayRefuse: mayBeAway,
      headers: { 'User-Agent': 'iPhone' },
    });
    if (response === null) {
      one.uncertain++;
      return null;
    }
    await response.arrayBuffer();
    if (response.status !== 302) fail(`no redirect: ${response.status}`);
    one.redirects++;
    const version = versionIn(one, response.headers.get('location') ?? '');
    if (version < atLeast) fail(`stale: ${one.code} has ${version} after ${atLeast}`);
    return version;
  };

  /** Gives a code its next version at a copy. Returns whether this was answered with success. */
  const edit = async (copy: Server, one: Code): Promise<boolean> => {
    const version = ++one.sentVersion;
    const edited = await api(copy, 'PATCH', `/${one.code}`, { url: destinationOf(one, version) });
    if (edited === null) return false;
    if (versionIn(one, edited.destination) !== version) fail(`not edited: ${one.code}`);
    one.answeredVersion = version;
    return true;
  };

  const codes: Code[] = [];
  for (let index = 0; index < codeCount; index++) {
    const created = await api(first, 'POST', '', { url: destinationOf({ index }, 0) });
    if (created === null) throw new Error('no code was created');
    const { code } = created;
    codes.push({ code, index, redirects: 0, uncertain: 0, answeredVersion: 0, sentVersion: 0 });
  }
  const codeAt = (index: number): Code => {
    const found = codes[index];
    if (found === undefined) throw new Error('there are no codes');
    return found;
  };
  /** Returns the code that only this copy edits. */
  const ownCode = (copy: Server) => codeAt(copies.indexOf(copy));
  const scanAll = async (copy: Server) => {
    const versions: (number | null)[] = [];
    for (const each of codes) versions.push(await scan(copy, each));
    return versions;
  };
  for (const copy of copies) expect(await scanAll(copy)).not.toContain(null);

  let isLoaded = true;
  let turn = 0;
  const nextCopy = () => (turn++ % 2 === 0 ? first : second);
  const scanForever = async () => {
    while (isLoaded) {
      await scan(nextCopy(), codeAt(Math.floor(Math.random() * codeCount)));
      await Bun.sleep(scanIntervalMs);
    }
  };
  let edits = 0;
  const editForever = async () => {
    while (isLoaded)
      for (const each of codes.slice(copies.length)) {
        if (await edit(nextCopy(), each)) edits++;
        await Bun.sleep(editIntervalMs);
      }
  };
  const readForever = async () => {
    while (isLoaded) {
      await api(nextCopy(), 'GET', `/${codeAt(Math.floor(Math.random() * codeCount)).code}`);
      await Bun.sleep(editIntervalMs);
    }
  };
  const load = [...Array.from({ length: scanners }, scanForever), editForever(), readForever()];
  const ended = Promise.all(load);
  // Rejects here if a client of the load does.
  const during = (step: Promise<unknown>) => Promise.race([step, ended]);
  const scansIn = (period: Phase) =>
    Object.entries(responses)
      .filter(([line]) => line.startsWith(`scan, ${period}:`))
      .reduce((sum, [, count]) => sum + count, 0);
  const allCopies = async (holds: (copy: Server) => Promise<boolean>) =>
    (await Promise.all(copies.map(holds))).every(Boolean);

  await during(until(() => edits >= codeCount));

  // Nothing listens behind the proxy: known codes redirect from memory.
  phase = 'away';
  await primary.kill();
  await during(until(() => scansIn('away') >= 50));
  await during(until(() => allCopies(async (copy) => !(await isHealthy(copy)))));

  // The copies meet a standby, which can be read.
  proxy.retarget(standby);
  await during(
    until(() => allCopies(async (copy) => (await api(copy, 'GET', '?limit=1')) !== null)),
  );
  await during(until(() => allCopies(async (copy) => !(await scanAll(copy)).includes(null))));
  phase = 'standby';
  for (const copy of copies) {
    expect(await isHealthy(copy)).toBe(false);
    expect(await edit(copy, ownCode(copy))).toBe(false);
  }
  await during(until(() => scansIn('standby') >= 200));

  phase = 'promoting';
  await during(standby.run(standby.url, 'SELECT pg_promote()'));
  const promotedMs = performance.now();
  await during(until(() => allCopies(isHealthy), recoveryMs));
  const healthyMs = performance.now() - promotedMs;
  await during(until(() => allCopies((copy) => edit(copy, ownCode(copy))), recoveryMs - healthyMs));
  const recoveredMs = performance.now() - promotedMs;
  phase = 'promoted';
  const editsBefore = edits;
  await during(until(() => scansIn('promoted') >= 200 && edits >= editsBefore + 20));
  isLoaded = false;
  await ended;

  for (const [writer, other] of [copies, copies.toReversed()] as [Server, Server][]) {
    for (const each of codes.slice(0, 10)) {
      expect(await edit(writer, each)).toBe(true);
      expect(await scan(other, each)).toBe(each.sentVersion);
    }
  }

  const promotedUrl = Object.assign(new URL(databaseUrl), { port: standby.port }).href;
  const hits = 'SELECT 1 FROM scan_log WHERE targets IS NOT NULL LIMIT 1';
  await until(async () => (await query(promotedUrl, hits)).length === 0, 10_000);
  const leaders = `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ExclusiveLock' AND granted`;
  expect(await query(promotedUrl, leaders)).toHaveLength(1);

  for (const copy of copies)
    for (const each of codes) {
      const found = await api(copy, 'GET', `/${each.code}`);
      if (found === null) continue;
      const version = versionIn(each, found.destination);
      if (version < each.answeredVersion) fail(`lost: ${each.code} has version ${version}`);
      const { redirects, uncertain } = each;
      if (found.scans < redirects || found.scans > redirects + uncertain)
        fail(`${each.code}: ${found.scans} scans of ${redirects} (+ ${uncertain})`);
    }
  console.log({ healthyMs, recoveredMs, edits, responses, failures: failures.length });
  if (failures.length > 0) for (const { log } of copies) console.log(log().slice(-4000));
  expect(failures).toEqual([]);
});

/** Runs a statement as superuser and returns its rows. */
async function query(url: string, statement: string): Promise<unknown[]> {
  const sql = new SQL(url, { max: 1 });
  try {
    return await sql.unsafe(statement);
  } finally {
    await sql.close();
  }
}

async function isHealthy({ origin }: Server): Promise<boolean> {
  return (await fetch(`${origin}/healthz`)).status === 200;
}
