import { Database } from 'bun:sqlite';
import { afterAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { hashKey } from '../../src/core/accounts/api-key.ts';
import { startServer } from '../support/server.ts';

// A change by another process takes effect at the next request, although the server caches keys.
const server = await startServer();
const { key, email } = await server.account('alice@example.org');
const { code } = await server.api(key).create();
const other = new Database(join(server.dataFolder, 'waymark.db'), { strict: true });
other.run('PRAGMA busy_timeout = 5000');
afterAll(async () => {
  other.close();
  await server.close();
});

const rounds = 4;
const spare = `wmk_${'5a'.repeat(20)}`;
const paths = ['/qrs?limit=100', `/qrs/${code}`, `/qrs/${code}.png`, `/qrs/${code}/stats`];

async function statusOf(path: string, withKey: string, keepalive: boolean): Promise<number> {
  const answer = await fetch(`${server.origin}/api/v1${path}`, {
    headers: { Authorization: `Bearer ${withKey}` },
    keepalive,
  });
  await answer.arrayBuffer();
  return answer.status;
}

/** Runs a function while eight clients send requests. */
async function underLoad(act: () => Promise<void>): Promise<void> {
  let over = false;
  const client = async (number: number) => {
    while (!over) await statusOf(paths[number % paths.length] ?? '', key, number % 2 === 0);
  };
  const clients = Array.from({ length: 8 }, (_, number) => client(number));
  try {
    await act();
  } finally {
    over = true;
    await Promise.all(clients);
  }
}

/** Requests every path with a key, over kept and new connections. */
const everywhere = (withKey: string) =>
  Promise.all(
    paths.flatMap((path) => [true, false].map((keepalive) => statusOf(path, withKey, keepalive))),
  );

const all = (status: number) => Array.from({ length: paths.length * 2 }, () => status);

describe('under load, every request after a commit of another process', () => {
  test('is rejected when the plan has expired, and accepted when it is extended', async () => {
    const setPlan = other.query('UPDATE accounts SET plan_until = ? WHERE email = ?');
    await underLoad(async () => {
      for (let round = 0; round < rounds; round++) {
        setPlan.run(1, email);
        expect(await everywhere(key)).toEqual(all(402));
        setPlan.run(null, email);
        expect(await everywhere(key)).toEqual(all(200));
      }
    });
  });

  test('is accepted with the new key only', async () => {
    const setKey = other.query('UPDATE api_keys SET hash = ? WHERE hash = ?');
    const replace = (old: string, next: string) => setKey.run(hashKey(next), hashKey(old));
    await underLoad(async () => {
      for (let round = 0; round < rounds; round++) {
        replace(key, spare);
        expect(await everywhere(key)).toEqual(all(401));
        expect(await everywhere(spare)).toEqual(all(200));
        replace(spare, key);
        expect(await everywhere(spare)).toEqual(all(401));
        expect(await everywhere(key)).toEqual(all(200));
      }
    });
  });
});

test('a revoked key is rejected for a client with an open connection', async () => {
  expect(await statusOf(`/qrs/${code}.png`, key, true)).toBe(200);
  expect(await server.cli(['key', 'revoke', email])).toMatchObject({ exitCode: 0 });
  for (let request = 0; request < 10; request++)
    expect(await statusOf(`/qrs/${code}.png`, key, true)).toBe(401);
});

describe('a redirect after a commit of another process', async () => {
  const bob = server.api((await server.account('bob@example.org')).key);
  const locationOf = async (of: string) =>
    (await fetch(`${server.origin}/${of}`, { redirect: 'manual' })).headers.get('location');
  const create = async (count: number) =>
    Promise.all(Array.from({ length: count }, async () => (await bob.create()).code));

  test('follows each way to edit a code by hand', async () => {
    const [edited = '', paused = '', renamed = '', deleted = '', flagged = ''] = await create(5);
    for (const of of [edited, paused, renamed, deleted, flagged])
      expect(await locationOf(of)).toBe('https://example.org/');

    for (const destination of ['https://one.example/', 'https://two.example/']) {
      other.run('UPDATE qrs SET destination = ? WHERE code = ?', [destination, edited]);
      expect(await locationOf(edited)).toBe(destination);
    }
    other.run("UPDATE qrs SET status = 'paused' WHERE code = ?", [paused]);
    expect(await locationOf(paused)).toBeNull();
    other.run("UPDATE qrs SET status = 'active' WHERE code = ?", [paused]);
    expect(await locationOf(paused)).toBe('https://example.org/');
    other.run("UPDATE qrs SET code = 'zzzzzzzz' WHERE code = ?", [renamed]);
    expect(await locationOf(renamed)).toBeNull();
    expect(await locationOf('zzzzzzzz')).toBe('https://example.org/');
    other.run('DELETE FROM qrs WHERE code = ?', [deleted]);
    expect(await locationOf(deleted)).toBeNull();
    other.run(
      "INSERT INTO flags (qr_id, list, expression, since) SELECT id, 'bad', 'x', 0 FROM qrs WHERE code = ?",
      [flagged],
    );
    expect(await locationOf(flagged)).toBeNull();
    other.run('DELETE FROM flags');
    expect(await locationOf(flagged)).toBe('https://example.org/');
  });

  test('follows more edits than the database remembers, and one of them that nothing remembers', async () => {
    const [first = '', last = ''] = await create(2);
    for (const of of [first, last]) expect(await locationOf(of)).toBe('https://example.org/');
    other.transaction(() => {
      other.run("UPDATE qrs SET destination = 'https://first.example/' WHERE code = ?", [first]);
      for (let edit = 0; edit < 1500; edit++)
        other.run('UPDATE qrs SET destination = ? WHERE code = ?', [
          `https://${edit}.example/`,
          last,
        ]);
    })();
    expect(await locationOf(first)).toBe('https://first.example/');
    expect(await locationOf(last)).toBe('https://1499.example/');
    const steps = 'SELECT count(*) AS steps FROM redirect_steps';
    expect(other.query(steps).get()).toEqual({ steps: 1000 });

    other.run("UPDATE qrs SET destination = 'https://again.example/' WHERE code = ?", [first]);
    other.run('DELETE FROM redirect_steps');
    expect(await locationOf(first)).toBe('https://again.example/');
  });
});
