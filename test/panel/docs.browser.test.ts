import { describe, expect, test } from 'bun:test';
import { sharedServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { openPage, overflowPx, useBrowser, withoutBrowser } from './browser.ts';
import { password } from './client.ts';

const server = await sharedServer();

describe.skipIf(withoutBrowser)('Swagger UI', () => {
  const browser = useBrowser(server);

  // Links contain the public URL (127.0.0.1). Requests go to where the page was opened.
  test('opened at another host name on a dark phone, accepts a key, creates codes and shows an image', async () => {
    const { key, api } = await server.account();
    const { code } = await api.create();
    const phone = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' } as const;
    const { page, consoleErrors } = await openPage(await browser.newContext(phone));
    await page.goto(`${server.origin.replace('127.0.0.1', 'localhost')}/docs`);
    // Its contrast is in test/ci/pages.ts.
    const create = page.locator('[id$="-createQr"]');
    await create.locator('.opblock-summary-control').click();
    await create.locator('.responses-table').first().waitFor();
    expect(await overflowPx(page)).toBe(0);

    await page.getByRole('button', { name: 'Authorize' }).first().click();
    const field = page.locator('.auth-container input');
    expect(await field.getAttribute('type')).toBe('password');
    expect(await page.locator('.auth-container').textContent()).toContain(
      'without the word Bearer',
    );
    await field.fill(key);
    await page.locator('.auth-btn-wrapper .authorize').click();
    await page.locator('.auth-btn-wrapper .btn-done').click();

    await create.getByRole('button', { name: 'Try it out' }).click();
    await create.getByRole('button', { name: 'Execute' }).click();
    await until(async () => (await api.list()).total === 2);
    // The example of the operation, with no key for a repetition: a second time makes a second code.
    await create.locator('button.execute').click();
    await until(async () => (await api.list()).total === 3);
    const { data } = await api.list('?limit=1');
    const image = page.locator('[id$="-getQrPng"]');
    await image.locator('.opblock-summary-control').click();
    await image.getByRole('button', { name: 'Try it out' }).click();
    expect(await image.getByPlaceholder('code').inputValue()).toBe(data[0]?.code ?? '');
    await image.getByPlaceholder('code').fill(code);
    await image.getByRole('button', { name: 'Execute' }).click();
    await image.locator('.live-responses-table img').waitFor();
    expect(consoleErrors).toEqual([]);
    await page.getByRole('link', { name: 'Account panel' }).click();
    await page.waitForURL(/\/account\/sign-in$/);
  });

  test('has no code that nobody has, folds the headers of most responses, and keeps the key for the tab', async () => {
    const { key } = await server.account();
    const context = await browser.newContext();
    const { page } = await openPage(context);
    await page.goto(`${server.origin}/docs`);
    const read = page.locator('[id$="-getQr"]');
    await read.locator('.opblock-summary-control').click();
    await read.getByRole('button', { name: 'Try it out' }).click();
    expect(await read.getByPlaceholder('code').inputValue()).toBe('');
    const unauthorized = read.locator('tr.response[data-code="401"]');
    expect(await unauthorized.getByText('WWW-Authenticate').first().isVisible()).toBe(true);
    expect(await unauthorized.getByText('X-Request-Id').isVisible()).toBe(false);
    await unauthorized.getByText('Headers that most responses have').click();
    expect(await unauthorized.getByText('X-Request-Id').isVisible()).toBe(true);

    await page.getByRole('button', { name: 'Authorize' }).first().click();
    await page.locator('.auth-container input').fill(key);
    await page.locator('.auth-btn-wrapper .authorize').click();
    const authorized = page.locator('.auth-wrapper .authorize.locked');
    await page.reload();
    await authorized.waitFor();
    // Another tab has its own storage.
    const other = await context.newPage();
    await other.goto(`${server.origin}/docs`);
    await other.locator('.auth-wrapper .authorize.unlocked').waitFor();
    await authorized.click();
    await page.getByRole('button', { name: 'Remove authorization' }).click();
    await page.reload();
    await page.locator('.auth-wrapper .authorize.unlocked').waitFor();
  });

  test('opened from the page of a new key, has the key, and keeps it after that page is closed', async () => {
    const { page, context } = await browser.openSignedIn('docs@example.org');
    await page.goto(`${server.origin}/account/key`);
    await page.getByLabel('Your password').fill(password);
    await page.getByRole('button', { name: 'Generate key' }).click();
    const [docs] = await Promise.all([
      context.waitForEvent('page'),
      page.getByRole('link', { name: 'Try it in Swagger UI' }).click(),
    ]);
    const authorized = docs.locator('.auth-wrapper .authorize.locked');
    await authorized.waitFor();
    await page.close();
    await docs.reload();
    await authorized.waitFor();
  });

  test('takes a key where the browser blocks storage', async () => {
    const { key } = await server.account();
    const context = await browser.newContext();
    await context.addInitScript(() => {
      const get = () => {
        throw new DOMException('blocked', 'SecurityError');
      };
      Object.defineProperty(window, 'sessionStorage', { get });
    });
    const { page, consoleErrors } = await openPage(context);
    await page.goto(`${server.origin}/docs`);
    await page.getByRole('button', { name: 'Authorize' }).first().click();
    await page.locator('.auth-container input').fill(key);
    await page.locator('.auth-btn-wrapper .authorize').click();
    await page.locator('.auth-wrapper .authorize.locked').waitFor();
    expect(consoleErrors).toEqual([]);
  });
});
