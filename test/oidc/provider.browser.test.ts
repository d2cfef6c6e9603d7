import { describe, expect, test } from 'bun:test';
import { openPage, useBrowser, withoutBrowser } from '../panel/browser.ts';
import { useProvider } from './fixture.ts';

describe.skipIf(withoutBrowser)('in a browser', () => {
  const own = useProvider();

  test('the policy of the pages and the cookies let one go to the provider and come back', async () => {
    await own.server.addAccount(own.email);
    const context = await useBrowser(own.server).newContext();
    const { page, consoleErrors } = await openPage(context);
    await page.goto(`${own.server.origin}/account/key`);
    await page.getByRole('link', { name: 'Continue with Osteria login' }).click();
    await page.locator('[name=login]').fill(own.email);
    await page.locator('[name=password]').fill('x');
    await page.locator('[type=submit]').first().click();
    await page.locator('[type=submit]').first().click();
    await page.waitForURL('**/account/key');
    await page.goto(`${own.server.origin}/account/settings`);
    await page.getByText('It is your only way in.').waitFor();
    expect(await page.getByText(/^0$/).count()).toBe(0);
    await context.clearCookies();
    own.knows('stranger', { email: 'luca@osteria.example', email_verified: true });
    await page.goto(`${own.server.origin}/account/sign-in`);
    await page.getByRole('link', { name: 'Continue with Osteria login' }).click();
    await page.locator('[name=login]').fill('stranger');
    await page.locator('[name=password]').fill('x');
    await page.locator('[type=submit]').first().click();
    await page.locator('[type=submit]').first().click();
    await page.getByText('luca@osteria.example has no access').waitFor();
    expect(consoleErrors.filter((line) => !/40[13]/.test(line))).toEqual([]);
  });
});
