import { describe, expect, test } from 'bun:test';
import { until } from '../support/until.ts';
import { openPage, overflowPx, useBrowser, violations, withoutBrowser } from './browser.ts';

describe.skipIf(withoutBrowser)('Swagger UI', () => {
  const fixture = useBrowser();

  // Links contain the public URL (127.0.0.1). Requests go to where the page was opened.
  test('opened at another host name on a dark phone, accepts a key and tries operations', async () => {
    const { key, api } = await fixture.server.account('anna@example.org');
    const { code } = await api.create();
    const phone = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' } as const;
    const { page, consoleErrors } = await openPage(await fixture.browser.newContext(phone));
    await page.goto(`${fixture.server.origin.replace('127.0.0.1', 'localhost')}/docs`);
    const operation = page.locator('.opblock-summary-control').first();
    await operation.click();
    await page.locator('.opblock.is-open .responses-table').waitFor();
    expect(await overflowPx(page)).toBe(0);
    const contrasts = (await violations(page, ['color-contrast'])).map((line) =>
      Number(/contrast of ([\d.]+)/.exec(line)?.[1]),
    );
    // Swagger UI's own colours miss the 4.5 of WCAG by a little.
    expect(contrasts.filter((contrast) => !(contrast > 3.5))).toEqual([]);
    await operation.click();

    await page.getByRole('button', { name: 'Authorize' }).first().click();
    const field = page.locator('.auth-container input');
    expect(await field.getAttribute('type')).toBe('password');
    expect(await page.locator('.auth-container').textContent()).toContain(
      'without the word Bearer',
    );
    await field.fill(key);
    await page.locator('.auth-btn-wrapper .authorize').click();
    await page.locator('.auth-btn-wrapper .btn-done').click();

    /** Executes an operation with its example values, and returns the status. */
    const execute = async (operation: string) => {
      const block = page.locator(`[id$="-${operation}"]`);
      await block.locator('.opblock-summary-control').click();
      await block.getByRole('button', { name: 'Try it out' }).click();
      const codeField = block.getByPlaceholder('code');
      if ((await codeField.count()) > 0) await codeField.fill(code);
      await block.getByRole('button', { name: 'Execute' }).click();
      const shown = block.locator('.live-responses-table tr.response .response-col_status');
      return /\d+/.exec((await shown.first().textContent()) ?? '')?.[0];
    };
    expect(await execute('createQr')).toBe('201');
    expect(await execute('updateQr')).toBe('200');
    expect(await execute('getQrPng')).toBe('200');
    const imageWidth = "document.querySelector('.live-responses-table img')?.naturalWidth";
    await until(async () => (await page.evaluate(imageWidth)) === 1024);
    expect(await execute('getQrSvg')).toBe('200');
    const svgWidth =
      "document.querySelector('[id$=-getQrSvg] .live-responses-table img')?.naturalWidth";
    await until(async () => Number(await page.evaluate(svgWidth)) > 0);
    // A second create makes a second code.
    const { total } = await api.list();
    await page.locator('[id$="-createQr"] button.execute').click();
    await until(async () => (await api.list()).total === total + 1);
    expect((await api.read(code)).destination).toBe('https://example.com/menu');
    expect(consoleErrors).toEqual([]);
    await page.getByRole('link', { name: 'Account panel' }).click();
    await page.waitForURL(/\/account\/sign-in$/);
  }, 120_000);

  test('links the OpenAPI document without scripts', async () => {
    const context = await fixture.browser.newContext({ javaScriptEnabled: false });
    const { page } = await openPage(context);
    await page.goto(`${fixture.server.origin}/docs`);
    await page.getByRole('link', { name: 'OpenAPI document' }).click();
    expect(page.url()).toBe(`${fixture.server.origin}/docs/json`);
  }, 120_000);
});
