import { readdirSync, readFileSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { startServer } from '../../support/server.ts';

/**
 * Keeps every part of the program busy and says how its memory and its file descriptors grow: 80 %
 * redirects, 10 % reads and lists, 5 % creates, 4 % images, 1 % refusals, with uploads that are broken
 * off in between. In the end every count must be exact. Linux only.
 *
 *   WAYMARK_BIN=dist/waymark bun test/faults/long/soak.ts [minutes, 10]
 */
const minutes = Number(process.argv[2] ?? 10);
const clients = 16;
const samples = 10;

const server = await startServer();
const folder = join('/proc', String(server.pid()));
const port = Number(new URL(server.origin).port);

const memoryMb = () =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(join(folder, 'status'), 'utf8'))?.[1]) / 1024;
const descriptors = () => readdirSync(join(folder, 'fd')).length;
const logMb = () => statSync(join(server.dataFolder, 'waymark.db-wal')).size / 1e6;

try {
  const { api, key } = await server.account('alice@example.org');
  const codes: { code: string; scans: number }[] = [];
  for (let nth = 0; nth < 20; nth++) codes.push({ code: (await api.create()).code, scans: 0 });
  let [requests, wrong, created] = [0, 0, codes.length];

  const ask = async (expected: number, path: string, init: RequestInit = {}, keyed = true) => {
    const response = await fetch(server.origin + path, {
      ...init,
      redirect: 'manual',
      headers: keyed ? { Authorization: `Bearer ${key}` } : {},
    });
    await response.arrayBuffer();
    requests++;
    if (response.status !== expected) wrong++;
  };

  /** A client that says more than it sends. */
  const breakOff = () =>
    new Promise<void>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.write(
          `POST /api/v1/qrs HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Length: 60000\r\n\r\n${'x'.repeat(30_000)}`,
        );
        setTimeout(() => socket.destroy(), 5);
      });
      socket.on('error', () => {});
      socket.on('close', () => resolve());
    });

  const one = async () => {
    const share = Math.random();
    const target = codes[Math.floor(Math.random() * codes.length)];
    if (target === undefined) return;
    if (share < 0.8) {
      target.scans++;
      await ask(302, `/${target.code}`, {}, false);
    } else if (share < 0.85) await ask(200, `/api/v1/qrs/${target.code}`);
    else if (share < 0.9) await ask(200, '/api/v1/qrs?limit=20');
    else if (share < 0.95) {
      created++;
      await ask(201, '/api/v1/qrs', { method: 'POST', body: '{"url":"https://example.org/"}' });
    } else if (share < 0.97) await ask(200, `/api/v1/qrs/${target.code}.png`);
    else if (share < 0.99) await ask(200, `/api/v1/qrs/${target.code}.svg`);
    else if (share < 0.995) await ask(400, '/api/v1/qrs', { method: 'POST', body: '{' });
    else await breakOff();
  };

  const beganMs = performance.now();
  const endMs = beganMs + minutes * 60_000;
  const client = async () => {
    while (performance.now() < endMs) await one();
  };
  const all = Promise.all(Array.from({ length: clients }, client));
  console.log('minute  requests  memory MB  descriptors  log MB');
  const measured: { requests: number; memory: number }[] = [];
  for (let nth = 0; nth <= samples; nth++) {
    const atMs = beganMs + (nth / samples) * minutes * 60_000;
    await Bun.sleep(Math.max(0, atMs - performance.now()));
    measured.push({ requests, memory: memoryMb() });
    const columns = [(nth / samples) * minutes, requests, memoryMb(), descriptors(), logMb()];
    console.log(columns.map((column) => column.toFixed(1).padStart(8)).join('  '));
  }
  await all;

  // The first fifth fills caches and warms the compiler up.
  const [from, to] = [measured[Math.floor(samples / 5)], measured.at(-1)];
  if (from && to)
    console.log(
      `growth after the first fifth: ${(((to.memory - from.memory) * 1e6) / (to.requests - from.requests)).toFixed(1)} MB a million requests`,
    );
  const { total } = await api.list('?limit=1');
  let inexact = 0;
  for (const { code, scans } of codes) if ((await api.read(code)).scans !== scans) inexact++;
  console.log(
    `${requests} requests, ${wrong} with another status than expected; ${total} codes of ${created} created; ${inexact} counts that are not exact`,
  );
  console.log(`ended with ${await server.stop()}`);
} finally {
  await server.close();
}
process.exit(0);
