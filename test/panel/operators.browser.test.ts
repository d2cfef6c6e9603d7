import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import { type Server, startServer } from '../support/server.ts';
import { visit } from '../support/visit.ts';
import { launch, openPage, withoutBrowser } from './browser.ts';
import { password } from './client.ts';
import { enter } from './enter.ts';

describe.skipIf(withoutBrowser)('operators in the panel', () => {
  let server: Server;
  let browser: Browser;
  let operator: Page;
  let complaints: readonly string[];
  beforeAll(async () => {
    [server, browser] = await Promise.all([startServer(), launch()]);
    const context = await browser.newContext();
    await enter(context, server, 'olga@example.org', ['--operator']);
    ({ page: operator, complaints } = await openPage(context));
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  const setPlan = async (email: string, day: string) => {
    await operator.goto(`${server.origin}/account/accounts`);
    await operator.getByRole('link', { name: email }).click();
    await operator.getByLabel('Last day of the plan').fill(day);
    await operator.getByRole('button', { name: 'Set the plan' }).click();
    expect(await operator.getByRole('status').textContent()).toBe('The plan is set.');
  };

  test('create an account and hand out a link that works once', async () => {
    await operator.goto(`${server.origin}/account/accounts`);
    await operator.getByLabel('E-mail', { exact: true }).fill('ben@example.org');
    await operator.getByLabel('Last day of the plan').fill('2099-12-31');
    await operator.getByRole('button', { name: 'Create the account' }).click();
    expect(await operator.textContent('h1')).toBe('ben@example.org');
    expect(await operator.textContent('.facts')).toContain('until 31 Dec 2099');
    expect(await operator.getByRole('status').textContent()).toBe('The account is created.');
    const link = (await operator.locator('.fresh code').textContent()) ?? '';

    const { page } = await openPage(await browser.newContext());
    await page.goto(link);
    expect(await page.textContent('.lead')).toContain('ben@example.org');
    await page.goto(link);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Set the password' }).click();
    await page.waitForURL(`${server.origin}/account`);
    const kept = (await page.context().cookies()).map(({ name }) => name).sort();
    expect(kept).toEqual(['waymark-device', 'waymark-session']);
    expect(await page.getByRole('link', { name: 'Accounts' }).count()).toBe(0);
    await page.goto(link);
    expect(await page.textContent('h1')).toBe('This link is used up');
  }, 120_000);

  test('are told of an account that exists', async () => {
    await operator.goto(`${server.origin}/account/accounts`);
    await operator.getByLabel('E-mail', { exact: true }).fill('ben@example.org');
    await operator.getByRole('button', { name: 'Create the account' }).click();
    expect(await operator.locator('#email-problem').textContent()).toContain(
      'There is already an account',
    );
    expect(await operator.evaluate('document.activeElement.id')).toBe('email');
    expect(await operator.locator('#email').inputValue()).toBe('ben@example.org');
  }, 120_000);

  test('see totals', async () => {
    await operator.goto(`${server.origin}/account/accounts`);
    expect(await operator.textContent('.facts')).toContain('Accounts2');
  }, 120_000);

  test('end a plan: its holder is told, codes go on, nothing new is made', async () => {
    const context = await browser.newContext();
    const client = await enter(context, server, 'carl@example.org');
    const csrf = await client.csrf();
    const made = await client.post('/account/codes', { csrf, url: 'https://example.org/still' });
    const code = (made.to ?? '').slice('/account/codes/'.length, '/account/codes/'.length + 8);
    await setPlan('carl@example.org', '2026-01-31');

    const { page } = await openPage(context);
    await page.goto(`${server.origin}/account`);
    const notice = (await page.textContent('.notice')) ?? '';
    expect(notice).toContain('Your plan ended on 31 Jan 2026');
    expect(notice).toContain('your codes redirect and count as before');
    expect(await page.getByRole('button', { name: 'Create' }).count()).toBe(0);
    expect((await visit(`${server.origin}/${code}`)).to).toBe('https://example.org/still');

    const url = 'https://example.org/new';
    expect((await client.post('/account/codes', { csrf, url })).status).toBe(402);
    const path = `/account/codes/${code}`;
    expect((await client.post(`${path}/destination`, { csrf, url })).status).toBe(402);
    expect((await client.post('/account/key', { csrf, replaces: '' })).status).toBe(402);
    expect((await client.post(`${path}/pause`, { csrf })).status).toBe(303);
    expect((await client.get(`${path}/image.png`)).status).toBe(200);

    await setPlan('carl@example.org', '');
    await page.reload();
    expect(await page.locator('.notice').count()).toBe(0);
  }, 120_000);

  test('the browser has nothing to complain about', () => {
    expect(complaints).toEqual([]);
  });
});
