import { describe, expect, test } from 'bun:test';
import { sendRaw } from '../support/raw.ts';
import { sharedServer } from '../support/server.ts';
import { fieldsOf, outcome } from '../support/wire.ts';

const server = await sharedServer();
const { key, email, api } = await server.account();
const anonymous = server.api();
const hex = key.slice(-40);
const withHeader = (authorization: string) =>
  anonymous.call('GET /qrs', undefined, { Authorization: authorization });

describe('401 unauthorized: the key is missing or invalid', () => {
  test.each([
    ['an empty header', ''],
    ['the scheme alone', 'Bearer '],
    ['no scheme', key],
    ['another scheme', `Basic ${btoa(`${email}:${key}`)}`],
    ['another scheme with the key', `Token ${key}`],
    ['the scheme twice', `Bearer Bearer ${key}`],
    ['a comma after the key', `Bearer ${key},`],
    ['two keys', `Bearer ${key}, Bearer ${key}`],
    ['a key that was never generated', `Bearer wmk_${'0'.repeat(40)}`],
    ['another prefix', `Bearer sk_${hex}`],
    ['no prefix', `Bearer ${hex}`],
    ['an upper-case key', `Bearer ${key.toUpperCase()}`],
    ['a character too few', `Bearer ${key.slice(0, -1)}`],
    ['a character too many', `Bearer ${key}0`],
    ['characters that are not hexadecimal', `Bearer wmk_${'g'.repeat(40)}`],
    ['a quoted key', `Bearer "${key}"`],
    ['a very long header', `Bearer ${key}${'0'.repeat(7000)}`],
  ])('for %s', async (_name, authorization) => {
    expect(outcome(await withHeader(authorization))).toBe('401 unauthorized');
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

  test.each([
    [undefined, 'Bearer'],
    ['Bearer', 'Bearer'],
    [`Basic ${btoa('a:b')}`, 'Bearer'],
    [`Token ${key}`, 'Bearer'],
    ['Bearer x', 'Bearer error="invalid_token"'],
    [`bearer wmk_${'0'.repeat(40)}`, 'Bearer error="invalid_token"'],
    [`Bearer Bearer ${key}`, 'Bearer error="invalid_token"'],
  ])(
    '%p is answered with WWW-Authenticate: %s (RFC 6750, 3.1)',
    async (authorization, challenge) => {
      const headers = authorization === undefined ? {} : { Authorization: authorization };
      const answer = await anonymous.call('GET /qrs', undefined, headers);
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, challenge]);
      expect([...answer.headers.keys()].join()).not.toContain('ratelimit');
    },
  );

  test.each([
    [`Bearer Bearer ${key}`, '"Bearer" twice'],
    [`bearer: bearer ${key}`, '"Bearer" twice'],
    [`Bearer "${key}"`, 'quotation marks'],
    [`Bearer '${key}'`, 'quotation marks'],
    [`Bearer <${key}>`, 'brackets'],
    [`Token ${key}`, 'begin with "Bearer"'],
    [`Basic ${btoa(`${key}:`)}`, 'begin with "Bearer"'],
    [`Bearer: ${key}`, 'begin with "Bearer" and a space'],
    [`Bearer${key}`, 'begin with "Bearer" and a space'],
    [key, 'begin with "Bearer"'],
    [`Bearer ${key},`, 'comma'],
    [`Bearer ${key}, Bearer ${key}`, 'sent twice'],
  ])('the message for %s says %s', async (authorization, problem) => {
    const { text } = await withHeader(authorization);
    const { message } = fieldsOf(fieldsOf(JSON.parse(text))['error']);
    expect(message).toContain(problem);
    expect(message).toContain('Send "Authorization: Bearer <API_KEY>".');
    expect(text).not.toContain(hex);
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
