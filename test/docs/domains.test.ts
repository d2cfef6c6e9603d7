import { afterAll, expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { caddyServer, nginxServer, serving } from '../export/web-server.ts';
import { freePort } from '../support/free-port.ts';
import { startServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { blockOf, replaced } from './blocks.ts';

const folder = await mkdtemp(join(tmpdir(), 'waymark-domains-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const brand = 'go.brand.example';
const shop = 'shop.example';

const server = await startServer({ WAYMARK_TRUST_PROXY: '127.0.0.1' });
afterAll(server.close);
const waymark = new URL(server.origin).host;
const { email } = await server.account('anna@example.org');

async function run(...args: string[]) {
  const { exitCode, stdout, stderr } = await server.cli([...args, '--json']);
  if (exitCode !== 0) throw new Error(`${args.join(' ')}: ${stderr}`);
  return JSON.parse(stdout);
}
for (const host of [brand, shop]) await run('domain', 'add', `https://${host}`);
const create = async (host: string) => {
  const options = ['--account', email, '--path', 'menu', '--domain', `https://${host}`];
  return (await run('code', 'create', `https://example.com/${host}`, ...options)).code;
};
const codes = [await create(brand), await create(shop)];

/** Asks a port of this machine over TLS for a host. Rejects if there is no connection. */
function ask(port: number, host: string, path: string) {
  return new Promise<{ status: number | undefined; location: string | undefined }>(
    (resolve, reject) => {
      // The authority of the certificate is one of this test.
      const options = {
        host: '127.0.0.1',
        port,
        path,
        servername: host,
        rejectUnauthorized: false,
      };
      request({ ...options, headers: { Host: host }, agent: false }, (response) => {
        response.resume();
        resolve({ status: response.statusCode, location: response.headers.location });
      })
        .on('error', reject)
        .end();
    },
  );
}

async function servesBoth(http: number, port: number) {
  for (const host of [brand, shop]) {
    const plain = await fetch(`http://127.0.0.1:${http}/menu`, {
      ...{ headers: { Host: host }, redirect: 'manual', keepalive: false },
    });
    expect([301, 308]).toContain(plain.status);
    expect(plain.headers.get('location')).toStartWith(`https://${host}`);
    expect(await ask(port, host, '/menu')).toEqual({
      status: 302,
      location: `https://example.com/${host}`,
    });
    for (const code of codes) expect((await ask(port, host, `/${code}`)).status).toBe(302);
    expect((await ask(port, host, '/account')).status).toBe(404);
  }
}

test.skipIf(!caddyServer.present)(
  'Caddy obtains certificates for the domains of the server, and for no other host',
  async () => {
    const [http, https] = [freePort(), freePort()];
    const config = replaced(await blockOf('docs/moving.md', 'caddy'), {
      '{\n\ton_demand_tls {': `{\n\tadmin off\n\tskip_install_trust\n\thttp_port ${http}\n\thttps_port ${https}\n\tdefault_bind 127.0.0.1\n\tstorage file_system ${folder}/caddy\n\ton_demand_tls {`,
      'on_demand\n': 'on_demand\n\t\tissuer internal\n',
      'ask http://127.0.0.1:3000': `ask http://${waymark}`,
      'reverse_proxy 127.0.0.1:3000': `reverse_proxy ${waymark}`,
    });
    const webServer = {
      ...caddyServer,
      setUp: (exported: string, place: string) => {
        const { files, command } = caddyServer.setUp('', place);
        return { files: { ...files, Caddyfile: exported }, command };
      },
    };
    await serving(webServer, config, `http://127.0.0.1:${http}`, async () => {
      await until(() =>
        ask(https, brand, '/menu').then(
          () => true,
          () => false,
        ),
      );
      await servesBoth(http, https);
      for (const host of ['unknown.example', `sub.${brand}`])
        expect(await ask(https, host, '/menu').catch(String)).toStartWith('Error');
      // It need not be started again.
      await run('domain', 'add', 'https://new.example');
      await until(() =>
        ask(https, 'new.example', '/').then(
          () => true,
          () => false,
        ),
      );
    });
  },
);

test.skipIf(!nginxServer.present || Bun.which('openssl') === null)(
  'nginx passes on the host of each domain',
  async () => {
    const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
    const names = [brand, shop].map((host) => `DNS:${host}`).join();
    const made = Bun.spawnSync([
      ...[
        'openssl',
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:P-256',
        '-nodes',
      ],
      ...['-subj', `/CN=${brand}`, '-addext', `subjectAltName=${names}`, '-days', '2'],
      ...['-keyout', key, '-out', certificate],
    ]);
    expect(made.exitCode).toBe(0);
    const [http, https] = [freePort(), freePort()];
    const config = replaced(await blockOf('docs/proxies.md', 'nginx'), {
      'listen [::]:80;\n': '\n',
      'listen [::]:443 ssl http2;\n': '\n',
      'listen 80;': `listen 127.0.0.1:${http};`,
      'listen 443 ssl http2;': `listen 127.0.0.1:${https} ssl http2;`,
      '/etc/letsencrypt/live/qr.example.com/fullchain.pem': certificate,
      '/etc/letsencrypt/live/qr.example.com/privkey.pem': key,
      'qr.example.com': `${brand} ${shop}`,
      'server 127.0.0.1:3000;': `server ${waymark};`,
    });
    await serving(nginxServer, config, `http://127.0.0.1:${http}`, () => servesBoth(http, https));
  },
);
