import { expect, test } from 'bun:test';
import { gzipSync } from 'bun';
import { createProtocol, createProvider } from '../../src/reputation/providers/guarded-provider.ts';
import { createHttpProvider } from '../../src/reputation/providers/http.ts';
import { createTestClock, type Stub, serve, serveRaw, trickle } from './stub.ts';

const evil = 'https://evil.example/a?token=abc#x';
const key = 'AIza-a-secret-key';
// What is answered at all may take a busy machine a while; what is not shows after the short one.
const [deadlineMs, shortDeadlineMs] = [10_000, 120];

test('the generic protocol', async () => {
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

test('the generic protocol remembers as long as the answer says', async () => {
  const controls = ['max-age=300', 'no-store', 'public, max-age=99999999999', ''];
  const stub = serve((_, count) =>
    Response.json({ unsafe: true }, { headers: { 'Cache-Control': controls[count - 1] ?? '' } }),
  );
  const rememberedMs = [300_000, 0, 60_000, 60_000];
  for (const ms of rememberedMs) {
    const http = createHttpProvider({ fetch, url: stub.url });
    await http.ask(evil, 0);
    expect(http.recall(evil, ms)).toBeNull();
    if (ms > 0) expect(http.recall(evil, ms - 1)).toMatchObject({ unsafe: true, threat: 'UNSAFE' });
  }
});

test.each([[{}], [[]], [null], [{ unsafe: 'yes' }], [{ unsafe: true, threat: 5 }]])(
  'the generic answer %j is malformed, not clean',
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
    const protocol = createProtocol({ name, fetch, key, url: stub.url, ...limits });
    const error: unknown = await protocol.ask(evil, 0).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'ProviderFailure' });
    expect(error).toMatchObject({ kind });
    expect(performance.now() - startMs).toBeLessThan(limits.deadlineMs + 2000);
    const shown = Bun.inspect(error);
    expect(shown).not.toContain(key);
    expect(shown).not.toContain('token');
    expect(protocol.recall(evil, 0)).toBeNull();
  });

  test(`${name}: a redirect to this machine is not followed`, async () => {
    const inner = serve(() => Response.json({ unsafe: false }));
    const stub = serve(() => Response.redirect(`${inner.url}/admin`, 302));
    const protocol = createProtocol({ name, fetch, key, url: stub.url });
    expect(await protocol.ask(evil, 0).catch((thrown: unknown) => thrown)).toMatchObject({
      kind: 'redirect',
    });
    expect(inner.requests).toHaveLength(0);
  });
}

test('a connection that is never made does not outlast the deadline, and is given up', async () => {
  const signals: (AbortSignal | null | undefined)[] = [];
  const never = (_: string, { signal }: RequestInit) => {
    signals.push(signal);
    return new Promise<Response>(() => {}); // an abort that fetch does not heed
  };
  const protocol = createProtocol({ name: 'webrisk', fetch: never, key, deadlineMs: 20 });
  expect(await protocol.ask(evil, 0).catch((thrown: unknown) => thrown)).toMatchObject({
    kind: 'timeout',
  });
  expect(signals.map((signal) => signal?.aborted)).toEqual([true]);
});

test('a protocol speaks as its provider does, with the key', async () => {
  const stub = serve(() => Response.json({ unsafe: false }));
  for (const name of ['http', 'webrisk', 'v5'] as const)
    await createProtocol({ name, fetch, key, url: stub.url }).ask(evil, 0);
  const [http, webrisk, v5] = stub.requests;
  expect(http?.headers.get('authorization')).toBe(`Bearer ${key}`);
  expect(webrisk?.url).toStartWith(`${stub.url}/v1/uris:search?`);
  expect(v5?.url).toStartWith(`${stub.url}/v5/hashes:search?`);
  for (const google of [webrisk, v5])
    expect(new URL(google?.url ?? '').searchParams.get('key')).toBe(key);
});

test('questions at the same time all go out', async () => {
  const stub = serve(() => Response.json({ unsafe: false }));
  const provider = createProvider(
    createProtocol({ name: 'http', fetch, url: stub.url }),
    createTestClock(),
  );
  const urls = ['https://a.example/', 'https://b.example/', 'https://c.example/'];
  expect(await Promise.all(urls.map((url) => provider.opinionOn(url)))).toEqual(
    urls.map(() => ({ unsafe: false })),
  );
  expect(provider.status()).toMatchObject({ breaker: 'closed', asked: 3 });
});

test('a protocol without what it needs is refused', () => {
  expect(() => createProtocol({ name: 'http', fetch })).toThrow('needs an address');
  expect(() => createProtocol({ name: 'v5', fetch })).toThrow('needs a key');
});

