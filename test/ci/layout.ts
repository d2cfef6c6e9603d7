import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import {
  launchProfile,
  openPage,
  overflowPx,
  signInContext,
  withoutBrowser,
} from '../panel/browser.ts';
import { createCode } from '../panel/client.ts';
import { sharedServer } from '../support/server.ts';

const server = await sharedServer();
/** Paths of pages about a code, and of others. */
const pagesWith = (code: string) => [
  ...['', '/codes', '/print', '/design', '/batches', '/settings', '/new'],
  ...[`/codes/${code}`, `/compare?code=${code}&folder=none`],
];

describe.skipIf(withoutBrowser)('a profile whose text is 32 px', () => {
  let context: BrowserContext;
  let page: Page;
  let consoleErrors: readonly string[];
  let code: string;
  beforeAll(async () => {
    const profile = join(server.folder, 'profile');
    await mkdir(join(profile, 'Default'), { recursive: true });
    // The setting "Font size" of Chromium, which a style sheet reads as 1 rem.
    const preferences = { webkit: { webprefs: { default_font_size: 32 } } };
    await Bun.write(join(profile, 'Default/Preferences'), JSON.stringify(preferences));
    context = await launchProfile(profile);
    const client = await signInContext(context, server, 'large@example.org');
    code = await createCode(client, 'https://example.org/large', { name: 'Table 1' });
    ({ page, consoleErrors } = await openPage(context));
  });
  afterAll(() => context?.close());

  test('has the layout of phones in a window of 1280 px, and nothing is wider', async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    for (const path of pagesWith(code)) {
      await page.goto(`${server.origin}/account${path}`);
      const rootPx = await page.evaluate('getComputedStyle(document.documentElement).fontSize');
      const isPhone = await page.locator('nav.tabs').isVisible();
      expect([path, rootPx, isPhone, await overflowPx(page)]).toEqual([path, '32px', true, 0]);
    }
    await page.goto(`${server.origin}/account/codes`);
    await page.locator('.codes tbody .box').check();
    await page.getByRole('button', { name: 'Destination' }).click();
    await page.locator('dialog[open]').waitFor();
    expect(await overflowPx(page)).toBe(0);
    expect(consoleErrors).toEqual([]);
  });

  test('leaves most of the window to the page at a zoom of 400 %', async () => {
    // What 1280 × 900 px show at 400 %, at the usual size of text.
    await page.setViewportSize({ width: 640, height: 450 });
    await page.evaluate('sessionStorage.clear()');
    for (const path of pagesWith(code)) {
      await page.goto(`${server.origin}/account${path}`);
      const covered =
        await page.evaluate(`[...document.querySelectorAll('body *')].filter((one) => {
        const { position } = getComputedStyle(one);
        const isShown = one.checkVisibility() && one.getBoundingClientRect().height > 1;
        return isShown && (position === 'fixed' || position === 'sticky');
      }).map((one) => one.className)`);
      expect([path, covered, await overflowPx(page)]).toEqual([path, [], 0]);
    }
  });
});
