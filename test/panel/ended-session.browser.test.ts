import { describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { openPage, withoutBrowser } from './browser.ts';
import { password } from './client.ts';
import { enter } from './enter.ts';
import { setStage } from './stage.ts';

const email = 'olga@example.org';

describe.skipIf(withoutBrowser)('a form that is sent after the session has ended', () => {
  const stage = setStage();
  let entered: Promise<Page> | undefined;

  /** The one page of these tests, in which an operator has signed in. */
  const operator = () => {
    entered ??= (async () => {
      const context = await stage.browser.newContext();
      await enter(context, stage.server, email, ['--operator']);
      return (await openPage(context)).page;
    })();
    return entered;
  };
  const open = async (path: string) => {
    const page = await operator();
    await page.goto(`${stage.server.origin}${path}`);
    return page;
  };
  const press = (page: Page, name: string) =>
    page.getByRole('button', { name, exact: true }).click();
  const pressTooLate = async (page: Page, name: string) => {
    await page.context().clearCookies();
    await press(page, name);
    await page.getByText('Your session has ended').waitFor();
  };
  const signIn = async (page: Page, path: string) => {
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill(password);
    await press(page, 'Sign in');
    await page.waitForURL(`${stage.server.origin}${path}`);
  };
  const valuesOf = (page: Page, ids: readonly string[]) =>
    Promise.all(ids.map((id) => page.locator(`#${id}`).inputValue()));

  test('stands there again: a rule', async () => {
    const path = '/account/safety';
    const page = await open(path);
    await page.getByLabel('Domain or address').fill('evil.example');
    await page.getByLabel('Why').fill('reported by phone');
    await pressTooLate(page, 'Block it');
    await signIn(page, path);
    expect(await valuesOf(page, ['address', 'note'])).toEqual([
      'evil.example',
      'reported by phone',
    ]);
    await press(page, 'Block it');
    await page.getByText('It counts from now on.').waitFor();
    await open(path);
    expect(await valuesOf(page, ['address', 'note'])).toEqual(['', '']);
  }, 120_000);

  test('stands there again: an account, and then the end of its plan', async () => {
    const path = '/account/accounts';
    const page = await open(path);
    await page.getByLabel('E-mail', { exact: true }).fill('ben@example.org');
    await page.getByLabel('Last day of the plan').fill('2099-12-31');
    await page.getByLabel('Operator').check();
    await pressTooLate(page, 'Create the account');
    await signIn(page, path);
    expect(await valuesOf(page, ['email', 'plan'])).toEqual(['ben@example.org', '2099-12-31']);
    expect(await page.getByLabel('Operator').isChecked()).toBe(true);
    await press(page, 'Create the account');
    await page.getByText('The account is created.').waitFor();
    await open(path);
    expect(await valuesOf(page, ['email', 'plan'])).toEqual(['', '']);
    expect(await page.getByLabel('Operator').isChecked()).toBe(false);

    await page.getByRole('link', { name: 'ben@example.org' }).click();
    await page.getByLabel('Last day of the plan').fill('2077-01-31');
    const own = new URL(page.url()).pathname;
    await pressTooLate(page, 'Set the plan');
    await signIn(page, own);
    expect(await valuesOf(page, ['plan'])).toEqual(['2077-01-31']);
    await press(page, 'Set the plan');
    await page.getByText('The plan is set.').waitFor();
    await open(own);
    expect(await valuesOf(page, ['plan'])).toEqual(['2077-01-31']);
  }, 120_000);

  test('is not kept with a password in it, and the sign-in says so', async () => {
    const path = '/account/settings';
    const page = await open(path);
    await page.getByLabel('Current password').fill(password);
    await page.getByLabel('New password').fill('something else entirely');
    await pressTooLate(page, 'Change the password');
    await page.getByText('Passwords are not kept: type them anew.').waitFor();
    const kept = JSON.stringify(await page.evaluate('({ ...sessionStorage })'));
    expect(kept).not.toContain(password);
    expect(kept).not.toContain('something else');
    await signIn(page, path);
    expect(await valuesOf(page, ['present', 'next'])).toEqual(['', '']);
  }, 120_000);

  test('does not come back where what it said was refused', async () => {
    const path = '/account/safety';
    const page = await open(path);
    await page.getByLabel('Domain or address').fill('not an address');
    await press(page, 'Block it');
    await page.locator('#address-problem').waitFor();
    await open(path);
    expect(await valuesOf(page, ['address'])).toEqual(['']);
  }, 120_000);

  test('stands there again where the server did not answer, also on a page with news', async () => {
    const page = await open('/account');
    await page.locator('#url').fill('https://example.org/');
    await press(page, 'Create');
    await page.getByText('Your code is ready.').waitFor();
    await page.locator('#url').fill('https://example.org/typed');
    await page.context().setOffline(true);
    await press(page, 'Save');
    await page.waitForURL(/chrome-error/);
    await page.context().setOffline(false);
    await page.goBack();
    await page.getByText('Your code is ready.').waitFor();
    expect(await valuesOf(page, ['url'])).toEqual(['https://example.org/typed']);
    await page.getByText('Not saved yet').waitFor();
  }, 120_000);
});
