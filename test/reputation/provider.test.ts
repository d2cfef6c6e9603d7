import { expect, test } from 'bun:test';
import { gzipSync } from 'bun';
import { createHttpProvider } from '../../src/reputation/providers/http.ts';
import { createProvider } from '../../src/reputation/providers/provider.ts';
import { createProtocol, createTestClock, type Stub, serve, serveRaw, trickle } from './stub.ts';

const evil = 'https://evil.example/a?token=abc#x';
const key = 'AIza-a-secret-key';
// A response may take long on a busy machine; the short deadline is for those that never come.
const [deadlineMs, shortDeadlineMs] = [10_000, 120];

test('the http protocol sends the URL and reads the verdict', async () => {
  const stub = serve(async (request) => {
    const { url } = (await request.json()) as { url: string }; // what the adapter has just sent
    return Response.json(
      url.includes('evil') ? { unsafe: true, threat: 'PHISHING' } : { unsafe: false },
    );
  });
  const http = createHttpProvider({ fetch, url: `${stub.url}/check?v=1`, key });
  expect(await http.ask(evil, 0)).toEqual({
    unsafe: true,
    threat: 'PHISHING',
    expression: 'https://evil.example/a?token=abc',
  });
  expect(await http.ask('https://good.example', 0)).toEqual({ unsafe: false });
  const [request] = stub.requests;
  expect(request?.url).toBe(`${stub.url}/check?v=1`);
  expect(request?.method).toBe('POST');
  expect(request?.headers.get('authorization')).toBe(`Bearer ${key}`);
  expect(request?.headers.get('content-type')).toBe('application/json');
});

test('the http protocol caches as long as Cache-Control says', async () => {
  const controls = ['max-age=300', 'no-store', 'public, max-age=99999999999', ''];
  const stub = serve((_, count) =>
    Response.json({ unsafe: true }, { headers: { 'Cache-Control': controls[count - 1] ?? '' } }),
  );
  const cachedMs = [300_000, 0, 60_000, 60_000];
  for (const ms of cachedMs) {
    const http = createHttpProvider({ fetch, url: stub.url });
    await http.ask(evil, 0);
    expect(http.cached(evil, ms)).toBeNull();
    if (ms > 0) expect(http.cached(evil, ms - 1)).toMatchObject({ unsafe: true, threat: 'UNSAFE' });
  }
});

test.each([[{}], [[]], [null], [{ unsafe: 'yes' }], [{ unsafe: true, threat: 5 }]])(
  'the http response %j is malformed',
  async (answer) => {
    const stub = serve(() => Response.json(answer));
    await expect(createHttpProvider({ fetch, url: stub.url }).ask(evil, 0)).rejects.toMatchObject({
      kind: 'malformed',
    });
  },
);

const faults: [name: string, kind: string, stub: () => Stub][] = [
  ['never answers', 'timeout', () => serve(() => new Promise<Response>(() => {}))],
  ['never says a word', 'timeout', () => serveRaw(() => {})],
  ['sends one byte after the other', 'timeout', () => serveRaw(trickle)],
  ['resets the connection', 'connection', () => serveRaw((socket) => socket.terminate())],
  ['is not there', 'connection', () => ({ url: 'http://127.0.0.1:1', requests: [] })],
  ['answers 500', 'status', () => serve(() => new Response('{"unsafe":false}', { status: 500 }))],
  ['answers 204', 'status', () => serve(() => new Response(null, { status: 204 }))],
  [
    'has no quota left',
    'quota',
    () => serve(() => Response.json({ error: { code: 429 } }, { status: 429 })),
  ],
  [
    'refuses the key',
    'refused',
    () => serve(() => Response.json({ error: { code: 403 } }, { status: 403 })),
  ],
  [
    'has no such key',
    'refused',
    () =>
      serve(() =>
        Response.json({ error: { details: [{ reason: 'API_KEY_INVALID' }] } }, { status: 400 }),
      ),
  ],
  [
    'takes the question for wrong',
    'question',
    () => serve(() => new Response('', { status: 400 })),
  ],
  ['finds the question too long', 'question', () => serve(() => new Response('', { status: 414 }))],
  ['sends a broken body', 'malformed', () => serve(() => new Response('{"unsafe": fal'))],
  ['sends nothing', 'malformed', () => serve(() => new Response(''))],
  [
    'sends a megabyte',
    'oversized',
    () => serve(() => new Response(`{"a":"${'x'.repeat(1_000_000)}"}`)),
  ],
  ['sends a packed megabyte', 'oversized', () => serve(packedMegabyte)],
  ['breaks off in the body', 'connection', () => serveRaw(breakOff)],
];

function packedMegabyte(): Response {
  return new Response(gzipSync(Buffer.alloc(1_000_000, 0x20)), {
    headers: { 'Content-Encoding': 'gzip' },
  });
}

function breakOff(socket: Bun.Socket<undefined>): void {
  socket.write(
    'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{"unsafe"',
  );
  socket.end();
}

