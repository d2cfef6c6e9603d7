import { describe, expect, test } from 'bun:test';
import { sendRaw } from '../support/raw.ts';
import { sharedServer } from '../support/server.ts';
import { errorMessage, fieldsOf, outcome } from '../support/wire.ts';

const server = await sharedServer();
const { key, email, api } = await server.account();
const anonymous = server.api();
const hex = key.slice(-40);
const withHeader = (authorization: string) =>
  anonymous.call('GET /qrs', undefined, { Authorization: authorization });

describe('401 unauthorized: the key is missing or invalid', () => {
  // RFC 6750, 3.1: an error only where a token was sent.
  const [missing, invalid] = ['Bearer', 'Bearer error="invalid_token"'];
  test.each<[header: string | undefined, challenge: string, problem?: string]>([
    [undefined, missing],
    ['', missing],
    ['Bearer', missing],
    ['Bearer ', missing],
    [`Basic ${btoa(`${email}:${key}`)}`, missing],
    [`Basic ${btoa(`${key}:`)}`, missing, 'begin with "Bearer"'],
    [`Token ${key}`, missing, 'begin with "Bearer"'],
    [key, missing, 'begin with "Bearer"'],
    [`Bearer: ${key}`, missing, 'begin with "Bearer" and a space'],
    [`Bearer${key}`, missing, 'begin with "Bearer" and a space'],
    [`bearer: bearer ${key}`, missing, '"Bearer" twice'],
    [`Bearer Bearer ${key}`, invalid, '"Bearer" twice'],
    [`Bearer "${key}"`, invalid, 'quotation marks'],
    [`Bearer '${key}'`, invalid, 'quotation marks'],
    [`Bearer <${key}>`, invalid, 'brackets'],
    [`Bearer ${key},`, invalid, 'comma'],
    [`Bearer ${key}, Bearer ${key}`, invalid, 'sent twice'],
    ['Bearer x', invalid],
    [`Bearer wmk_${'0'.repeat(40)}`, invalid],
    [`bearer wmk_${'0'.repeat(40)}`, invalid],
    [`Bearer wmk_${'g'.repeat(40)}`, invalid],
    [`Bearer sk_${hex}`, invalid],
    [`Bearer ${hex}`, invalid],
    [`Bearer ${key.toUpperCase()}`, invalid],
    [`Bearer ${key.slice(0, -1)}`, invalid],
    [`Bearer ${key}0`, invalid],
    [`Bearer ${key}${'0'.repeat(7000)}`, invalid],
  ])('for the header %p, with WWW-Authenticate: %s', async (header, challenge, problem = '') => {
    const headers = header === undefined ? {} : { Authorization: header };
    const answer = await anonymous.call('GET /qrs', undefined, headers);
    expect(outcome(answer)).toBe('401 unauthorized');
    expect(answer.headers.get('www-authenticate')).toBe(challenge);
    expect([...answer.headers.keys()].join()).not.toContain('ratelimit');
    expect(answer.text).not.toContain(hex);
    if (problem === '') return;
    expect(errorMessage(answer)).toContain(problem);
    expect(errorMessage(answer)).toContain('Send "Authorization: Bearer <API_KEY>".');
  });

  test('for the header twice', async () => {
    const line = `Authorization: Bearer ${key}`;
    const response = await sendRaw(server.origin, 'GET /api/v1/qrs', [line, line]);
    expect(response.status).toBe(401);
    expect(fieldsOf(JSON.parse(response.text))).toMatchObject({ error: { code: 'unauthorized' } });
  });

  test('for a key in the query or the body', async () => {
    const query = await anonymous.call(`GET /qrs?key=${key}&access_token=${key}`);
    const body = await anonymous.call('POST /qrs', { url: 'https://example.org/', key });
    expect([outcome(query), outcome(body)]).toEqual(['401 unauthorized', '401 unauthorized']);
  });

  test('on every endpoint without the header, with WWW-Authenticate: Bearer', async () => {
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
      const response = await anonymous.call(line);
      expect(`${line} ${outcome(response)}`).toBe(`${line} 401 unauthorized`);
      expect(response.headers.get('www-authenticate')).toStartWith('Bearer');
    }
  });

  test.each([`?key=${key}`, `?limit=1&access_token=${key}`, `?authorization=Bearer%20${key}`])(
    'the message for a key in the URL says so: %s',
    async (query) => {
      const { text } = await anonymous.call(`GET /qrs${query}`);
      expect(text).toContain('The API key is in the URL');
    },
  );

  test('with the same response for every invalid key', async () => {
    const headers = ['', 'Bearer x', `Bearer wmk_${'0'.repeat(40)}`, `Bearer ${key}0`];
    const texts = await Promise.all(headers.map(async (one) => (await withHeader(one)).text));
    expect(new Set(texts).size).toBe(1);
  });
});

test.each(['Bearer', 'bearer', 'BEARER'])('the scheme may be written %s', async (scheme) => {
  expect((await withHeader(`${scheme} ${key}`)).status).toBe(200);
});

describe('a key is displayed only once and can be regenerated or revoked', () => {
  test('has the form <prefix>_<40 hex>', () => {
    expect(key).toMatch(/^wmk_[0-9a-f]{40}$/);
  });

  test('a new key replaces the earlier one at the next request', async () => {
    const bob = await server.account();
    const second = await server.generateKey(bob.email);
    expect(second).not.toBe(bob.key);
    expect(outcome(await bob.api.call('GET /qrs'))).toBe('401 unauthorized');
    expect(outcome(await server.api(second).call('GET /qrs'))).toBe('200');
  });

  test('a revoked key is invalid at the next request', async () => {
    const carol = await server.account();
    expect(outcome(await carol.api.call('GET /qrs'))).toBe('200');
    expect((await server.cli(['key', 'revoke', carol.email])).exitCode).toBe(0);
    expect(outcome(await carol.api.call('GET /qrs'))).toBe('401 unauthorized');
  });
});
