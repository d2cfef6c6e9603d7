import { describe, expect, test } from 'bun:test';
import { createLinks } from '../../src/core/codes/follow.ts';
import type { ScanLog } from '../../src/core/ports.ts';
import { createAnswerCounts } from '../../src/http/ops/metrics.ts';
import { refuseShadowed } from '../../src/http/pages/public-pages.ts';
import { type App, type Connections, createSite } from '../../src/http/site.ts';
import { createLogger } from '../../src/lib/logger.ts';

describe('a code is never a word that the router uses', () => {
  test.each(['/0markers', '/READMEZZ'])('the site is not built with the page %s', (path) => {
    expect(() => refuseShadowed(['/docs', path])).toThrow(path);
  });

  test.each(['/docs', '/healthz', '/metrics', '/docs/01234567', '/', '/calendar-'])(
    '%s is no code',
    (path) => {
      expect(() => refuseShadowed([path])).not.toThrow();
    },
  );
});

/** A site with one code that leads somewhere, and nothing behind its short links but `app`. */
function createTestSite(world: {
  record?: ScanLog['record'];
  answers?: ReturnType<typeof createAnswerCounts>;
  app?: () => Promise<App>;
  connections?: Connections;
  basePaths?: readonly string[];
}) {
  const site = createSite({
    links: createLinks({
      links: {
        target: () => ({
          qrId: 1,
          location: 'https://example.com/',
          status: 'active',
          flaggedBy: null,
        }),
      },
      scans: { record: world.record ?? (async () => 'committed') },
      clock: { nowMs: () => 0, monotonicMs: () => 0 },
      warnOfFlagged: true,
    }),
    health: () => ({ problems: [], warnings: [] }),
    answers: world.answers ?? createAnswerCounts(),
    app: world.app ?? (() => Promise.reject(new Error('nobody asks for it'))),
    publicUrl: 'https://qr.example.com',
    basePaths: world.basePaths ?? [],
    log: createLogger(
      'text',
      () => 0,
      () => {},
    ),
    newRequestId: () => '0123456789abcdef',
  });
  return (path: string) => site(new Request(`http://localhost${path}`), world.connections);
}

describe('an answered redirect is on disk', () => {
  test.each(['committed', 'waiting'] as const)(
    'nobody is told where a code leads before the hit is recorded, and then at once: %s',
    async (outcome) => {
      const recorded = Promise.withResolvers<typeof outcome>();
      const answer = createTestSite({ record: () => recorded.promise })('/01234567');
      const first = await Promise.race([answer, Bun.sleep(20)]);
      expect(first).toBeUndefined();
      recorded.resolve(outcome);
      expect((await answer).headers.get('location')).toBe('https://example.com/');
    },
  );
});

describe('while what stands behind the short links is still being loaded', () => {
  const loading = Promise.withResolvers<App>();
  const answers = createAnswerCounts();
  const asked: string[] = [];
  const get = createTestSite({
    answers,
    app: () => {
      asked.push('app');
      return loading.promise;
    },
  });

  test('short links and health are answered without it', async () => {
    expect((await get('/01234567')).status).toBe(302);
    expect((await get('/healthz')).status).toBe(200);
    expect((await get('/healthz/live')).status).toBe(200);
    expect(asked).toEqual([]);
  });

  test('everything else waits for it and gets its answer', async () => {
    const waiting = ['/api/v1/qrs', '/account', '/docs'].map(get);
    expect(asked.length).toBe(waiting.length);
    loading.resolve({
      api: { fetch: async () => new Response('api') },
      panel: async () => new Response('panel'),
      pages: () => new Response('pages'),
    });
    const bodies = await Promise.all(waiting.map(async (response) => (await response).text()));
    expect(bodies).toEqual(['api', 'panel', 'pages']);
    expect(answers.answered('api', 200)).toBe(1);
  });
});

test('a connection is held for what may have to be drawn, and the panel knows who is at its end', async () => {
  const held: string[] = [];
  const get = createTestSite({
    app: async () => ({
      api: { fetch: async () => new Response('api') },
      panel: async (_, peer) => new Response(peer),
      pages: () => new Response('pages'),
    }),
    connections: {
      addressOf: () => '203.0.113.5',
      hold: async (request, answering) => {
        const answer = await answering;
        held.push(new URL(request.url).pathname);
        return answer;
      },
    },
  });
  const paths = ['/01234567', '/healthz', '/docs', '/api/v1/qrs/01234567.png', '/account/design'];
  for (const path of paths) await get(path);
  expect(held).toEqual(['/api/v1/qrs/01234567.png', '/account/design']);
  expect(await (await get('/account')).text()).toBe('203.0.113.5');
});

test('what fails is counted as an answer of 500', async () => {
  const answers = createAnswerCounts();
  const fail = () => Promise.reject(new Error('it fails'));
  const get = createTestSite({
    answers,
    record: fail,
    app: async () => ({ api: { fetch: fail }, panel: fail, pages: fail }),
  });
  for (const [path, route] of [
    ['/01234567', 'short_link'],
    ['/api/v1/qrs', 'api'],
    ['/account', 'account'],
    ['/docs', 'page'],
  ] as const) {
    expect((await get(path)).status).toBe(500);
    expect([route, answers.answered(route, 500)]).toEqual([route, 1]);
  }
});

describe('where links live below a path', () => {
  const get = createTestSite({
    // As `pathsOf` orders them.
    basePaths: ['/q/short', '/base', '/q'],
    app: async () => ({
      api: { fetch: async () => new Response('api') },
      panel: async () => new Response('panel'),
      pages: (request) => new Response(request.url.slice('http://localhost'.length)),
    }),
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
    ['/bases', '/bases'],
    ['/base/base', '/base'],
    ['/docs/base', '/docs/base'],
  ])('%s asks for %s', async (path, page) => {
    expect(await (await get(path)).text()).toBe(page);
  });

  test('a code is found there and at the root', async () => {
    for (const path of ['/01234567', '/base/01234567', '/q/01234567', '/q/short/01234567'])
      expect((await get(path)).status).toBe(302);
  });
});
