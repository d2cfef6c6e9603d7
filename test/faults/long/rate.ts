import { startServer } from '../../support/server.ts';
import { keepAliveClient } from './keep-alive.ts';

/**
 * Asks with many keys at once, each as often as 200 times a second, and holds every key's admitted
 * requests against the sliding window in real time: never more than 60 in any minute, and 60 as soon
 * as a minute has passed.
 *
 *   WAYMARK_BIN=dist/waymark bun test/faults/long/rate.ts [keys, 100] [seconds, 130]
 */
const keys = Number(process.argv[2] ?? 100);
const seconds = Number(process.argv[3] ?? 130);
const limit = 60;
const windowMs = 60_000;
const pauseMs = 5;

interface Admitted {
  readonly sentMs: number;
  readonly answeredMs: number;
}

const server = await startServer({ WAYMARK_RATE_LIMIT: undefined });
const { hostname, port, host } = new URL(server.origin);
let [requests, otherwise] = [0, 0];

async function askUntil(endMs: number, key: string): Promise<Admitted[]> {
  const client = keepAliveClient(hostname, Number(port));
  const request = `GET /api/v1/qrs?limit=1 HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${key}\r\n\r\n`;
  const admitted: Admitted[] = [];
  while (performance.now() < endMs) {
    const sentMs = performance.now();
    const status = await client.ask(request);
    const answeredMs = performance.now();
    requests++;
    if (status === 200) admitted.push({ sentMs, answeredMs });
    else if (status !== 429) otherwise++;
    await Bun.sleep(Math.max(0, pauseMs - (answeredMs - sentMs)));
  }
  client.close();
  return admitted;
}

/** Whether the server let in more than the limit in some minute, whenever it looked at its clock. */
function isTooMany(admitted: readonly Admitted[]): boolean {
  return admitted.some((last, at) => {
    const first = admitted[at - limit];
    return first !== undefined && last.answeredMs - first.sentMs < windowMs;
  });
}

try {
  const accounts: string[] = [];
  for (let nth = 0; nth < keys; nth++)
    accounts.push((await server.account(`key-${nth}@example.org`)).key);
  const beganMs = performance.now();
  const endMs = beganMs + seconds * 1000;
  const each = await Promise.all(accounts.map((key) => askUntil(endMs, key)));
  const took = (performance.now() - beganMs) / 1000;

  const expected = limit * Math.ceil((seconds * 1000) / windowMs);
  const exact = each.filter((admitted) => admitted.length === expected).length;
  const over = each.filter(isTooMany).length;
  console.log(
    `${keys} keys, ${requests} requests in ${took.toFixed(0)} s (${(requests / took / keys).toFixed(0)} a second each), ${otherwise} answered otherwise than 200 or 429`,
  );
  console.log(
    `${over} keys were let in more than ${limit} times in some minute; ${exact} exactly ${expected} times in all`,
  );
} finally {
  await server.close();
}
process.exit(0);
