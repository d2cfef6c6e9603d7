import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Browser, BrowserContext } from 'playwright-core';
import { type Server, startServer } from '../support/server.ts';
import { launch, openPage, withoutBrowser } from './browser.ts';
import { type PanelClient, password } from './client.ts';
import { enter } from './enter.ts';

// What a policy, a cookie or an escaped character is worth shows in a browser alone.
describe.skipIf(withoutBrowser)('attacks on the panel, in a browser', () => {
  let server: Server;
  let browser: Browser;
  let context: BrowserContext;
  let client: PanelClient;
  beforeAll(async () => {
    [server, browser] = await Promise.all([startServer(), launch()]);
    context = await browser.newContext();
    client = await enter(context, server, 'anna@example.org', ['--operator']);
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  /** A site of somebody else, who may even share our host. */
  const elsewhere = (html: string) =>
    Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: () => new Response(html, { headers: { 'Content-Type': 'text/html' } }),
    });

  test('a page elsewhere cannot frame it', async () => {
    const site = elsewhere(`<iframe src="${server.origin}/account/key"></iframe>`);
    const { page } = await openPage(context);
    await page.goto(site.url.href);
    await page.waitForLoadState('networkidle');
    const framed = page.frames().at(1);
    expect(framed?.url()).toStartWith('chrome-error:');
    expect(await framed?.content()).not.toContain('API key');
    await page.close();
    await site.stop(true);
  }, 120_000);

  test('a page elsewhere cannot send a form of ours, even with the right token', async () => {
    const csrf = await client.csrf();
    const site = elsewhere(
      `<form method="post" action="${server.origin}/account/codes">
       <input name="csrf" value="${csrf}"><input name="url" value="https://evil.example/">
       <button>Win a prize</button></form>`,
    );
    const { page } = await openPage(context);
    await page.goto(site.url.href);
    await page.getByRole('button').click();
    await page.waitForURL(/account\/codes/);
    expect(await page.textContent('h1')).toBe('This form comes from elsewhere');
    expect((await client.get('/account/codes.csv')).text).not.toContain('evil.example');
    await page.close();
    await site.stop(true);
  }, 120_000);

  test('a page elsewhere cannot read it', async () => {
    const site = elsewhere('<h1>elsewhere</h1>');
    const { page } = await openPage(context);
    await page.goto(site.url.href);
    const read = await page.evaluate(
      `fetch('${server.origin}/account', { credentials: 'include' }).then(() => 'read', () => 'refused')`,
    );
    expect(read).toBe('refused');
    await page.close();
    await site.stop(true);
  }, 120_000);

  test('script that people write runs nowhere', async () => {
    const script = `"><img src=x onerror=alert(1)><svg onload=alert(1)>'`;
    const csrf = await client.csrf();
    const url = `https://example.org/${script.replaceAll(' ', '/')}`;
    const made = await client.post('/account/codes', { csrf, url });
    const code = (made.to ?? '').replace(/\?.*/, '');
    await client.post(`${code}/destination`, { csrf, url: 'https://example.org/' });
    const email = `<img/src=x/onerror=alert(1)>@example.org`;
    await client.post('/account/accounts', { csrf, email, plan: '' });
    await client.post('/account/safety/rules', {
      csrf,
      address: 'evil.example',
      note: script,
      decision: 'block',
    });

    const { page, complaints } = await openPage(context);
    const alerts: string[] = [];
    page.on('dialog', async (dialog) => {
      alerts.push(dialog.message());
      await dialog.dismiss();
    });
    const asked = encodeURIComponent(script);
    const paths = ['/account', code, `/account?q=${asked}`, '/account/accounts', '/account/safety'];
    for (const path of [...paths, `/account/safety?q=${asked}`]) {
      await page.goto(`${server.origin}${path}`);
      expect(await page.locator('img[onerror], svg[onload]').count()).toBe(0);
    }
    await page.goto(`${server.origin}/account/design`);
    await page.locator('#logo').setInputFiles({
      name: `${script}.svg`,
      mimeType: 'image/svg+xml',
      buffer: Buffer.from(
        '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>',
      ),
    });
    await page.locator('#logo-problem:not([hidden])').waitFor();
    expect({ alerts, complaints }).toEqual({ alerts: [], complaints: [] });
    await page.close();
  }, 120_000);

  test('a file that is too large is refused beside its field', async () => {
    const { page } = await openPage(context);
    await page.goto(`${server.origin}/account/design`);
    await page.locator('#logo').setInputFiles({
      name: 'large.png',
      mimeType: 'image/png',
      buffer: Buffer.alloc(4 * 1024 * 1024),
    });
    const problem = page.locator('#logo-problem:not([hidden])');
    await problem.waitFor();
    expect(await problem.textContent()).toContain('Choose a smaller file.');
    expect(await page.locator('#logo').inputValue()).toBe('');
    await page.close();
  }, 120_000);

  test('the session is out of reach of scripts', async () => {
    const { page } = await openPage(await browser.newContext());
    await page.goto(`${server.origin}/account/sign-in`);
    await page.getByLabel('E-mail').fill('anna@example.org');
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(`${server.origin}/account`);
    expect(await page.context().cookies()).toMatchObject([
      { sameSite: 'Lax' },
      { sameSite: 'Lax' },
    ]);
    expect(await page.evaluate('document.cookie')).toBe('');
    await page.close();
  }, 120_000);
});
