import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { caddyServer, nginxServer, serving, type WebServer } from '../export/web-server.ts';
import { createPanelClient, password, signedIn } from '../panel/client.ts';
import { readAnswer } from '../support/api.ts';
import { freePort } from '../support/free-port.ts';
import { isInstalled } from '../support/installed.ts';
import { sendBytes } from '../support/raw.ts';
import { type Server, startServer } from '../support/server.ts';
import { fieldsOf, outcome } from '../support/wire.ts';
import { blockOf, replaced } from './blocks.ts';

const folder = await mkdtemp(join(tmpdir(), 'waymark-proxies-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
const hasOpenssl = isInstalled('openssl');
const makeCertificate = () =>
  Bun.spawnSync(
    ['openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
      .concat(['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-days', '2'])
      .concat(['-keyout', key, '-out', certificate]),
    { stderr: 'pipe' },
  );
const made = hasOpenssl ? makeCertificate() : null;
if (made?.success === false) throw new Error(made.stderr.toString());
const tls = { ca: made === null ? '' : await Bun.file(certificate).text() };

const destination = 'https://example.org/menu?a="b"&c=d;e#f';

interface Ports {
  readonly http: number;
  readonly https: number;
  readonly waymark: string;
}

/** The configurations of the pages, with other ports, another name and a test certificate. */
const proxies: { webServer: WebServer; config: (ports: Ports) => Promise<string> }[] = [
  {
    webServer: nginxServer,
    config: async ({ http, https, waymark }) =>
      replaced(await blockOf('docs/proxies.md', 'nginx'), {
        'listen [::]:80;\n': '\n',
        'listen [::]:443 ssl http2;\n': '\n',
        'listen 80;': `listen 127.0.0.1:${http};`,
        'listen 443 ssl http2;': `listen 127.0.0.1:${https} ssl http2;`,
        'https://$host$request_uri': `https://$host:${https}$request_uri`,
        '/etc/letsencrypt/live/qr.example.com/fullchain.pem': certificate,
        '/etc/letsencrypt/live/qr.example.com/privkey.pem': key,
        'qr.example.com': 'localhost',
        'server 127.0.0.1:3000;': `server ${waymark};`,
      }),
  },
  {
    webServer: {
      ...caddyServer,
      setUp: (exported, place) => {
        const { files, command } = caddyServer.setUp('', place);
        return { files: { ...files, Caddyfile: exported }, command };
      },
    },
    config: async ({ http, https, waymark }) =>
      `{\n\tadmin off\n\thttp_port ${http}\n\thttps_port ${https}\n\tdefault_bind 127.0.0.1\n}\n` +
      replaced(await blockOf('docs/proxies.md', 'caddy'), {
        'qr.example.com {\n': `localhost {\n\ttls ${certificate} ${key}\n`,
        'reverse_proxy 127.0.0.1:3000': `reverse_proxy ${waymark}`,
      }),
  },
];

describe.each(proxies)(
  '$webServer.name, as in the page of the proxies',
  ({ webServer, config }) => {
    test.skipIf(!(hasOpenssl && webServer.present))(
      'serves redirects, the API and the panel over https',
      async () => {
        const [http, https] = [freePort(), freePort()];
        const origin = `https://localhost:${https}`;
        const server = await startServer({
          WAYMARK_PUBLIC_URL: origin,
          WAYMARK_TRUST_PROXY: '127.0.0.1',
          WAYMARK_SHORT_URL_ALIASES: `${origin}/s`,
        });
        try {
          const { key: apiKey, api } = await server.account('alice@example.org');
          const { code } = await api.create(destination);
          await signedIn(server, 'bob@example.org');
          const ports = { http, https, waymark: new URL(server.origin).host };
          await serving(webServer, await config(ports), `http://localhost:${http}`, async () => {
            await redirects(origin, http, code);
            await answersPipelined(origin, code);
            await answersUnusualRequests(origin, apiKey, code);
            await createsThrough(origin, apiKey);
            await keepsCookiesSafe(origin);
            await tellsClientsApart(origin, server.log);
            await bridgesRestart(origin, code, server);
          });
        } finally {
          await server.close();
        }
      },
    );
  },
);

async function redirects(origin: string, httpPort: number, code: string): Promise<void> {
  const ask = (address: string) => fetch(address, { redirect: 'manual', tls });
  for (const path of [code, code.toUpperCase(), `s/${code}`]) {
    const followed = await ask(`${origin}/${path}`);
    expect([followed.status, followed.headers.get('location')]).toEqual([302, destination]);
    expect(followed.headers.get('cache-control')).toBe('no-store');
  }
  expect([301, 308]).toContain((await ask(`http://localhost:${httpPort}/${code}`)).status);
  for (const [path, status] of [
    ['00000000', 404],
    ['healthz', 200],
    ['docs', 200],
    ['metrics', 403],
  ] as const)
    expect([path, (await ask(`${origin}/${path}`)).status]).toEqual([path, status]);
  for (const path of metricsSpellings) {
    const response = await sendOverTls(origin, `GET ${path} HTTP/1.1`);
    expect(response).toStartWith('HTTP/1.1 ');
    expect(`${path} ${response.includes('# HELP')}`).toBe(`${path} false`);
  }
}

/** Behind a proxy, several requests in one packet are answered in their order. Bun drops the connection. */
async function answersPipelined(origin: string, code: string): Promise<void> {
  const next = `\r\nHost: ${new URL(origin).host}\r\n\r\n`;
  const [scan, health] = [`GET /${code} HTTP/1.1`, 'GET /healthz HTTP/1.1'];
  const responses = await sendOverTls(origin, [scan, health, scan].join(next));
  const statuses = [...responses.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
  expect(statuses).toEqual(['302', '200', '302']);
}

/** What docs/settings.md lists under "Behind a proxy", and what the server itself rejects. */
async function answersUnusualRequests(origin: string, apiKey: string, code: string): Promise<void> {
  const { host } = new URL(origin);
  const statusOf = async (request: string) =>
    / (\d+)/.exec(await sendOverTls(origin, request))?.[1];
  for (const method of ['BREW', 'FOO', 'get', 'X'.repeat(30)])
    expect(await statusOf(`${method} /${code} HTTP/1.1`)).toMatch(/^(?:400|405|501)$/);
  for (const method of ['PUT', 'DELETE', 'OPTIONS'])
    expect(
      await statusOf(`${method} /api/v1/qrs HTTP/1.1\r\nAuthorization: Bearer ${apiKey}`),
    ).toBe('405');
  expect(await statusOf(`GET /${code} HTTP/1.1\r\nHost: ${host}`)).toBe('400');
  expect(await statusOf(`GET /${code} HTTP/1.1\r\nHost: a b`)).toBe('400');
  expect(await sendOverTls(origin, `HEAD /${code} HTTP/1.1`)).toMatch(/\r\ndate: /i);
  const body = JSON.stringify({ url: destination });
  const lines = [`Authorization: Bearer ${apiKey}`, `Content-Length: ${body.length}`];
  for (const expectation of ['100-continue', '100-Continue', '100-CONTINUE']) {
    const head = [`PATCH /api/v1/qrs/${code} HTTP/1.1`, ...lines, `Expect: ${expectation}`];
    expect(await sendOverTls(origin, head.join('\r\n'), body)).toContain('HTTP/1.1 200 OK');
  }
  const head = [`PATCH /api/v1/qrs/${code} HTTP/1.1`, `Authorization: Bearer ${apiKey}`];
  const chunked = [...head, 'Transfer-Encoding: chunked', 'Trailer: X-Late'].join('\r\n');
  const chunks = `${body.length.toString(16)}\r\n${body}\r\n0\r\nX-Late: y\r\n\r\n`;
  expect(await sendOverTls(origin, chunked, chunks)).toContain('HTTP/1.1 200 OK');
}

/** Other spellings of `/metrics`, which a proxy and the server may read differently. */
const metricsSpellings = [
  '/s/metrics',
  '//metrics',
  '/x/../metrics',
  '/x/%2e%2e/metrics',
  '/x/..\\metrics',
  '/%6detrics',
  '/metrics/',
  '/METRICS',
  'http://x.example/metrics',
];

/** Sends a request that `fetch` would normalize, and returns the response. */
async function sendOverTls(origin: string, requestLine: string, body = ''): Promise<string> {
  const head = `${requestLine}\r\nHost: ${new URL(origin).host}\r\nConnection: close\r\n\r\n`;
  return (await sendBytes(origin, head + body)).raw;
}

async function createsThrough(origin: string, apiKey: string): Promise<void> {
  const headers = { Authorization: `Bearer ${apiKey}` };
  const created = await fetch(`${origin}/api/v1/qrs`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ url: 'https://example.org/proxied' }),
    tls,
  });
  expect(created.status).toBe(201);
  expect(created.headers.get('x-request-id')).toMatch(/^[0-9a-f]{16}$/);
  const { png, url } = fieldsOf(await created.json());
  expect(String(url)).toStartWith(`${origin}/`);
  const image = await fetch(String(png), { headers, tls });
  expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/png']);
  // Larger than any logo: rejected by the proxy or the server.
  const huge = await fetch(`${origin}/api/v1/qrs`, {
    method: 'POST',
    headers,
    body: 'x'.repeat(5_000_000),
    tls,
  });
  expect([400, 413]).toContain(huge.status);
}

async function keepsCookiesSafe(origin: string): Promise<void> {
  const panel = createPanelClient(origin, { tls });
  const entered = await panel.post('/account/sign-in', { email: 'bob@example.org', password });
  expect(entered.status).toBe(303);
  const cookies = entered.headers.getSetCookie();
  expect(cookies).toHaveLength(2);
  for (const cookie of cookies) expect(cookie).toMatch(/^__Host-.*; Secure; HttpOnly; SameSite=/);
  expect((await panel.get('/account')).status).toBe(200);
}

/** The address of a client is that of its connection, whatever it claims in headers. */
async function tellsClientsApart(origin: string, log: () => string): Promise<void> {
  const claimed = '203.0.113.7';
  const guess = { email: 'nobody@example.org', password: 'a wrong guess' };
  const headers = { 'X-Forwarded-For': claimed, 'X-Real-IP': claimed, Forwarded: `for=${claimed}` };
  const panel = createPanelClient(origin, { tls });
  expect((await panel.post('/account/sign-in', guess, headers)).status).toBe(422);
  expect(log()).toMatch(/sign-in failed address="(127\.0\.0\.1|::1)"/);
  expect(log()).not.toMatch(/203\.0\.113|error/);
}

/** A scan during a restart is answered by the new server, or with a page that tries again. */
async function bridgesRestart(origin: string, code: string, server: Server): Promise<void> {
  const scan = () => fetch(`${origin}/${code}`, { redirect: 'manual', tls });
  expect(await server.stop()).toBe(0);
  const scanned = scan();
  const called = fetch(`${origin}/api/v1/qrs`, { tls });
  await Promise.race([scanned, Bun.sleep(500)]);
  await server.start();
  const { status, headers } = await scanned;
  if (status !== 302)
    expect([status, headers.get('refresh'), headers.get('cache-control')]).toEqual([
      503,
      '2',
      'no-store',
    ]);
  // Rejected by the server, or by the proxy while it was away.
  const answer = await readAnswer(await called);
  expect(outcome(answer)).toMatch(/^(?:401 unauthorized|503 unavailable)$/);
  expect((await scan()).headers.get('location')).toBe(destination);
}

// The server closes idle connections after eight seconds at the earliest; a request takes a while to arrive.
const maxIdleSeconds = 7;

test.each([
  ['docs/proxies.md', 'nginx', /keepalive_timeout (\d+)s/],
  ['docs/proxies.md', 'caddy', /keepalive (\d+)s/],
])('%s: %s closes idle connections before the server does', async (page, language, pattern) => {
  const [, seconds] = pattern.exec(await blockOf(page, language)) ?? [];
  expect(Number(seconds)).toBeLessThan(maxIdleSeconds);
});
