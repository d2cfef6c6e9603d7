import { startPostgres } from '../support/postgres.ts';
import type { Env } from '../support/program.ts';
import { startServer } from '../support/server.ts';
import { startValkey } from '../support/valkey.ts';
import { type Measured, measureAlternately, medianRatio, printTable, rowOf } from './measure.ts';
import { codeOf, getRequest, redirectTo, startBare, startFilled, targetOf } from './servers.ts';

const codes = 10_000;
const manyCodes = 1_000_000;
const fewCodes = 1000;
// A copy keeps at least as many in memory.
const scannedCodes = 100_000;
// Until nearly all of them are in memory.
const warmUpSeconds = 15;
const lookUpParts = 3;

/** Measures a copy on PostgreSQL and Valkey, compared with a bare server and with SQLite. */
export async function benchScale(rounds = 5, seconds = 2): Promise<void> {
  // Commits wait for the disk, as SQLite's do with durability "power".
  const settings = { fsync: 'on', shared_buffers: '512MB', max_wal_size: '4GB' };
  const postgres = await startPostgres(settings);
  const valkey = await startValkey();
  const closing: (() => unknown)[] = [];

  const startCopy = async (env: Env) => {
    const server = await startServer(env);
    closing.push(server.close);
    return server;
  };
  /** Starts a copy on a database of its own with an account and codes. */
  const fill = async (count: number) => {
    const url = await postgres.createDatabase();
    const env = {
      WAYMARK_DATABASE_URL: url,
      WAYMARK_VALKEY_URL: valkey.url,
      WAYMARK_RATE_LIMIT: '1000000000',
      WAYMARK_PUBLIC_URL: 'http://qr.example.com',
    };
    const server = await startCopy(env);
    const { key } = await server.account('bench@example.com');
    await postgres.run(
      url,
      `INSERT INTO qrs (code, account_id, design_id, short_link, destination, created_at, image_hash)
         SELECT code, 1, (SELECT min(id) FROM designs), 'https://qr.example.com/' || code,
           'https://shop.example.com/products/' || i || '?utm_source=print&utm_medium=qr',
           1750000000000 + i / 3, decode(repeat('00', 32), 'hex')
         FROM (SELECT i, lpad(to_hex(i::bigint * 2654435761 % 4294967296), 8, '0') AS code
           FROM generate_series(0, ${count - 1}) AS i) AS numbered;
       UPDATE accounts SET qr_count = ${count}; ANALYZE`,
    );
    return { env, key, server };
  };

  try {
    const bare = await startBare();
    const sqlite = await startFilled(codes, { WAYMARK_RATE_LIMIT: '1000000000' });
    closing.push(bare.close, sqlite.server.close);
    const { env, key, server: first } = await fill(codes);
    const onFirst = (requests: readonly string[]) => targetOf('PostgreSQL', first, requests);

    const redirects = Array.from({ length: codes }, (_, number) => redirectTo(number));
    const results = await measureAlternately(
      [bare, targetOf('SQLite, durability "power"', sqlite.server, redirects), onFirst(redirects)],
      rounds,
      { seconds },
    );
    const [base = [], onSqlite = [], onPostgres = []] = results;
    const head = ['redirects', 'per second', 'of bare', 'p50 ms', 'p99 ms', 'p99 of bare'];
    const cpu = ['CPU µs', 'of bare'];
    printTable(
      [...head, ...cpu],
      [
        rowOf('bare Bun.serve', base, base),
        rowOf('SQLite, durability "power"', onSqlite, base),
        rowOf('PostgreSQL, one copy', onPostgres, base),
      ],
    );
    const ofSqlite = medianRatio(onPostgres, onSqlite, ({ perSecond }) => perSecond);
    console.log(`\nOne copy on PostgreSQL, of SQLite: ${ofSqlite.toFixed(2)}`);

    const second = targetOf('PostgreSQL, second copy', await startCopy(env), redirects);
    // The first is compiled and has the codes in memory.
    await measureAlternately([second], 1, { seconds: warmUpSeconds });
    const together: number[] = [];
    const alone: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const [[one] = []] = await measureAlternately([onFirst(redirects)], 1, { seconds });
      const both = await Promise.all(
        [onFirst(redirects), second].map((copy) =>
          measureAlternately([copy], 1, { seconds, connections: 32 }),
        ),
      );
      alone.push(one?.perSecond ?? Number.NaN);
      together.push(both.flat(2).reduce((sum, { perSecond }) => sum + perSecond, 0));
    }
    const ratios = together.map((sum, round) => sum / (alone[round] ?? Number.NaN)).toSorted();
    console.log(`Two copies together, of one: ${ratios[Math.floor(rounds / 2)]?.toFixed(2)}`);

    const authorized = (token: string) => `Authorization: Bearer ${token}\r\n`;
    const paths: Readonly<Record<string, (number: number) => string>> = {
      GET: (number) => `/api/v1/qrs/${codeOf(number)}`,
      stats: (number) => `/api/v1/qrs/${codeOf(number)}/stats`,
      list: () => '/api/v1/qrs?limit=50',
    };
    const rows: string[][] = [];
    for (const [kind, path] of Object.entries(paths)) {
      const requestsOf = (token: string) =>
        Array.from({ length: 1000 }, (_, number) => getRequest(path(number), authorized(token)));
      const [reads = [], readsOnPostgres = []] = await measureAlternately(
        [targetOf('SQLite', sqlite.server, requestsOf(sqlite.key)), onFirst(requestsOf(key))],
        rounds,
        { seconds },
      );
      rows.push(rowOf(`${kind}, SQLite`, reads, reads));
      rows.push(rowOf(`${kind}, PostgreSQL`, readsOnPostgres, reads));
    }
    rows.push(
      ...(await editRows(rounds, [
        { name: 'edit, SQLite', origin: sqlite.server.origin, key: sqlite.key },
        { name: 'edit, PostgreSQL, two copies', origin: first.origin, key },
      ])),
    );
    printTable(
      [
        'requests',
        'per second',
        'of SQLite',
        'p50 ms',
        'p99 ms',
        'p99 of SQLite',
        'CPU µs',
        'of SQLite',
      ],
      rows,
    );

    const startWith = async (count: number) => {
      const { server } = await fill(count);
      const scanned = Math.min(count, scannedCodes);
      const requests = Array.from({ length: scanned }, (_, number) =>
        redirectTo(Math.floor((number * count) / scanned)),
      );
      return targetOf(`${count} codes`, server, requests);
    };
    const growth = [await startWith(fewCodes), await startWith(manyCodes)];
    const fewAtStart: Measured[] = [];
    const unknown: Measured[] = [];
    for (let part = 0; part < lookUpParts; part++) {
      // Other codes each time, and too short to meet one twice.
      const targets = growth.map((target) => ({
        ...target,
        requests: partOf(target.requests, part),
      }));
      const [[one] = [], [other] = []] = await measureAlternately(targets, 1, { seconds: 1 });
      if (one !== undefined) fewAtStart.push(one);
      if (other !== undefined) unknown.push(other);
    }
    await measureAlternately(growth, 1, { seconds: warmUpSeconds });
    const [few = [], known = []] = await measureAlternately(growth, rounds, { seconds });
    printTable(
      [
        'redirects',
        'per second',
        'of 1,000',
        'p50 ms',
        'p99 ms',
        'p99 of 1,000',
        'CPU µs',
        'of 1,000',
      ],
      [
        rowOf('1,000 codes', few, few),
        rowOf('1,000,000 codes, in memory', known, few),
        rowOf('1,000,000 codes, looked up', unknown, fewAtStart),
      ],
    );
  } finally {
    for (const close of closing) await close();
    await Promise.all([postgres.close(), valkey.close()]);
  }
}

