import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import { type Server, startServer } from '../support/server.ts';
import { visit } from '../support/visit.ts';
import { launch, openPage, withoutBrowser } from './browser.ts';
import { enter } from './enter.ts';

const newest = (page: Page) => page.locator('.codes li').first();

describe.skipIf(withoutBrowser)('codes in the panel', () => {
  let server: Server;
  let browser: Browser;
  let page: Page;
  let complaints: readonly string[];
  beforeAll(async () => {
    [server, browser] = await Promise.all([startServer(), launch()]);
    const context = await browser.newContext();
    await enter(context, server, 'anna@example.org');
    ({ page, complaints } = await openPage(context));
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  const create = async (url: string) => {
    await page.goto(`${server.origin}/account`);
    await page.getByRole('textbox', { name: /lead/ }).fill(url);
    await page.getByRole('button', { name: 'Create' }).click();
    await page.waitForURL(/\/account\/codes\/[0-9a-z]{8}\?done=created/);
    return (await page.locator('.copyable code').first().textContent()) ?? '';
  };

  test('the empty list says how to begin', async () => {
    await page.goto(`${server.origin}/account`);
    expect(await page.textContent('.empty h2')).toBe('No codes yet');
    expect(await page.getByLabel('Where should your first code lead?').count()).toBe(1);
  });

  test('a code is created, scanned, and its scans are seen', async () => {
    const shortLink = await create('https://example.org/menu');
    expect(shortLink).toStartWith(`${server.origin}/`);
    const hint = 'Nobody has scanned it yet. After a scan, reload the page to see it here.';
    expect(await page.textContent('main')).toContain(hint);
    await visit(shortLink);
    await page.reload();
    expect(await page.textContent('.figure')).toContain('1 scan in all');
    await visit(shortLink);
    await visit(shortLink, { 'User-Agent': 'WhatsApp/2.23' });
    await visit(shortLink, {}, 'HEAD');
    // Hits are folded into the chart a moment after they are counted.
    const drawn = page.getByRole('img', { name: '2 scans in the last 30 days' });
    for (let tries = 0; tries < 50 && (await drawn.count()) === 0; tries++) await page.reload();
    for (const [name, span] of [
      ['Hours', 'last 48 hours'],
      ['Days', 'last 30 days'],
      ['Months', 'last 12 months'],
    ] as const) {
      await page.getByRole('link', { name, exact: true }).click();
      expect(await page.getByRole('img', { name: `2 scans in the ${span}` }).count()).toBe(1);
    }
    const kinds = await page.locator('.facts.small div').allTextContents();
    expect(kinds).toEqual(['Link previews1', 'Prefetches0', 'Crawlers0', 'HEAD requests1']);
    await page.goto(`${server.origin}/account`);
    expect(await newest(page).textContent()).toContain('2 scans');
  }, 120_000);

  test('the chart stays in sight of whoever asks for another span', async () => {
    const shortLink = await create('https://example.org/often');
    await visit(shortLink);
    const { page: phone } = await openPage(page.context());
    await phone.setViewportSize({ width: 390, height: 844 });
    await phone.goto(`${server.origin}/account/codes/${shortLink.slice(-8)}`);
    for (const name of ['Hours', 'Months', 'Days']) {
      await phone.getByRole('link', { name, exact: true }).click();
      await phone.waitForURL(/#scans$/);
      const { y = 0 } = (await phone.locator('#scans h2').boundingBox()) ?? {};
      expect(y).toBeGreaterThan(0);
      expect(y).toBeLessThan(100);
    }
    await phone.close();
  }, 120_000);

  test('its destination is changed, and changed back with one click', async () => {
    const shortLink = await create('https://example.org/summer');
    await page.getByLabel('Leads to').fill('not a link');
    await page.evaluate('document.querySelector("form.stack").noValidate = true');
    await page.getByRole('button', { name: 'Save' }).click();
    expect(await page.textContent('.problem')).toContain('must begin with http');
    expect(await page.getByLabel('Leads to').inputValue()).toBe('not a link');
    expect(await page.getByText('Not saved yet').isVisible()).toBe(true);

    await page.getByLabel('Leads to').fill('https://example.org/autumn');
    await page.getByRole('button', { name: 'Save' }).click();
    expect(await page.getByRole('status').textContent()).toContain('leads there');
    expect((await visit(shortLink)).to).toBe('https://example.org/autumn');

    await page
      .getByRole('button', { name: 'Use this destination again: https://example.org/summer' })
      .click();
    await page.waitForURL(/done=destination/);
    expect((await visit(shortLink)).to).toBe('https://example.org/summer');
  }, 120_000);

  test('an address without its scheme is taken for one of https', async () => {
    await create('example.org:8443/menu?a=b');
    expect(await page.getByLabel('Leads to').inputValue()).toBe(
      'https://example.org:8443/menu?a=b',
    );
  }, 120_000);

  test('codes are found from the page of one that was refused', async () => {
    await page.goto(`${server.origin}/account`);
    await page.getByRole('textbox', { name: /lead/ }).fill('ftp://example.org/');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.locator('#url-problem').waitFor();
    await page.getByRole('searchbox').fill('menu');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/account\?q=menu$/);
    expect(await page.locator('.codes li').count()).toBeGreaterThan(0);
  }, 120_000);

  test('it is paused and resumed', async () => {
    const shortLink = await create('https://example.org/paused');
    await page.getByRole('button', { name: 'Pause the code' }).click();
    expect(await page.textContent('h1')).toMatch(/^[0-9a-z]{8} paused$/);
    expect((await visit(shortLink)).status).toBe(410);
    await page.getByRole('button', { name: 'Resume the code' }).click();
    await page.waitForURL(/done=resumed/);
    expect((await visit(shortLink)).status).toBe(302);
  }, 120_000);

  test('its images are downloaded', async () => {
    await create('https://example.org/print');
    for (const name of ['SVG', 'PNG 512 px', 'PNG 4,096 px']) {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name, exact: true }).click(),
      ]);
      expect(download.suggestedFilename()).toMatch(/^qr-[0-9a-z]{8}(\.svg|-(512|4096)px\.png)$/);
      expect(await download.failure()).toBeNull();
    }
    expect(await page.locator('.plain tbody tr').allTextContents()).toContain(
      'from 20 cm away21 mm',
    );
  }, 120_000);

  test('they are found by destination and by code', async () => {
    const shortLink = await create('https://example.org/a-needle');
    const code = shortLink.slice(-8);
    const bare = shortLink.replace('http://', '');
    for (const text of ['needle', code, shortLink, shortLink.toUpperCase(), bare]) {
      await page.goto(`${server.origin}/account`);
      await page.getByRole('searchbox').fill(text);
      await page.getByRole('button', { name: 'Find' }).click();
      await page.waitForURL(/q=/);
      expect(await page.locator('.codes li').count()).toBe(1);
      expect(await newest(page).textContent()).toContain(code);
    }
    await page.getByRole('searchbox').fill('nowhere');
    await page.keyboard.press('Enter');
    await page.waitForURL(/q=nowhere/);
    expect(await page.textContent('.empty h2')).toBe('Nothing found');
  }, 120_000);

  test('they are exported', async () => {
    await page.goto(`${server.origin}/account`);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export as CSV' }).click(),
    ]);
    const lines = (await Bun.file(await download.path()).text()).trimEnd().split('\r\n');
    expect(lines[0]).toBe('code,url,destination,status,scans,last_scan,created_at');
    expect(lines.slice(1).map((line) => line.split(',')[2])).toContain('https://example.org/menu');
  }, 120_000);

  test('the short link is copied', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const shortLink = await create('https://example.org/copied');
    await page.getByRole('button', { name: 'Copy the short link' }).click();
    await page.locator('[data-copy]', { hasText: 'Copied' }).waitFor();
    expect(await page.getByRole('status').last().textContent()).toBe('Copied');
    await page.locator('[data-copy]', { hasText: 'Copy' }).waitFor();
    expect(String(await page.evaluate('navigator.clipboard.readText()'))).toBe(shortLink);
  }, 120_000);

  test('tells two hosts apart of which one begins with www', async () => {
    await create('https://www.example.org/same');
    await create('https://example.org/same');
    await page.goto(`${server.origin}/account?q=/same`);
    const shown = await page.locator('.code-destination').allTextContents();
    expect(shown).toEqual(['example.org/same', 'www.example.org/same']);
  }, 120_000);

  test('all of it works without a script', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    await enter(context, server, 'bea@example.org');
    const { page: plain } = await openPage(context);
    await plain.goto(`${server.origin}/account`);
    await plain.getByLabel('Where should').fill('example.org/plain');
    await plain.getByRole('button', { name: 'Create' }).click();
    await plain.waitForURL(/done=created/);
    expect(await plain.getByRole('button', { name: 'Copy' }).count()).toBe(0);
    await plain.getByLabel('Leads to').fill('example.org/plainer');
    await plain.getByRole('button', { name: 'Save' }).click();
    await plain.getByRole('button', { name: 'Use this destination again' }).click();
    await plain.getByRole('button', { name: 'Pause the code' }).click();
    expect(await plain.textContent('h1')).toContain('paused');
    await plain.getByRole('link', { name: 'Key' }).click();
    await plain.getByRole('button', { name: 'Make a key' }).click();
    await plain.goto(`${server.origin}/account/key`);
    await plain.getByText('Revoke the key…').click();
    await plain.getByRole('button', { name: 'Revoke it now' }).click();
    expect(await plain.getByRole('status').textContent()).toBe('The key is revoked.');
    await plain.getByRole('button', { name: 'Sign out' }).click();
    expect(await plain.textContent('h1')).toBe('Sign in');
    await context.close();
  }, 120_000);

  test('the browser has nothing to complain about', () => {
    expect(complaints).toEqual([]);
  });
});
