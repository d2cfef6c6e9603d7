import { afterAll, describe, expect, test } from 'bun:test';
import { createLaunches } from '../faults/launch.ts';
import { seed } from '../faults/seeded.ts';
import { readAnswer } from '../support/api.ts';
import { holdAgainstDocument, readDocument } from '../support/openapi.ts';
import { usesPostgres } from '../support/postgres.ts';
import { sendBytes } from '../support/raw.ts';
import { startServer } from '../support/server.ts';
import { fieldsOf, outcome } from '../support/wire.ts';

/*
 * Runs each operation of the OpenAPI document with each status that can be caused from outside. `api.call` compares
 * status, headers and body of every response with the document, here and in all other tests.
 */
const server = await startServer({ WAYMARK_RATE_LIMIT: '200' });
const { newPath, serve } = createLaunches();
const expired = await server.account('expired@example.org');
await server.cli(['account', 'plan', expired.email, '--until', '2020-01-01']);
const { api, key } = await server.account('alice@example.org');
const { code } = await api.create();
afterAll(() => server.close());

const url = 'https://example.org/';
const unsafe = 'https://testsafebrowsing.appspot.com/s/malware.html';
type Run = readonly [
  status: number,
  line: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
];

/** How each response of each operation is caused, besides those that all operations have. */
const runs: Readonly<Record<string, readonly Run[]>> = {
  'POST /api/v1/qrs': [
    [201, 'POST /qrs', { url }],
    [201, 'POST /qrs', { url }, { 'Idempotency-Key': 'document' }],
    [201, 'POST /qrs', { url }, { 'Idempotency-Key': 'document' }],
    [400, 'POST /qrs', '{'],
    [400, 'POST /qrs', { url: 'ftp://x' }],
    [422, 'POST /qrs', { url: unsafe }],
  ],
  'GET /api/v1/qrs': [
    [200, 'GET /qrs'],
    [200, 'GET /qrs?limit=1&offset=1'],
    [200, 'GET /qrs?limit=100', undefined, { 'Accept-Encoding': 'gzip' }],
  ],
  'GET /api/v1/qrs/{code}': [
    [200, `GET /qrs/${code}`],
    [404, 'GET /qrs/zzzzzzzz'],
  ],
  'PATCH /api/v1/qrs/{code}': [
    [200, `PATCH /qrs/${code}`, { url }],
    [400, `PATCH /qrs/${code}`, '{'],
    [400, `PATCH /qrs/${code}`, { url: 7 }],
    [404, 'PATCH /qrs/zzzzzzzz', { url }],
    [422, `PATCH /qrs/${code}`, { url: unsafe }],
  ],
  'GET /api/v1/qrs/{code}/stats': [
    [200, `GET /qrs/${code}/stats`],
    [404, 'GET /qrs/zzzzzzzz/stats'],
  ],
  'GET /api/v1/qrs/{code}.png': [
    [200, `GET /qrs/${code}.png?size=128`],
    [304, `GET /qrs/${code}.png`, undefined, { 'If-None-Match': '*' }],
    [404, 'GET /qrs/zzzzzzzz.png'],
  ],
  'GET /api/v1/qrs/{code}.svg': [
    [200, `GET /qrs/${code}.svg`],
    [304, `GET /qrs/${code}.svg`, undefined, { 'If-None-Match': '*' }],
    [404, 'GET /qrs/zzzzzzzz.svg'],
  ],
};
const operations = Object.keys(runs);

/** The request of an operation, below the base address. */
const lineOf = (operation: string) => operation.replace('/api/v1', '').replace('{code}', code);

