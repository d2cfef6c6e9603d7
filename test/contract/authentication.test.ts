import { afterAll, describe, expect, test } from 'bun:test';
import { sendRaw } from '../support/raw.ts';
import { startServer } from '../support/server.ts';
import { fieldsOf, outcome } from '../support/wire.ts';

const server = await startServer();
afterAll(server.close);
const { key, email, api } = await server.account('alice@example.org');
const anonymous = server.api();
const hex = key.slice(-40);

describe('401 unauthorized: the key is missing or invalid', () => {
  test.each([
    ['an empty header', ''],
    ['the scheme alone', 'Bearer'],
    ['the scheme and a blank', 'Bearer '],
    ['no scheme', key],
    ['another scheme', `Basic ${btoa(`${email}:${key}`)}`],
    ['another scheme with the key', `Token ${key}`],
    ['the scheme twice', `Bearer Bearer ${key}`],
    ['a comma behind the key', `Bearer ${key},`],
    ['two keys', `Bearer ${key}, Bearer ${key}`],
    ['a key that was never generated', `Bearer wmk_${'0'.repeat(40)}`],
    ['another prefix', `Bearer sk_${hex}`],
    ['no prefix', `Bearer ${hex}`],
    ['an upper-case prefix', `Bearer WMK_${hex}`],
    ['upper-case hexadecimals', `Bearer wmk_${hex.toUpperCase()}`],
    ['a character too few', `Bearer ${key.slice(0, -1)}`],
    ['a character too many', `Bearer ${key}0`],
    ['no hexadecimals', `Bearer wmk_${'g'.repeat(40)}`],
    ['a quoted key', `Bearer "${key}"`],
    ['a very long header', `Bearer ${'a'.repeat(7000)}`],
    ['a very long key that begins well', `Bearer ${key}${'0'.repeat(7000)}`],
  ])('for %s', async (_name, authorization) => {
    const answer = await anonymous.call('GET /qrs', undefined, { Authorization: authorization });
    expect(outcome(answer)).toBe('401 unauthorized');
  });

  test('for no header at all', async () => {
    expect(outcome(await anonymous.call('GET /qrs'))).toBe('401 unauthorized');
  });

  test('for the header twice', async () => {
    const line = `Authorization: Bearer ${key}`;
    const answer = await sendRaw(server.origin, 'GET /api/v1/qrs', [line, line]);
    expect(answer.status).toBe(401);
    expect(fieldsOf(JSON.parse(answer.body))).toMatchObject({ error: { code: 'unauthorized' } });
  });

  test('for a key in the query or the body', async () => {
    const query = await anonymous.call(`GET /qrs?key=${key}&access_token=${key}`);
    const body = await anonymous.call('POST /qrs', { url: 'https://example.org/', key });
    expect([outcome(query), outcome(body)]).toEqual(['401 unauthorized', '401 unauthorized']);
  });

  test('on every endpoint, with WWW-Authenticate: Bearer', async () => {
    const { code } = await api.create();
    for (const line of [
      'GET /qrs',
      'POST /qrs',
      `GET /qrs/${code}`,
      `PATCH /qrs/${code}`,
      `GET /qrs/${code}/stats`,
      `GET /qrs/${code}.png`,
      `GET /qrs/${code}.svg`,
    ]) {
      const answer = await anonymous.call(line);
      expect(`${line} ${outcome(answer)}`).toBe(`${line} 401 unauthorized`);
      expect(answer.headers.get('www-authenticate')).toStartWith('Bearer');
    }
  });

  test('says the same for every wrong key', async () => {
    const texts = await Promise.all(
      ['', 'Bearer x', `Bearer wmk_${'0'.repeat(40)}`, `Bearer ${key}0`].map(
        async (Authorization) =>
          (await anonymous.call('GET /qrs', undefined, { Authorization })).text,
      ),
    );
    expect(new Set(texts).size).toBe(1);
  });
});

describe('Authorization: Bearer <API_KEY> is accepted', () => {
  test.each(['Bearer', 'bearer', 'BEARER'])('with the scheme written %s', async (scheme) => {
    const headers = { Authorization: `${scheme} ${key}` };
    expect((await anonymous.call('GET /qrs', undefined, headers)).status).toBe(200);
  });
});

describe('no spelling of a path gets past the key', () => {
  test.each([
    '/api/v1/../v1/qrs',
    '/docs/../api/v1/qrs',
    '/docs/%2e%2e/api/v1/qrs',
    '//api/v1/qrs',
    '/api//v1/qrs',
    '/api/./v1/qrs',
    '/API/V1/qrs',
    '/%61pi/v1/qrs',
    '/api%2Fv1/qrs',
    '/api/v1%2Fqrs',
    '/api\\v1\\qrs',
    'http://127.0.0.1/api/v1/qrs',
    '/docs/json/api/v1/qrs',
    '/api/v1/qrs#/docs',
    '/api/v1/qrs;x',
  ])('%s', async (target) => {
    const answer = await sendRaw(server.origin, `GET ${target}`);
    expect(answer.status).toBeGreaterThanOrEqual(300);
    expect(answer.status).toBeLessThan(500);
    expect(answer.body).not.toContain('"data"');
  });
});

describe('a key is displayed only once and can be regenerated or revoked', () => {
  test('has the form <prefix>_<40 hex>', () => {
    expect(key).toMatch(/^wmk_[0-9a-f]{40}$/);
  });

  test('a second key replaces the first at the next request', async () => {
    const bob = await server.account('bob@example.org');
    const second = await server.generateKey(bob.email);
    expect(second).not.toBe(bob.key);
    expect(outcome(await bob.api.call('GET /qrs'))).toBe('401 unauthorized');
    expect(outcome(await server.api(second).call('GET /qrs'))).toBe('200');
  });

  test('a revoked key is refused at the next request', async () => {
    const carol = await server.account('carol@example.org');
    expect(outcome(await carol.api.call('GET /qrs'))).toBe('200');
    expect((await server.cli(['key', 'revoke', carol.email])).exitCode).toBe(0);
    expect(outcome(await carol.api.call('GET /qrs'))).toBe('401 unauthorized');
  });

  test('is nowhere in the data, the log or another answer', async () => {
    const grep = Bun.spawn(['grep', '-r', '-l', '-a', '-F', hex, server.dataFolder]);
    expect(await new Response(grep.stdout).text()).toBe('');
    expect(server.log()).not.toContain(hex);
    const shown = await server.cli(['account', 'show', email, '--json']);
    expect(shown.stdout + shown.stderr).not.toContain(hex);
  });
});
