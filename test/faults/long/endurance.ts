import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openForReading } from '../../../src/sqlite/database/read-only.ts';
import { flawsOf } from '../../../src/sqlite/maintenance/integrity.ts';
import { seeded } from '../../bench/load.ts';
import { cpuMsOf } from '../../bench/measure.ts';
import { startServer } from '../../support/server.ts';
import { publishChangingList } from './changing-list.ts';
import { createClientPool } from './client-pool.ts';
import { appendLine, type Happening, readLog } from './endurance-log.ts';
import { printReport } from './endurance-report.ts';
import { createMix, type Wanted } from './mixed-requests.ts';
import { databaseMb, descriptorsOf, memoryMb } from './process-figures.ts';
import { createRequests } from './requests.ts';
import { createRunClock } from './run-clock.ts';
import { countScans } from './scan-counts.ts';
import { createUpkeep } from './upkeep.ts';

/**
 * A working day of a server: for hours a hundred requests a second, evenly, of every kind; each hour a
 * backup and a look at all destinations, every ten minutes another edition of a block list. Every
 * minute's figures go into a log at once. The run may be stopped (SIGSTOP) for minutes together with the
 * server: the time does not count, and what was on its way is told apart. SIGTERM ends it early, in order.
 *
 *   WAYMARK_BIN=dist/waymark bun test/faults/long/endurance.ts --hours 8 --log endurance.jsonl
 *   … --steady --codes 10000                          edits in place of creates: as many codes as before
 *   … --hours 0.1 --backup 2 --list 1                  shorter, with its minutes between backups and editions
 *   … --pids FILE                                      where to note the processes, to stop them
 *   bun test/faults/long/endurance.ts --report endurance.jsonl      the table, also while it runs
 */
const { values } = parseArgs({
  options: {
    hours: { type: 'string', default: '8' },
    codes: { type: 'string', default: '2000' },
    steady: { type: 'boolean', default: false },
    backup: { type: 'string', default: '60' },
    list: { type: 'string', default: '10' },
    log: { type: 'string', default: 'endurance.jsonl' },
    pids: { type: 'string' },
    report: { type: 'string' },
  },
});
if (values.report !== undefined) {
  printReport(readLog(values.report));
  process.exit(0);
}

const everyMs = 10;
const secondMs = 1000;
const minuteMs = 60_000;
const pauseMs = 3000;
const backupMinutes = Number(values.backup);
const listMinutes = Number(values.list);
/** Drawn with a logo, which takes five times as long; the rest are plain. */
const withLogo = 100;

const server = await startServer();
const pid = server.pid();
const clock = createRunClock(() => performance.now(), pauseMs);
const pool = createClientPool(16, '127.0.0.1', Number(new URL(server.origin).port));
if (values.pids) writeFileSync(values.pids, `${process.pid}\n${pid}\n`);

let minute = 0;
const note = (kind: Happening['kind'], what: Record<string, unknown>) =>
  appendLine(values.log, { kind, minute, at: new Date().toISOString(), what });
const round = (value: number) => Math.round(value * 100) / 100;

