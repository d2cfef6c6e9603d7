import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import fc from 'fast-check';
import { locationHeader } from '../../src/core/codes/destination.ts';
import { caddy } from '../../src/export/caddy.ts';
import { nginx } from '../../src/export/nginx.ts';
import type { Redirect } from '../../src/export/redirect-map.ts';
import { freePort } from '../support/server.ts';
import { mapOf, oddRedirects } from './odd-map.ts';
import { caddyServer, nginxServer, serving } from './web-server.ts';

setDefaultTimeout(120_000);

const runs = 12;

describe.each([
  { server: nginxServer, format: nginx, exact: (location: string) => location },
  {
    server: caddyServer,
    format: caddy,
    // The only two things that a Caddyfile cannot say; see caddy.ts.
    exact: (location: string) => location.replaceAll('{$', '%7B$').replaceAll('`', '%60'),
  },
])('$server.name serves what was exported for it', ({ server, format, exact }) => {
  const answerOf = async (address: string) => {
    const response = await fetch(address, { redirect: 'manual' });
    await response.arrayBuffer();
    return `${response.status} ${response.headers.get('location') ?? ''}`.trim();
  };
  const expected = ({ status, destination }: Redirect) =>
    status === 'active' ? `302 ${exact(locationHeader(destination))}` : '410';

  test.skipIf(!server.present)('every redirect, however odd its destination', async () => {
    const origin = `http://127.0.0.1:${freePort()}`;
    await fc.assert(
      fc.asyncProperty(oddRedirects([origin]), async (redirects) => {
        const exported = [...format(mapOf([origin], redirects))].join('');
        await serving(server, exported, origin, async () => {
          for (const redirect of redirects) {
            expect(await answerOf(redirect.shortLink)).toBe(expected(redirect));
            const shouted = `${origin}/${redirect.code.toUpperCase()}`;
            expect(await answerOf(shouted)).toBe(expected(redirect));
          }
          expect(await answerOf(`${origin}/`)).toBe('404');
          expect(await answerOf(`${origin}/zzzzzzzzz`)).toBe('404');
        });
      }),
      { numRuns: runs, interruptAfterTimeLimit: 40_000 },
    );
  });

  test.skipIf(!server.present)('below a path, and without headers that keep it', async () => {
    const origin = `http://127.0.0.1:${freePort()}`;
    const bases = [`${origin}/q`, `${origin}/a.b`] as const;
    const redirects: Redirect[] = [
      {
        code: '01234567',
        shortLink: `${bases[0]}/01234567`,
        destination: 'https://example.org/one',
        status: 'active',
      },
    ];
    const exported = [...format(mapOf(bases, redirects))].join('');
    await serving(server, exported, origin, async () => {
      for (const path of ['/q/01234567', '/a.b/01234567', '/01234567', '/Q/01234567'])
        expect(await answerOf(`${origin}${path}`)).toBe('302 https://example.org/one');
      for (const path of ['/axb/01234567', '/q/01234568', '/q/q/01234567', '/q/'])
        expect([path, await answerOf(`${origin}${path}`)]).toEqual([path, '404']);
      const { headers } = await fetch(`${origin}/01234567`, { redirect: 'manual' });
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('x-robots-tag')).toBe('noindex');
    });
  });

  test.skipIf(!server.present)(
    'below paths that codes begin with, or that lie in each other',
    async () => {
      const origin = `http://127.0.0.1:${freePort()}`;
      const bases = [`${origin}/q`, `${origin}/b`, `${origin}/q/s`, origin];
      const redirects = ['b1234567', 'q1234567'].map(
        (code): Redirect => ({
          code,
          shortLink: `${origin}/${code}`,
          destination: `https://example.org/${code}`,
          status: 'active',
        }),
      );
      const exported = [...format(mapOf(bases, redirects))].join('');
      await serving(server, exported, origin, async () => {
        for (const base of bases)
          for (const { code, destination } of redirects)
            expect([base, await answerOf(`${base}/${code}`)]).toEqual([base, `302 ${destination}`]);
      });
    },
  );

  test.skipIf(!server.present)('the longest destinations that there can be', async () => {
    const origin = `http://127.0.0.1:${freePort()}`;
    const redirects = ['$', '\\', '"', '{', '}', '本', '🙂', 'a'].map((piece, number): Redirect => {
      const code = `0000000${number}`;
      const destination = `https://example.org/?${piece.repeat(2028)}`;
      return { code, shortLink: `${origin}/${code}`, destination, status: 'active' };
    });
    const exported = [...format(mapOf([origin], redirects))].join('');
    await serving(server, exported, origin, async () => {
      for (const redirect of redirects)
        expect(await answerOf(redirect.shortLink)).toBe(expected(redirect));
    });
  });

  test.skipIf(!server.present)('a map without a code', async () => {
    const origin = `http://127.0.0.1:${freePort()}`;
    await serving(server, [...format(mapOf([origin], []))].join(''), origin, async () =>
      expect(await answerOf(`${origin}/01234567`)).toBe('404'),
    );
  });
});
