import { beforeAll, describe, expect, test } from 'bun:test';
import type { BrowserContext } from 'playwright-core';
import { openPage, signInContext, useBrowser, withoutBrowser } from './browser.ts';
import { createCode, type PanelClient } from './client.ts';

// Whether a policy, a cookie attribute or an escaped character protects shows in a browser only.
describe.skipIf(withoutBrowser)('attacks on the panel, in a browser', () => {
  const fixture = useBrowser();
  let context: BrowserContext;
  let client: PanelClient;
  beforeAll(async () => {
    context = await fixture.browser.newContext();
    client = await signInContext(context, fixture.server, 'anna@example.org', { isOperator: true });
  }, 120_000);

  /** Opens a page of another site on the same host. */
  const openElsewhere = async (html: string) => {
    const site = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: () => new Response(html, { headers: { 'Content-Type': 'text/html' } }),
    });
    const { page } = await openPage(context);
    await page.goto(site.url.href);
    const close = async () => {
      await page.close();
      await site.stop(true);
    };
    return { page, close };
  };

  test('another site cannot frame the panel', async () => {
    const { page, close } = await openElsewhere(
      `<iframe src="${fixture.server.origin}/account/key"></iframe>`,
    );
    await page.waitForLoadState('networkidle');
    expect(page.frames().at(1)?.url()).toStartWith('chrome-error:');
    await close();
  }, 120_000);

  test('another site cannot submit a form, even with the right token', async () => {
    const csrf = await client.csrf();
    const { page, close } = await openElsewhere(
      `<form method="post" action="${fixture.server.origin}/account/codes">
       <input name="csrf" value="${csrf}"><input name="url" value="https://evil.example/">
       <button>Win a prize</button></form>`,
    );
    await page.getByRole('button').click();
    await page.waitForURL(/account\/codes/);
    expect(await page.textContent('h1')).toBe('This form was sent from another address');
    expect((await client.get('/account/codes.csv')).text).not.toContain('evil.example');
    await close();
  }, 120_000);

  test('another site cannot read the panel', async () => {
    const { page, close } = await openElsewhere('<h1>elsewhere</h1>');
    const read = await page.evaluate(
      `fetch('${fixture.server.origin}/account', { credentials: 'include' }).then(() => 'read', () => 'blocked')`,
    );
    expect(read).toBe('blocked');
    await close();
  }, 120_000);

  test('markup in input does not run', async () => {
    const script = `"><img src=x onerror=alert(1)><svg onload=alert(1)>'`;
    const csrf = await client.csrf();
    const code = await createCode(client, `https://example.org/${script.replaceAll(' ', '/')}`);
    const path = `/account/codes/${code}`;
    await client.post(`${path}/destination`, { csrf, url: 'https://example.org/' });
    const email = `<img/src=x/onerror=alert(1)>@example.org`;
    await client.post('/account/accounts', { csrf, email, plan: '' });
    const rule = { address: 'evil.example', note: script, decision: 'block' };
    await client.post('/account/safety/rules', { csrf, ...rule });

    const { page, consoleErrors } = await openPage(context);
    const alerts: string[] = [];
    page.on('dialog', async (dialog) => {
      alerts.push(dialog.message());
      await dialog.dismiss();
    });
    const q = encodeURIComponent(script);
    const pages = [
      '/account',
      '/account/codes',
      path,
      `/account/codes?q=${q}`,
      '/account/accounts',
    ];
    for (const opened of [...pages, '/account/safety', `/account/safety?q=${q}`]) {
      await page.goto(`${fixture.server.origin}${opened}`);
      expect(await page.locator('img[onerror], svg[onload]').count()).toBe(0);
    }
    await page.goto(`${fixture.server.origin}/account/design`);
    await page.locator('#logo').setInputFiles({
      name: `${script}.svg`,
      mimeType: 'image/svg+xml',
      buffer: Buffer.from(
        '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>',
      ),
    });
    await page.locator('#logo-problem:not([hidden])').waitFor();
    expect({ alerts, consoleErrors }).toEqual({ alerts: [], consoleErrors: [] });
    await page.close();
  }, 120_000);
});