try {
  const { email, api, key } = await server.account('alice@example.org');
  const logo = join(import.meta.dir, '../../golden/logo.png');
  await server.cli(['design', 'set', email, '--logo', logo]);
  for (let nth = 0; nth < Number(values.codes); nth++) {
    if (nth === withLogo) await server.cli(['design', 'set', email, '--no-logo']);
    await api.create();
  }
  const scans = await countScans(api);
  const list = await publishChangingList(server.dataFolder);
  let [requests, created, asked, lostInPauses] = [0, scans.codes.length, 0, 0];
  const upkeep = await createUpkeep({
    server,
    list,
    load: () => ({
      answered: { codes: scans.codes.length, scans: scans.sums().answered },
      asked: { codes: created, scans: asked },
    }),
  });
  await upkeep.refreshList();
  const wire = createRequests(server.origin, key);
  const next = createMix(
    { requests: wire, scans, listed: list.always, steady: values.steady },
    seeded(21),
  );

  let latenciesMs: number[] = [];
  const inFlight = new Set<Promise<void>>();
  const send = async ({ kind, request, status, scans: code }: Wanted, dueMs: number) => {
    const pausesBefore = clock.pauses();
    requests++;
    if (code !== undefined) asked++;
    if (kind === 'create') created++;
    try {
      const got = await pool.ask(request);
      clockLook();
      if (code !== undefined && got === status) scans.scanned(code);
      if (got !== status) {
        if (kind === 'create') created--;
        if (pausesBefore !== clock.pauses()) lostInPauses++;
        else note('fault', { kind, status, got });
      } else if (pausesBefore === clock.pauses()) latenciesMs.push(clock.ranMs() - dueMs);
    } catch (error) {
      clockLook();
      if (code !== undefined) scans.unsure(code);
      if (pausesBefore !== clock.pauses()) lostInPauses++;
      else note('fault', { kind, error: String(error) });
    }
  };
  const clockLook = () => {
    const stoodStillMs = clock.look();
    if (stoodStillMs === 0) return;
    pool.renew();
    note('pause', { seconds: round(stoodStillMs / 1000) });
  };

  let keeping: Promise<void> = Promise.resolve();
  const keepUp = (kind: 'backup' | 'list', work: () => Promise<Record<string, number>>) => {
    keeping = keeping.then(work).then(
      (what) => note(kind, what),
      (error) => note('fault', { kind, error: String(error) }),
    );
  };

  let memory: number[] = [];
  let anonymous: number[] = [];
  let [answeredBefore, cpuBeforeMs] = [0, cpuMsOf(pid)];
  const endMinute = async () => {
    minute++;
    latenciesMs.sort((a, b) => a - b);
    const at = (share: number) => round(latenciesMs[Math.floor(latenciesMs.length * share)] ?? 0);
    appendLine(values.log, {
      kind: 'minute',
      minute,
      at: new Date().toISOString(),
      answered: requests - inFlight.size - answeredBefore,
      memoryMb: round(Math.min(...memory)),
      mostMemoryMb: round(Math.max(...memory)),
      anonymousMb: round(Math.min(...anonymous)),
      descriptors: descriptorsOf(pid),
      databaseMb: round(databaseMb(server.dataFolder, '')),
      logMb: round(databaseMb(server.dataFolder, '-wal')),
      p50Ms: at(0.5),
      p99Ms: at(0.99),
      mostMs: round(latenciesMs.at(-1) ?? 0),
      cpuPercent: round((cpuMsOf(pid) - cpuBeforeMs) / 600),
      codes: created,
    });
    [answeredBefore, cpuBeforeMs] = [requests - inFlight.size, cpuMsOf(pid)];
    [latenciesMs, memory, anonymous] = [[], [], []];
    if (minute % listMinutes === 0) keepUp('list', upkeep.refreshList);
    if (minute % backupMinutes === 0) keepUp('backup', upkeep.backUp);
    await scans.learn();
  };

  let ending = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => (ending = true));
  note('start', { hours: values.hours, codes: created, pid });
  clock.look();
  const beganMs = clock.ranMs();
  const endMs = Number(values.hours) * 60 * minuteMs;
  for (let nth = 0; nth * everyMs < endMs && !ending; nth++) {
    const dueMs = beganMs + nth * everyMs;
    await Bun.sleep(Math.max(0, dueMs - clock.ranMs()));
    clockLook();
    const sent = send(next(), dueMs);
    inFlight.add(sent);
    void sent.then(() => inFlight.delete(sent));
    if (nth % (secondMs / everyMs) === 0) {
      memory.push(memoryMb(pid, 'VmRSS'));
      anonymous.push(memoryMb(pid, 'RssAnon'));
    }
    if ((nth + 1) % (minuteMs / everyMs) === 0) void endMinute();
  }
  await Promise.all(inFlight);
  await keeping;
  pool.close();

  const counted = await scans.compare();
  const peakMb = memoryMb(pid, 'VmHWM');
  const exitCode = await server.stop();
  const { $client: database } = openForReading(server.dataFolder);
  const flaws = flawsOf(database);
  database.close();
  const { answered } = scans.sums();
  const at = new Date().toISOString();
  const sums = { requests, lostInPauses, created, scans: answered, peakMb: round(peakMb) };
  appendLine(values.log, { kind: 'end', at, exitCode, flaws, ...sums, ...counted });
  list.close();
  printReport(readLog(values.log));
} finally {
  await server.close();
  if (values.pids) rmSync(values.pids, { force: true });
}
process.exit(0);
