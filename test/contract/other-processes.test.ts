import { Database } from 'bun:sqlite';
import { afterAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { hashKey } from '../../src/core/accounts/api-key.ts';
import { startServer } from '../support/server.ts';

// What the command line changes beside the server holds at the next request (DESIGN, "Command line"),
// also while the server is busy: it remembers whose the keys are, and may not remember for too long.
const server = await startServer();
const { key, email } = await server.account('alice@example.org');
const { code } = await server.api(key).create();
const other = new Database(join(server.dataFolder, 'waymark.db'), { strict: true });
other.run('PRAGMA busy_timeout = 5000');
afterAll(async () => {
  other.close();
  await server.close();
});

const rounds = 60;
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

/** Sixteen clients ask without pause while something is tried. */
async function underLoad(tried: () => Promise<void>): Promise<void> {
  let over = false;
  const client = async (number: number) => {
    while (!over) await statusOf(paths[number % paths.length] ?? '', key, number % 2 === 0);
  };
  const clients = Array.from({ length: 16 }, (_, number) => client(number));
  try {
    await tried();
  } finally {
    over = true;
    await Promise.all(clients);
  }
}

/** Every path, over connections that are there and over new ones, with one key. */
const everywhere = (withKey: string) =>
  Promise.all(
    paths.flatMap((path) => [true, false].map((keepalive) => statusOf(path, withKey, keepalive))),
  );

const all = (status: number) => Array.from({ length: paths.length * 2 }, () => status);

describe('under load, every request that is sent after another process has committed', () => {
  test('is refused when the plan has ended, and let in when it is paid again', async () => {
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

  test('is let in with the key that the account has then, and with no other', async () => {
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

test('a key that the command line revokes is refused to a client that goes on asking', async () => {
  const asking = Promise.withResolvers<void>();
  const statuses: number[] = [];
  let revoked = false;
  const client = (async () => {
    for (let after = 0; after < 50; ) {
      const wasRevoked = revoked;
      const status = await statusOf(`/qrs/${code}.png`, key, true);
      if (wasRevoked) {
        after++;
        statuses.push(status);
      } else asking.resolve();
    }
  })();
  await asking.promise;
  expect(await server.cli(['key', 'revoke', email])).toMatchObject({ exitCode: 0 });
  revoked = true;
  await client;
  expect(new Set(statuses)).toEqual(new Set([401]));
});
