import { expect, test } from 'bun:test';
import { gzipSync } from 'bun';
import { createHttpProtocol } from '../../src/reputation/providers/http.ts';
import { createProvider } from '../../src/reputation/providers/provider.ts';
import {
  breakOff,
  createProtocol,
  createTestClock,
  type Stub,
  serve,
  serveRaw,
  trickle,
} from './stub.ts';

const evil = 'https://evil.example/a?token=abc';
const key = 'AIza-a-secret-key';
// A response may take long on a busy machine; the short deadline is for those that never come.
const [deadlineMs, shortDeadlineMs] = [10_000, 120];

test('the http protocol sends the URL and reads the verdict', async () => {
  const stub = serve(async (request) =>
    Response.json({ unsafe: (await request.text()).includes('evil') }),
  );
  const http = createHttpProtocol({ fetch, url: `${stub.url}/check?v=1`, key });
  expect(await http.ask(evil, 0)).toMatchObject({ verdict: { unsafe: true, expression: evil } });
  expect(await http.ask('https://good.example/', 0)).toMatchObject({ verdict: { unsafe: false } });
  const [request] = stub.requests;
  expect([request?.method, request?.url]).toEqual(['POST', `${stub.url}/check?v=1`]);
  expect(await request?.json()).toEqual({ url: evil });
  expect(request?.headers.get('authorization')).toBe(`Bearer ${key}`);
  expect(request?.headers.get('content-type')).toBe('application/json');
});

test.each([[{}], [[]], [null], [{ unsafe: 'yes' }]])(
  'the http response %j is malformed',
  async (answer) => {
    const stub = serve(() => Response.json(answer));
    await expect(createHttpProtocol({ fetch, url: stub.url }).ask(evil, 0)).rejects.toThrow(
      'not of the documented form',
    );
  },
);

const late = 'No complete response';
const statusOf = (status: number, body = '') => serve(() => new Response(body, { status }));
const faults: [name: string, message: string, start: () => Stub][] = [
  ['never responds', late, () => serve(() => new Promise<Response>(() => {}))],
  ['sends one byte after the other', late, () => serveRaw(trickle)],
  ['resets the connection', 'connection', () => serveRaw((socket) => socket.terminate())],
  ['is not there', 'connection failed', () => ({ url: 'http://127.0.0.1:1', requests: [] })],
  ['responds 500', 'status 500', () => statusOf(500, '{"unsafe":false}')],
  ['has no quota left', 'quota', () => statusOf(429)],
  ['rejects the key', 'rejects the key', () => statusOf(403)],
  ['knows no such key', 'rejects the key', () => statusOf(400, '"API_KEY_INVALID"')],
  ['rejects the URL', 'rejects this URL', () => statusOf(414)],
  ['redirects', 'redirects', () => serve(() => Response.redirect('http://127.0.0.1:1', 302))],
  ['sends a broken body', 'The response', () => serve(() => new Response('{"unsafe": fal'))],
  ['sends nothing', 'The response', () => serve(() => new Response(''))],
  ['sends a megabyte', 'longer than', () => serve(() => new Response('x'.repeat(1_000_000)))],
  ['sends a compressed megabyte', 'longer than', () => serve(compressedMegabyte)],
  ['breaks off in the body', 'broke off', () => serveRaw(breakOff('{"unsafe"'))],
];

function compressedMegabyte(): Response {
  const headers = { 'Content-Encoding': 'gzip' };
  return new Response(gzipSync(Buffer.alloc(1_000_000, 0x20)), { headers });
}

for (const name of ['webrisk', 'v5', 'http'] as const) {
  test.each(faults)(`${name}: a provider that %s fails`, async (_, message, start) => {
    const limits = { deadlineMs: message === late ? shortDeadlineMs : deadlineMs };
    const protocol = createProtocol(name, { fetch, key, url: start().url, ...limits });
    const error: unknown = await protocol.ask(evil, 0).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      name: 'ProviderFailure',
      message: expect.stringContaining(message),
    });
    expect(Bun.inspect(error)).not.toMatch(/AIza|token/);
  });
}

test('a connection that is never made is aborted at the deadline', async () => {
  const signals: (AbortSignal | null | undefined)[] = [];
  const never = (_: string, { signal }: RequestInit) => {
    signals.push(signal);
    return new Promise<Response>(() => {}); // ignores the signal
  };
  const limits = { fetch: never, deadlineMs: 20 };
  const protocol = createProtocol('webrisk', { ...limits, key, url: 'http://127.0.0.1' });
  await expect(protocol.ask(evil, 0)).rejects.toThrow(late);
  expect(signals.map((signal) => signal?.aborted)).toEqual([true]);
});

/** Creates a provider whose server responds with the status that the URL names. */
function createFlakyProvider(clock = createTestClock()) {
  const stub = serve(async (request) => {
    const body = await request.text();
    const status = Number(/status=(\d+)/.exec(body)?.[1] ?? 200);
    return Response.json({ unsafe: body.includes('evil') }, { status });
  });
  const provider = createProvider(createHttpProtocol({ fetch, url: stub.url }), clock);
  let count = 0;
  const resultOf = (status: number) =>
    provider.check(`https://example.com/${count++}?status=${status}`).then(
      () => 'checked',
      ({ message }: Error) => (message.includes('not asked') ? 'not asked' : 'failed'),
    );
  return { clock, stub, provider, resultOf };
}

test('a verdict is cached for all fragments of a URL, as long as the protocol allows', async () => {
  const { clock, stub, provider } = createFlakyProvider();
  for (const url of [`${evil}#a`, `${evil}#b`, evil])
    expect(await provider.check(url)).toEqual({ unsafe: true, expression: evil });
  clock.pass(59_999);
  await provider.check(evil);
  expect(stub.requests).toHaveLength(1);
  clock.pass(1);
  await provider.check(evil);
  expect(stub.requests).toHaveLength(2);
});

test('five failures in a row open the circuit breaker for thirty seconds; one probe decides', async () => {
  const { clock, stub, provider, resultOf } = createFlakyProvider();
  expect(provider.problem()).toBeNull();
  for (let count = 0; count < 4; count += 1) expect(await resultOf(500)).toBe('failed');
  expect(provider.problem()).toBe('The provider responds with status 500.');
  expect(await resultOf(200)).toBe('checked'); // resets the count
  expect(provider.problem()).toBeNull();
  for (let count = 0; count < 5; count += 1) expect(await resultOf(500)).toBe('failed');
  expect(provider.canAsk()).toBe(false);
  clock.pass(29_999);
  expect(await resultOf(200)).toBe('not asked');
  expect(stub.requests).toHaveLength(10);
  clock.pass(1);
  expect(provider.canAsk()).toBe(true);
  expect(await resultOf(500)).toBe('failed'); // the probe fails: another thirty seconds
  expect(await resultOf(200)).toBe('not asked');
  clock.pass(30_000);
  // One probe at a time.
  expect((await Promise.all([resultOf(200), resultOf(200)])).sort()).toEqual([
    'checked',
    'not asked',
  ]);
  expect(await resultOf(200)).toBe('checked');
});

test.each([
  [400, 'checked'],
  [422, 'checked'],
  [403, 'not asked'],
  [429, 'not asked'],
])('after five responses with status %i the provider is %s', async (status, result) => {
  const { resultOf } = createFlakyProvider();
  for (let count = 0; count < 5; count += 1) expect(await resultOf(status)).toBe('failed');
  expect(await resultOf(200)).toBe(result);
});
