import { afterAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { sendBytes } from '../support/raw.ts';
import { startServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { fieldsOf } from '../support/wire.ts';

const server = await startServer();
afterAll(() => server.close());
const { api, email } = await server.account('anna@example.org');
const other = await server.account('ben@example.org');

const brand = 'https://go.brand.example';
const shop = 'https://shop.example';

/** Runs a command that is expected to succeed, and returns what it prints as JSON. */
async function run(...args: string[]) {
  const { exitCode, stdout, stderr } = await server.cli([...args, '--json']);
  if (exitCode !== 0) throw new Error(`${args.join(' ')}: ${stderr}`);
  return JSON.parse(stdout);
}
const at = (host: string, path: string, init: RequestInit = {}) =>
  fetch(`${server.origin}/${path}`, {
    ...init,
    redirect: 'manual',
    headers: { Host: host, ...init.headers },
  });
/** Sends the head of a request as it is, which `fetch` would normalize, and returns that of the response. */
const firstHead = async (head: string) =>
  (await sendBytes(server.origin, `${head}Connection: close\r\n\r\n`)).raw.split('\r\n\r\n')[0] ??
  '';
const leadsTo = async (host: string, path: string) =>
  (await at(host, path)).headers.get('location');
const create = (url: string, ...options: string[]) =>
  run('code', 'create', url, '--account', email, ...options);

await run(
  'domain',
  'add',
  brand,
  '--front',
  'https://brand.example/',
  '--not-found',
  'https://brand.example/lost',
);
await run('domain', 'add', `${shop}/`, '--account', 'anna@example.org');

describe('a domain', () => {
  test('is listed with what may use it, and that it does not lead here', async () => {
    const list = await run('domain', 'list');
    expect(list).toContainEqual({
      ...{ url: shop, accounts: [email], codes: 0, reachable: false },
      reason: expect.stringContaining('shop.example has no address'),
    });
    expect(list).toContainEqual(expect.objectContaining({ url: brand, accounts: null }));
    expect(list[0]).toMatchObject({ reachable: true, reason: null });
  });

  test.each([
    [[brand], 'there already'],
    [[server.origin], 'main domain'],
    [[brand.replace('https', 'http')], 'there already'],
    [[server.origin.replace('http:', 'https:')], 'main domain'],
    [['https://go.brand.example/path'], 'is no domain'],
    [['https://new.example', '--front', 'nowhere'], ''],
    [['https://new.example', '--account', 'nobody@example.org'], 'nobody@example.org'],
  ])('is refused: %j', async (args, reason) => {
    const { exitCode, stderr } = await server.cli(['domain', 'add', ...args]);
    expect(exitCode).not.toBe(0);
    expect(stderr).toContain(reason);
  });

  test('is printed with the codes of an account that chose it, in API and images too', async () => {
    const { code, url } = await create('https://example.com/1', '--domain', brand);
    expect(url).toBe(`${brand}/${code}`);
    await run('account', 'set', email, '--domain', shop);
    const record = fieldsOf((await api.call('POST /qrs', { url: 'https://example.com/2' })).json);
    expect(String(record['url'])).toStartWith(`${shop}/`);
    await run('account', 'set', email, '--domain', '');
    expect((await create('https://example.com/3')).url).toStartWith(server.origin);
    // Each code is found under every domain.
    for (const host of ['go.brand.example', 'SHOP.example:443', 'unknown.example', '127.0.0.1'])
      expect([host, await leadsTo(host, `${code}.`)]).toEqual([host, 'https://example.com/1']);
  });

  test('is not for the codes of other accounts than the named ones', async () => {
    const refused = await server.cli([
      'code',
      'create',
      'https://example.com/',
      '--account',
      other.email,
      '--domain',
      shop,
    ]);
    expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(shop) });
    expect((await server.cli(['account', 'set', other.email, '--domain', shop])).exitCode).toBe(1);
  });

  test('has paths of its own, and those of the main domain where it has none', async () => {
    await create('https://example.com/main', '--path', 'menu');
    const own = await create('https://example.com/brand', '--path', 'menu', '--domain', brand);
    expect(own).toMatchObject({ path: 'menu' });
    await create('https://example.com/contact', '--path', 'contact');
    for (const [host, path, location] of [
      ['go.brand.example', 'menu', 'https://example.com/brand'],
      ['go.brand.example', 'MENU/', 'https://example.com/brand'],
      ['shop.example', 'menu', 'https://example.com/main'],
      ['127.0.0.1', 'Menu', 'https://example.com/main'],
      ['go.brand.example', 'Contact.', 'https://example.com/contact'],
    ] as const)
      expect([host, path, await leadsTo(host, path)]).toEqual([host, path, location]);
    const taken = await server.cli([
      'code',
      'create',
      'https://example.com/',
      '--account',
      email,
      '--path',
      'Menu',
      '--domain',
      brand,
    ]);
    expect(taken).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('only in capitals'),
    });
    expect(await run('code', 'show', `${brand}/menu`)).toMatchObject({ code: own.code });
    await run('code', 'set', own.code, '--path', 'speisen');
    expect(await leadsTo('go.brand.example', 'menu')).toBe('https://example.com/main');
    expect(await leadsTo('go.brand.example', 'speisen')).toBe('https://example.com/brand');
    expect((await at('shop.example', 'speisen')).status).toBe(404);
  });

  test('has imported links of its own', async () => {
    const table = `path,destination\n${brand}/flyer,https://example.com/b\nflyer,https://example.com/m\n`;
    const stdin = table;
    const imported = await server.cli(['link', 'import', '-', '--account', email], { stdin });
    expect(imported).toMatchObject({ exitCode: 0 });
    expect(await leadsTo('go.brand.example', 'Flyer')).toBe('https://example.com/b');
    expect(await leadsTo('127.0.0.1', 'flyer')).toBe('https://example.com/m');
    const more = 'path,destination\nflyer,https://example.com/s\n';
    const ofShop = ['link', 'import', '-', '--account', email, '--domain', shop];
    expect(await server.cli(ofShop, { stdin: more })).toMatchObject({ exitCode: 0 });
    expect(await leadsTo('shop.example', 'flyer')).toBe('https://example.com/s');
    const named = [
      ...['path,destination,domain', 'leaf,https://example.com/leaf-b,GO.brand.example/'],
      ...[`leaf,https://example.com/leaf-s,${shop}`, 'leaf,https://example.com/leaf-m,'],
      `${brand}/twig,https://example.com/twig,go.brand.example`,
    ];
    const withColumn = ['link', 'import', '-', '--account', email];
    expect(await server.cli(withColumn, { stdin: named.join('\n') })).toMatchObject({
      exitCode: 0,
    });
    for (const [host, path, to] of [
      ['go.brand.example', 'leaf', 'leaf-b'],
      ['shop.example', 'leaf', 'leaf-s'],
      ['127.0.0.1', 'leaf', 'leaf-m'],
      ['go.brand.example', 'twig', 'twig'],
    ] as const)
      expect([host, await leadsTo(host, path)]).toEqual([host, `https://example.com/${to}`]);
    const wrong = [
      ...['path,destination,domain', 'bark,https://example.com/,nowhere.example'],
      ...[`${brand}/root,https://example.com/,${shop}`, 'old.example/root,https://example.com/,'],
    ];
    const report = await server.cli([...withColumn, '--json'], { stdin: wrong.join('\n') });
    expect(JSON.parse(report.stdout).refused).toEqual([
      { row: 2, reason: 'The account cannot use the domain nowhere.example.' },
      { row: 3, reason: expect.stringContaining(shop) },
    ]);
    // A domain of others is neither named nor printed.
    for (const row of [
      'ivy,https://example.com/,shop.example',
      `${shop}/ivy,https://example.com/,`,
    ]) {
      const ofOther = ['link', 'import', '-', '--account', other.email];
      const stdin = `path,destination,domain\n${row}\n`;
      const { exitCode, stdout } = await server.cli(ofOther, { stdin });
      expect([exitCode, stdout]).toEqual([1, expect.stringContaining('cannot use the domain')]);
    }
    expect(
      (await server.cli([...ofShop.slice(0, 4), other.email, '--domain', shop])).exitCode,
    ).toBe(1);
    await run('code', 'set', `${shop}/flyer`, '--url', 'https://example.com/new');
    expect(await leadsTo('shop.example', 'flyer')).toBe('https://example.com/new');
  });

  test('is no destination of a code that it leads to', async () => {
    const { code } = await create('https://example.com/');
    for (const path of [code, '0a1b2c3d', 'speisen', 'Contact.'])
      for (const host of [brand, brand.replace('https', 'http'), 'https://GO.brand.example.'])
        expect([path, (await api.call('POST /qrs', { url: `${host}/${path}` })).status]).toEqual([
          path,
          400,
        ]);
    expect((await api.call('POST /qrs', { url: `${shop}/FLYER` })).status).toBe(400);
    // What it would lead to is not there yet.
    for (const [domain, url] of [
      [brand, `${brand}/own`],
      [server.origin, `${shop}/own`],
    ] as const) {
      const options = ['--account', email, '--path', 'own', '--domain', domain];
      const { exitCode, stderr } = await server.cli(['code', 'create', url, ...options]);
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining('it would lead to itself')]);
    }
    // The same path of the main domain is another link.
    const own = await create(`${server.origin}/own`, '--path', 'own', '--domain', brand);
    const refused = await server.cli(['code', 'create', `${brand}/own`, '--account', email]);
    expect(refused.exitCode).not.toBe(0);
    await run('code', 'set', own.code, '--path', '');
    const stdin = `path,destination\n${brand}/one,${brand}/two\n${brand}/two,${brand}/one\n`;
    const imported = await server.cli(['link', 'import', '-', '--account', email], { stdin });
    expect(imported).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('this import') });
  });

  test('has its own front page and page for unknown addresses, and neither API nor panel', async () => {
    expect(await leadsTo('go.brand.example', '')).toBe('https://brand.example/');
    expect(await leadsTo('go.brand.example', 'nothing')).toBe('https://brand.example/lost');
    expect((await at('shop.example', '')).status).toBe(200);
    expect((await at('shop.example', 'nothing')).status).toBe(404);
    for (const path of ['api/v1/qrs', 'account', 'account/sign-in', 'docs', 'docs/json', 'metrics'])
      for (const host of ['go.brand.example', 'shop.example']) {
        const { status, headers } = await at(host, path);
        expect([host, path, status, headers.get('set-cookie')]).toEqual([host, path, 404, null]);
      }
    expect((await at('shop.example', 'healthz')).status).toBe(200);
    const paths = [
      '/account/sign-in',
      '//account',
      '/%61ccount',
      '/x/../account',
      '/Account;x',
    ].concat(['/metrics?x', '/%6detrics', '/\\metrics', '/docs/', '/.well-known/change-password']);
    const hosts = ['shop.example', 'SHOP.Example', 'shop.example:443', 'shop.example.'];
    for (const method of ['GET', 'HEAD', 'POST'])
      for (const [index, path] of paths.entries()) {
        const host = hosts[index % hosts.length];
        const head = await firstHead(`${method} ${path} HTTP/1.1\r\nHost: ${host}\r\n`);
        expect([method, path, host, head.split('\r\n')[0]]).toEqual([
          ...[method, path, host],
          'HTTP/1.1 404 Not Found',
        ]);
        expect(head.toLowerCase()).not.toContain('set-cookie');
      }
    for (const host of ['unknown.example', '127.0.0.1', '[::1]:3000', '10.0.0.1', 'localhost'])
      expect([host, (await at(host, 'account/sign-in')).status]).toEqual([host, 200]);
    await run('domain', 'set', brand, '--front', '', '--not-found', '');
    await until(async () => (await at('go.brand.example', '')).status === 200);
    expect((await at('go.brand.example', 'nothing')).status).toBe(404);
  });

  test('is in exports, alone with --domain, and doctor says that it does not lead here', async () => {
    const all = await run('export', '--format', 'json', '--out', '-');
    const own = await run('export', '--domain', brand);
    expect(own.length).toBeGreaterThan(0);
    expect(own.length).toBeLessThan(all.length);
    for (const { short_link: link } of own) expect(link).toStartWith(`${brand}/`);
    const { stdout } = await server.cli(['export', '--format', 'nginx']);
    expect(stdout).toContain('"//go.brand.example/speisen" "https://example.com/brand";');
    const { checks } = JSON.parse((await server.cli(['doctor', '--json'])).stdout);
    expect(checks).toContainEqual(
      expect.objectContaining({
        ...{ name: 'domain', status: 'warning' },
        message: expect.stringContaining('shop.example has no address'),
      }),
    );
  });

  test('may have a certificate, which a proxy asks for', async () => {
    const ask = async (host: string) =>
      (await fetch(`${server.origin}/healthz/domain?domain=${host}`)).status;
    expect(await ask('go.brand.example')).toBe(200);
    expect(await ask('unknown.example')).toBe(404);
    expect((await fetch(`${server.origin}/healthz/domain?nonce=x`)).status).toBe(404);
  });

  test('is served after a restart, and kept by a backup', async () => {
    await server.stop();
    await server.start();
    expect(await leadsTo('go.brand.example', 'speisen')).toBe('https://example.com/brand');
    await run('account', 'set', email, '--domain', shop);
    const file = join(server.folder, 'backup.db');
    await run('backup', file);
    const env = await server.otherDatabase('restored');
    expect(await server.cli(['restore', file], { env })).toMatchObject({ exitCode: 0 });
    const restored = async (...args: string[]) =>
      JSON.parse((await server.cli([...args, '--json'], { env })).stdout);
    const facts = (list: Record<string, unknown>[]) =>
      list.map(({ url, accounts, codes }) => ({ url, accounts, codes }));
    expect(facts(await restored('domain', 'list'))).toEqual(facts(await run('domain', 'list')));
    expect(await restored('code', 'show', `${brand}/speisen`)).toMatchObject({ path: 'speisen' });
    const { url } = await restored('code', 'create', 'https://example.com/', '--account', email);
    expect(url).toStartWith(`${shop}/`);
    await run('account', 'set', email, '--domain', '');
  });

  test('is removed if no code was printed with it, or by force', async () => {
    const refused = await server.cli(['domain', 'remove', brand]);
    expect(refused).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('6 codes printed'),
    });
    const { code } = await create('https://example.com/kept', '--domain', brand);
    expect(await run('domain', 'remove', brand, '--force')).toEqual({ url: brand, codes: 7 });
    expect(await leadsTo('127.0.0.1', code)).toBe('https://example.com/kept');
    expect(await leadsTo('go.brand.example', code)).toBe('https://example.com/kept');
    expect((await server.cli(['domain', 'remove', brand])).exitCode).toBe(1);
  });
});
