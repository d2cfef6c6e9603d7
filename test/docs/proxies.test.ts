import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { caddyServer, nginxServer, serving, type WebServer } from '../export/web-server.ts';
import { createPanelClient, password } from '../panel/client.ts';
import { freePort, type Server, startServer } from '../support/server.ts';
import { fieldsOf } from '../support/wire.ts';
import { blockOf, replaced } from './blocks.ts';

const folder = await mkdtemp(join(tmpdir(), 'waymark-proxies-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
const made = Bun.spawnSync(
  ['openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
    .concat(['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-days', '2'])
    .concat(['-keyout', key, '-out', certificate]),
  { stderr: 'pipe' },
);
if (!made.success) throw new Error(made.stderr.toString());
const tls = { ca: await Bun.file(certificate).text() };

const destination = 'https://example.org/menu?a="b"&c=d;e#f';

interface Ports {
  readonly http: number;
  readonly https: number;
  readonly waymark: string;
}

/** Our blocks as they stand on the page, but for the ports, the name and the certificate. */
const proxies: { webServer: WebServer; config: (ports: Ports) => Promise<string> }[] = [
  {
    webServer: {
      ...nginxServer,
      setUp: (exported, place) => {
        const { files, command } = nginxServer.setUp('', place);
        return { files: { ...files, 'waymark.conf': exported }, command };
      },
    },
    config: async ({ http, https, waymark }) =>
      replaced(await blockOf('docs/nginx.md', 'nginx'), {
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
      replaced(await blockOf('docs/caddy.md', 'caddy'), {
        'qr.example.com {\n': `localhost {\n\ttls ${certificate} ${key}\n`,
        'reverse_proxy 127.0.0.1:3000': `reverse_proxy ${waymark}`,
      }),
  },
];

describe.each(proxies)('$webServer.name, set up as its page says', ({ webServer, config }) => {
  test.skipIf(!webServer.present)(
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
        const longest = await Promise.all(longestDestinations.map((url) => api.create(url)));
        const made = await server.cli(
          ['account', 'create', 'bob@example.org', '--password-stdin'],
          {
            stdin: password,
          },
        );
        expect(made.exitCode).toBe(0);
        const ports = { http, https, waymark: new URL(server.origin).host };
        await serving(webServer, await config(ports), `http://localhost:${http}`, async () => {
          await redirects(origin, http, code);
          for (const qr of longest) await leadsFar(`${origin}/${qr.code}`, qr.destination);
          await createsThrough(origin, apiKey);
          await keepsCookiesSafe(origin);
          await tellsClientsApart(origin, server.log);
          await bridgesRestart(origin, code, server);
        });
      } finally {
        await server.close();
      }
    },
    // Thirty guesses of a password are thirty times a tenth of a second of argon2id, and more here.
    90_000,
  );
});

async function redirects(origin: string, httpPort: number, code: string): Promise<void> {
  const ask = (address: string, method = 'GET') =>
    fetch(address, { method, redirect: 'manual', tls });
  const followed = await ask(`${origin}/${code}`);
  expect(followed.status).toBe(302);
  expect(followed.headers.get('location')).toBe(destination);
  expect(followed.headers.get('cache-control')).toBe('no-store');
  expect((await ask(`${origin}/${code.toUpperCase()}`, 'HEAD')).status).toBe(302);
  expect((await ask(`${origin}/s/${code}`)).status).toBe(302);
  const plain = await ask(`http://localhost:${httpPort}/${code}`);
  expect([301, 308]).toContain(plain.status);
  // Caddy takes it for granted that https lives on its own port.
  expect([`${origin}/${code}`, `https://localhost/${code}`]).toContain(
    plain.headers.get('location') ?? '',
  );
  expect((await ask(`${origin}/00000000`)).status).toBe(404);
  expect((await ask(`${origin}/healthz`)).status).toBe(200);
  expect((await ask(`${origin}/docs`)).status).toBe(200);
  expect((await ask(`${origin}/metrics`)).status).toBe(403);
  for (const path of waysAround) {
    const answer = await sendOverTls(origin, `GET ${path} HTTP/1.1`);
    expect(answer).toStartWith('HTTP/1.1 ');
    expect(`${path} ${answer.includes('# HELP')}`).toBe(`${path} false`);
  }
}

/** A character of the last is four bytes in UTF-8 and twelve in a `Location`. */
const longestDestinations = ['a', '道', '😀'].map(
  (piece) => `https://example.org/${piece.repeat(2028)}`,
);

async function leadsFar(shortLink: string, to: string): Promise<void> {
  const { status, headers } = await fetch(shortLink, { redirect: 'manual', tls });
  expect({ status, location: headers.get('location') }).toEqual({
    status: 302,
    location: new URL(to).href,
  });
}

/** Other spellings of `/metrics`, for whoever reads them as such behind a proxy that does not. */
const waysAround = [
  '/metrics?x',
  '/s/metrics',
  '/metrics#x',
  '//metrics',
  '/./metrics',
  '/x/../metrics',
  '/x/%2e%2e/metrics',
  '/x/%2E./metrics',
  '/x\\..\\metrics',
  '/x/..\\metrics',
  '/x\\../metrics',
  '/.\\metrics',
  '/%6detrics',
  '/metrics/',
  '/METRICS',
  '/x/..;/metrics',
  '/x/..%5cmetrics',
  'http://x.example/metrics',
];

/** What a server says to a request that `fetch` would put right. */
function sendOverTls(origin: string, requestLine: string): Promise<string> {
  const { hostname, port, host } = new URL(origin);
  return new Promise((resolve, reject) => {
    let received = '';
    Bun.connect({
      hostname,
      port: Number(port),
      tls: { rejectUnauthorized: false },
      socket: {
        open: (socket) =>
          void socket.write(`${requestLine}\r\nHost: ${host}\r\nConnection: close\r\n\r\n`),
        data: (_, chunk) => {
          received += chunk.toString('latin1');
        },
        close: () => resolve(received),
        error: (_, error) => reject(error),
      },
    }).catch(reject);
  });
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
  // Larger than any logo: refused in one place or the other, never passed over in silence.
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
  const signedIn = await panel.post('/account/sign-in', { email: 'bob@example.org', password });
  expect(signedIn.status).toBe(303);
  const cookies = signedIn.headers.getSetCookie();
  expect(cookies).toHaveLength(2);
  for (const cookie of cookies) expect(cookie).toMatch(/^__Host-.*; HttpOnly; .*; Secure$/);
  expect((await panel.get('/account')).status).toBe(200);
}

/** Thirty guesses are one address's due, whatever it says of itself; then it has to wait. */
async function tellsClientsApart(origin: string, log: () => string): Promise<void> {
  const guess = async (tries: number): Promise<number> => {
    const { status } = await createPanelClient(origin, { tls }).post(
      '/account/sign-in',
      { email: `nobody${tries}@example.org`, password: 'a wrong guess' },
      { 'X-Forwarded-For': `203.0.113.${tries}`, 'X-Real-IP': `203.0.113.${tries}` },
    );
    return status;
  };
  // One more is due every twenty seconds, so a slow machine gets some further ones.
  let tries = 0;
  let last = await guess(tries);
  while (last === 422 && tries < 60) last = await guess(++tries);
  expect(last).toBe(429);
  expect(tries).toBeGreaterThanOrEqual(30);
  expect(log()).not.toContain('error');
}

/** Whoever scans while nothing listens is answered afterwards, or told to ask again. */
async function bridgesRestart(origin: string, code: string, server: Server): Promise<void> {
  expect(await server.stop()).toBe(0);
  const asked = fetch(`${origin}/${code}`, { redirect: 'manual', tls });
  const first = await Promise.race([asked, Bun.sleep(500)]);
  await server.start();
  const { status, headers } = first ?? (await asked);
  if (status !== 302) {
    expect([status, headers.get('refresh'), headers.get('retry-after')]).toEqual([503, '2', '2']);
    expect([headers.get('cache-control'), headers.get('content-type')]).toEqual([
      'no-store',
      'text/plain',
    ]);
  }
  const again = await fetch(`${origin}/${code}`, { redirect: 'manual', tls });
  expect([again.status, again.headers.get('location')]).toEqual([302, destination]);
}
