import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Browser, BrowserContext } from 'playwright-core';
import { type Server, startServer } from '../support/server.ts';
import { barriers, launch, openPage, overflowPx, widths, withoutBrowser } from './browser.ts';
import { enter } from './enter.ts';

const colorSchemes = ['light', 'dark'] as const;
const combinations = widths.flatMap((width) =>
  colorSchemes.map((colorScheme) => [width, colorScheme] as const),
);

describe.skipIf(withoutBrowser)('every page', () => {
  let server: Server;
  let browser: Browser;
  let state: Awaited<ReturnType<BrowserContext['storageState']>>;
  let paths: string[] = [];
  beforeAll(async () => {
    [server, browser] = await Promise.all([startServer(), launch()]);
    const context = await browser.newContext();
    const client = await enter(context, server, 'anna@example.org', ['--operator']);
    state = await context.storageState();
    const csrf = await client.csrf();
    const long = `https://example.org/${'a-long-path-without-an-end-'.repeat(12)}`;
    const made = await client.post('/account/codes', { csrf, url: long });
    const code = (made.to ?? '').replace(/\?.*/, '');
    await client.post(`${code}/destination`, { csrf, url: 'https://example.org/next' });
    await client.post(`${code}/pause`, { csrf });
    const shortLink = `${server.origin}/${code.split('/').at(-1)}`;
    await fetch(shortLink, { redirect: 'manual' });
    await client.post('/account/key', { csrf, replaces: '' });
    const email = `${'a-long-name-'.repeat(9)}@example.org`;
    await client.post('/account/accounts', { csrf, email, plan: '2026-01-31' });
    paths = ['', '?q=nowhere', '/design', '/key', '/settings', '/accounts', '/nothing']
      .map((path) => `/account${path}`)
      .concat(code, '/account/accounts/2', '/account/sign-in');
  }, 40_000);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  test.each(combinations)(
    'is free of barriers and fits at %i px in %s',
    async (width, colorScheme) => {
      const viewport = { width, height: 800 };
      const known = await browser.newContext({ viewport, colorScheme, storageState: state });
      const stranger = await browser.newContext({ viewport, colorScheme });
      for (const path of paths) {
        const context = path === '/account/sign-in' ? stranger : known;
        const { page, complaints } = await openPage(context);
        await page.goto(`${server.origin}${path}`);
        expect({
          path,
          barriers: await barriers(page),
          overflowPx: Math.max(0, await overflowPx(page)),
          complaints,
        }).toEqual({ path, barriers: [], overflowPx: 0, complaints: [] });
        await page.close();
      }
      await Promise.all([known.close(), stranger.close()]);
    },
    60_000,
  );

  test('is reached by keyboard alone', async () => {
    const context = await browser.newContext({ storageState: state });
    const { page } = await openPage(context);
    await page.goto(`${server.origin}/account`);
    await page.keyboard.press('Tab');
    const focused = () => page.evaluate('document.activeElement.textContent');
    expect(await focused()).toBe('Skip to the content');
    const seen: unknown[] = [];
    for (let presses = 0; presses < 7; presses++) {
      await page.keyboard.press('Tab');
      seen.push(await focused());
    }
    expect(seen).toEqual(['Waymark', 'Codes', 'Design', 'Key', 'Accounts', 'Safety', 'Settings']);
    await page.keyboard.press('Enter');
    await page.waitForURL(/settings/);
  }, 30_000);

  test('loads nothing from elsewhere', async () => {
    const context = await browser.newContext({ storageState: state });
    const { page } = await openPage(context);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).origin));
    for (const path of paths) await page.goto(`${server.origin}${path}`);
    const origins = new Set(asked.filter((origin) => origin !== 'null'));
    expect([...origins]).toEqual([server.origin]);
  }, 30_000);
});
