import { describe, expect, test } from 'bun:test';
import type { HealthReport } from '../../src/core/health.ts';
import { type App, createAppSite } from '../../src/http/app-site.ts';
import { createLogger } from '../../src/lib/logger.ts';
import { type Connections, passOnWithin } from '../../src/redirect/pass-on.ts';
import { createResponseCounts, type RouteClass } from '../../src/redirect/responses.ts';
import { createSite } from '../../src/redirect/site.ts';
import type { FollowedLink } from '../../src/redirect/storage.ts';

const example = {
  qrId: 1,
  location: 'https://example.com/',
  status: 'active',
  flaggedBy: null,
  passesQuery: false,
} as const;

/** Responds with the name of what a request reaches. */
const named: App = {
  api: { fetch: async () => new Response('api') },
  panel: async () => new Response('panel'),
  pages: () => new Response('pages'),
};

const log = createLogger(
  'text',
  () => 0,
  () => {},
);

/** Creates a site in which every code redirects to the same destination, and the app behind it. */
function createTestSite(deps: {
  /** Records each hit. */
  ready?: () => Promise<void>;
  target?: FollowedLink['target'];
  responses?: ReturnType<typeof createResponseCounts>;
  app?: App;
  connections?: Connections;
  basePaths?: readonly string[];
  health?: Pick<HealthReport, 'problems' | 'warnings'>;
}) {
  const health = { conditions: [], ...(deps.health ?? { problems: [], warnings: [] }) };
  const common = {
    responses: deps.responses ?? createResponseCounts(),
    addresses: { publicUrl: 'https://qr.example.com', shortUrl: 'https://qr.example.com' },
    log,
    newRequestId: () => '0123456789abcdef',
  };
  const app = createAppSite({
    ...common,
    app: deps.app ?? named,
    health: { read: () => health },
  });
  const site = createSite({
    ...common,
    follow: (key) => ({
      ready: deps.ready?.() ?? null,
      target: typeof key === 'string' ? null : (deps.target ?? example),
    }),
    hosts: [],
    domainOf: () => null,
    hasNonce: async () => false,
    pausedPage: async () => null,
    warnOfFlagged: true,
    readHealth: async () => health,
    passOn: passOnWithin(
      app,
      () => {
        throw new Error('no test asks for metrics');
      },
      async () => new Response(null, { status: 408 }),
    ),
    basePaths: deps.basePaths ?? [],
    notFoundUrl: null,
    rootUrl: null,
  });
  return (path: string) => site(new Request(`http://localhost${path}`), deps.connections);
}

/** Returns how many responses of a kind had a status. */
function counted(
  responses: ReturnType<typeof createResponseCounts>,
  route: RouteClass,
  status: number,
): number {
  const same = responses.read().responses.filter((one) => one.route === route);
  return same.find((one) => one.status === status)?.count ?? 0;
}

test('a redirect is sent after its hit is recorded', async () => {
  const recorded = Promise.withResolvers<void>();
  const response = createTestSite({ ready: () => recorded.promise })('/01234567');
  const laterTurn = new Promise<void>((resolve) => void setImmediate(resolve));
  const first = await Promise.race([response, laterTurn]);
  expect(first).toBeUndefined();
  recorded.resolve();
  expect((await response).headers.get('location')).toBe('https://example.com/');
});

test('a code that cannot be looked up gets a page that asks to try again', async () => {
  const response = await createTestSite({ target: 'unavailable' })('/01234567');
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('5');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(await response.text()).toContain('Try again in a moment');
});

test.each([
  [200, 'ok', { problems: [], warnings: [] }],
  [200, 'ok', { problems: [], warnings: ['the list "a" is old'] }],
  [503, 'degraded', { problems: ['12 scans cannot be written: disk full'], warnings: [] }],
])('/healthz is %p, %s, with %j', async (code, status, health) => {
  const get = createTestSite({ health });
  const response = await get('/healthz');
  expect(response.status).toBe(code);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(await response.json()).toEqual({ status, ...health });
  expect((await get('/healthz/live')).status).toBe(200);
});

test('short links and health are answered here, everything else by the app', async () => {
  const responses = createResponseCounts();
  const get = createTestSite({ responses });
  expect((await get('/01234567')).status).toBe(302);
  expect((await get('/healthz/live')).status).toBe(200);
  const bodies = ['/api/v1/qrs', '/account', '/docs'].map(async (path) => (await get(path)).text());
  expect(await Promise.all(bodies)).toEqual(['api', 'panel', 'pages']);
  expect(counted(responses, 'api', 200)).toBe(1);
});

test('connections stay open while the app responds, and the panel gets the peer address', async () => {
  const keptOpen: string[] = [];
  const get = createTestSite({
    app: { ...named, panel: async (_, peer) => new Response(peer) },
    connections: {
      addressOf: () => '203.0.113.5',
      keepOpen: async (request, response) => {
        keptOpen.push(new URL(request.url).pathname);
        return response;
      },
      setUploading: () => {},
      setDownloading: () => {},
    },
  });
  const paths = ['/01234567', '/healthz', '/docs', '/api/v1/qrs/01234567.png', '/account/design'];
  for (const path of paths) await get(path);
  expect(keptOpen).toEqual(['/docs', '/api/v1/qrs/01234567.png', '/account/design']);
  expect(await (await get('/account')).text()).toBe('203.0.113.5');
});

test('failures are counted as 500', async () => {
  const responses = createResponseCounts();
  const fail = () => Promise.reject(new Error('it fails'));
  const get = createTestSite({
    responses,
    ready: fail,
    app: { api: { fetch: fail }, panel: fail, pages: fail },
  });
  for (const [path, route] of [
    ['/01234567', 'short_link'],
    ['/api/v1/qrs', 'api'],
    ['/account', 'account'],
    ['/docs', 'page'],
  ] as const) {
    expect((await get(path)).status).toBe(500);
    expect([route, counted(responses, route, 500)]).toEqual([route, 1]);
  }
});

describe('with base paths', () => {
  const get = createTestSite({
    // In the order of `pathPrefixes`.
    basePaths: ['/q/short', '/base', '/q'],
    app: {
      ...named,
      pages: (request) => new Response(request.url.slice('http://localhost'.length)),
    },
  });

  test.each([
    ['/base', '/'],
    ['/base/', '/'],
    ['/base?from=print', '/?from=print'],
    ['/q', '/'],
    ['/q/short', '/'],
    ['/', '/'],
    ['/base/docs', '/docs'],
    ['/docs', '/docs'],
    ['/docs/base', '/docs/base'],
  ])('%s is %s', async (path, page) => {
    expect(await (await get(path)).text()).toBe(page);
  });

  test.each([
    ['/bases', 'bases'],
    ['/base/base', 'base'],
  ])('%s is %s, at which nothing is', async (path, own) => {
    const response = await get(path);
    expect(response.status).toBe(404);
    expect(await response.text()).toContain(`qr.example.com/<b>${own}</b>`);
  });

  test('codes work below each base path and at the root', async () => {
    for (const path of ['/01234567', '/base/01234567', '/q/01234567', '/q/short/01234567'])
      expect((await get(path)).status).toBe(302);
  });
});
