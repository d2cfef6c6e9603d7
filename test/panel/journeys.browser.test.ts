import { beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { decoders } from '../support/decoders.ts';
import { sharedServer } from '../support/server.ts';
import { visit } from '../support/visit.ts';
import { inFirefox, openPage, signInContext, useBrowser, withoutBrowser } from './browser.ts';
import { createCode, type PanelClient, password, signedIn } from './client.ts';
import { turnOn } from './second-factor.ts';

const server = await sharedServer();

describe.skipIf(withoutBrowser)('with scripts, an account holder', () => {
  const browser = useBrowser(server);
  let page: Page;
  let consoleErrors: readonly string[];
  let client: PanelClient;
  beforeAll(async () => {
    ({ page, consoleErrors, client } = await browser.openSignedIn('journeys@example.org'));
  });

  const open = (path: string) => page.goto(`${server.origin}${path}`);
  const press = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).click();
  const done = async () => (await page.getByRole('status').first().textContent()) ?? '';

  /** Creates a code without the browser, and opens its page. */
  const openNew = async (url: string) => {
    const code = await createCode(client, url);
    await open(`/account/codes/${code}`);
    return `${server.origin}/${code}`;
  };

  test('changes a destination, and changes it back with one click', async () => {
    const shortLink = await openNew('https://example.org/summer');
    const field = page.getByLabel('Destination');
    await page.getByRole('link', { name: 'Change', exact: true }).first().click();
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
  });

  // Firefox has no permissions of these names.
  test.skipIf(inFirefox)(
    'copies the short link, and a picture on the page of a code and in the list',
    async () => {
      const shortLink = await openNew('https://example.org/copied');
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await press('Copy the short link');
      await page.locator('[data-copy]', { hasText: 'Copied' }).waitFor();
      expect(String(await page.evaluate('navigator.clipboard.readText()'))).toBe(shortLink);
      const types = 'navigator.clipboard.read().then(([item]) => item.types.join())';
      await press('Copy picture');
      await page.locator('[data-copy-image]', { hasText: 'Copied' }).waitFor();
      expect(String(await page.evaluate(types))).toBe('image/png');
      await open('/account/codes?q=copied');
      await page.evaluate("navigator.clipboard.writeText('')");
      await page.getByRole('button', { name: /^Actions for / }).click();
      await press('Copy picture');
      await page.locator('[data-copy-image]', { hasText: 'Copied' }).waitFor();
      expect(String(await page.evaluate(types))).toBe('image/png');
    },
  );

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
  });

  test('takes all codes that match, on all pages of the list, and gives them one destination', async () => {
    const { client, page: own } = await browser.openSignedIn('many@example.org');
    for (let at = 0; at < 26; at++) await createCode(client, `https://many.example/${at}`);
    await own.goto(`${server.origin}/account/codes`);
    const selected = () => own.textContent('.selectbar [role=status]');
    const button = (name: string) => own.getByRole('button', { name, exact: true });
    await own.locator('.codes tbody .box').first().check();
    await button('All 26').click();
    expect(await selected()).toBe('All 26 selected');
    await own.getByRole('link', { name: 'Next' }).click();
    await own.waitForURL(/page=2/);
    expect(await selected()).toBe('All 26 selected');
    const boxes = own.locator('.codes tbody .box');
    expect([await boxes.count(), await boxes.first().isChecked()]).toEqual([1, true]);
    await button('Change destination').click();
    await own.getByText('All 26 codes.').waitFor();
    await own.getByLabel('Where should they lead?').fill('one.example/winter');
    await button('Change').click();
    await own.getByText('26 codes now lead to one.example/winter.').waitFor();
    await own.goto(`${server.origin}/account/codes?q=one.example`);
    await boxes.first().check();
    await button('All that match').click();
    await boxes.first().uncheck();
    expect(await selected()).toBe('24 selected');
  });

  test('downloads the images of ticked codes from a dialog', async () => {
    await createCode(client, 'https://example.org/ticked-images');
    await open('/account/codes?q=ticked-images');
    await page.locator('.codes tbody .box').check();
    await page.locator('.selectbar').getByRole('button', { name: 'Download' }).click();
    await page.locator('dialog[open]').waitFor();
    const [file] = await Promise.all([page.waitForEvent('download'), press('Download ZIP')]);
    expect(file.suggestedFilename()).toMatch(/^codes-.*\.zip$/);
    await page.locator('dialog').waitFor({ state: 'detached' });
  });

  test('shows and hides a password on a page and in a dialog', async () => {
    await open('/account/settings/password');
    for (const place of ['main', 'dialog']) {
      if (place === 'dialog') {
        await open('/account/settings');
        await page.getByRole('link', { name: 'Delete my account…' }).click();
      }
      const secret = page.locator(`${place} .secret`).first();
      const type = () => secret.locator('input').getAttribute('type');
      await secret.getByRole('button', { name: 'Show' }).click();
      expect(await type()).toBe('text');
      await secret.getByRole('button', { name: 'Hide', pressed: true }).click();
      expect(await type()).toBe('password');
    }
  });

  test('signs in again after the session has ended, with a second factor, and goes on', async () => {
    const email = 'again@example.org';
    const own = await browser.openSignedIn(email);
    const { recoveryCodes } = await turnOn(own.client, password);
    const pressHere = (name: string) => own.page.getByRole('button', { name, exact: true }).click();
    await own.page.goto(`${server.origin}/account/new`);
    const url = 'https://example.org/kept?a=1&b=ü';
    await own.page.getByLabel('Where should it lead?').fill(url);
    await own.context.clearCookies();
    await pressHere('Create');
    await own.page.getByRole('heading', { name: 'Sign in again' }).waitFor();
    await own.page.getByLabel('E-mail').fill(email);
    const typed = own.page.getByLabel('Password');
    await typed.fill('not the password');
    await pressHere('Sign in');
    await own.page.getByText('Wrong e-mail or password.').waitFor();
    await typed.fill(password);
    await pressHere('Show');
    expect(await typed.getAttribute('type')).toBe('text');
    await pressHere('Sign in');
    for (const code of ['000000', recoveryCodes[0] ?? '']) {
      await own.page.locator('[name=code]:focus').fill(code);
      await pressHere('Sign in');
      if (code === '000000') await own.page.getByText('This code is wrong').waitFor();
    }
    await own.page.waitForURL(/\/account\/codes\/[0-9a-z]{8}$/);
    expect(await own.page.content()).toContain('https://example.org/kept?a=1&amp;b=ü');
  });

  test('keeps what is ticked when the session ends and the same account signs in again', async () => {
    const email = 'ticked@example.org';
    const own = await browser.openSignedIn(email);
    for (let at = 0; at < 2; at++) await createCode(own.client, `https://example.org/${at}`);
    const list = `${server.origin}/account/codes?sort=name`;
    const selected = () => own.page.textContent('.selectbar [role=status]');
    await own.page.goto(list);
    for (const box of await own.page.locator('.codes tbody .box').all()) await box.check();
    const signInAs = async (who: string) => {
      await own.context.clearCookies();
      await own.page.goto(list);
      await own.page.getByLabel('E-mail').fill(who);
      await own.page.getByLabel('Password').fill(password);
      await own.page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await own.page.waitForURL(list);
    };
    await signInAs(email);
    expect(await selected()).toBe('2 selected');
    const other = await signedIn(server, 'ticked-by-none@example.org');
    await createCode(other, 'https://example.org/other');
    await signInAs('ticked-by-none@example.org');
    expect(await selected()).toBe('0 selected');
  });

  test('reads the secret of a second factor from a dark screen with an authenticator app', async () => {
    const context = await browser.newContext({ colorScheme: 'dark' });
    await signInContext(context, server, 'app@example.org');
    const { page: dark } = await openPage(context);
    await dark.goto(`${server.origin}/account/settings/second-factor`);
    const png = await dark.getByAltText('QR code with the secret').screenshot();
    const readings = await Promise.all(
      decoders.filter(({ present }) => present).map(async ({ read }) => (await read(png)).text),
    );
    const [uri = ''] = readings;
    expect(new Set(readings)).toEqual(new Set([uri]));
    const { protocol, host, pathname, searchParams } = new URL(uri ?? '');
    expect([protocol, host]).toEqual(['otpauth:', 'totp']);
    expect(decodeURIComponent(pathname)).toBe('/Waymark (127.0.0.1):app@example.org');
    const secret = searchParams.get('secret') ?? '';
    expect((await dark.textContent('main'))?.replaceAll(' ', '')).toContain(secret);
  });

  test('gets no errors in the browser’s console', () => {
    expect(consoleErrors).toEqual([]);
  });
});
