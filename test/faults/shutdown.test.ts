import { describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createApi } from '../support/api.ts';
import { until } from '../support/until.ts';
import { visit } from '../support/visit.ts';
import { createLaunches, type Launched } from './launch.ts';
import { seed } from './seeded.ts';

const { newPath, launch, serve } = createLaunches();
const seeded = await seed(newPath(), 1);
const code = seeded.codes[0]?.code ?? '';
const folder = seeded.copyTo(newPath());
let scans = seeded.scans;

async function start(): Promise<Launched> {
  const server = await serve(folder);
  expect((await createApi(server.origin, seeded.key).read(code)).scans).toBe(scans);
  return server;
}

// The server takes at most twelve seconds of a machine that is not busy.
const longestStopMs = 60_000;

/** Stops a server and expects 0 in time and an empty write-ahead log. */
async function stop(server: Launched): Promise<void> {
  const startMs = performance.now();
  await server.stop();
  expect(performance.now() - startMs).toBeLessThan(longestStopMs);
  expect(existsSync(join(folder, 'waymark.db-wal'))).toBe(false);
}

/** Scans a link on kept connections, one request after the other, until the server closes them. */
function startScanning({ origin }: Launched, connections: number) {
  const { hostname, port, host } = new URL(origin);
  const counts = { answered: 0, unanswered: 0 };
  const client = () =>
    new Promise<void>((resolve) => {
      const socket = connect(Number(port), hostname);
      let isWaiting = false;
      const ask = () => {
        isWaiting = true;
        socket.write(`GET /${code} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
      };
      socket.on('connect', ask);
      socket.on('data', (chunk) => {
        const response = chunk.toString('latin1');
        expect(response).toStartWith('HTTP/1.1 302');
        counts.answered++;
        isWaiting = false;
        if (/\r\nconnection: close/i.test(response)) socket.end();
        else ask();
      });
      socket.on('error', () => {});
      socket.on('close', () => {
        if (isWaiting) counts.unanswered++;
        resolve();
      });
    });
  return { counts, ended: Promise.all(Array.from({ length: connections }, client)) };
}

/** A program that locks the database against other writers for a time. */
function lockFor(ms: number): string {
  return `
    const { Database } = require('bun:sqlite');
    const database = new Database(${JSON.stringify(join(folder, 'waymark.db'))});
    database.run('PRAGMA busy_timeout = 5000');
    database.run('BEGIN IMMEDIATE');
    console.log('locked');
    setTimeout(() => database.run('COMMIT'), ${ms});
  `;
}

describe('SIGTERM', () => {
  test('answers every request on open connections', async () => {
    // A connection is closed 100 ms after its last request. On a busy machine the client may be later.
    for (let tries = 1; ; tries++) {
      const server = await start();
      const { counts, ended } = startScanning(server, 32);
      await until(() => counts.answered > 400);
      await stop(server);
      await ended;
      scans += counts.answered;
      if (counts.unanswered > 0 && tries < 5) continue;
      return expect(counts.unanswered).toBe(0);
    }
  });

  test('completes creates that are being rendered', async () => {
    const destination = 'https://example.org/late';
    // Rendering is given up after some seconds: on a busy machine it may take longer.
    for (let tries = 1; ; tries++) {
      const server = await start();
      const api = createApi(server.origin, seeded.key);
      await api.create();
      const creating = Array.from({ length: 4 }, () => api.create(destination));
      let areCreated = false;
      void Promise.allSettled(creating).then(() => {
        areCreated = true;
      });
      await until(async () => {
        const metrics = await fetch(`${server.origin}/metrics`);
        return areCreated || /^waymark_render_jobs_running [1-9]/m.test(await metrics.text());
      });
      const [, ...created] = await Promise.allSettled([stop(server), ...creating]);
      const again = await start();
      const late = created.flatMap((one) => (one.status === 'fulfilled' ? [one.value.code] : []));
      for (const code of late)
        expect(await createApi(again.origin, seeded.key).read(code)).toMatchObject({ destination });
      await stop(again);
      if (late.length < creating.length && tries < 5) continue;
      return expect(late).toHaveLength(creating.length);
    }
  });

  test('waits for another process that writes, and loses no scan', async () => {
    const server = await start();
    const other = Bun.spawn([process.execPath, '-e', lockFor(1500)], { stdout: 'pipe' });
    for await (const _ of other.stdout) break;
    for (let times = 0; times < 3; times++) {
      expect((await visit(`${server.origin}/${code}`)).status).toBe(302);
      scans++;
    }
    await stop(server);
    await stop(await start());
  });

  test('during the start ends the server, too', async () => {
    for (const delayMs of [0, 100, 200]) {
      const server = launch(folder);
      await Bun.sleep(delayMs);
      server.signal('SIGTERM');
      // Before the program has a handler, the signal ends it like any process.
      expect(['0', 'SIGTERM']).toContain(String(await server.ended));
    }
  });
});

test('a second signal ends the server at once, and no answered scan is lost', async () => {
  const server = await start();
  const { counts, ended } = startScanning(server, 8);
  await until(() => counts.answered > 100);
  server.signal('SIGINT');
  await until(() => server.output().includes('stopping'));
  server.signal('SIGINT');
  expect(['0', '1']).toContain(String(await server.ended));
  await ended;
  const again = await serve(folder);
  const after = (await createApi(again.origin, seeded.key).read(code)).scans;
  expect(after).toBeGreaterThanOrEqual(scans + counts.answered);
  scans = after;
  await stop(again);
});

test('signals that reload other servers change nothing', async () => {
  const server = await start();
  for (const name of ['SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const) {
    server.signal(name);
    await until(() => server.output().includes(`${name} has no effect`));
    expect((await visit(`${server.origin}/${code}`)).status).toBe(302);
    scans++;
  }
  await stop(server);
  await stop(await start());
});
