import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createApi } from '../support/api.ts';
import { until } from '../support/until.ts';
import { visit } from '../support/visit.ts';
import { startClients } from './clients.ts';
import { createLaunches, type Launched } from './launch.ts';
import { seed } from './seeded.ts';

setDefaultTimeout(120_000);

const { newPath, launch } = createLaunches();
const seeded = await seed(newPath(), 1);
const code = seeded.codes[0]?.code ?? '';
const folder = seeded.copyTo(newPath());
let scans = seeded.scans;

async function started(): Promise<Launched> {
  const server = launch(folder);
  expect(await server.listening).toBe(true);
  expect((await createApi(server.origin, seeded.key).read(code)).scans).toBe(scans);
  return server;
}

/** Ends with 0, nothing left to take into the database. */
async function expectOrderlyEnd(server: Launched): Promise<void> {
  const signalledMs = performance.now();
  server.signal('SIGTERM');
  expect(await server.ended).toBe(0);
  expect(performance.now() - signalledMs).toBeLessThan(10_000);
  expect(existsSync(join(folder, 'waymark.db-wal'))).toBe(false);
}

/** A program that keeps others from writing for so long, in milliseconds. */
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

describe('SIGTERM under load', () => {
  test.each([1, 2, 3])(
    'round %i: every request on a kept connection is answered',
    async (round) => {
      for (let tries = 1; ; tries++) {
        const server = await started();
        const clients = startClients(`${server.origin}/${code}`, 32, true);
        await until(() => clients.answers() > 200 * round);
        await expectOrderlyEnd(server);
        await clients.ended;
        scans += clients.answers();
        expect([...clients.tally.answered.keys()]).toEqual([302]);
        const { unanswered } = clients.tally;
        // A server that stops waits 100 ms for the next request of a connection that it has answered.
        if (unanswered > 0 && clients.longestStallMs() > 50 && tries < 10) continue;
        return expect(unanswered).toBe(0);
      }
    },
  );

  // A connection that the kernel has taken and the server has not is reset, as one is a moment later.
  test('every request that was read on a new connection is answered', async () => {
    const server = await started();
    const clients = startClients(`${server.origin}/${code}`, 32, false);
    await until(() => clients.answers() > 200);
    await expectOrderlyEnd(server);
    await clients.ended;
    expect([...clients.tally.answered.keys()]).toEqual([302]);
    scans += clients.answers();
  });

  test('creates that are being drawn are answered, and are there afterwards', async () => {
    const server = await started();
    const api = createApi(server.origin, seeded.key);
    await api.create();
    const creating = Array.from({ length: 10 }, () => api.create('https://example.org/late'));
    await Bun.sleep(20);
    await expectOrderlyEnd(server);
    const created = await Promise.all(creating);
    const again = await started();
    for (const { code: late } of created)
      expect((await createApi(again.origin, seeded.key).read(late)).destination).toBe(
        'https://example.org/late',
      );
    await expectOrderlyEnd(again);
  });

  test('a client that stalls in the middle of its request does not hold up the end', async () => {
    const server = await started();
    const { hostname, port } = new URL(server.origin);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    socket.write(
      `POST /api/v1/qrs HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${seeded.key}\r\nContent-Length: 99\r\n\r\n{`,
    );
    await createApi(server.origin, seeded.key).read(code);
    await expectOrderlyEnd(server);
    socket.destroy();
  });

  test('a scan waits for another process that is writing, and is not lost', async () => {
    const server = await started();
    const other = Bun.spawn([process.execPath, '-e', lockFor(1500)], { stdout: 'pipe' });
    // It says so once it has the lock.
    for await (const _ of other.stdout) break;
    for (let times = 0; times < 3; times++) {
      expect((await visit(`${server.origin}/${code}`)).status).toBe(302);
      scans++;
    }
    await expectOrderlyEnd(server);
    expect(server.output()).not.toContain('lost');
    await expectOrderlyEnd(await started());
  });

  test('a second signal ends at once, and nothing answered is lost', async () => {
    const server = await started();
    const clients = startClients(`${server.origin}/${code}`, 8, true);
    await until(() => clients.answers() > 100);
    server.signal('SIGINT');
    await until(() => server.output().includes('stopping'));
    server.signal('SIGINT');
    expect(['0', '1']).toContain(String(await server.ended));
    await clients.ended;
    const again = launch(folder);
    expect(await again.listening).toBe(true);
    const after = (await createApi(again.origin, seeded.key).read(code)).scans;
    expect(after).toBeGreaterThanOrEqual(scans + clients.answers());
    scans = after;
    await expectOrderlyEnd(again);
  });
});

test('a signal during the start is obeyed once it has started', async () => {
  for (const delayMs of [0, 30, 100, 200]) {
    const server = launch(folder);
    await Bun.sleep(delayMs);
    server.signal('SIGTERM');
    // Before the program has begun to run, the signal ends it as it ends any process.
    expect(['0', 'SIGTERM']).toContain(String(await server.ended));
  }
  await expectOrderlyEnd(await started());
});
