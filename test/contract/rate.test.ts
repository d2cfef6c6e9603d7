import { afterAll, describe, expect, test } from 'bun:test';
import type { Answer } from '../support/api.ts';
import { usesPostgres } from '../support/postgres.ts';
import { startServer } from '../support/server.ts';
import { visit } from '../support/visit.ts';
import { outcome } from '../support/wire.ts';

// One server with the default limit, and one with a limit that is never reached.
const strict = await startServer({ WAYMARK_RATE_LIMIT: undefined });
// Settings of the environment and flags of the same names.
const wide = await startServer({ WAYMARK_KEY_PREFIX: 'acme' }, ['--rate-limit', '100000']);
afterAll(async () => {
  await strict.close();
  await wide.close();
});

const number = (answer: Answer, name: string): number => {
  expect(`${name}: ${answer.headers.get(name)}`).toMatch(/: \d+$/);
  return Number(answer.headers.get(name));
};

describe('60 requests per minute per key, sliding window', () => {
  test('60 in a row are admitted, the 61st is 429 rate_limited with Retry-After', async () => {
    const { api } = await strict.account('row@example.org');
    for (let request = 1; request <= 60; request++) {
      const answer = await api.call('GET /qrs');
      expect(answer.status).toBe(200);
      expect(number(answer, 'ratelimit-limit')).toBe(60);
      expect(number(answer, 'ratelimit-remaining')).toBe(60 - request);
    }
    const refused = await api.call('GET /qrs');
    expect(outcome(refused)).toBe('429 rate_limited');
    expect(number(refused, 'retry-after')).toBeGreaterThanOrEqual(1);
    expect(number(refused, 'retry-after')).toBeLessThanOrEqual(60);
    expect(number(refused, 'ratelimit-remaining')).toBe(0);
  });

  test('is shared by a replaced key and the one that follows it, while both work', async () => {
    const { email, api } = await strict.account('overlap@example.org');
    const replace = async (...flags: string[]) => {
      const { stdout } = await strict.cli([
        ...['key', 'generate', email, '--replace', '--json'],
        ...flags,
      ]);
      const { key }: { key: string } = JSON.parse(stdout);
      return strict.api(key);
    };
    const renewed = await replace('--overlap', '24h');
    const remaining = async (client: typeof api) =>
      number(await client.call('GET /qrs'), 'ratelimit-remaining');
    expect([await remaining(api), await remaining(renewed), await remaining(api)]).toEqual([
      59, 58, 57,
    ]);
    await strict.cli(['key', 'revoke', email, '--old']);
    expect(outcome(await api.call('GET /qrs'))).toBe('401 unauthorized');
    expect(await remaining(renewed)).toBe(56);
    const third = await replace('--overlap', '1');
    expect(outcome(await renewed.call('GET /qrs'))).toBe('200');
    await strict.cli(['key', 'revoke', email]);
    for (const client of [renewed, third])
      expect(outcome(await client.call('GET /qrs'))).toBe('401 unauthorized');
    for (const flags of [
      ['--overlap', '24h'],
      ['--replace', '--overlap', '0'],
      ['--replace', '--overlap', '721h'],
      ['--replace', '--overlap', '1d'],
    ]) {
      const refused = await strict.cli(['key', 'generate', email, ...flags]);
      expect([flags, refused.exitCode]).toEqual([flags, 2]);
    }
  });

  test('is counted per key: another account and a new key have windows of their own', async () => {
    const first = await strict.account('first@example.org');
    const second = await strict.account('second@example.org');
    await Promise.all(Array.from({ length: 61 }, () => first.api.call('GET /qrs')));
    expect(outcome(await first.api.call('GET /qrs'))).toBe('429 rate_limited');
    expect(outcome(await second.api.call('GET /qrs'))).toBe('200');
    const renewed = strict.api(await strict.generateKey(first.email));
    expect(number(await renewed.call('GET /qrs'), 'ratelimit-remaining')).toBe(59);
  });

  // Servers that count in memory although they share a database would pass all other tests.
  test.skipIf(!usesPostgres)('a restart does not reset the window', async () => {
    const { api } = await strict.account('restart@example.org');
    await Promise.all(Array.from({ length: 60 }, () => api.call('GET /qrs')));
    await strict.stop();
    await strict.start();
    expect(outcome(await api.call('GET /qrs'))).toBe('429 rate_limited');
  });

  test('does not apply to short links', async () => {
    const { api } = await strict.account('links@example.org');
    const { url } = await api.create();
    for (let i = 0; i < 70; i++) expect((await visit(url)).status).toBe(302);
    expect(number(await api.call('GET /qrs'), 'ratelimit-remaining')).toBe(58);
  });
});

const { api, email, key } = await wide.account('counts@example.org');
const { code } = await api.create();
const remaining = async () => number(await api.call('GET /qrs'), 'ratelimit-remaining');

describe('every request that carries a valid key counts one', () => {
  test.each([
    ['GET /qrs', 200],
    [`GET /qrs/${code}`, 200],
    [`GET /qrs/${code}/stats`, 200],
    [`GET /qrs/${code}.png`, 200],
    [`GET /qrs/${code}.svg`, 200],
    [`HEAD /qrs/${code}.png`, 200],
    ['HEAD /qrs', 200],
    ['GET /qrs/zzzzzzzz', 404],
    ['GET /nothing', 404],
    ['DELETE /qrs', 405],
    ['POST /qrs', 400],
    [`PATCH /qrs/${code}`, 400],
  ])('%s → %i, and carries the rate headers', async (line, status) => {
    const before = await remaining();
    const answer = await api.call(line);
    expect(answer.status).toBe(status);
    expect(number(answer, 'ratelimit-limit')).toBe(100_000);
    expect(number(answer, 'ratelimit-remaining')).toBe(before - 1);
    expect(number(answer, 'ratelimit-reset')).toBeGreaterThanOrEqual(1);
    expect(number(answer, 'ratelimit-reset')).toBeLessThanOrEqual(60);
    expect(await remaining()).toBe(before - 2);
  });

  test('also an image that is not modified, and with an expired plan', async () => {
    const etag = (await api.call(`GET /qrs/${code}.png`)).headers.get('etag') ?? '';
    const before = await remaining();
    const same = await api.call(`GET /qrs/${code}.png`, undefined, { 'If-None-Match': etag });
    expect([same.status, number(same, 'ratelimit-remaining')]).toEqual([304, before - 1]);

    await wide.setPlan(email, 'expired');
    const unpaid = await api.call('GET /qrs');
    expect([unpaid.status, number(unpaid, 'ratelimit-remaining')]).toEqual([402, before - 2]);
    await wide.setPlan(email, 'active');
  });

  test('but not a request without a valid key', async () => {
    expect(key).toMatch(/^acme_[0-9a-f]{40}$/);
    const before = await remaining();
    await wide.api().call('GET /qrs');
    await wide.api(`wmk_${'0'.repeat(40)}`).call('GET /qrs');
    expect(await remaining()).toBe(before - 1);
  });
});
