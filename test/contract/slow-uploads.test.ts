import { afterAll, describe, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { sampleOf } from '../support/sample.ts';
import { oneProcess, startServer } from '../support/server.ts';

/** What docs/settings.md promises of bodies that arrive slowly. */

const pieceMs = 250;

const kinds = [
  ['two processes', {}],
  ['one process', oneProcess],
] as const;

describe.each(sampleOf(kinds, 2))('a server of %s', async (_, env) => {
  const server = await startServer(env);
  afterAll(server.close);
  const { key } = await server.account();
  const { hostname, port, host } = new URL(server.origin);

  /** Sends a body of 30 kB at a rate, and returns the status of the response; null without one. */
  async function statusOf(
    path: string,
    { bytesPerSecond, isChunked = false }: { bytesPerSecond: number; isChunked?: boolean },
  ): Promise<number | null> {
    const isApi = path.startsWith('/api/');
    const start = isApi ? '{"url":"https://example.org/slow"' : 'email=a%40b.example&password=';
    const body = `${start.padEnd(29_999, isApi ? ' ' : 'a')}${isApi ? '}' : 'a'}`;
    const lines = [
      `POST ${path} HTTP/1.1`,
      `Host: ${host}`,
      'Connection: close',
      'Sec-Fetch-Site: same-origin',
      `Authorization: Bearer ${key}`,
      `Content-Type: ${isApi ? 'application/json' : 'application/x-www-form-urlencoded'}`,
      isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`,
    ];
    const socket = connect(Number(port), hostname);
    let received = '';
    const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
    socket.on('error', () => {});
    socket.on('data', (data) => {
      received += data.toString('latin1');
    });
    const send = (text: string) =>
      isChunked
        ? socket.write(`${text.length.toString(16)}\r\n${text}\r\n`)
        : socket.write(text, 'latin1');
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    const size = Math.ceil((bytesPerSecond * pieceMs) / 1000);
    for (let at = 0; at < body.length && !socket.destroyed && received === ''; at += size) {
      send(body.slice(at, at + size));
      // The rate is what is tested.
      await Bun.sleep(pieceMs);
    }
    if (isChunked && !socket.destroyed) socket.write('0\r\n\r\n');
    await closed;
    const [, status] = /^HTTP\/1\.1 (\d+)/.exec(received) ?? [];
    return status === undefined ? null : Number(status);
  }

  test('takes bodies of 3 kB a second and more, and answers the others', async () => {
    const form = '/account/sign-in';
    const api = '/api/v1/qrs';
    const outcomes = await Promise.all([
      statusOf(api, { bytesPerSecond: 3000 }),
      statusOf(api, { bytesPerSecond: 3000, isChunked: true }),
      statusOf(api, { bytesPerSecond: 15_000 }),
      statusOf(form, { bytesPerSecond: 3000 }),
      statusOf(form, { bytesPerSecond: 3000, isChunked: true }),
      statusOf(api, { bytesPerSecond: 1000 }),
      statusOf(api, { bytesPerSecond: 1000, isChunked: true }),
      statusOf(form, { bytesPerSecond: 4 }),
      statusOf(form, { bytesPerSecond: 1000 }),
    ]);
    const wrongPassword = 422;
    expect(outcomes).toEqual([201, 201, 201, wrongPassword, wrongPassword, 400, 400, 408, 408]);
  });
});
