import { expect, test } from 'bun:test';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { createLogger } from '../../src/lib/logger.ts';
import { createForwarding } from '../../src/redirect/forwarding/forward.ts';
import { listen } from '../../src/redirect/listening/listen.ts';
import { cpuMsOf } from '../bench/measure.ts';
import { createLaunches, type Launched } from '../faults/launch.ts';
import { seed } from '../faults/seeded.ts';
import { until } from '../support/until.ts';
import { visit } from '../support/visit.ts';

const { newPath, serve } = createLaunches();
const seeded = await seed(newPath(), 1);
const code = seeded.codes[0]?.code ?? '';
const isLinux = process.platform === 'linux';

/** Returns the resident memory of a process in MB. */
function residentMb(pid: number): number {
  const pages = Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1]);
  return (pages * 4096) / 1_000_000;
}

function descriptorsOf({ pid }: Launched): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

const head = (line: string) =>
  `${line} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${seeded.key}\r\n`;

/** Writes a text every second. */
function drip(socket: Socket, text: string): void {
  const timer = setInterval(() => socket.write(text), 1000);
  socket.on('close', () => clearInterval(timer));
}

/** Ways to stall a connection. None reads. */
const stalls: readonly ((socket: Socket) => void)[] = [
  () => {},
  (socket) => {
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n');
    drip(socket, 'X-Slow: yes\r\n');
  },
  (socket) => {
    socket.write(`${head('POST /api/v1/qrs')}Content-Length: 1000\r\n\r\n{`);
    drip(socket, ' ');
  },
  (socket) => {
    const body = 'x'.repeat(50_000);
    socket.write(`${head('POST /api/v1/qrs')}Content-Length: 60000000\r\n\r\n${body}`);
  },
  (socket) => {
    socket.pause();
    socket.write(`${head('GET /docs/swagger-ui.js')}\r\n`);
  },
];

/** Returns how many connections to a port of this machine are established, on Linux. */
function connectionsOn(port: number): number {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const lines = readFileSync('/proc/net/tcp', 'utf8').split('\n');
  return lines.filter((line) => {
    const [, address = '', , state] = line.trim().split(/\s+/);
    return address.endsWith(local) && state === '01';
  }).length;
}

// The server closes idle connections after ten seconds, by a timer that ticks every four.
const longestIdleMs = 16_000;

test.skipIf(!isLinux)('a thousand stalled clients are closed, and redirects go on', async () => {
  const server = await serve(seeded.copyTo(newPath()));
  const { hostname, port } = new URL(server.origin);
  await visit(`${server.origin}/${code}`);
  const before = { memory: residentMb(server.pid), descriptors: descriptorsOf(server) };

  const sockets = Array.from({ length: 1000 }, (_, index) => {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    socket.on('connect', () => stalls[index % stalls.length]?.(socket));
    return socket;
  });
  await until(() => descriptorsOf(server) > 900);
  const startMs = performance.now();
  for (let turn = 0; turn < 100; turn++)
    expect((await visit(`${server.origin}/${code}`)).status).toBe(302);
  // Bun reads up to 2 MB of a response ahead that is passed on and not read; 64 may wait to be read.
  await until(() => residentMb(server.pid) - before.memory < 200);
  // Downloads may wait for two minutes. Connections to the app stay open for the next requests.
  await until(() => connectionsOn(Number(port)) <= 64 + 10, longestIdleMs * 2);
  expect(descriptorsOf(server)).toBeLessThan(before.descriptors + 600);
  expect(performance.now() - startMs).toBeLessThan(longestIdleMs);
  for (const socket of sockets) socket.destroy();
});

test('a client that pauses a download for long gets all of it', async () => {
  const bytes = 50_000_000;
  const socket = join(newPath(), 'app.sock');
  mkdirSync(dirname(socket));
  const withoutIdleTimeout: object = { idleTimeout: 0 };
  const body = new Blob([new Uint8Array(bytes)]);
  const app = Bun.serve({ unix: socket, fetch: () => new Response(body), ...withoutIdleTimeout });
  const forward = createForwarding({
    app: { socket: async () => ({ path: socket }) },
    readings: () => {
      throw new Error('no test asks for metrics');
    },
    absent: async () => new Response(null, { status: 503 }),
  });
  const server = listen(
    { host: '127.0.0.1', port: 0 },
    createLogger('text', Date.now, () => {}),
    {
      site: (request, connections) => forward('/', request, connections),
      stopRendering: () => {},
      endApp: async () => {},
      close: async () => {},
    },
  );
  const response = await fetch(server.url);
  await Bun.sleep(longestIdleMs + 4000);
  expect(await response.bytes()).toHaveLength(bytes);
  await server.stop();
  await app.stop(true);
});

test.skipIf(!isLinux)(
  'the server idles when file descriptors have run out, logs it once, and recovers',
  async () => {
    const limited = ['bash', '-c', 'ulimit -n 128; exec "$@"', 'bash'];
    const server = await serve(seeded.copyTo(newPath()), { through: limited });
    // Loads the rest of the server, which opens files.
    await visit(`${server.origin}/account/sign-in`);
    const { hostname, port } = new URL(server.origin);
    const sockets = Array.from({ length: 400 }, () => {
      const socket = connect(Number(port), hostname).on('error', () => {});
      return socket.on('connect', () => socket.write('GET / HTTP/1.1\r\n'));
    });
    await until(() => server.output().includes('limit of open files'));
    const beforeMs = cpuMsOf(server.pid);
    await Bun.sleep(2000);
    // Accepting without end would take a whole processor.
    expect(cpuMsOf(server.pid) - beforeMs).toBeLessThan(1000);
    for (const socket of sockets) socket.destroy();
    await until(async () => (await visit(`${server.origin}/${code}`).catch(() => null)) !== null);
    for (let turn = 0; turn < 20; turn++)
      expect((await visit(`${server.origin}/${code}`)).status).toBe(302);
    expect(server.output().match(/limit of open files/g)).toHaveLength(1);
    await server.stop();
  },
);
