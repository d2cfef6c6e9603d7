import { readdirSync, readFileSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startServer } from '../../support/server.ts';
import { type Client, keepAliveClient } from './keep-alive.ts';

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
const folder = join('/proc', String(server.pid()));
const { port, host } = new URL(server.origin);

const memoryMb = (name: 'VmRSS' | 'VmHWM') => {
  const status = readFileSync(join(folder, 'status'), 'utf8');
  return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
};
const descriptors = () => readdirSync(join(folder, 'fd')).length;
const fileMb = (ending: string) =>
  statSync(join(server.dataFolder, `waymark.db${ending}`)).size / 1e6;

interface Sample {
  readonly requests: number;
  readonly memoryMb: number;
}

/** Growth in MB per million requests: the slope of the straight line that fits the samples best. */
function growth(samples: readonly Sample[]): number {
  const meanOf = (pick: (sample: Sample) => number) =>
    samples.reduce((sum, sample) => sum + pick(sample), 0) / samples.length;
  const requests = meanOf((sample) => sample.requests);
  const memory = meanOf((sample) => sample.memoryMb);
  const along = meanOf((sample) => (sample.requests - requests) * (sample.memoryMb - memory));
  return (along / meanOf((sample) => (sample.requests - requests) ** 2)) * 1e6;
}

try {
  const { api, key } = await server.account('alice@example.org');
  const scans = new Map<string, number>();
  const codes: string[] = [];
  let [sent, broken] = [0, 0];
  const wrong = new Map<string, number>();
  const learn = async (offset = 0) => {
    for (const { code } of (await api.list(`?limit=100&offset=${offset}`)).data) {
      if (!scans.has(code)) codes.push(code);
      scans.set(code, scans.get(code) ?? 0);
    }
  };
  for (let nth = 0; nth < Number(values.codes); nth++) await api.create();
  for (let offset = 0; offset < Number(values.codes); offset += 100) await learn(offset);

  const authorized = `Authorization: Bearer ${key}\r\n`;
  const lines = (start: string, more = '', body = '') =>
    `${start} HTTP/1.1\r\nHost: ${host}\r\n${more}${body && `Content-Length: ${body.length}\r\n`}\r\n${body}`;
  const creation = lines('POST /api/v1/qrs', authorized, '{"url":"https://example.org/"}');
  const brokenJson = lines('POST /api/v1/qrs', authorized, '{');
  let created = codes.length;

  /** A client that says more than it sends. */
  const breakOff = () =>
    new Promise<void>((done) => {
      const socket = connect(Number(port), '127.0.0.1', () => {
        socket.write(
          lines('POST /api/v1/qrs', `${authorized}Content-Length: 60000\r\n`) + 'x'.repeat(30_000),
        );
        setTimeout(() => socket.destroy(), 5);
      });
      socket.on('error', () => {});
      socket.on('close', () => done());
    });

  const one = async (client: Client) => {
    const share = Math.random();
    const code = codes[Math.floor(Math.random() * codes.length)] ?? '';
    const expect = async (status: number, request: string) => {
      const got = await client.ask(request);
      if (got === status) return;
      const name = `${got} for ${status}`;
      wrong.set(name, (wrong.get(name) ?? 0) + 1);
    };
    const get = (path: string) => lines(`GET ${path}`, authorized);
    if (share < 0.8 || (values.steady && share >= 0.9 && share < 0.95)) {
      scans.set(code, (scans.get(code) ?? 0) + 1);
      await expect(302, lines(`GET /${code}`));
    } else if (share < 0.85) await expect(200, get(`/api/v1/qrs/${code}`));
    else if (share < 0.9) await expect(200, get('/api/v1/qrs?limit=20'));
    else if (share < 0.95) {
      created++;
      await expect(201, creation);
    } else if (share < 0.97) await expect(200, get(`/api/v1/qrs/${code}.png`));
    else if (share < 0.99) await expect(200, get(`/api/v1/qrs/${code}.svg`));
    else if (share < 0.995) await expect(400, brokenJson);
    else {
      broken++;
      await breakOff();
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
    await learn();
    await Bun.sleep(restMs);
    samples.push({ requests: sent, memoryMb: memoryMb('VmRSS') });
    const minutes = (performance.now() - beganMs) / 60_000;
    const columns = [minutes, memoryMb('VmRSS'), descriptors(), fileMb(''), fileMb('-wal')];
    console.log([sent, ...columns.map((column) => column.toFixed(1))].join('  '));
  }
  for (const client of sockets) client.close();

  const slope = growth(samples.filter(({ requests }) => requests >= warm));
  const firstMb = samples[0]?.memoryMb ?? Number.NaN;
  console.log(
    `growth after the first ${warm}: ${slope.toFixed(1)} MB a million; peak ${memoryMb('VmHWM').toFixed(0)} MB, ${firstMb.toFixed(0)} at the start`,
  );

  let [listed, inexact] = [0, 0];
  for (let offset = 0; ; offset += 100) {
    const { data } = await api.list(`?limit=100&offset=${offset}`);
    for (const { code, scans: counted } of data) {
      listed++;
      if (counted !== (scans.get(code) ?? 0)) inexact++;
    }
    if (data.length < 100) break;
  }
  console.log(
    `${sent} requests, ${broken} of them uploads broken off; another status than expected: ${JSON.stringify(Object.fromEntries(wrong))}; ${listed} codes of ${created} created; ${inexact} counts that are not exact`,
  );
  console.log(`ended with ${await server.stop()}`);
} finally {
  await server.close();
}
process.exit(0);
