import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startServer } from '../../support/server.ts';
import { type Client, keepAliveClient } from './keep-alive.ts';
import { databaseMb, descriptorsOf, memoryMb } from './process-figures.ts';
import { createRequests } from './requests.ts';
import { countScans } from './scan-counts.ts';
import { slopeOf } from './straight-line.ts';

/**
 * Keeps every part of the program busy and says how its memory and its file descriptors grow: 80 %
 * redirects, 10 % reads and lists, 5 % creates, 4 % images, 1 % refusals, half of these uploads that
 * are broken off. Memory is read when the load has rested. In the end every count must be exact.
 * Linux only.
 *
 *   WAYMARK_BIN=dist/waymark bun test/faults/long/soak.ts --requests 5000000
 *   … --steady --codes 5000   redirects in the place of creates, so that the database stays as large
 *   bun test/faults/long/soak.ts --requests 500000 --leak 64   from source: a leak, to see it found
 */
const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '5000000' },
    every: { type: 'string', default: '500000' },
    codes: { type: 'string', default: '20' },
    steady: { type: 'boolean', default: false },
    leak: { type: 'string' },
  },
});
const planned = Number(values.requests);
const every = Number(values.every);
const clients = 16;
const restMs = 5000;
/** Caches fill and the compiler warms up before growth is measured. */
const warm = planned / 5;

const leak = values.leak && {
  SOAK_LEAK: values.leak,
  BUN_OPTIONS: `--preload=${resolve(import.meta.dir, 'leak.ts')}`,
};
const server = await startServer({ ...(leak || {}) });
const pid = server.pid();
const { port } = new URL(server.origin);

interface Sample {
  readonly requests: number;
  readonly memoryMb: number;
}

try {
  const { api, key } = await server.account('alice@example.org');
  let [sent, broken] = [0, 0];
  const wrong = new Map<string, number>();
  for (let nth = 0; nth < Number(values.codes); nth++) await api.create();
  const scans = await countScans(api);
  const requests = createRequests(server.origin, key);
  let created = scans.codes.length;

  const one = async (client: Client) => {
    const share = Math.random();
    const code = scans.codes[Math.floor(Math.random() * scans.codes.length)] ?? '';
    const expect = async (status: number, request: string) => {
      const got = await client.ask(request);
      if (got === status) return;
      const name = `${got} for ${status}`;
      wrong.set(name, (wrong.get(name) ?? 0) + 1);
    };
    if (share < 0.8 || (values.steady && share >= 0.9 && share < 0.95)) {
      scans.scanned(code);
      await expect(302, requests.redirect(code));
    } else if (share < 0.85) await expect(200, requests.get(`/qrs/${code}`));
    else if (share < 0.9) await expect(200, requests.get('/qrs?limit=20'));
    else if (share < 0.95) {
      created++;
      await expect(201, requests.create('https://example.org/'));
    } else if (share < 0.97) await expect(200, requests.get(`/qrs/${code}.png`));
    else if (share < 0.99) await expect(200, requests.get(`/qrs/${code}.svg`));
    else if (share < 0.995) await expect(400, requests.brokenJson);
    else {
      broken++;
      await requests.breakOffUpload();
    }
  };

  const sockets = Array.from({ length: clients }, () => keepAliveClient('127.0.0.1', Number(port)));
  const samples: Sample[] = [];
  console.log('requests  minutes  memory MB  descriptors  database MB  log MB');
  const beganMs = performance.now();
  for (let until = 0; until <= planned; until += every) {
    await Promise.all(
      sockets.map(async (client) => {
        while (sent < until) {
          sent++;
          await one(client);
        }
      }),
    );
    await scans.learn();
    await Bun.sleep(restMs);
    samples.push({ requests: sent, memoryMb: memoryMb(pid, 'VmRSS') });
    const minutes = (performance.now() - beganMs) / 60_000;
    const columns = [
      minutes,
      memoryMb(pid, 'VmRSS'),
      descriptorsOf(pid),
      databaseMb(server.dataFolder, ''),
      databaseMb(server.dataFolder, '-wal'),
    ];
    console.log([sent, ...columns.map((column) => column.toFixed(1))].join('  '));
  }
  for (const client of sockets) client.close();

  const warmed = samples.filter((sample) => sample.requests >= warm);
  /** In MB per million requests. */
  const slope = slopeOf(warmed.map((sample) => ({ x: sample.requests / 1e6, y: sample.memoryMb })));
  const firstMb = samples[0]?.memoryMb ?? Number.NaN;
  console.log(
    `growth after the first ${warm}: ${slope.toFixed(1)} MB a million; peak ${memoryMb(pid, 'VmHWM').toFixed(0)} MB, ${firstMb.toFixed(0)} at the start`,
  );

  const { listed, inexact } = await scans.compare();
  console.log(
    `${sent} requests, ${broken} of them uploads broken off; another status than expected: ${JSON.stringify(Object.fromEntries(wrong))}; ${listed} codes of ${created} created; ${inexact} counts that are not exact`,
  );
  console.log(`ended with ${await server.stop()}`);
} finally {
  await server.close();
}
process.exit(0);
