import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { caddy } from '../../src/cli/data/export/caddy.ts';
import { nginx } from '../../src/cli/data/export/nginx.ts';
import { encodePath } from '../../src/core/codes/path.ts';
import { withQuery } from '../../src/core/codes/urls/pass-query.ts';
import { allKeysOf, decodeAsked, foldPath, linkMeant } from '../../src/core/codes/urls/resolve.ts';
import type { StoredRedirect } from '../../src/core/storage.ts';
import { locationHeader } from '../../src/redirect/link-outcome.ts';
import { freePort } from '../support/free-port.ts';
import { exported, oddRedirects, redirect } from './odd-map.ts';
import { caddyServer, nginxServer, serving } from './web-server.ts';

const runs = 5;

describe.each([
  {
    server: nginxServer,
    format: nginx,
    exact: (location: string) => location,
    beforeQuery: (location: string) => location,
  },
  {
    server: caddyServer,
    format: caddy,
    // The two sequences that a Caddyfile cannot contain; see caddy.ts.
    exact: (location: string) => location.replaceAll('{$', '%7B$').replaceAll('`', '%60'),
    // A backslash there would escape the query.
    beforeQuery: (location: string) => location.replace(/\\(?=\?|$)/, '%5C'),
  },
])('$server.name serves its export', ({ server, format, exact, beforeQuery }) => {
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
      expect(await answerOf(`${origin}/event200`)).toBe(atSlash('EVENT200'));
      for (const path of ['/MENU-7', '/a/bxc', '/enu-7', '/only', '/menu-7//', '/menu-7%2F'])
        expect([path, await answerOf(origin + path)]).toEqual([path, '404']);
      const { headers } = await fetch(`${origin}/EVENT200`, { redirect: 'manual' });
      expect(headers.get('cache-control')).toBe('no-store');
    });
  });

  test.skipIf(!server.present)('paths that owners chose, in any case', async () => {
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
      for (const one of ['Menu', 'MENU/', '%C3%BCBER%20uns/5%20%25', 'U%CC%88ber%20uns/5%20%25'])
        expect([one, await answerOf(`${origin}/${one}`)]).toEqual([
          one,
          expect.stringMatching(/^302 https:\/\/example\.org\/[0b]1234567$/),
        ]);
    });
  });

  test.skipIf(!server.present)('what resembles an address, as Waymark does', async () => {
    const origin = `http://127.0.0.1:${freePort()}`;
    const names = ['7h3k9m20', '01111111', 'b1234567'];
    const paths = [
      ...['menu', 'Menu-7', 'menu-7', 'CAF\u00c9', 'slash/', 'R&D', 'wow!', 'Stra\u00dfe/\u00d6l'],
      ...['OILabcde', 'default', '~x', 'a.b', 'q&a', 'a"b'],
    ];
    const redirects = [...names, ...paths].map((code) =>
      redirect(code, {
        shortLink: `${origin}/${encodePath(code)}`,
        destination: `https://example.org/${encodePath(code)}`,
      }),
    );
    const links = redirects.map(({ code }) => ({
      ...{ code, path: null, foldedPath: null },
      foldedCode: names.includes(code) ? null : foldPath(code),
    }));
    const meant = (raw: string) => {
      const path = decodeAsked(raw);
      const link = path === null ? null : linkMeant(allKeysOf(path), links);
      return link === null ? '404' : `302 https://example.org/${encodePath(link.code)}`;
    };
    const tails = ['.', ',', ').', '!', '%22', "'", '%E2%80%9D', '%C2%BB', '%3E', '%20', '%c2%a0'];
    const asked = [...names, ...paths.map(encodePath)].flatMap((raw) => [
      ...[raw, `${raw}/`, `${raw}//`, `${raw}%2F`, encodeURI(decodeURI(raw).toUpperCase())],
      ...[raw.toLowerCase(), raw.replaceAll('0', 'o').replaceAll('1', 'L'), `x${raw}`, `${raw}x`],
      ...[`%${raw.charCodeAt(0).toString(16)}${raw.slice(1)}`, encodeURI(raw.normalize('NFD'))],
      ...tails.map((tail) => `${raw}${tail}`),
      ...[`${raw}./`, `${raw}/.`, `${raw}&utm=1`, `${raw}.&utm=1/`, `${raw}%26x`, `${raw};`],
      ...[`${raw}${'!'.repeat(16)}`, `${raw}${'!'.repeat(17)}`, `${raw.toUpperCase()}!`],
    ]);
    // A client resolves dots, and Caddy joins slashes.
    const sent = asked.filter((raw) => !/^wow!{9}|\/\.+(?:\/|$)|%26.*\/\//.test(raw));
    await servingExport([origin], redirects, async () => {
      for (const raw of sent)
        expect([raw, await answerOf(`${origin}/${raw}`)]).toEqual([raw, meant(raw)]);
      const posted = await fetch(`${origin}/menu`, { method: 'POST', redirect: 'manual' });
      expect(posted.status).toBe(405);
      const other = await fetch(`${origin}/menu`, {
        headers: { Host: 'other.example' },
        redirect: 'manual',
      });
      expect(other.headers.get('location')).toBe('https://example.org/menu');
    });
  });

  test.skipIf(!server.present)('each domain with its own paths and pages', async () => {
    const origin = `http://127.0.0.1:${freePort()}`;
    const port = new URL(origin).port;
    const link = (code: string, path: string | null, to: string) =>
      redirect(code, { shortLink: `${origin}/x`, destination: `https://example.org/${to}`, path });
    const redirects = [
      link('//go.brand.example/flyer', null, 'brand-flyer'),
      link('//go.brand.example/Flyer-2', null, 'Flyer-2'),
      link('//go.brand.example/flyer-2', null, 'flyer-2'),
      link('01234567', '//go.brand.example/menü', 'brand'),
      link('b1234567', 'menü', 'main'),
      link('flyer', null, 'main-flyer'),
      link('only', null, 'only'),
    ];
    const domains = [
      {
        url: `http://go.brand.example:${port}`,
        frontUrl: 'https://brand.example/',
        notFoundUrl: 'https://brand.example/lost',
      },
      { url: `http://shop.example:${port}`, frontUrl: null, notFoundUrl: null },
    ];
    const main = { frontUrl: null, notFoundUrl: 'https://main.example/lost' };
    const text = (await exported(format, [origin], redirects, { domains, main })).join('');
    await serving(server, text, origin, async () => {
      for (const [host, path, answer] of [
        ['go.brand.example', '/FLYER.', '302 https://example.org/brand-flyer'],
        ['go.brand.example', '/Flyer-2', '302 https://example.org/Flyer-2'],
        ['go.brand.example', '/flyer-2/', '302 https://example.org/flyer-2'],
        ['go.brand.example', '/FLYER-2', '302 https://brand.example/lost'],
        ['go.brand.example', '/MEN%C3%9C', '302 https://example.org/brand'],
        ['go.brand.example', '/b1234567', '302 https://example.org/main'],
        ['go.brand.example', '/Only', '302 https://example.org/only'],
        ['go.brand.example', '/', '302 https://brand.example/'],
        ['go.brand.example', '/nothing', '302 https://brand.example/lost'],
        ['shop.example', '/flyer', '302 https://example.org/main-flyer'],
        ['shop.example', '/flyer-2', '404'],
        ['shop.example', '/', '404'],
        ['127.0.0.1', '/men%C3%BC', '302 https://example.org/main'],
        ['127.0.0.1', '/nothing', '302 https://main.example/lost'],
        ['other.example', '/flyer', '302 https://example.org/main-flyer'],
      ] as const) {
        const response = await fetch(origin + path, {
          headers: { Host: `${host}:${port}` },
          redirect: 'manual',
        });
        const found = `${response.status} ${response.headers.get('location') ?? ''}`.trim();
        expect([host, path, found]).toEqual([host, path, answer]);
      }
    });
  });

  test.skipIf(!server.present)('the query of a visitor, as Waymark passes it on', async () => {
    const origin = `http://127.0.0.1:${freePort()}`;
    const destinations = [
      ...['https://example.org/', 'https://example.org/#top', 'https://example.org/?a=1#x?y=2'],
      ...[
        'https://example.org/?',
        'https://example.org/?a=1&',
        'https://example.org/?utm_source=own',
      ],
      ...[
        'https://example.org/?a=1&table=2#{x}',
        'https://example.org/?{env.HOME}=$1',
        'https://e.org',
      ],
      ...[
        'https://example.org/?t%61ble=9&a+b=1&%C3%BC=2',
        'https://example.org/?a=$args&b={query}',
      ],
      `https://example.org/?long=${'$x"'.repeat(600)}#${'$y"'.repeat(40)}`,
      `https://example.org/\\`,
    ];
    const queries = [
      ...[
        '',
        'table=7',
        'table=7&utm_source=x',
        'a=2',
        'a=2&b=3',
        'b=3&a=2&c=4&a=5&d=6',
        'a',
        'ab=1',
      ],
      ...[
        '&',
        'x=1&&y=2&',
        '&&x',
        'tabl%65=1&x',
        'a%20b=2',
        'a+b=2&x',
        '%c3%bc=1',
        '%C3%Bc&y',
        'A=1',
      ],
      ...[
        'q={env.HOME}',
        '{http.request.host}',
        '$args',
        '$1$2',
        '\\{x}',
        '"',
        "a'b",
        'x=%zz',
        '?x?',
      ],
      ...['x=1&a=1&y=1&a=2&z=1', 'redirect=https://evil.example/?a=1', '%61=1&x', 'x'.repeat(512)],
      ...[`y=${'x'.repeat(511)}`, `a=${'x'.repeat(500)}&b=1`, '%', 'long=1&x', 'env.HOME&x', 'ü=1'],
    ];
    const redirects = destinations.flatMap((destination, at) => [
      redirect(`0123456${at.toString(16)}`, { destination, query: 'on' }),
      redirect(`b123456${at.toString(16)}`, { destination }),
      redirect(`path-${at}`, { destination, query: 'on' }),
    ]);
    const apart = ['Menu', 'menu'].map((path, at) =>
      redirect(path, { destination: `https://example.org/${at}?a=1#x`, query: 'on' }),
    );
    const brand = redirect('//go.brand.example/own', {
      ...{ destination: 'https://brand.example/?a=1#x', query: 'on' },
    });
    const domains = [{ url: 'http://go.brand.example', frontUrl: null, notFoundUrl: null }];
    const all = [...redirects, ...apart, brand].map((one) => ({
      ...one,
      shortLink: `${origin}/x`,
    }));
    const text = (await exported(format, [origin], all, { domains })).join('');
    const sentTo = async (path: string, query: string, headers: Record<string, string> = {}) => {
      const response = await fetch(`${origin}/${path}?${query}`, { headers, redirect: 'manual' });
      await response.arrayBuffer();
      return response.headers.get('location');
    };
    const meant = ({ destination, query: passes }: StoredRedirect, query: string) => {
      const location = locationHeader(destination);
      const sent = new URL(`http://localhost/?${query}`).search.slice(1);
      const passed = passes === null ? location : withQuery(location, sent);
      return exact(passes === null ? passed : beforeQuery(passed));
    };
    await serving(server, text, origin, async () => {
      for (const query of queries) {
        for (const one of all.filter(({ code }) => code !== brand.code))
          expect([one.code, query, await sentTo(one.code, query)]).toEqual([
            ...[one.code, query, meant(one, query)],
          ]);
        const host = { Host: `go.brand.example:${new URL(origin).port}` };
        expect([query, await sentTo('OWN.', query, host)]).toEqual([query, meant(brand, query)]);
      }
      // More gaps than a server without loops can close.
      const gaps = Array.from({ length: 6 }, (_, at) => `a=1&x${at}=1`).join('&');
      expect(await sentTo('path-2', gaps)).toBe(locationHeader(destinations[2] ?? ''));
    });
  });

  test.skipIf(!server.present)('the pages that its operator chose', async () => {
    const origin = `http://127.0.0.1:${freePort()}`;
    const pages = {
      main: { frontUrl: 'https://front.example/', notFoundUrl: 'https://lost.example/?a=$b' },
    };
    const link = redirect('01234567', { shortLink: `${origin}/01234567` });
    const text = (await exported(format, [origin], [link], pages)).join('');
    await serving(server, text, origin, async () => {
      for (const [path, answer] of [
        ['/', '302 https://front.example/'],
        ['/01234567', '302 https://example.org/'],
        ['/nothing', '302 https://lost.example/?a=$b'],
        ['/zzzzzzzz.', '302 https://lost.example/?a=$b'],
        ['/robots.txt', '404'],
        ['/.well-known/x', '404'],
      ] as const)
        expect([path, await answerOf(origin + path)]).toEqual([path, answer]);
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