function partOf(requests: readonly string[], part: number): readonly string[] {
  const size = requests.length / lookUpParts;
  return requests.slice(Math.floor(part * size), Math.floor((part + 1) * size));
}

/** Measures edits one after the other. */
async function editRows(
  rounds: number,
  servers: readonly { name: string; origin: string; key: string }[],
): Promise<string[][]> {
  const times = servers.map((): number[] => []);
  for (let edit = 0; edit < rounds * 60; edit++)
    for (const [index, { origin, key }] of servers.entries()) {
      const startMs = performance.now();
      const response = await fetch(`${origin}/api/v1/qrs/${codeOf(edit)}`, {
        method: 'PATCH',
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ url: `https://example.com/${edit}` }),
      });
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`edit: ${response.status}`);
      times[index]?.push(performance.now() - startMs);
    }
  const at = (values: readonly number[], part: number) =>
    values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? Number.NaN;
  const [base = []] = times;
  return servers.map(({ name }, index) => {
    const values = times[index] ?? [];
    const [p50, p99] = [at(values, 0.5), at(values, 0.99)];
    return [
      name,
      '',
      '',
      p50.toFixed(2),
      p99.toFixed(2),
      (p99 / at(base, 0.99)).toFixed(1),
      '',
      '',
    ];
  });
}
