import { describe, expect, test } from 'bun:test';
import { until } from '../support/until.ts';
import { barriers, openPage, overflowPx, withoutBrowser } from './browser.ts';
import { setStage } from './stage.ts';

describe.skipIf(withoutBrowser)('Swagger UI', () => {
  const stage = setStage();

  // The public URL names 127.0.0.1: links come from there, calls go to where the page was opened.
  test.each(['127.0.0.1', 'localhost'])(
    'opened at %s takes a key and tries every kind of call',
    async (host) => {
      const { key, api } = await stage.server.account(`${host}@example.org`);
      const { code } = await api.create();
      const { page, complaints } = await openPage(await stage.browser.newContext());
      const origin = stage.server.origin.replace('127.0.0.1', host);
      await page.goto(`${origin}/docs`);
      await page.getByRole('button', { name: 'Authorize' }).first().click();
      await page.locator('.auth-container input').fill(key);
      await page.locator('.auth-btn-wrapper .authorize').click();
      await page.locator('.auth-btn-wrapper .btn-done').click();

      /** Tries an operation with what the page proposes, and tells the status it shows. */
      const tried = async (operation: string) => {
        const block = page.locator(`[id$="-${operation}"]`);
        await block.locator('.opblock-summary-control').click();
        await block.getByRole('button', { name: 'Try it out' }).click();
        const codeField = block.getByPlaceholder('code');
        if ((await codeField.count()) > 0) await codeField.fill(code);
        await block.getByRole('button', { name: 'Execute' }).click();
        const shown = block.locator('.live-responses-table tr.response .response-col_status');
        return /\d+/.exec((await shown.first().textContent()) ?? '')?.[0];
      };
      expect(await tried('createQr')).toBe('201');
      expect(await tried('listQrs')).toBe('200');
      expect(await tried('updateQr')).toBe('200');
      expect(await tried('getQrPng')).toBe('200');
      const shownPx = "document.querySelector('.live-responses-table img')?.naturalWidth";
      await until(async () => (await page.evaluate(shownPx)) === 1024);
      expect((await api.list()).total).toBe(2);
      expect((await api.read(code)).destination).toBe('https://example.com/menu');
      expect(complaints).toEqual([]);
    },
    60_000,
  );

  test('leads back to the panel', async () => {
    const { page } = await openPage(await stage.browser.newContext());
    await page.goto(`${stage.server.origin}/docs`);
    await page.getByRole('link', { name: 'Account panel' }).click();
    await page.waitForURL(/\/account\/sign-in$/);
  });

  test('wears the colours that the browser asks for, legible in the dark as well', async () => {
    const { page, complaints } = await openPage(await stage.browser.newContext());
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.goto(`${stage.server.origin}/docs`);
    await page.locator('.opblock-summary-control').first().click();
    await page.locator('table.headers').first().waitFor();
    const ground = () =>
      page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
    const dark = await ground();
    const contrasts = (await barriers(page, ['color-contrast'])).map((line) =>
      Number(/contrast of ([\d.]+)/.exec(line)?.[1]),
    );
    // What Swagger UI itself leaves between this and the 4.5 of WCAG is for Swagger UI to mend.
    expect(contrasts.filter((contrast) => !(contrast > 3.5))).toEqual([]);
    await page.emulateMedia({ colorScheme: 'light' });
    await until(async () => (await ground()) !== dark);
    expect(complaints).toEqual([]);
  }, 60_000);

  test('fits a phone, every operation of it opened', async () => {
    const { page } = await openPage(await stage.browser.newContext());
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${stage.server.origin}/docs`);
    const operations = page.locator('.opblock-summary-control');
    await operations.first().waitFor();
    const wide: Record<string, number> = {};
    for (const operation of await operations.all()) {
      await operation.click();
      await page.locator('.opblock.is-open .responses-table').waitFor();
      const overflow = await overflowPx(page);
      if (overflow > 0) wide[(await operation.textContent()) ?? ''] = overflow;
      await operation.click();
      await page.locator('.opblock.is-open').waitFor({ state: 'detached' });
    }
    expect(wide).toEqual({});
  }, 60_000);

  test('says without a script where the API is described', async () => {
    const context = await stage.browser.newContext({ javaScriptEnabled: false });
    const { page } = await openPage(context);
    await page.goto(`${stage.server.origin}/docs`);
    await page.getByRole('link', { name: 'OpenAPI document' }).click();
    expect(page.url()).toBe(`${stage.server.origin}/docs/json`);
  }, 60_000);

  test('writes the names of schemas on the ground of the page in every browser', async () => {
    const { page } = await openPage(await stage.browser.newContext());
    await page.goto(`${stage.server.origin}/docs`);
    const names = page.locator('.json-schema-2020-12-accordion');
    await names.first().waitFor();
    const ground: unknown = await page.evaluate(
      `getComputedStyle(document.querySelector('.json-schema-2020-12-accordion')).backgroundColor`,
    );
    expect(ground).toBe('rgba(0, 0, 0, 0)');
  }, 60_000);
});
