import { describe, expect, test } from 'bun:test';
import { makeLinks } from '../../src/core/links.ts';
import { makeLog } from '../../src/core/log.ts';
import { makeAnswerCounts } from '../../src/http/metrics.ts';
import { refuseShadowed } from '../../src/http/public-pages.ts';
import { type App, makeSite } from '../../src/http/site.ts';

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

describe('while what stands behind the short links is still being loaded', () => {
  const loading = Promise.withResolvers<App>();
  const answers = makeAnswerCounts();
  const asked: string[] = [];
  const site = makeSite({
    links: makeLinks({
      links: {
        target: async () => ({
          qrId: 1,
          location: 'https://example.com/',
          status: 'active',
          flaggedBy: null,
        }),
      },
      scans: { record: async () => 'committed' },
      clock: { nowMs: () => 0, monotonicMs: () => 0 },
      warnOfFlagged: true,
    }),
    health: () => ({ problems: [], warnings: [] }),
    answers,
    app: () => {
      asked.push('app');
      return loading.promise;
    },
    publicUrl: 'https://qr.example.com',
    basePaths: [],
    log: makeLog(
      'text',
      () => 0,
      () => {},
    ),
    newRequestId: () => '0123456789abcdef',
  });
  const get = (path: string) => site(new Request(`http://localhost${path}`));

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
