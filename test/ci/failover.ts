import { afterAll, expect, test } from 'bun:test';
import { readAnswer } from '../support/api.ts';
import { startFlakyProxy } from '../support/flaky-proxy.ts';
import { hasPostgres, startPostgres } from '../support/postgres.ts';
import { type Server, startServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { isHealthy } from './copies/copies.ts';
import { type Code, createTraffic, type Send } from './copies/traffic.ts';

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
  await until(async () => (await primary.run(primary.url, synchronous)).length === 1);

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

  let turn = 0;
  const nextCopy = () => (turn++ % 2 === 0 ? first : second);
  /** Sends a request and checks the status: it may be refused with 503, or have no response, in some phases. */
  const send: Send<Server> = async (path, init, copy = nextCopy()) => {
    const began = phase;
    const what = init.method ?? 'scan';
    // A code that was changed shortly before the outage is not in memory, so scans may be refused as well.
    const mayRefuse = ['POST', 'PATCH'].includes(what) ? mayBeReadOnly : mayBeAway;
    // On a kept connection that the server closes, `fetch` would send the request again.
    const options: RequestInit = { ...init, redirect: 'manual', keepalive: false };
    const answer = await fetch(`${copy.origin}${path}`, options)
      .then(readAnswer)
      .catch(() => null);
    const line = `${what}, ${began}: ${answer?.status ?? 'no response'}`;
    responses[line] = (responses[line] ?? 0) + 1;
    if (answer !== null && answer.status < 400) return answer;
    if (!mayRefuse(began)) fail(line);
    if (answer === null) return null;
    if (answer.status !== 503) fail(line);
    if (!answer.headers.has('retry-after')) fail(`no Retry-After: ${line}`);
    return null;
  };
  const { api, create, scan, edit, check } = createTraffic(key, send, fail);

  const codes: Code[] = [];
  for (let index = 0; index < codeCount; index++) codes.push(await create(index, first));
  const codeAt = (index: number): Code => {
    const found = codes[index];
    if (found === undefined) throw new Error('there are no codes');
    return found;
  };
  const anyCode = () => codeAt(Math.floor(Math.random() * codeCount));
  /** Returns the code that only this copy edits. */
  const ownCode = (copy: Server) => codeAt(copies.indexOf(copy));
  const scanAll = async (copy: Server) => {
    const versions: (number | null)[] = [];
    for (const each of codes) versions.push(await scan(each, copy));
    return versions;
  };
  for (const copy of copies) expect(await scanAll(copy)).not.toContain(null);

  let isLoaded = true;
  const scanForever = async () => {
    while (isLoaded) {
      await scan(anyCode());
      await Bun.sleep(scanIntervalMs);
    }
  };
  let edits = 0;
  const editForever = async () => {
    while (isLoaded)
      for (const each of codes.slice(copies.length)) {
        if (await edit(each)) edits++;
        await Bun.sleep(editIntervalMs);
      }
  };
  const readForever = async () => {
    while (isLoaded) {
      await api('GET', `/${anyCode().code}`);
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
    until(() =>
      allCopies(async (copy) => (await api('GET', '?limit=1', undefined, copy)) !== null),
    ),
  );
  await during(until(() => allCopies(async (copy) => !(await scanAll(copy)).includes(null))));
  phase = 'standby';
  for (const copy of copies) {
    expect(await isHealthy(copy)).toBe(false);
    expect(await edit(ownCode(copy), copy)).toBe(false);
  }
  await during(until(() => scansIn('standby') >= 200));

  phase = 'promoting';
  await during(standby.run(standby.url, 'SELECT pg_promote()'));
  const promotedMs = performance.now();
  await during(until(() => allCopies(isHealthy), recoveryMs));
  const healthyMs = performance.now() - promotedMs;
  await during(until(() => allCopies((copy) => edit(ownCode(copy), copy)), recoveryMs - healthyMs));
  const recoveredMs = performance.now() - promotedMs;
  phase = 'promoted';
  const editsBefore = edits;
  await during(until(() => scansIn('promoted') >= 200 && edits >= editsBefore + 20));
  isLoaded = false;
  await ended;

  for (const [writer, other] of [copies, copies.toReversed()] as [Server, Server][]) {
    for (const each of codes.slice(0, 10)) {
      expect(await edit(each, writer)).toBe(true);
      expect(await scan(each, other)).toBe(each.sentVersion);
    }
  }

  const promotedUrl = Object.assign(new URL(databaseUrl), { port: standby.port }).href;
  const hits = 'SELECT 1 FROM scan_log WHERE targets IS NOT NULL LIMIT 1';
  await until(async () => (await standby.run(promotedUrl, hits)).length === 0, 10_000);

  for (const copy of copies) for (const each of codes) await check(each, copy);
  console.log({ healthyMs, recoveredMs, edits, responses, failures: failures.length });
  if (failures.length > 0) for (const { log } of copies) console.log(log().slice(-4000));
  expect(failures).toEqual([]);
});
