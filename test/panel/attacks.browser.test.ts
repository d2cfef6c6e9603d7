import { beforeAll, describe, expect, test } from 'bun:test';
import { sharedServer } from '../support/server.ts';
import { type SignedInPage, useBrowser, withoutBrowser } from './browser.ts';
import { createCode } from './client.ts';

const server = await sharedServer();

// Whether a policy, a cookie attribute or an escaped character protects shows in a browser only.
describe.skipIf(withoutBrowser)('attacks on the panel, in a browser', () => {
  const browser = useBrowser(server);
  let victim: SignedInPage;
  beforeAll(async () => {
    victim = await browser.openSignedIn('victim@example.org', { isOperator: true });
  });

  test('another site can neither frame nor read the panel, nor submit a form with the right token', async () => {
    const { page, client } = victim;
    const html = `<iframe src="${server.origin}/account/key"></iframe>
      <form method="post" action="${server.origin}/account/codes">
      <input name="csrf" value="${await client.csrf()}"><input name="url" value="https://evil.example/">
      <button>Win a prize</button></form>`;
    // On the same host, so that the browser sends the cookies.
    const site = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: () => new Response(html, { headers: { 'Content-Type': 'text/html' } }),
    });
    await page.goto(site.url.href);
    expect(page.frames().at(1)?.url()).toStartWith('chrome-error:');
    const read = await page.evaluate(
      `fetch('${server.origin}/account', { credentials: 'include' }).then(() => 'read', () => 'blocked')`,
    );
    expect(read).toBe('blocked');
    await page.getByRole('button').click();
    await page.waitForURL(/account\/codes/);
    expect(await page.textContent('h1')).toBe('This form was sent from another address');
    expect((await client.get('/account/codes.csv')).text).not.toContain('evil.example');
    await site.stop(true);
  });

  test('markup in input does not run', async () => {
    const script = `"><img src=x onerror=alert(1)><svg onload=alert(1)>'`;
    const { page, client, consoleErrors } = victim;
    const before = consoleErrors.length;
    const csrf = await client.csrf();
    const code = await createCode(client, `https://example.org/${script.replaceAll(' ', '/')}`);
    const path = `/account/codes/${code}`;
    await client.post(`${path}/destination`, { csrf, url: 'https://example.org/' });
    const email = `<img/src=x/onerror=alert(1)>@example.org`;
    await client.post('/account/accounts', { csrf, email, plan: '' });
    const rule = { address: 'markup.example', note: script, decision: 'block' };
    await client.post('/account/safety/rules', { csrf, ...rule });

    const alerts: string[] = [];
    page.on('dialog', async (dialog) => {
      alerts.push(dialog.message());
      await dialog.dismiss();
    });
    const q = encodeURIComponent(script);
    const pages = [path, `/account/codes?q=${q}`, '/account/accounts', `/account/safety?q=${q}`];
    for (const opened of pages) {
      await page.goto(`${server.origin}${opened}`);
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
    expect([alerts, consoleErrors.slice(before)]).toEqual([[], []]);
  });
});
