import { afterAll, describe, expect, test } from 'bun:test';
import { oneProcess, startServer } from '../support/server.ts';
import { signedIn } from './client.ts';
import { type PageForm, parsePage, textOf } from './page.ts';

const server = await startServer(oneProcess);
afterAll(server.close);
const email = 'anna@example.org';
const anna = await signedIn(server, email);
const csrf = await anna.csrf();

const shop = 'https://shop.example';
const brand = 'https://go.brand.example';

/** Runs a command that is expected to succeed. */
async function run(...args: string[]) {
  const { exitCode, stderr } = await server.cli(args);
  if (exitCode !== 0) throw new Error(`${args.join(' ')}: ${stderr}`);
}
/** Returns the form of a page that is sent to a path. */
async function formOf(page: string, action: string): Promise<PageForm | undefined> {
  return parsePage((await anna.get(page)).text).forms.find((form) => form.action === action);
}
const domainField = async (page = '/account/new') =>
  (await formOf(page, '/account/codes'))?.fields.find(({ name }) => name === 'domain');
const create = (fields: Record<string, string>) =>
  anna.post('/account/codes', { csrf, url: 'https://example.com/menu', ...fields });
const linkOf = async (page: string | null) =>
  /data-copy="([^"]*)" aria-label="Copy the short link"/.exec(
    (await anna.get(page ?? '')).text,
  )?.[1];

describe('the domain of a new code', () => {
  test('is not asked for where there is one, or where the others are not for the account', async () => {
    expect(await domainField()).toBeUndefined();
    await server.addAccount('ben@example.org');
    await run('domain', 'add', brand, '--account', 'ben@example.org');
    expect(await domainField()).toBeUndefined();
    const { status, to } = await create({ domain: brand });
    // A form without the field has sent it.
    expect(status).toBe(303);
    expect(await linkOf(to)).toStartWith(`${server.origin}/`);
    const { text } = await anna.get('/account/codes');
    expect(text).not.toContain('c-domain');
  });

  test('is chosen among several, and is that of the account at first', async () => {
    await run('domain', 'add', shop);
    expect(await domainField()).toMatchObject({
      value: server.origin,
      options: [server.origin, shop],
    });
    await run('account', 'set', email, '--domain', shop);
    expect(await domainField()).toMatchObject({ value: shop });
    expect(await linkOf((await create({})).to)).toStartWith(`${shop}/`);
    expect(await linkOf((await create({ domain: server.origin })).to)).toStartWith(
      `${server.origin}/`,
    );
    await run('account', 'set', email, '--domain', '');
    const { status, text } = await create({ domain: brand });
    expect(status).toBe(422);
    expect(text).toMatch(/id="domain"[^>]*aria-invalid="true"/);
  });

  test('is cut from a short link that is pasted into a search, of lists, commands and dangerous destinations', async () => {
    const { to } = await create({ path: 'carte', name: 'Pasted', domain: shop });
    const code = String(to).split('/').pop() ?? '';
    const operator = await signedIn(server, 'abuse@example.org', { isOperator: true });
    for (const link of [`${shop}/${code}`, `${shop}/carte`, 'shop.example/carte']) {
      const asked = new URLSearchParams({ q: link });
      for (const page of ['/account/codes?', '/account/find?'])
        expect((await anna.get(page + asked)).text).toContain('Pasted');
      const { stdout } = await server.cli(['code', 'list', '--account', email, '--search', link]);
      expect(stdout).toContain('Pasted');
      expect((await operator.get(`/account/safety?${asked}`)).text).toContain(email);
    }
  });

  test('has a path of its own, is shown with the code, and stays that of a copy', async () => {
    await create({ path: 'menu' });
    const { to } = await create({ path: 'menu', name: 'Brand', domain: shop });
    const page = String(to);
    const { text } = await anna.get(page);
    expect(text).toContain('data-copy="shop.example/menu"');
    expect(text).toContain('<span class="pill plain"><bdi>shop.example</bdi></span>');
    const list = await anna.get('/account/codes');
    expect(list.text).toContain('<td class="c-domain"><bdi>shop.example</bdi></td>');
    expect(list.text).toContain(
      `<td class="c-domain soft"><bdi>${new URL(server.origin).host}</bdi></td>`,
    );
    expect(await domainField(page)).toMatchObject({ value: shop });
    expect((await create({ path: 'menu', domain: shop })).status).toBe(422);
  });
});

