import { afterAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { sendBytes } from '../support/raw.ts';
import { startServer } from '../support/server.ts';

// Random requests as bytes on the wire. test/contract/properties.test.ts has random bodies, URLs and queries.
const server = await startServer();
afterAll(server.close);
const { api, key } = await server.account('alice@example.org');
const qr = await api.create();
const logStart = server.log().length;

/** Latin-1, one character per byte, with few control characters, since those end most requests at once. */
const byte = fc.oneof(
  { weight: 20, arbitrary: fc.integer({ min: 0x20, max: 0x7e }) },
  { weight: 5, arbitrary: fc.integer({ min: 0x80, max: 0xff }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 0x20 }) },
);
const bytes = fc.string({ unit: byte.map((code) => String.fromCharCode(code)), maxLength: 60 });
const visible = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  maxLength: 40,
});
const headerName = fc.constantFrom(
  ...['Host', 'Content-Type', 'Content-Length', 'Transfer-Encoding', 'Content-Encoding', 'Expect'],
  ...['Range', 'If-None-Match', 'Cookie', 'Idempotency-Key', 'X-Forwarded-For', 'Accept'],
  ...['Connection', 'Upgrade', 'Authorization'],
);
const headers = fc
  .array(fc.tuple(fc.oneof(headerName, visible), bytes), { maxLength: 6 })
  .map((lines) => lines.map(([name, value]) => `${name}: ${value}\r\n`).join(''));

const authorization = `Authorization: Bearer ${key}\r\n`;
const request = (line: string, lines: string, body = '') =>
  `${line} HTTP/1.1\r\nHost: x.example\r\nConnection: close\r\n${lines}\r\n${body}`;

test.each<[name: string, fc.Arbitrary<string>, statuses: RegExp]>([
  [
    'requests of any bytes',
    fc.oneof(
      bytes,
      bytes.map((text) => `${text}\r\n\r\n`),
    ),
    /^(|200|302|303|400|401|404|405|505)( (400|505))*$/,
  ],
  [
    'paths of the site',
    bytes.map((path) => request(`GET /${path}`, '')),
    /^(|200|302|303|400|401|404|405|505)$/,
  ],
  [
    'paths of the API',
    fc
      .array(fc.oneof(visible, fc.constantFrom('qrs', '%2e%2e', qr.code, 'stats')))
      .map((segments) => request(`GET /api/v1/${segments.join('/')}`, authorization)),
    /^(|200|302|303|400|404|405)$/,
  ],
  [
    'headers of any name and value',
    headers.map((lines) => request('GET /api/v1/qrs', authorization + lines)),
    /^(|200|400|401|413|431)( (400|505))?$/,
  ],
  [
    'keys',
    fc
      .oneof(bytes, fc.constantFrom('bearer', 'Basic', `Bearer ${key.slice(0, -1)}`))
      .map((value) => request('GET /api/v1/qrs', `Authorization: ${value}\r\n`)),
    /^(400|401)$/,
  ],
  [
    // None where the client closed its side before the turn of its request.
    'cookies and types of forms',
    fc
      .tuple(bytes, visible)
      .map(([cookie, type]) =>
        request(
          'POST /account/sign-in',
          `Cookie: waymark-session=${cookie}\r\nContent-Type: ${type}\r\nSec-Fetch-Site: same-origin\r\nContent-Length: 7\r\n`,
          'email=a',
        ),
      ),
    /^(|303|400|422|429)$/,
  ],
])('random input gets no response or an expected status: %s', async (name, requests, statuses) => {
  await fc.assert(
    fc.asyncProperty(requests, async (sent) => {
      // A request with a random key is complete, and a client that closes its side may get no response.
      const { answers, raw } = await sendBytes(server.origin, sent, { end: name !== 'keys' });
      expect(answers.map(({ status }) => status).join(' ')).toMatch(statuses);
      expect(raw).not.toContain(key);
    }),
    { numRuns: 150 },
  );
});

test('afterwards the QR is unchanged, nothing was created and the log is empty', async () => {
  expect((await api.read(qr.code)).url).toBe(qr.url);
  expect((await api.list()).total).toBe(1);
  // The server logs commands, those of the set-up above, when it next looks for them.
  const lines = server.log().slice(logStart).split('\n');
  expect(lines.filter((line) => line !== '' && !line.includes(' info command '))).toEqual([]);
});
