import { beforeAll, describe, expect, test } from 'bun:test';
import { sharedServer } from '../support/server.ts';
import { type SignedInPage, useBrowser, withoutBrowser } from './browser.ts';
import { createCode } from './client.ts';

const server = await sharedServer();
const phone = { width: 390, height: 844 };

describe.skipIf(withoutBrowser)('the filters of the list', () => {
  const browser = useBrowser(server);
  let own: SignedInPage;
  beforeAll(async () => {
    own = await browser.openSignedIn('filters@example.org');
    await createCode(own.client, 'https://example.org/a', { name: 'Table 1' });
  });

  test('are in a sheet on phones, behind a button that counts those that are set', async () => {
    const { page } = own;
    await page.goto(`${server.origin}/account/codes?status=active`);
    const status = page.getByLabel('Status');
    await page.setViewportSize({ width: 1280, height: 800 });
    expect(await status.isVisible()).toBe(true);
    await page.setViewportSize(phone);
    expect(await status.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Filter 1' }).click();
    await status.selectOption('paused');
    await page.getByRole('heading', { name: 'No codes found' }).waitFor();
    await status.selectOption('');
    await page.getByRole('link', { name: 'Table 1' }).waitFor();
    await page.getByRole('button', { name: 'Filter', exact: true }).waitFor();
    // The sheet stays open, so that the next one can be set.
    expect(await status.isVisible()).toBe(true);
  });

  test('work without a script', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: phone });
    await context.addCookies(await own.context.cookies());
    const page = await context.newPage();
    await page.goto(`${server.origin}/account/codes`);
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByLabel('Status').selectOption('paused');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('button', { name: 'Filter 1' }).waitFor();
    expect(new URL(page.url()).searchParams.get('status')).toBe('paused');
  });
});