describe('the domain of new codes', () => {
  const activity = async () => textOf((await anna.get('/account/activity')).text);

  test('is chosen in the settings, by the owner', async () => {
    const use = 'action="/account/settings/domain"';
    const settings = async () => (await anna.get('/account/settings')).text;
    const before = await settings();
    expect(before).toContain('What your codes are printed with.');
    expect(before).toMatch(/<bdi>127\.0\.0\.1:\d+<\/bdi> <span class="pill good">For new codes/);
    // A domain that does not lead here has no button.
    expect(before).toContain('<bdi>shop.example</bdi> <span class="pill bad">Doesn’t lead here');
    expect(before).not.toContain(use);
    await server.cli(['domain', 'add', server.origin.replace('127.0.0.1', 'localhost')]);
    const [, domain = ''] = /value="(http:\/\/localhost:\d+)"/.exec(await settings()) ?? [];
    const chosen = await anna.post('/account/settings/domain', { csrf, domain });
    expect([chosen.status, chosen.to]).toEqual([303, '/account/settings']);
    expect(await settings()).toMatch(/<bdi>localhost:\d+<\/bdi> <span class="pill good">For new/);
    expect(await linkOf((await create({ name: 'Chosen' })).to)).toStartWith(domain);
    expect(await activity()).toContain('changed the domain of new codes');
    const refused = await anna.post('/account/settings/domain', { csrf, domain: brand });
    expect(refused.status).toBe(422);
  });

  test('may be another one in a folder, for new codes, tables and commands, until it is removed', async () => {
    await create({ folder: 'Shop', domain: server.origin });
    const list = '/account/codes?folder=in:Shop';
    expect((await anna.get(list)).text).toContain('Domain of new codes…');
    const dialog = '/account/folders/domain?folder=Shop';
    const form = await formOf(dialog, '/account/folders/domain');
    expect(form?.fields.find(({ name }) => name === 'domain')).toMatchObject({
      value: '',
      options: ['', server.origin, expect.stringContaining('localhost'), shop],
    });
    const save = await anna.post('/account/folders/domain', { csrf, folder: 'Shop', domain: shop });
    expect(save.status).toBe(303);
    expect(await activity()).toContain('changed the domain of new codes in the folder Shop');
    expect(await domainField('/account/new?folder=Shop')).toMatchObject({ value: shop });
    expect(await domainField('/account/new')).not.toMatchObject({ value: shop });
    const made = async (folder: string) => {
      const args = ['code', 'create', 'https://example.com/', '--account', email, '--json'];
      return JSON.parse((await server.cli([...args, '--folder', folder])).stdout).url;
    };
    expect(await made('Shop')).toStartWith(shop);
    expect(await made('Other')).toContain('localhost');
    // A form without the field has it too.
    expect(await linkOf((await create({ folder: 'Shop' })).to)).toStartWith(shop);
    await anna.post('/account/folders/rename', { csrf, folder: 'Shop', name: 'Store' });
    expect(await made('Store')).toStartWith(shop);
    await server.cli(['domain', 'remove', shop, '--force']);
    expect(await made('Store')).toContain('localhost');
    await server.cli(['account', 'set', email, '--domain', '']);
    await server.cli([
      'domain',
      'remove',
      server.origin.replace('127.0.0.1', 'localhost'),
      '--force',
    ]);
    await server.cli(['domain', 'add', shop]);
  });
});

