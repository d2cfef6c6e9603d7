import { describe, expect, test } from 'bun:test';
import { until } from '../support/until.ts';
import { openPage, useBrowser, withoutBrowser } from './browser.ts';
import { password } from './client.ts';

describe.skipIf(withoutBrowser)('the first start', () => {
  const fixture = useBrowser();
  const links = () =>
    [...fixture.server.log().matchAll(/http:\S+\/account\/link\/[0-9a-f]{64}/g)].map(String);

  test('logs a link that creates the first account, once', async () => {
    await until(() => links().length > 0);
    const [link = ''] = links();
    const { page, consoleErrors } = await openPage(await fixture.browser.newContext());
    await page.goto(`${fixture.server.origin}/account`);
    expect(await page.textContent('.notice')).toBe(
      'There is no account yetTo create the first account, open the newest link in the log of this server.',
    );
    await page.goto(link.replace(/.{8}$/, '00000000'));
    expect(await page.textContent('main')).toContain('open the newest link in the log');
    await page.goto(link);
    await page.getByLabel('E-mail').fill('anna@example.org');
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.waitForURL(`${fixture.server.origin}/account`);
    expect(await page.textContent('.rail .me')).toContain('anna@example.org');
    // The first account is an operator.
    expect(await page.getByRole('link', { name: 'Accounts' }).count()).toBe(1);

    await page.goto(link);
    expect(await page.textContent('main')).toContain('Ask the operator');
    expect(consoleErrors).toEqual([]);
  }, 120_000);

  test('then the account signs in, changes its password and signs out', async () => {
    const { page } = await openPage(await fixture.browser.newContext());
    const fill = async (label: string, text: string) => page.getByLabel(label).fill(text);
    const press = async (name: string) => page.getByRole('button', { name }).click();
    await page.goto(`${fixture.server.origin}/account/settings`);
    await fill('E-mail', 'Anna@Example.org ');
    await fill('Password', 'not the password');
    await press('Sign in');
    expect(await page.getByRole('alert').textContent()).toBe('Wrong e-mail or password.');
    await fill('Password', password);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${fixture.server.origin}/account/settings`);
    // Scripts cannot read the cookies.
    expect(await page.evaluate('document.cookie')).toBe('');

    await fill('Current password', password);
    await fill('New password', password);
    await press('Change password');
    await page.getByText('is the same as the current one').waitFor();
    await fill('Current password', password);
    await fill('New password', 'another few words');
    await press('Change password');
    await page.getByText('Password changed.').waitFor();
    await page.locator('.rail .me').click();
    await press('Sign out');
    await page.getByText('You are signed out.').waitFor();
    await page.goto(`${fixture.server.origin}/account`);
    expect(await page.textContent('h1')).toBe('Sign in');
  }, 120_000);

  test('the next start logs no link', async () => {
    await fixture.server.stop();
    const before = links().length;
    await fixture.server.start();
    expect(links()).toHaveLength(before);
  }, 120_000);
});
