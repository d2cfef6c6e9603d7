import { describe, expect, test } from 'bun:test';
import { sendRaw } from '../support/raw.ts';
import { sharedServer } from '../support/server.ts';

// Security check 34 (ASVS 1.2.2, 13.4.5): no spelling of a path reaches a file, or the API without a key.
const server = await sharedServer();
const { api, key } = await server.account();
const { code } = await api.create();
const authorization = `Authorization: Bearer ${key}`;
const get = (path: string, lines: readonly string[] = []) =>
  sendRaw(server.origin, `GET ${path}`, lines);

const parentSegments =
  '../ ..%2f %2e%2e/ %2e%2e%2f .%2e/ %252e%252e%252f ..%255c ..\\ ..%5c %2e%2e\\ ..;/ ..%00/ ....// ..%c0%af %c0%ae%c0%ae/ %e0%80%ae%e0%80%ae%e0%80%af ..%ef%bc%8f ..%u2215 .\xb7./'.split(
    ' ',
  );
const files = ['etc/passwd', 'package.json', 'data/waymark.db', 'waymark.db', 'src/main.ts'];
const folders = ['/', '/docs/', '/account/', '/account/assets/', '/api/v1/', '/api/v1/qrs/', '/q/'];
const fileContents = /root:x:|"dependencies"|SQLite format 3|#!\/usr\/bin\/env bun|CREATE TABLE/;

describe('path traversal', () => {
  test.each(folders)('from %s reaches no file', async (folder) => {
    for (const segment of parentSegments)
      for (const file of files) {
        const path = folder + segment.repeat(6) + file;
        const { status, text } = await get(path, [authorization]);
        expect(`${path} ${status}`).toBe(`${path} ${status === 303 ? 303 : 404}`);
        expect(text).not.toMatch(fileContents);
      }
  });

  test.each([
    '/docs/../api/v1/qrs',
    '/docs/%2e%2e/api/v1/qrs',
    '/account/..\\api/v1/qrs',
    '//api/v1/qrs',
    '/./api/v1/qrs',
    `/x/../api/v1/qrs/${code}.png`,
    `/png/${code}`,
    '/document',
    '/ui/json',
  ])('to the API does not replace a key: %s', async (path) => {
    expect([401, 404]).toContain((await get(path)).status);
  });
});

describe('paths of other servers and of our own files are unknown', () => {
  test.each(
    '.env .git/HEAD .git/config .htaccess .well-known/security.txt .npmrc .ssh/id_rsa bun.lock package.json node_modules/elysia/package.json src/main.ts server.lock waymark.db waymark.db-wal data/waymark.db backup.db robots.txt favicon.ico admin wp-login.php phpinfo.php server-status debug/pprof console actuator/env graphql swagger swagger.json openapi.json api api/v2 _bun/client index.html login config.json docs/json/ docs/swagger-ui.js.map docs/swagger-ui-bundle.js docs/index.html docs/package.json account/assets account/assets/ account/assets/panel.js account/panel.js.map metrics/ healthz/ cgi-bin/test'.split(
      ' ',
    ),
  )('/%s', async (path) => {
    expect((await get(`/${path}`)).status).toBe(404);
  });

  test('no asset names a source map', async () => {
    const page = await get('/account/sign-in');
    const assets = [...page.text.matchAll(/(?:src|href)="(\/account\/assets\/[^"]+)"/g)];
    expect(assets.length).toBeGreaterThan(1);
    for (const [, path = ''] of assets)
      expect((await get(path)).text).not.toContain('sourceMappingURL');
  });
});

test('nothing is logged', () => {
  expect(server.problems()).toEqual([]);
});
