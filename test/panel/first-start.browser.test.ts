import { describe, expect, test } from 'bun:test';
import { until } from '../support/until.ts';
import { openPage, withoutBrowser } from './browser.ts';
import { password } from './client.ts';
import { setStage } from './stage.ts';

describe.skipIf(withoutBrowser)('the first start', () => {
  const stage = setStage();
  const links = () =>
    [...stage.server.log().matchAll(/http:\S+\/account\/link\/[0-9a-f]{64}/g)].map(String);

  test('prints a link that makes the first account, once', async () => {
    await until(() => links().length > 0);
    const [link = ''] = links();
    const { page, complaints } = await openPage(await stage.browser.newContext());
    await page.goto(`${stage.server.origin}/account`);
    expect(await page.getByRole('status').textContent()).toBe(
      'There is no account yetThe newest link for making the first one stands in the log of this server.',
    );
    await page.goto(link.replace(/.{8}$/, '00000000'));
    expect(await page.textContent('main')).toContain(
      'The newest link for the first account stands in the log of this server.',
    );
    await page.goto(link);
    await page.getByLabel('E-mail').fill('anna@example.org');
    await page.getByLabel('Password').fill('short');
    // The browser itself holds the bounds; the server does when it does not.
    await page.evaluate('document.querySelector("form.stack").noValidate = true');
    await page.getByRole('button', { name: 'Make the account' }).click();
    expect(await page.locator('#password-problem').textContent()).toContain(
      'at least 10 characters',
    );
    expect(await page.getByLabel('E-mail').inputValue()).toBe('anna@example.org');

    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Make the account' }).click();
    await page.waitForURL(`${stage.server.origin}/account`);
    expect(await page.textContent('footer')).toContain('anna@example.org');
    // The first account is the operator.
    expect(await page.getByRole('link', { name: 'Accounts' }).count()).toBe(1);

    await page.goto(link);
    expect(await page.textContent('h1')).toBe('This link is used up');
    expect(await page.textContent('main')).toContain('Ask the operator');
    expect(complaints).toEqual([]);
  }, 120_000);

  test('then lets the account out and in again', async () => {
    const { page } = await openPage(await stage.browser.newContext());
    await page.goto(`${stage.server.origin}/account/key`);
    expect(await page.getByText('There is no account yet').count()).toBe(0);
    await page.getByLabel('E-mail').fill('Anna@Example.org ');
    await page.getByLabel('Password').fill('not the password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    expect(await page.getByRole('alert').textContent()).toBe('Wrong e-mail or password.');
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${stage.server.origin}/account/key`);

    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Sign out here' }).click();
    expect(await page.getByRole('status').textContent()).toBe('You are signed out.');
    await page.goto(`${stage.server.origin}/account`);
    expect(await page.textContent('h1')).toBe('Sign in');
  }, 120_000);

  test('lets the password be changed', async () => {
    const { page } = await openPage(await stage.browser.newContext());
    const signIn = async (secret: string) => {
      await page.goto(`${stage.server.origin}/account/sign-in?next=/account/settings`);
      await page.getByLabel('E-mail').fill('anna@example.org');
      await page.getByLabel('Password').fill(secret);
      await page.getByRole('button', { name: 'Sign in' }).click();
    };
    await signIn(password);
    await page.getByLabel('Current password').fill(password);
    await page.getByLabel('New password').fill(password);
    await page.getByRole('button', { name: 'Change the password' }).click();
    expect(await page.textContent('#next-problem')).toContain('is the same as the current one');
    await page.getByLabel('Current password').fill(password);
    await page.getByLabel('New password').fill('another few words');
    await page.getByRole('button', { name: 'Change the password' }).click();
    expect(await page.getByRole('status').textContent()).toContain('The password is changed.');
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await signIn('another few words');
    await page.waitForURL(`${stage.server.origin}/account/settings`);
  }, 120_000);

  test('prints no link when there is an account', async () => {
    await stage.server.stop();
    const before = links().length;
    await stage.server.start();
    expect(links()).toHaveLength(before);
  }, 120_000);
});
