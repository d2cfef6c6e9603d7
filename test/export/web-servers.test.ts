import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { caddy } from '../../src/cli/data/export/caddy.ts';
import { nginx } from '../../src/cli/data/export/nginx.ts';
import { encodePath } from '../../src/core/codes/path.ts';
import type { StoredRedirect } from '../../src/core/storage.ts';
import { locationHeader } from '../../src/redirect/link-outcome.ts';
import { freePort } from '../support/free-port.ts';
import { exported, oddRedirects, redirect } from './odd-map.ts';
import { caddyServer, nginxServer, serving } from './web-server.ts';

const runs = 5;

describe.each([
  { server: nginxServer, format: nginx, exact: (location: string) => location },
  {
    server: caddyServer,
    format: caddy,
    // The two sequences that a Caddyfile cannot contain; see caddy.ts.
    exact: (location: string) => location.replaceAll('{$', '%7B$').replaceAll('`', '%60'),
  },
])('$server.name serves its export', ({ server, format, exact }) => {
  const answerOf = async (address: string) => {
    const response = await fetch(address, { redirect: 'manual' });
    await response.arrayBuffer();
    return `${response.status} ${response.headers.get('location') ?? ''}`.trim();
  };
  /** Serves an export during an action. */
  const servingExport = async (
    prefixes: readonly string[],
    redirects: readonly StoredRedirect[],
    act: () => Promise<void>,
  ) => {
    const { origin } = new URL(prefixes[0] ?? '');
    await serving(server, (await exported(format, prefixes, redirects)).join(''), origin, act);
  };
  const expected = ({ status, destination }: StoredRedirect) =>
    status === 'active' ? `302 ${exact(locationHeader(destination))}` : '410';

  test.skipIf(!server.present)('redirects with random destinations', async () => {
    const origin = `http://127.0.0.1:${freePort()}`;
    await fc.assert(
      fc.asyncProperty(oddRedirects([origin]), async (redirects) => {
        await servingExport([origin], redirects, async () => {
          for (const one of redirects) {
            expect(await answerOf(one.shortLink)).toBe(expected(one));
            const capitals = `${origin}/${one.code.toUpperCase()}`;
            expect(await answerOf(`${capitals}/`)).toBe(expected(one));
          }
        });
      }),
      { numRuns: runs, interruptAfterTimeLimit: 40_000 },
    );
  });

  test.skipIf(!server.present)('imported links, by their exact path', async () => {
    const origin = `http://127.0.0.1:${freePort()}`;
    const paths = [
      'menu-7',
      'Menu-7',
      'EVENT200',
      'a/b.c',
      'men\u00fc 7',
      'x{y}$z"q\'(1)+~*',
      '100%',
      '\u65e5\u672c',
      'a;b,c',
      'both',
      'both/',
      'only/',
      '0123456z/',
    ];
    const long = `?q=${'$x"'.repeat(1500)}`;
    const redirects = paths.map((path, index) =>
      redirect(path, {
        shortLink: `${origin}/${encodePath(path)}`,
        destination: `https://example.org/${index}${index === 0 ? long : ''}`,
        status: index === 1 ? 'paused' : 'active',
      }),
    );
    const prefixes = [origin, `${origin}/q`];
    await servingExport(prefixes, redirects, async () => {
      for (const one of redirects) {
        const { pathname } = new URL(one.shortLink);
        for (const prefix of prefixes)
          expect([pathname, await answerOf(prefix + pathname)]).toEqual([pathname, expected(one)]);
      }
      // With a slash at the end, a path leads to the same place if it has no link of its own.
      const atSlash = (path: string) => expected(redirects[paths.indexOf(path)] as StoredRedirect);
      for (const [path, link] of [
        ['/menu-7/', 'menu-7'],
        ['/q/menu-7/', 'menu-7'],
        ['/100%25/', '100%'],
        ['/a/b.c/', 'a/b.c'],
        ['/both/', 'both/'],
        ['/q/both/', 'both/'],
      ] as const)
        expect([path, await answerOf(origin + path)]).toEqual([path, atSlash(link)]);
      for (const path of ['/MENU-7', '/event200', '/a/bxc', '/enu-7', '/only'])
        expect([path, await answerOf(origin + path)]).toEqual([path, '404']);
      const { headers } = await fetch(`${origin}/EVENT200`, { redirect: 'manual' });
      expect(headers.get('cache-control')).toBe('no-store');
    });
  });

  test.skipIf(!server.present)('paths that owners chose, whose case counts', async () => {
    const origin = `http://127.0.0.1:${freePort()}`;
    const codes = [
      ['01234567', 'menu'],
      ['b1234567', 'Über uns/5 %'],
      ['c1234567', 'b1234560'],
    ] as const;
    const redirects = codes.map(([code, path]) =>
      redirect(code, {
        shortLink: `${origin}/${code}`,
        destination: `https://example.org/${code}`,
        path,
      }),
    );
    await servingExport([origin], redirects, async () => {
      for (const [code, path] of codes)
        for (const one of [code, encodePath(path), `${encodePath(path)}/`])
          expect([one, await answerOf(`${origin}/${one}`)]).toEqual([
            one,
            `302 https://example.org/${code}`,
          ]);
      expect(await answerOf(`${origin}/Menu`)).toBe('404');
    });
  });

  test.skipIf(!server.present)('prefixes with paths, headers, and unknown codes', async () => {
    const origin = `http://127.0.0.1:${freePort()}`;
    // Some codes begin like a path, and some paths contain others.
    const prefixes = [`${origin}/q`, `${origin}/a.b`, `${origin}/q/s`, origin];
    const redirects = ['01234567', 'b1234567', 'q1234567'].map((code) =>
      redirect(code, {
        shortLink: `${origin}/${code}`,
        destination: `https://example.org/${code}`,
      }),
    );
    await servingExport(prefixes, redirects, async () => {
      for (const prefix of [...prefixes, `${origin}/Q`])
        for (const { code, destination } of redirects)
          expect([prefix, await answerOf(`${prefix}/${code}`)]).toEqual([
            prefix,
            `302 ${destination}`,
          ]);
      for (const path of [
        '/axb/01234567',
        '/q/01234568',
        '/q/q/01234567',
        '/q/',
        '/',
        '/zzzzzzzzz',
      ])
        expect([path, await answerOf(`${origin}${path}`)]).toEqual([path, '404']);
      const { headers } = await fetch(`${origin}/01234567`, { redirect: 'manual' });
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('x-robots-tag')).toBe('noindex');
    });
  });

  test.skipIf(!server.present)('the longest destinations, and none', async () => {
    const origin = `http://127.0.0.1:${freePort()}`;
    const redirects = ['$', '\\', '"', '{', '}', '本', '🙂', 'a'].map((piece, index) => {
      const code = `0000000${index}`;
      const destination = `https://example.org/?${piece.repeat(2028)}`;
      return redirect(code, { shortLink: `${origin}/${code}`, destination });
    });
    await servingExport([origin], redirects, async () => {
      for (const one of redirects) expect(await answerOf(one.shortLink)).toBe(expected(one));
    });
    await servingExport([origin], [], async () =>
      expect(await answerOf(`${origin}/01234567`)).toBe('404'),
    );
  });
});
