import { afterAll, describe, expect, test } from 'bun:test';
import { caddyServer, nginxServer, serving, type WebServer } from '../export/web-server.ts';
import { inDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { startServer } from '../support/server.ts';
import { visit } from '../support/visit.ts';
import { fieldsOf } from '../support/wire.ts';

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: it is the point
/** Destinations with characters that have a meaning in configurations, shells or URLs. */
const odd = [
  'https://example.org/',
  'http://example.org:8443/plain?utm_source=print&utm_medium=qr#top',
  `https://example.org/quotes?a="b"&c='d'`,
  'https://example.org/$uri/${host}/$1?price=$5',
  'https://example.org/;return%20200;}#;',
  'https://example.org/{path}/{$HOME}/{http.request.uri}',
  'https://example.org/back\\slash/`tick`/*star*/',
  'https://example.org/Grüße/日本語?größe=1#überschrift',
  'https://münchen.example/straße',
  'HTTPS://EXAMPLE.ORG/%7Euser/%zz%00?%',
  'https://[2001:db8::1]/x',
  `https://example.org/${'long$"{'.repeat(280)}`,
];
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: it is the point

// The short URL of earlier codes, and that of today's codes, in capitals.
const [before, now] = [`http://127.0.0.1:${freePort()}`, `http://127.0.0.1:${freePort()}`];
const server = await startServer({ WAYMARK_SHORT_URL: before });
afterAll(server.close);
const { api } = await server.account('alice@example.org');
const small = await createAll();
await server.stop();
await server.start({
  WAYMARK_SHORT_URL: now,
  WAYMARK_SHORT_URL_ALIASES: before,
  WAYMARK_DENSE_LINKS: 'on',
});
const dense = await createAll();
const [paused = '', blocked = ''] = [small[0]?.code, dense[0]?.code];
for (const changes of [
  `status = 'paused' WHERE code = '${paused}'`,
  `status = 'blocked' WHERE code = '${blocked}'`,
  // Version 1.0 accepted backslashes.
  "destination = replace(destination, 'back/slash', 'back\\slash')",
])
  await inDatabase(server, `UPDATE qrs SET ${changes}`);
const links = [...small, ...dense].map(({ url }) => url);

async function createAll() {
  const made: { code: string; url: string }[] = [];
  for (const url of odd) {
    const record = fieldsOf((await api.call('POST /qrs', { url: url.replaceAll('\\', '/') })).json);
    made.push({ code: String(record['code']), url: String(record['url']) });
  }
  return made;
}

/** Returns status and location. */
async function answer(address: string): Promise<string> {
  const { status, to } = await visit(address);
  return `${status} ${to ?? ''}`.trim();
}

/** Returns the server's answer to every link in every spelling. */
async function answersOfWaymark(): Promise<Map<string, string>> {
  const answers = new Map<string, string>();
  for (const link of links) {
    const { origin, pathname } = new URL(link);
    for (const path of [pathname, pathname.toLowerCase(), pathname.toUpperCase()])
      answers.set(`${origin}${path}`, await answer(`${server.origin}${path}`));
  }
  return answers;
}

const answers = await answersOfWaymark();

test('the server redirects all codes but paused and blocked ones', () => {
  expect(links.filter((link) => /^HTTP:/.test(link))).toHaveLength(odd.length);
  const given = [...answers.values()];
  expect(given.filter((one) => one === '410').length).toBe(4);
  expect(given.filter((one) => one.startsWith('302 ')).length).toBe(given.length - 4);
});

describe.each<{ webServer: WebServer; exact: (answer: string) => string }>([
  { webServer: nginxServer, exact: (one) => one },
  {
    webServer: caddyServer,
    // A Caddyfile cannot contain these two; see export/caddy.ts.
    exact: (one) => one.replaceAll('{$', '%7B$').replaceAll('`', '%60'),
  },
])('printed codes without Waymark', ({ webServer, exact }) => {
  test.skipIf(!webServer.present)(
    `${webServer.name} answers every printed link like the server`,
    async () => {
      const { stdout, exitCode } = await server.cli(['export', '--format', webServer.name]);
      expect(exitCode).toBe(0);
      await serving(webServer, stdout, before, async () => {
        for (const [link, expected] of answers)
          expect([link, await answer(link)]).toEqual([link, exact(expected)]);
        expect(await answer(`${before}/00000000`)).toBe('404');
      });
    },
  );
});
