import { beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { until } from '../support/until.ts';
import { visit } from '../support/visit.ts';
import { openPage, signInContext, useBrowser, withoutBrowser } from './browser.ts';
import { createCode, type PanelClient, password } from './client.ts';
import { turnOn } from './second-factor.ts';

const email = 'anna@example.org';

describe.skipIf(withoutBrowser)('an account holder', () => {
  const fixture = useBrowser({ WAYMARK_RATE_LIMIT: '60' });
  let page: Page;
  let consoleErrors: readonly string[];
  let client: PanelClient;
  beforeAll(async () => {
    const context = await fixture.browser.newContext();
    client = await signInContext(context, fixture.server, email);
    ({ page, consoleErrors } = await openPage(context));
  }, 120_000);

  const open = (path: string) => page.goto(`${fixture.server.origin}${path}`);
  const press = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).click();
  const done = async () => (await page.getByRole('status').first().textContent()) ?? '';
  const create = async (url: string) => {
    await open('/account/new');
    await page.getByLabel('Where should it lead?').fill(url);
    await press('Create');
    await page.waitForURL(/\/account\/codes\/[0-9a-z]{8}$/);
    return (await page.locator('.card .copyable code').first().textContent()) ?? '';
  };

  /** Creates a code without the browser, and opens its page. */
  const openNew = async (url: string) => {
    const code = await createCode(client, url);
    await open(`/account/codes/${code}`);
    return `${fixture.server.origin}/${code}`;
  };

  test('creates a code and sees its scans', async () => {
    await open('/account');
    expect(await page.textContent('h1')).toBe('Welcome to Waymark');
    const shortLink = await create('https://example.org/menu');
    expect(shortLink).toStartWith(`${fixture.server.origin}/`);
    expect(await page.textContent('#scans')).toContain('No scans yet.');
    await visit(shortLink);
    await visit(shortLink);
    await visit(shortLink, { 'User-Agent': 'WhatsApp/2.23' });
    await visit(shortLink, {}, 'HEAD');
    // Scans are added to the chart a moment later.
    const code = shortLink.slice(-8);
    await until(async () =>
      (await client.get(`/account/codes/${code}`)).text.includes('"bar today"'),
    );
    await page.reload();
    expect(await page.locator('#scans .bar').count()).toBe(1);
    expect(await page.textContent('#scans')).toContain('All time2last scan');
    for (const [name, unit] of [
      ['7 d', 'a day'],
      ['12 m', 'a month'],
    ] as const) {
      await page.getByRole('link', { name, exact: true }).click();
      await page.getByRole('img', { name: `Scans ${unit}, ` }).waitFor();
      expect(await page.locator('#scans .bar.today').count()).toBe(1);
    }
    const uncounted = await page.locator('#scans details .facts div').allTextContents();
    expect(uncounted).toEqual(['Link previews1', 'Prefetches0', 'Crawlers0', 'HEAD requests1']);
    await open('/account/codes');
    expect(await page.locator('.codes tbody .c-scans').first().textContent()).toContain(
      '2just now',
    );
    await until(async () =>
      (await client.get('/account')).text.includes('more than yesterday at this hour'),
    );
    await open('/account');
    expect(await page.locator('.stat').allTextContents()).toEqual([
      'Today2 2 more than yesterday at this hour',
      'Last 7 days2 2 more than in the 7 days before',
      'Last 30 days2 2 more than in the 30 days before',
    ]);
    const mostScanned = page.locator('section', { hasText: 'Most scanned' });
    expect(await mostScanned.textContent()).toContain(code);
  }, 120_000);

  test('changes a destination, and changes it back with one click', async () => {
    const shortLink = await openNew('https://example.org/summer');
    const field = page.getByLabel('Where should it lead?');
    await page.getByRole('link', { name: 'Change', exact: true }).click();
    await page.locator('dialog[open]').waitFor();
    await field.fill('not a link');
    await press('Save');
    await page.locator('dialog .error', { hasText: 'must begin with http' }).waitFor();
    expect(await field.inputValue()).toBe('not a link');
    expect(await page.evaluate('document.activeElement.name')).toBe('url');
    await field.fill('https://example.org/autumn');
    await press('Save');
    expect(await done()).toBe('Destination saved.Undo');
    expect((await visit(shortLink)).to).toBe('https://example.org/autumn');
    await press('Undo');
    await page.locator('.lead', { hasText: 'example.org/summer' }).waitFor();
    expect((await visit(shortLink)).to).toBe('https://example.org/summer');
    await page.getByRole('link', { name: 'History' }).click();
    await press('Use again: https://example.org/autumn');
    await page.locator('.lead', { hasText: 'example.org/autumn' }).waitFor();
    expect((await visit(shortLink)).to).toBe('https://example.org/autumn');
  }, 120_000);

  test('pauses and resumes a code', async () => {
    const shortLink = await openNew('https://example.org/paused');
    await press('Pause');
    await page.locator('.head .pill', { hasText: 'Paused' }).waitFor();
    expect((await visit(shortLink)).status).toBe(410);
    await press('Resume');
    await page.getByText('The code redirects again.').waitFor();
    expect((await visit(shortLink)).status).toBe(302);
  }, 120_000);

  test('downloads images and the list, and copies the short link', async () => {
    const shortLink = await openNew('https://example.org/print');
    const download = async (name: string) => {
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name, exact: true }).click(),
      ]);
      expect(await file.failure()).toBeNull();
      return file.suggestedFilename();
    };
    expect(await download('SVG')).toMatch(/^[0-9a-z]{8}\.svg$/);
    await press('Other sizes');
    expect(await download('PNG 4,096 px up to 34.7 cm wide')).toMatch(/^[0-9a-z]{8}-4096px\.png$/);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await press('Copy the short link');
    await page.locator('[data-copy]', { hasText: 'Copied' }).waitFor();
    expect(String(await page.evaluate('navigator.clipboard.readText()'))).toBe(shortLink);
    await press('Copy the picture');
    await page.locator('[data-copy-image]', { hasText: 'Copied' }).waitFor();
    const types = 'navigator.clipboard.read().then(([item]) => item.types.join())';
    expect(String(await page.evaluate(types))).toBe('image/png');
    await open('/account/codes');
    expect(await download('Export as CSV')).toMatch(/^waymark-codes-.*\.csv$/);
  }, 120_000);

  test('searches codes', async () => {
    const code = await createCode(client, 'https://example.org/a-needle');
    await open('/account/codes');
    await page.getByRole('searchbox').fill('needle');
    await page.waitForURL(/q=needle/);
    expect(await page.locator('.codes tbody tr').count()).toBe(1);
    expect(await page.textContent('.codes tbody tr')).toContain(code);
  }, 120_000);

  test('selects codes on two pages of the list, and pauses them with one undo', async () => {
    for (let at = 0; at < 2; at++) await createCode(client, `https://example.org/select/${at}`);
    await open('/account/codes?q=select/0');
    await page.locator('.codes tbody .box').check();
    await page.getByRole('searchbox').fill('select/1');
    await page.waitForURL(/select%2F1|select\/1/);
    await page.locator('.codes tbody .box').check();
    expect(await page.textContent('.selectbar [role=status]')).toBe('2 selected');
    const bar = page.locator('.selectbar');
    await bar.getByRole('button', { name: 'Clear the selection' }).click();
    expect(await bar.isVisible()).toBe(false);
    await page.getByText('2 codes deselected.').waitFor();
    await press('Undo');
    await bar.getByRole('button', { name: 'Pause' }).click();
    await press('Pause 2 codes');
    await page.getByText('2 codes paused.').waitFor();
    expect(page.url()).toEndWith('?q=select%2F1');
    expect(await bar.isVisible()).toBe(false);
    await press('Undo');
    await page.getByText('The last bulk edit is undone.').waitFor();
    expect(page.url()).toEndWith('?q=select%2F1');
  }, 120_000);

  test('takes all codes that match, on all pages of the list, and gives them one destination', async () => {
    const context = await fixture.browser.newContext();
    const client = await signInContext(context, fixture.server, 'many@example.org');
    for (let at = 0; at < 27; at++) await createCode(client, `https://many.example/${at}`);
    const { page: own } = await openPage(context);
    await own.goto(`${fixture.server.origin}/account/codes`);
    const selected = () => own.textContent('.selectbar [role=status]');
    const button = (name: string) => own.getByRole('button', { name, exact: true });
    await own.locator('.codes tbody .box').first().check();
    await button('All 27').click();
    expect(await selected()).toBe('All 27 selected');
    await own.getByRole('link', { name: 'Next' }).click();
    await own.waitForURL(/page=2/);
    expect(await selected()).toBe('All 27 selected');
    const boxes = own.locator('.codes tbody .box');
    expect([await boxes.count(), await boxes.first().isChecked()]).toEqual([2, true]);
    await button('Change destination').click();
    await own.getByText('All 27 codes.').waitFor();
    await own.getByLabel('Where should they lead?').fill('one.example/winter');
    await button('Change').click();
    await own.getByText('27 codes now lead to one.example/winter.').waitFor();
    await own.goto(`${fixture.server.origin}/account/codes?q=one.example`);
    await boxes.first().check();
    await button('All that match').click();
    await boxes.first().uncheck();
    expect(await selected()).toBe('24 selected');
    await context.close();
  }, 120_000);

  test('downloads the images of ticked codes from a dialog, and copies a picture in the list', async () => {
    await create('https://example.org/ticked-images');
    await open('/account/codes?q=ticked-images');
    await page.locator('.codes tbody .box').check();
    await page.locator('.selectbar').getByRole('button', { name: 'Download' }).click();
    await page.locator('dialog[open]').waitFor();
    const [file] = await Promise.all([page.waitForEvent('download'), press('Download ZIP')]);
    expect(file.suggestedFilename()).toMatch(/^codes-.*\.zip$/);
    await page.locator('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /^Actions for / }).click();
    await press('Copy picture');
    await page.locator('[data-copy-image]', { hasText: 'Copied' }).waitFor();
    const types = 'navigator.clipboard.read().then(([item]) => item.types.join())';
    expect(String(await page.evaluate(types))).toBe('image/png');
  }, 120_000);

  test('creates, renames, edits, undoes and prints many codes without scripts', async () => {
    const context = await fixture.browser.newContext({ javaScriptEnabled: false });
    await signInContext(context, fixture.server, 'noscript@example.org');
    const { page: plain } = await openPage(context);
    const pressIn = (name: string | RegExp) => plain.getByRole('button', { name }).click();
    await plain.goto(`${fixture.server.origin}/account/batches`);
    const table = 'name,destination\nTable 1,https://old.example/1\nTable 2,https://old.example/2';
    await plain
      .locator('#file')
      .setInputFiles({ name: 'tables.csv', mimeType: 'text/csv', buffer: Buffer.from(table) });
    await pressIn('Check the table');
    await pressIn('Create 2 codes');
    // The page reloads itself until the codes are created.
    await plain.getByText('2 codes created').waitFor();
    await pressIn('Print sheet');
    await plain.getByLabel('Paper', { exact: true }).selectOption('L7160');
    await pressIn('Show');
    await plain.getByText('2 codes on 1 page').waitFor();
    const [file] = await Promise.all([plain.waitForEvent('download'), pressIn('Download PDF')]);
    expect(file.suggestedFilename()).toMatch(/^codes-.*-L7160\.pdf$/);

    await plain.goto(`${fixture.server.origin}/account/codes`);
    await plain.getByRole('link', { name: 'Table 2' }).click();
    expect(await plain.getByRole('button', { name: 'Copy' }).count()).toBe(0);
    await pressIn(/^Actions for Table 2/);
    await plain.getByRole('link', { name: 'Name, note, folder…' }).click();
    await plain.getByLabel('Name').fill('Terrace');
    await pressIn('Save');
    await plain.getByText('Name and note saved.').waitFor();
    await plain.goto(`${fixture.server.origin}/account/codes`);
    await plain.getByLabel('Select Terrace').check();
    await pressIn('All 2');
    expect(await plain.textContent('h1')).toBe('All 2 codes');
    await pressIn('Change destination');
    await plain.getByText('Find and replace').click();
    await plain.getByLabel('Replace').fill('old.example');
    await plain.getByLabel('With').fill('new.example');
    await pressIn('Preview');
    expect(await plain.locator('ins').allTextContents()).toContain('https://new.example/1');
    await pressIn('Change 2 codes');
    expect(await plain.locator('.code-destination').first().textContent()).toStartWith(
      'new.example',
    );
    await pressIn('Undo');
    expect(await plain.locator('.code-destination').first().textContent()).toStartWith(
      'old.example',
    );
    await context.close();
  }, 120_000);

  test('generates, replaces and revokes the API key', async () => {
    const status = async (key: string) => (await fixture.server.api(key).call('GET /qrs')).status;
    const shownKey = async () =>
      (await page.locator('.highlight code').first().textContent()) ?? '';
    await open('/account/key');
    await page.getByLabel('Your password').fill(password);
    await press('Generate key');
    const first = await shownKey();
    expect(first).toMatch(/^wmk_[0-9a-f]{40}$/);
    const command = (await page.locator('.highlight code').nth(1).textContent()) ?? '';
    const ran = Bun.spawnSync(['sh', '-c', `${command} --silent`]);
    expect(JSON.parse(ran.stdout.toString())).toMatchObject({ status: 'active' });
    const script = (await page.locator('.highlight code').nth(2).textContent()) ?? '';
    const { stdout } = Bun.spawnSync([process.execPath, '-e', script]);
    expect(stdout.toString()).toContain('"active"');
    const popup = page.context().waitForEvent('page');
    await page.getByRole('link', { name: 'Try it in Swagger UI' }).click();
    const docs = await popup;
    await docs.locator('.auth-wrapper .authorize.locked').waitFor();
    await docs.close();
    await open('/account/key');
    expect(await page.content()).not.toContain(first);
    expect(await page.textContent('.facts')).toContain('2 of 60 requests');

    await page.getByRole('link', { name: 'Replace…' }).click();
    await page.getByLabel('The current key works on').selectOption('0');
    await page.getByLabel('Your password').fill(password);
    await press('Replace');
    await page.locator('.highlight').waitFor();
    const second = await shownKey();
    expect([await status(first), await status(second)]).toEqual([401, 200]);
    await page.reload();
    await page.getByText('Nothing was changed').waitFor();
    expect(await status(second)).toBe(200);

    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.getByRole('link', { name: 'Revoke…' }).click();
    await press('Revoke');
    expect(await done()).toBe('The key is revoked.');
    expect(await status(second)).toBe(401);
  }, 120_000);

  test.each([
    [true, true],
    [false, false],
  ])(
    'signs in again after the session has ended, and goes on (script: %p, second factor: %p)',
    async (javaScriptEnabled, hasFactor) => {
      const context = await fixture.browser.newContext({ javaScriptEnabled });
      const again = `again${javaScriptEnabled}${hasFactor}@example.org`;
      const client = await signInContext(context, fixture.server, again);
      const factor = hasFactor ? await turnOn(client, password) : null;
      const { page } = await openPage(context);
      const create = () => page.getByRole('button', { name: 'Create', exact: true }).click();
      const signIn = async (typed: string) => {
        await page.getByRole('heading', { name: 'Sign in again' }).waitFor();
        await page.getByLabel('E-mail').fill(again);
        await page.getByLabel('Password').fill(typed);
        await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      };
      await page.goto(`${fixture.server.origin}/account/new`);
      await page.getByLabel('Where should it lead?').fill('https://example.org/kept?a=1&b=ü');
      await context.clearCookies();
      await create();
      await signIn('not the password');
      await page.getByText('Wrong e-mail or password.').waitFor();
      await signIn(password);
      for (const code of factor === null ? [] : ['000000', factor.recoveryCodes[0] ?? '']) {
        await page.locator('[name=code]:focus').fill(code);
        await page.getByRole('button', { name: 'Sign in', exact: true }).click();
        if (code === '000000') await page.getByText('This code is wrong').waitFor();
      }
      await page.waitForURL(/\/account\/codes\/[0-9a-z]{8}$/);
      expect(await page.content()).toContain('https://example.org/kept?a=1&amp;b=ü');
      await context.close();
    },
    120_000,
  );

  test('gets no errors in the browser’s console', () => {
    expect(consoleErrors).toEqual([]);
  });
});