describe('the domains of an operator', () => {
  const nowhere = 'http://127.0.0.9:9';
  const here = server.origin.replace('127.0.0.1', 'localhost');
  const pathOf = (url: string) => `/account/domains/${encodeURIComponent(new URL(url).host)}`;
  const operator = signedIn(server, 'olga@example.org', { isOperator: true });
  const post = async (path: string, fields: Record<string, string> = {}) => {
    const client = await operator;
    return client.post(path, { csrf: await client.csrf(), ...fields });
  };
  const get = async (path: string) => (await (await operator).get(path)).text;
  const listed = async () => {
    const { stdout } = await server.cli(['domain', 'list', '--json']);
    return new Map<string, Record<string, unknown>>(
      JSON.parse(stdout).map((domain: Record<string, unknown>) => [domain['url'], domain]),
    );
  };

  test('are listed with who may use them, their codes, and whether they lead here', async () => {
    for (const url of [here, nowhere])
      expect((await post('/account/domains', { url, users: 'all' })).to).toBe(pathOf(url));
    await create({ domain: here });
    const text = await get('/account/domains');
    expect(text).toContain('Address of this server');
    expect(text).toMatch(/<bdi>localhost:\d+<\/bdi> <span class="pill good">Leads here/);
    expect(text).toMatch(/<bdi>127\.0\.0\.9:9<\/bdi> <span class="pill bad">Doesn’t lead here/);
    expect(text).toContain('Nothing answers at 127.0.0.9:9');
    expect(text).toMatch(/All accounts · \d+ codes · checked/);
    // Those that need somebody come first.
    expect(text.indexOf('127.0.0.9:9')).toBeLessThan(text.indexOf('>localhost:'));
  });

  test('are added once, and only if they are domains', async () => {
    for (const [url, message] of [
      [nowhere, 'is there already'],
      [server.origin, 'is the main domain'],
      ['https://go.example.com/path', 'is no domain'],
    ] as const) {
      const { status, text } = await post('/account/domains', { url, users: 'all' });
      expect([url, status]).toEqual([url, 422]);
      expect(text).toContain(message);
    }
    const add = await post('/account/domains', { url: 'late.example', users: 'none' });
    expect(add.to).toBe('/account/domains/late.example');
    expect((await listed()).get('https://late.example')).toMatchObject({ accounts: [] });
  });

  test('say what a check found, and are checked again', async () => {
    const text = await get(pathOf(nowhere));
    expect(text).toContain('It has an address');
    expect(text).toContain('It does not answer');
    expect(text).toContain('Looked at once the line above is in order.');
    expect(await get(pathOf(here))).toContain('This server answers');
    const { status, to } = await post(`${pathOf(nowhere)}/check`);
    expect([status, to]).toEqual([303, pathOf(nowhere)]);
    expect((await (await operator).get('/account/domains/none.example')).status).toBe(404);
  });

  test('are for the ticked accounts', async () => {
    const path = pathOf(nowhere);
    const [id] = await server.onStores(async ({ accounts }) =>
      [await accounts.findByEmail(email)].map((account) => String(account?.id)),
    );
    await post(`${path}/accounts`, { users: 'named', named: String(id) });
    expect((await listed()).get(nowhere)).toMatchObject({ accounts: [email] });
    await post(`${path}/accounts`, { users: 'named' });
    expect((await listed()).get(nowhere)).toMatchObject({ accounts: [] });
    await post(`${path}/accounts`, { users: 'all' });
    expect((await listed()).get(nowhere)).toMatchObject({ accounts: null });
  });

  test('have a front page and a page for unknown addresses, which are checked as destinations', async () => {
    const path = `${pathOf(here)}/visitors`;
    const rejected = await post(path, { frontUrl: 'nowhere', notFoundUrl: '' });
    expect(rejected.status).toBe(422);
    await post(path, { frontUrl: 'brand.example', notFoundUrl: 'https://brand.example/lost' });
    const at = async (asked: string) =>
      (await fetch(`${here}/${asked}`, { redirect: 'manual' })).headers.get('location');
    expect(await at('')).toBe('https://brand.example');
    expect(await at('nothing')).toBe('https://brand.example/lost');
    expect(await get(pathOf(here))).toContain('value="https://brand.example/lost"');
  });

  test('are removed at once without codes, and with codes once their name is typed', async () => {
    const { status, to } = await post('/account/domains/late.example/remove');
    expect([status, to]).toEqual([303, '/account/domains']);
    const path = `${pathOf(here)}/remove`;
    expect(await get(path)).toMatch(/\d+ codes are printed with localhost/);
    expect((await post(path)).status).toBe(422);
    expect((await post(path, { confirmed: 'localhost' })).status).toBe(422);
    expect((await listed()).has(here)).toBe(true);
    expect((await post(path, { confirmed: new URL(here).host })).to).toBe('/account/domains');
    expect((await listed()).get(here)).toBeUndefined();
    expect((await post(`${pathOf(server.origin)}/remove`)).status).toBe(404);
  });
});