for (const name of ['webrisk', 'v5', 'http'] as const) {
  test.each(faults)(`${name}: a provider that %s`, async (_, kind, start) => {
    const stub = start();
    const startMs = performance.now();
    const limits = { deadlineMs: kind === 'timeout' ? shortDeadlineMs : deadlineMs };
    const protocol = createProtocol(name, { fetch, key, url: stub.url, ...limits });
    const error: unknown = await protocol.ask(evil, 0).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'ProviderFailure' });
    expect(error).toMatchObject({ kind });
    expect(performance.now() - startMs).toBeLessThan(limits.deadlineMs + 2000);
    const shown = Bun.inspect(error);
    expect(shown).not.toContain(key);
    expect(shown).not.toContain('token');
    expect(protocol.cached(evil, 0)).toBeNull();
  });

  test(`${name}: a redirect to this machine is not followed`, async () => {
    const inner = serve(() => Response.json({ unsafe: false }));
    const stub = serve(() => Response.redirect(`${inner.url}/admin`, 302));
    const protocol = createProtocol(name, { fetch, key, url: stub.url });
    expect(await protocol.ask(evil, 0).catch((thrown: unknown) => thrown)).toMatchObject({
      kind: 'redirect',
    });
    expect(inner.requests).toHaveLength(0);
  });
}

test('a connection that is never made is aborted at the deadline', async () => {
  const signals: (AbortSignal | null | undefined)[] = [];
  const never = (_: string, { signal }: RequestInit) => {
    signals.push(signal);
    return new Promise<Response>(() => {}); // an abort that fetch does not heed
  };
  const protocol = createProtocol('webrisk', {
    fetch: never,
    key,
    url: 'http://127.0.0.1',
    deadlineMs: 20,
  });
  expect(await protocol.ask(evil, 0).catch((thrown: unknown) => thrown)).toMatchObject({
    kind: 'timeout',
  });
  expect(signals.map((signal) => signal?.aborted)).toEqual([true]);
});

/** Creates a provider whose server responds 500 unless the path says otherwise. */
function createFlakyProvider(clock = createTestClock()) {
  const stub = serve(async (request) => {
    const { url } = (await request.json()) as { url: string }; // sent by the adapter
    const status = Number(/status=(\d+)/.exec(url)?.[1] ?? 200);
    return Response.json({ unsafe: url.includes('evil') }, { status });
  });
  const provider = createProvider(createHttpProvider({ fetch, url: stub.url }), clock);
  let count = 0;
  const kindOf = (status: number, from: Pick<typeof provider, 'check'> = provider) =>
    from.check(`https://example.com/${count++}?status=${status}`).then(
      () => 'checked',
      (error: { kind: string }) => error.kind,
    );
  return { clock, stub, provider, kindOf };
}

test('requests at the same time are all sent', async () => {
  const { stub, kindOf } = createFlakyProvider();
  const all = await Promise.all([kindOf(200), kindOf(200), kindOf(200)]);
  expect(all).toEqual(['checked', 'checked', 'checked']);
  expect(stub.requests).toHaveLength(3);
});

test('five failures in a row open the circuit breaker for thirty seconds; one probe decides', async () => {
  const { clock, stub, provider, kindOf } = createFlakyProvider();
  expect(provider.problem()).toBeNull();
  for (let count = 0; count < 4; count += 1) expect(await kindOf(500)).toBe('status');
  expect(provider.problem()).toBe('The provider responds with status 500.');
  expect(await kindOf(200)).toBe('checked'); // resets the count
  expect(provider.problem()).toBeNull();
  for (let count = 0; count < 5; count += 1) expect(await kindOf(500)).toBe('status');
  expect(await kindOf(200)).toBe('open');
  clock.pass(29_999);
  expect(await kindOf(200)).toBe('open');
  expect(stub.requests).toHaveLength(10);
  clock.pass(1);
  expect(await kindOf(500)).toBe('status'); // the probe fails: another thirty seconds
  expect(await kindOf(200)).toBe('open');
  clock.pass(30_000);
  // One probe at a time.
  expect((await Promise.all([kindOf(200), kindOf(200)])).sort()).toEqual(['checked', 'open']);
  expect(await kindOf(200)).toBe('checked');
});

test.each([400, 413, 414, 422, 431])(
  'status %i never opens the circuit breaker',
  async (status) => {
    const { kindOf } = createFlakyProvider();
    for (let count = 0; count < 10; count += 1) expect(await kindOf(status)).toBe('question');
    expect(await kindOf(200)).toBe('checked');
  },
);

test.each([401, 403, 404, 429])('status %i opens the circuit breaker', async (status) => {
  const { kindOf } = createFlakyProvider();
  for (let count = 0; count < 5; count += 1) await kindOf(status);
  expect(await kindOf(200)).toBe('open');
});

test('failing re-checks do not open the circuit breaker of clients', async () => {
  const { clock, provider, kindOf } = createFlakyProvider();
  const { inBackground } = provider;
  for (let count = 0; count < 5; count += 1) {
    expect(inBackground.canAsk()).toBe(true);
    await kindOf(500, inBackground);
  }
  expect(inBackground.canAsk()).toBe(false);
  await expect(inBackground.check(evil)).rejects.toMatchObject({ kind: 'open' });
  expect(await provider.check(evil)).toMatchObject({ unsafe: true });
  expect(await inBackground.check(evil)).toMatchObject({ unsafe: true }); // cached
  clock.pass(30_000);
  expect(inBackground.canAsk()).toBe(true);
});
