import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import { type Server, startServer } from '../support/server.ts';
import { launch, openPage, withoutBrowser } from './browser.ts';
import { enter } from './enter.ts';

describe.skipIf(withoutBrowser)('the API key in the panel', () => {
  let server: Server;
  let browser: Browser;
  let page: Page;
  let complaints: readonly string[];
  beforeAll(async () => {
    [server, browser] = await Promise.all([startServer({ WAYMARK_RATE_LIMIT: '60' }), launch()]);
    const context = await browser.newContext();
    await enter(context, server, 'anna@example.org');
    ({ page, complaints } = await openPage(context));
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  const open = () => page.goto(`${server.origin}/account/key`);
  const shownKey = async () => (await page.locator('.fresh code').first().textContent()) ?? '';
  const status = async (key: string) => (await server.api(key).call('GET /qrs')).status;

  test('is made, shown once, and works', async () => {
    await open();
    expect(await page.textContent('.empty h2')).toBe('You have no key yet');
    await page.getByRole('button', { name: 'Make a key' }).click();
    await page.locator('.fresh').waitFor();
    const key = await shownKey();
    expect(key).toMatch(/^wmk_[0-9a-f]{40}$/);
    expect(await page.locator('.fresh code').nth(1).textContent()).toContain(
      `curl -H 'Authorization: Bearer ${key}'`,
    );
    expect(await page.content()).toContain(key);
    // The line works as it stands, in a shell.
    const line = (await page.locator('.fresh code').nth(1).textContent()) ?? '';
    const ran = Bun.spawnSync(['sh', '-c', `${line} --silent`]);
    expect(JSON.parse(ran.stdout.toString())).toMatchObject({
      destination: 'https://example.com/',
      status: 'active',
    });
    await open();
    expect(await page.content()).not.toContain(key);
    expect(await page.textContent('h2')).toBe(`Key ending in ${key.slice(-4)}`);

    for (let requests = 0; requests < 3; requests++) expect(await status(key)).toBe(200);
    await open();
    expect(await page.textContent('.facts')).toContain('4 of 60 requests');
  }, 120_000);

  test('is replaced only after asking, and not again by reloading', async () => {
    const before = await server.generateKey('anna@example.org');
    await open();
    const act = page.getByRole('button', { name: 'Replace it now' });
    expect(await act.isVisible()).toBe(false);
    await page.getByText('Replace the key…').click();
    expect(await page.textContent('.ask-body')).toContain('401');
    expect(await status(before)).toBe(200);
    await act.click();
    await page.locator('.fresh').waitFor();
    const after = await shownKey();
    expect([await status(before), await status(after)]).toEqual([401, 200]);

    await page.reload();
    expect(await page.getByRole('alert').textContent()).toContain('The key has changed');
    expect(await status(after)).toBe(200);
  }, 120_000);

  test('is revoked only after asking', async () => {
    const key = await server.generateKey('anna@example.org');
    await open();
    await page.getByText('Revoke the key…').click();
    expect(await status(key)).toBe(200);
    await page.getByRole('button', { name: 'Revoke it now' }).click();
    expect(await page.getByRole('status').textContent()).toBe('The key is revoked.');
    expect(await status(key)).toBe(401);
  }, 120_000);

  test('the browser has nothing to complain about', () => {
    expect(complaints).toEqual([]);
  });
});
