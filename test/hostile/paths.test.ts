import { afterAll, describe, expect, test } from 'bun:test';
import { startServer } from '../support/server.ts';
import { ask } from './talk.ts';

// Security check 34 and B8 (ASVS 1.2.2, 13.4.5): no spelling of a path reaches a file, a page that is
// none, or the API without a key. Where there is nothing, the answer is a small 404.
const server = await startServer();
afterAll(server.close);
const { api, key } = await server.account('alice@example.org');
const { code } = await api.create('https://example.org/start');
const authorization = `Authorization: Bearer ${key}`;

const dots = [
  '../',
  '..%2f',
  '..%2F',
  '%2e%2e/',
  '%2e%2e%2f',
  '.%2e/',
  '%252e%252e%252f',
  '..%255c',
  '..\\',
  '..%5c',
  '%2e%2e\\',
  '..;/',
  '..%00/',
  '....//',
  '..%c0%af',
  '%c0%ae%c0%ae/',
  '%e0%80%ae%e0%80%ae%e0%80%af',
  '..%ef%bc%8f',
  '..%u2215',
  '.\xb7./',
];
const files = ['etc/passwd', 'package.json', 'data/waymark.db', 'waymark.db', 'src/main.ts'];
const roots = ['/', '/docs/', '/account/', '/account/assets/', '/api/v1/', `/api/v1/qrs/`, '/q/'];

const paths = roots.flatMap((root) =>
  dots.flatMap((dot) => files.map((file) => root + dot.repeat(6) + file)),
);
/** Words of what those files hold. */
const secrets = /root:x:|"dependencies"|SQLite format 3|#!\/usr\/bin\/env bun|CREATE TABLE/;

describe('a way up out of any folder', () => {
  test.each(roots)('from %s leads nowhere', async (root) => {
    for (const path of paths.filter((one) => one.startsWith(root))) {
      const answer = await ask(server.origin, `GET ${path} HTTP/1.1`, [authorization]);
      expect(`${path} ${answer.status}`).toBe(`${path} ${answer.status === 303 ? 303 : 404}`);
      expect(answer.text).not.toMatch(secrets);
    }
  });

  test.each([
    '/docs/../api/v1/qrs',
    '/docs/%2e%2e/api/v1/qrs',
    '/account/..\\api/v1/qrs',
    '//api/v1/qrs',
    '/./api/v1/qrs',
    `/x/../api/v1/qrs/${code}.png`,
    '/png/00000000',
    `/png/${code}`,
    `/svg/${code}`,
    `/api/v1/../../png/${code}`,
    '/api/v1/%2e%2e/%2e%2e/ui',
    '/document',
    '/ui',
    '/ui/json',
  ])('gets nobody into the API: %s', async (path) => {
    const answer = await ask(server.origin, `GET ${path} HTTP/1.1`);
    expect([401, 404]).toContain(answer.status);
  });
});

describe('what other servers keep there is not here', () => {
  const words =
    '.env .git/HEAD .git/config .gitignore .htaccess .DS_Store .well-known/security.txt .npmrc .ssh/id_rsa .aws/credentials bun.lock package.json tsconfig.json node_modules/elysia/package.json src/main.ts dist/waymark server.lock waymark.db waymark.db-wal data/waymark.db backup.db dump.sql robots.txt favicon.ico sitemap.xml crossdomain.xml admin administrator wp-login.php wp-admin phpinfo.php xmlrpc.php server-status debug debug/pprof console actuator actuator/env graphql graphiql swagger swagger.json openapi.json api api/v2 api/v1.json _next _bun/client _bun/src index.html index.php login logout config.json .bunfig.toml docs/json/ docs/swagger-ui.js.map docs/swagger-ui-bundle.js docs/swagger-ui.css.map docs/index.html docs/package.json account/assets account/assets/ account/assets/panel.js account/assets/panel.css account/panel.js.map metrics/ healthz/ cgi-bin/test'.split(
      ' ',
    );

  test.each(words)('/%s', async (word) => {
    const answer = await ask(server.origin, `GET /${word} HTTP/1.1`);
    expect([401, 404]).toContain(answer.status);
    if (answer.status === 401) expect(word).toBe('api/v1.json');
  });

  test('no asset names a source map', async () => {
    const page = await ask(server.origin, 'GET /account/sign-in HTTP/1.1');
    const assets = [...page.text.matchAll(/(?:src|href)="(\/account\/assets\/[^"]+)"/g)];
    expect(assets.length).toBeGreaterThan(1);
    for (const [, path] of assets) {
      const { text } = await ask(server.origin, `GET ${path} HTTP/1.1`);
      expect(text).not.toContain('sourceMappingURL');
    }
  });
});

describe('what stands around a code', () => {
  const around = [
    `${code}/`,
    `${code}//`,
    `/${code}`,
    `${code}%00`,
    `${code}%0d%0aX: y`.replace(' ', '%20'),
    `${code}%20`,
    `${code}.`,
    `${code}.png`,
    `${code}.json`,
    `${code};a=b`,
    `${code}%3Fa`,
    `${code}%23a`,
    `${code}%2f`,
    `%2f${code}`,
    `${code},${code}`,
    `${code}\xe9`,
    `${code}\xff`,
    `%ff${code}`,
    `%${code}`,
    `${[...code].map((c) => `%25${c.charCodeAt(0).toString(16)}`).join('')}`,
    `x/../${code}/x`,
  ];

  test.each(around)('as a short link %j is unknown', async (path) => {
    expect((await ask(server.origin, `GET /${path} HTTP/1.1`)).status).toBe(404);
  });

  test.each(around)('in the API %j is not found', async (path) => {
    for (const suffix of ['', '/stats', '.png', '.svg']) {
      const answer = await ask(server.origin, `GET /api/v1/qrs/${path}${suffix} HTTP/1.1`, [
        authorization,
      ]);
      if (path === `${code}.png` && suffix === '') expect(answer.status).toBe(200);
      else expect(`${path}${suffix} ${answer.status}`).toBe(`${path}${suffix} 404`);
      expect(answer.headers.has('x')).toBe(false);
    }
  });

  test('percent signs that spell the code itself are the code, in the API alone', async () => {
    const spelled = [...code].map((c) => `%${c.charCodeAt(0).toString(16)}`).join('');
    const inApi = await ask(server.origin, `GET /api/v1/qrs/${spelled} HTTP/1.1`, [authorization]);
    expect(inApi.status).toBe(200);
    expect((await ask(server.origin, `GET /${spelled} HTTP/1.1`)).status).toBe(404);
  });
});

test('none of it is a fault of ours', async () => {
  expect(server.log()).not.toMatch(/ (warn|error) /);
});
