import { describe, expect, test } from 'bun:test';
import { gzipSync } from 'node:zlib';
import { sendRaw } from '../support/raw.ts';
import { sharedServer } from '../support/server.ts';
import { asRecord, errorMessage, outcome } from '../support/wire.ts';

const server = await sharedServer();
const { api, key } = await server.account();
const { code } = await api.create();
const endpoints = ['POST /qrs', `PATCH /qrs/${code}`];
const url = 'https://example.org/body';
const good = JSON.stringify({ url });
const notUtf8 = new Uint8Array(Buffer.from('{"url":"https://example.org/\xff"}', 'latin1'));
const megabytes = (count: number) =>
  JSON.stringify({ url, padding: 'x'.repeat(count * 1024 * 1024) });

describe('the body is not valid JSON: 400 invalid_json (rule 2)', () => {
  // test/hostile has a whole suite of invalid JSON and of compressed bodies.
  test.each<[string, string | Uint8Array]>([
    ['nothing', ''],
    ['an open brace', '{'],
    ['a trailing comma', '{"url":"https://example.org/",}'],
    ['text after the object', `${good}${good}`],
    ['a form', 'url=https%3A%2F%2Fexample.org%2F'],
    ['bytes that are not UTF-8', notUtf8],
    ['UTF-16', new Uint8Array(Buffer.from(good, 'utf16le'))],
    ['gzip', new Uint8Array(gzipSync(good))],
    // JSON, but no object.
    ['an array', '[]'],
    ['a string', '"https://example.org/"'],
    ['null', 'null'],
    ['10,000 nested arrays', '['.repeat(10_000) + ']'.repeat(10_000)],
  ])('%s', async (_name, body) => {
    for (const line of endpoints)
      expect(outcome(await api.call(line, body))).toBe('400 invalid_json');
  });

  test('no body', async () => {
    for (const line of endpoints) expect(outcome(await api.call(line))).toBe('400 invalid_json');
  });

  test('more than 64 KiB', async () => {
    const long = good.padEnd(64 * 1024);
    expect(outcome(await api.call(`PATCH /qrs/${code}`, long))).toBe('200');
    expect(outcome(await api.call(`PATCH /qrs/${code}`, `${long} `))).toBe('400 invalid_json');
    expect(outcome(await api.call('POST /qrs', megabytes(20)))).toBe('400 invalid_json');
    await api.call(`PATCH /qrs/${code}`, { url: 'https://example.org/' });
  });

  test('each kind has a message: no JSON, no object, empty, not UTF-8, too large', async () => {
    const messages = [];
    for (const body of ['{', '[]', '', notUtf8, megabytes(20)])
      messages.push(errorMessage(await api.call('POST /qrs', body)));
    expect(new Set(messages).size).toBe(5);
    expect(messages[1]).toMatch(/object/i);
    expect(messages[2]).toMatch(/empty/i);
    expect(messages[3]).toMatch(/UTF-8/i);
    expect(messages[4]).toMatch(/large|big|long/i);
  });

  test('creates and changes nothing', async () => {
    expect((await api.list()).total).toBe(1);
    expect(await api.read(code)).toMatchObject({ destination: 'https://example.org/' });
  });
});

describe('a valid body is accepted', () => {
  test.each([
    ['application/json'],
    ['application/json; charset=utf-8'],
    ['text/plain'],
    ['application/x-www-form-urlencoded'],
  ])('with the content type %s', async (type) => {
    const answer = await api.call('POST /qrs', good, { 'Content-Type': type });
    expect(asRecord(answer.json).destination).toBe(url);
  });

  test('without a content type', async () => {
    const answer = await sendRaw(
      server.origin,
      'POST /api/v1/qrs',
      [`Authorization: Bearer ${key}`, `Content-Length: ${good.length}`],
      good,
    );
    expect(answer.status).toBe(201);
    expect(asRecord(JSON.parse(answer.text)).destination).toBe(url);
  });

  test('in chunks', async () => {
    const answer = await sendRaw(
      server.origin,
      'POST /api/v1/qrs',
      [`Authorization: Bearer ${key}`, 'Transfer-Encoding: chunked'],
      [...good]
        .map((char) => `1\r\n${char}\r\n`)
        .join('')
        .concat('0\r\n\r\n'),
    );
    expect(answer.status).toBe(201);
  });
});