test('five failures in a row open the breaker for thirty seconds; a single probe decides', async () => {
  const clock = createTestClock();
  let isUp = false;
  let held: ((response: Response) => void) | null = null;
  const stub = serve(() =>
    isUp ? Response.json({ unsafe: false }) : new Response('', { status: 500 }),
  );
  const slow: typeof fetch = Object.assign(
    (...parts: Parameters<typeof fetch>) =>
      held === null ? fetch(...parts) : new Promise<Response>((resolve) => (held = resolve)),
    { preconnect: fetch.preconnect },
  );
  const protocol = createProtocol({
    name: 'http',
    fetch: (url, init) => slow(url, init),
    url: stub.url,
  });
  const provider = createProvider(protocol, clock);
  let asked = 0;
  const kindOf = () => {
    asked += 1;
    return provider.opinionOn(`https://example.com/${asked}`).then(
      () => 'answered',
      (error: { kind: string }) => error.kind,
    );
  };
  expect(provider.status().failing).toBe(false);
  for (let count = 0; count < 4; count += 1) expect(await kindOf()).toBe('status');
  expect(provider.status()).toMatchObject({ breaker: 'closed', failing: true });
  isUp = true;
  expect(await kindOf()).toBe('answered'); // a success in between starts the count anew
  expect(provider.status().failing).toBe(false);
  isUp = false;
  for (let count = 0; count < 5; count += 1) expect(await kindOf()).toBe('status');
  expect(provider.status()).toMatchObject({ breaker: 'open', asked: 10, failures: { status: 9 } });
  expect(await kindOf()).toBe('open');
  clock.pass(29_999);
  expect(await kindOf()).toBe('open');
  expect(stub.requests).toHaveLength(10);
  clock.pass(1);
  expect(provider.status().breaker).toBe('probing');
  expect(await kindOf()).toBe('status'); // the probe fails: another thirty seconds
  expect(await kindOf()).toBe('open');
  clock.pass(30_000);
  isUp = true;
  held = () => {};
  const probe = kindOf();
  expect(await kindOf()).toBe('open'); // one probe at a time
  held(Response.json({ unsafe: false }));
  held = null;
  expect(await probe).toBe('answered');
  expect(await kindOf()).toBe('answered');
  expect(provider.status()).toMatchObject({ breaker: 'closed', lastFailure: { kind: 'status' } });
});

test.each([400, 413, 414, 422, 431])(
  'however many questions a provider finds fault with (%i), it is asked the next one',
  async (status) => {
    const stub = serve(async (request) => {
      const { url } = (await request.json()) as { url: string }; // what the adapter has just sent
      return url.includes('odd')
        ? new Response('', { status })
        : Response.json({ unsafe: url.includes('evil') });
    });
    const provider = createProvider(
      createProtocol({ name: 'http', fetch, url: stub.url }),
      createTestClock(),
    );
    for (let count = 0; count < 20; count += 1)
      await expect(provider.opinionOn(`https://odd.example/${count}`)).rejects.toMatchObject({
        kind: 'question',
        message: `The provider cannot be asked about this address (${status}).`,
      });
    expect(provider.status()).toMatchObject({ breaker: 'closed', failures: { question: 20 } });
    expect(await provider.opinionOn(evil)).toMatchObject({ unsafe: true });
  },
);

test.each([401, 403, 404, 429, 500])(
  'a provider that answers %i is given a pause, whatever it was asked',
  async (status) => {
    const stub = serve(() => new Response('', { status }));
    const protocol = createProtocol({ name: 'http', fetch, url: stub.url });
    const provider = createProvider(protocol, createTestClock());
    for (let count = 0; count < 5; count += 1)
      await provider.opinionOn(`https://e.example/${count}`).catch(() => {});
    expect(provider.status().breaker).toBe('open');
  },
);

test('destinations that fail in the background keep no question of a client back', async () => {
  const clock = createTestClock();
  const stub = serve(async (request) => {
    const { url } = (await request.json()) as { url: string }; // what the adapter has just sent
    return new Response('{"unsafe":true}', { status: url.includes('odd') ? 500 : 200 });
  });
  const provider = createProvider(createProtocol({ name: 'http', fetch, url: stub.url }), clock);
  const { inBackground } = provider;
  for (let count = 0; count < 5; count += 1) {
    expect(inBackground.canAsk()).toBe(true);
    await inBackground.opinionOn(`https://odd.example/${count}`).catch(() => {});
  }
  expect(inBackground.canAsk()).toBe(false);
  await expect(inBackground.opinionOn(evil)).rejects.toMatchObject({ kind: 'open' });
  expect(provider.status()).toMatchObject({ breaker: 'closed', asked: 5, failing: true });
  expect(await provider.opinionOn(evil)).toMatchObject({ unsafe: true });
  expect(await inBackground.opinionOn(evil)).toMatchObject({ unsafe: true }); // remembered
  clock.pass(30_000);
  expect(inBackground.canAsk()).toBe(true);
});

test('what is remembered is answered while the breaker is open', async () => {
  const clock = createTestClock();
  const stub = serve((_, count) =>
    count === 1 ? Response.json({ unsafe: true }) : new Response('', { status: 500 }),
  );
  const provider = createProvider(createProtocol({ name: 'http', fetch, url: stub.url }), clock);
  expect(await provider.opinionOn(evil)).toMatchObject({ unsafe: true });
  for (let count = 0; count < 5; count += 1)
    await provider.opinionOn(`https://e.example/${count}`).catch(() => {});
  expect(provider.status().breaker).toBe('open');
  expect(await provider.opinionOn(evil)).toMatchObject({ unsafe: true });
  await expect(provider.opinionOn('https://e.example/6')).rejects.toMatchObject({ kind: 'open' });
  expect(provider.status()).toMatchObject({
    asked: 6,
    recalled: 1,
    failures: { status: 5, open: 1 },
  });
});
