import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { createApi } from '../support/api.ts';
import { until } from '../support/until.ts';
import { visit } from '../support/visit.ts';
import { createLaunches, type Launched } from './launch.ts';
import { seed } from './seeded.ts';

setDefaultTimeout(120_000);

const { newPath, launch } = createLaunches();
const seeded = await seed(newPath(), 1);
const code = seeded.codes[0]?.code ?? '';
const onLinux = process.platform === 'linux';

/** The server's memory in MB. */
function memoryOf({ pid }: Launched): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1000;
}

function descriptorsOf({ pid }: Launched): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

const head = (path: string) =>
  `${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${seeded.key}\r\n`;

/** What a client does once it is connected; never reads unless it says so. */
const behaviours: Readonly<Record<string, (socket: Socket) => void>> = {
  'say nothing': () => {},
  'send a header a second': (socket) => {
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n');
    const drip = setInterval(() => socket.write('X-Slow: yes\r\n'), 1000);
    socket.on('close', () => clearInterval(drip));
  },
  'send a byte of a body a second': (socket) => {
    socket.write(`${head('POST /api/v1/qrs')}Content-Length: 1000\r\n\r\n{`);
    const drip = setInterval(() => socket.write(' '), 1000);
    socket.on('close', () => clearInterval(drip));
  },
  'announce a large body and send a part': (socket) => {
    socket.write(
      `${head('POST /api/v1/qrs')}Content-Length: 60000000\r\n\r\n${'x'.repeat(50_000)}`,
    );
  },
  'ask for a large file and never read': (socket) => {
    socket.pause();
    socket.write(`${head('GET /docs/swagger-ui.js')}\r\n`);
  },
  'close their side in the middle of a header': (socket) => {
    socket.end('GET / HTTP/1.1\r\nHost:');
  },
};

// The server closes what is idle after ten seconds, by a clock that ticks every four.
const longestIdleMs = 16_000;

test.skipIf(!onLinux)(
  'twelve hundred clients that stall in six ways: redirects go on, memory stays, and all are closed',
  async () => {
    const server = launch(seeded.copyTo(newPath()));
    expect(await server.listening).toBe(true);
    const { hostname, port } = new URL(server.origin);
    await visit(`${server.origin}/${code}`);
    const before = { memory: memoryOf(server), descriptors: descriptorsOf(server) };

    const sockets: Socket[] = [];
    for (const behave of Object.values(behaviours))
      for (let nth = 0; nth < 200; nth++) {
        const socket = connect(Number(port), hostname);
        socket.on('error', () => {});
        socket.on('connect', () => behave(socket));
        sockets.push(socket);
      }
    await until(() => descriptorsOf(server) > 900);
    const beganMs = performance.now();
    for (let turn = 0; turn < 100; turn++)
      expect((await visit(`${server.origin}/${code}`)).status).toBe(302);
    const during = memoryOf(server);
    await until(() => descriptorsOf(server) <= before.descriptors + 10, longestIdleMs * 2);
    const closedMs = performance.now() - beganMs;
    for (const socket of sockets) socket.destroy();

    expect(closedMs).toBeLessThan(longestIdleMs);
    expect(during - before.memory).toBeLessThan(100);
    server.signal('SIGTERM');
    expect(await server.ended).toBe(0);
  },
);

describe.skipIf(!onLinux)('file descriptors run out', () => {
  test('the server goes on when they are free again, and nothing answered is lost', async () => {
    const limited = ['bash', '-c', 'ulimit -n 128; exec "$@"', 'bash'];
    const server = launch(seeded.copyTo(newPath()), { through: limited });
    expect(await server.listening).toBe(true);
    const { hostname, port } = new URL(server.origin);
    const sockets = Array.from({ length: 400 }, () => {
      const socket = connect(Number(port), hostname);
      return socket.on('error', () => {});
    });
    await until(() => descriptorsOf(server) >= 125);
    // A phone waits in the kernel's queue meanwhile, and is served in its turn.
    const waiting = visit(`${server.origin}/${code}`).catch(() => null);
    await Bun.sleep(200);
    for (const socket of sockets) socket.destroy();
    await waiting;
    for (let turn = 0; turn < 20; turn++)
      expect((await visit(`${server.origin}/${code}`)).status).toBe(302);
    const api = createApi(server.origin, seeded.key);
    await api.create('https://example.org/after');
    expect((await api.read(code)).scans).toBeGreaterThanOrEqual(seeded.scans + 20);
    server.signal('SIGTERM');
    expect(await server.ended).toBe(0);
  });
});