test('every operation of the document is run', async () => {
  const { raw } = await readDocument(server.origin);
  const documented = Object.entries(fieldsOf(raw['paths'])).flatMap(([path, item]) =>
    Object.keys(fieldsOf(item)).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(documented.sort()).toEqual(operations.toSorted());
});

describe.each(operations)('%s', (operation) => {
  test('responds as the document says', async () => {
    for (const [status, line, body, headers] of runs[operation] ?? []) {
      const answer = await api.call(line, body, headers);
      expect([line, answer.status]).toEqual([line, status]);
    }
  });

  test('responds as the document says before it runs: 401 and 402', async () => {
    const line = lineOf(operation);
    expect((await server.api().call(line)).status).toBe(401);
    expect((await server.api('wmk_unknown').call(line)).status).toBe(401);
    expect((await expired.api.call(line)).status).toBe(402);
  });

  test.each([
    ['Host: a b', 400],
    ['Host: x.example\r\nExpect: x', 417],
  ] as const)('responds as the document says to %j', async (lines, status) => {
    const [method = '', path = ''] = operation.replace('{code}', code).split(' ');
    const head = `${method} ${path} HTTP/1.1\r\n${lines}\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n\r\n`;
    const [answer] = (await sendBytes(server.origin, head)).answers;
    if (answer === undefined) throw new Error('no response');
    await holdAgainstDocument(server.origin, method, path, answer);
    if (status === 400 || method !== 'GET') expect(answer.status).toBe(status);
  });
});

test('a body that does not arrive is 400 as the document says, and 408 elsewhere', async () => {
  const stalled = async (line: string, length: string) => {
    const lines = `Host: x.example\r\nAuthorization: Bearer ${key}\r\n${length}`;
    const sent = `${line} HTTP/1.1\r\n${lines}\r\n\r\n5\r\n{"url`;
    return (await sendBytes(server.origin, sent)).answers;
  };
  const api = ['Content-Length: 50', 'Content-Length: 20000', 'Transfer-Encoding: chunked'];
  const [page, ...answers] = await Promise.all([
    stalled('POST /account/sign-in', 'Content-Length: 50'),
    ...api.map((length) => stalled('POST /api/v1/qrs', length)),
  ]);
  expect(page.map(({ status }) => status)).toEqual([408]);
  expect(answers.flat().map(outcome)).toEqual(api.map(() => '400 invalid_request'));
  for (const answer of answers.flat())
    await holdAgainstDocument(server.origin, 'POST', '/api/v1/qrs', answer);
});

// On a folder with a database of SQLite.
test.skipIf(usesPostgres)(
  'a server that only redirects responds with 503 as the document says',
  async () => {
    const seeded = await seed(newPath(), 1);
    const env = { WAYMARK_REDIRECT_ONLY: 'on' };
    const redirectOnly = await serve(seeded.copyTo(newPath()), { env });
    for (const operation of operations) {
      const [method = '', path = ''] = operation.replace('{code}', code).split(' ');
      const headers = { Authorization: `Bearer ${seeded.key}` };
      const response = await fetch(redirectOnly.origin + path, { method, headers });
      const answer = await readAnswer(response);
      expect([operation, answer.status]).toEqual([operation, 503]);
      await holdAgainstDocument(server.origin, method, path, answer);
    }
    for (const method of ['GET', 'HEAD'])
      expect((await fetch(`${redirectOnly.origin}/?a=1`, { method })).status).toBe(200);
    await redirectOnly.stop();
  },
);

test('405 and 429 are as the document says', async () => {
  for (const path of ['/qrs', `/qrs/${code}`, `/qrs/${code}/stats`, `/qrs/${code}.png`])
    expect((await api.call(`DELETE ${path}`)).status).toBe(405);
  const carol = await server.account('carol@example.org');
  await Promise.all(Array.from({ length: 200 }, () => carol.api.call('GET /qrs?limit=1')));
  for (const operation of operations) {
    const { status } = await carol.api.call(lineOf(operation));
    expect([operation, status]).toEqual([operation, 429]);
  }
});

test('where a schema has examples, it has one for tools that know only that', async () => {
  const { raw } = await readDocument(server.origin);
  let count = 0;
  JSON.stringify(raw, (_, value: unknown) => {
    if (value instanceof Object && 'examples' in value && Array.isArray(value.examples)) {
      expect(value).toMatchObject({ example: value.examples[0] });
      count++;
    }
    return value;
  });
  expect(count).toBeGreaterThan(10);
});
