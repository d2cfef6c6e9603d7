import { afterAll, describe, expect, test } from 'bun:test';
import { oneProcess, startServer } from '../support/server.ts';
import { signedIn } from './client.ts';
import { type PageForm, parsePage } from './page.ts';

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
