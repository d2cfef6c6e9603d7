import { afterAll, describe, expect, test } from 'bun:test';
import { gzipSync } from 'node:zlib';
import { sendRaw } from '../support/raw.ts';
import { startServer } from '../support/server.ts';
import { asRecord, errorMessage, outcome } from '../support/wire.ts';

const server = await startServer();
afterAll(server.close);
const { api, key } = await server.account('alice@example.org');
const { code } = await api.create();
const endpoints = ['POST /qrs', `PATCH /qrs/${code}`];
const url = 'https://example.org/body';
const good = JSON.stringify({ url });
const bytes = (...parts: (string | number[])[]) =>
  new Uint8Array(Buffer.concat(parts.map((part) => Buffer.from(part as string))));

const notUtf8 = bytes('{"url":"https://example.org/', [0xff, 0xfe], '"}');
const megabytes = (count: number) =>
  JSON.stringify({ url, padding: 'x'.repeat(count * 1024 * 1024) });

describe('the body is not valid JSON: 400 invalid_json (rule 2)', () => {
  test.each<[string, string | Uint8Array]>([
    ['nothing', ''],
    ['a blank', ' '],
    ['an open brace', '{'],
    ['a cut string', '{"url":"https://exam'],
    ['no value', '{"url":}'],
    ['a trailing comma', '{"url":"https://example.org/",}'],
    ['single quotes', "{'url':'https://example.org/'}"],
    ['an unquoted name', '{url:"https://example.org/"}'],
    ['a comment', '{"url":"https://example.org/"} // x'],
    ['something behind it', `${good}${good}`],
    ['a line feed in a string', '{"url":"https://example.org/\n"}'],
    ['a wrong escape', '{"url":"https://example.org/\\x41"}'],
    ['NaN', 'NaN'],
    ['a NUL', '\0'],
    ['a form', 'url=https%3A%2F%2Fexample.org%2F'],
    ['XML', '<url>https://example.org/</url>'],
    ['bytes that are not UTF-8', notUtf8],
    ['an overlong UTF-8 sequence', bytes('{"url":"https://example.org/', [0xc0, 0xaf], '"}')],
    ['a surrogate in UTF-8', bytes('{"url":"https://example.org/', [0xed, 0xa0, 0x80], '"}')],
    ['UTF-16', new Uint8Array(Buffer.from(good, 'utf16le'))],
    ['gzip', new Uint8Array(gzipSync(good))],
    // JSON, but no object.
    ['an array', '[]'],
    ['an object in an array', `[${good}]`],
    ['a string', '"https://example.org/"'],
    ['null', 'null'],
    ['a number', '1'],
    ['true', 'true'],
    ['10,000 arrays in each other', '['.repeat(10_000) + ']'.repeat(10_000)],
    ['10,000 open brackets', '['.repeat(10_000)],
    ['10,000 open objects', '{"a":'.repeat(10_000)],
  ])('%s', async (_name, body) => {
    for (const line of endpoints)
      expect(outcome(await api.call(line, body))).toBe('400 invalid_json');
  });

  test('gzip that says so', async () => {
    const body = new Uint8Array(gzipSync(good));
    const headers = { 'Content-Encoding': 'gzip' };
    for (const line of endpoints) {
      const answer = await api.call(line, body, headers);
      expect([outcome(answer), errorMessage(answer)]).toEqual([
        '400 invalid_json',
        expect.stringContaining('Send it uncompressed.'),
      ]);
    }
  });

  test('no body and no length at all', async () => {
    for (const line of endpoints) expect(outcome(await api.call(line))).toBe('400 invalid_json');
  });

  test.each([1, 20])('%i MB', async (size) => {
    for (const line of endpoints)
      expect(outcome(await api.call(line, megabytes(size)))).toBe('400 invalid_json');
  });

  test('a byte more than 64 KiB, which are taken', async () => {
    const long = good.padEnd(64 * 1024);
    expect(outcome(await api.call(`PATCH /qrs/${code}`, long))).toBe('200');
    expect(outcome(await api.call(`PATCH /qrs/${code}`, `${long} `))).toBe('400 invalid_json');
    await api.call(`PATCH /qrs/${code}`, { url: 'https://example.org/' });
  });

  test('20 MB without a length', async () => {
    const body = new TextEncoder().encode(megabytes(20));
    let at = 0;
    // The stream of a Blob would be sent with the length of the Blob.
    const stream = new ReadableStream({
      pull: (controller) => {
        controller.enqueue(body.subarray(at, at + 65_536));
        at += 65_536;
        if (at >= body.length) controller.close();
      },
    });
    const answer = await fetch(`${server.origin}/api/v1/qrs`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}` },
      body: stream,
      keepalive: false,
    });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toEqual({
      error: { code: 'invalid_json', message: 'The body is larger than 64 KiB.' },
    });
  });

  test('the message says which: no JSON, no object, empty, not UTF-8, too large', async () => {
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

describe('a body that is fine is taken', () => {
  test.each([
    ['application/json'],
    ['application/json; charset=utf-8'],
    ['APPLICATION/JSON'],
    ['text/plain'],
    ['application/x-www-form-urlencoded'],
  ])('with the content type %s', async (type) => {
    const answer = await api.call('POST /qrs', good, { 'Content-Type': type });
    expect(asRecord(answer.json).destination).toBe(url);
  });

  test('with the coding that changes nothing', async () => {
    const answer = await api.call('POST /qrs', good, { 'Content-Encoding': 'identity' });
    expect(answer.status).toBe(201);
  });

  test('without a content type', async () => {
    const answer = await sendRaw(
      server.origin,
      'POST /api/v1/qrs',
      [`Authorization: Bearer ${key}`, `Content-Length: ${good.length}`],
      good,
    );
    expect(answer.status).toBe(201);
    expect(asRecord(JSON.parse(answer.body)).destination).toBe(url);
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

  test('with unknown fields, which are ignored', async () => {
    const answer = await api.call('POST /qrs', {
      url,
      code: 'hackhack',
      scans: 99,
      status: 'blocked',
      destination: 'https://evil.example/',
      account_id: 1,
      kind: 'other',
      has_design: false,
      constructor: { name: 'x' },
    });
    expect(answer.status).toBe(201);
    const qr = asRecord(answer.json);
    expect(qr).toMatchObject({ destination: url, scans: 0, status: 'active' });
    expect(qr.code).not.toBe('hackhack');
  });

  test('with an unknown field 10,000 arrays deep', async () => {
    const deep = `{"url":"${url}","x":${'['.repeat(10_000)}${']'.repeat(10_000)}}`;
    expect(outcome(await api.call('POST /qrs', deep))).toBe('201');
  });

  test('with white space and escapes', async () => {
    const escaped = ' \t\r\n{ "\\u0075rl" : "https:\\/\\/example.org\\u002fbody" } \n';
    const answer = await api.call('POST /qrs', escaped);
    expect(asRecord(answer.json).destination).toBe(url);
  });

  test('with url twice the last one stands, as JSON.parse has it', async () => {
    const twice = `{"url":"ftp://example.org/","url":"${url}"}`;
    expect(asRecord((await api.call('POST /qrs', twice)).json).destination).toBe(url);
    const other = `{"url":"${url}","url":"ftp://example.org/"}`;
    expect(outcome(await api.call('POST /qrs', other))).toBe('400 invalid_url');
  });

  test('but not with url on the prototype', async () => {
    const answer = await api.call('POST /qrs', `{"__proto__":{"url":"${url}"}}`);
    expect(outcome(answer)).toBe('400 invalid_url');
  });
});
