import { beforeAll, describe, expect, test } from 'bun:test';
import { sharedServer } from '../support/server.ts';
import { openPage, type SignedInPage, useBrowser, withoutBrowser } from './browser.ts';
import { createCode, password, signedIn } from './client.ts';

const server = await sharedServer();

describe.skipIf(withoutBrowser)('days and planned changes in a browser', () => {
  const browser = useBrowser(server);
  let own: SignedInPage;
  let code: string;
  beforeAll(async () => {
    own = await browser.openSignedIn('calendar@example.org');
    code = await createCode(own.client, 'https://example.org/menu', { name: 'Table 1' });
  });

  test('the first sign-in takes the zone of the browser, and says so once', async () => {
    const email = 'browser-zone@example.org';
    await signedIn(server, email);
    const context = await browser.newContext({ timezoneId: 'Asia/Kolkata' });
    const { page, consoleErrors } = await openPage(context);
    await page.goto(`${server.origin}/account/sign-in`);
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    await page.getByText('Your days follow Kolkata.').waitFor();
    await page.goto(`${server.origin}/account/settings`);
    expect(await page.getByLabel('Time zone', { exact: true }).inputValue()).toBe('Asia/Kolkata');
    expect(consoleErrors).toEqual([]);
  });

  test('a change is planned by keyboard, from the dialog of now, and is undone', async () => {
    const { page, consoleErrors } = own;
    // Firefox presses no button by keyboard in a window behind another one.
    await page.bringToFront();
    await page.goto(`${server.origin}/account/codes/${code}`);
    await page.keyboard.press('e');
    const dialog = page.locator('dialog[open]');
    await dialog.getByRole('link', { name: 'Plan it for later' }).press('Enter');
    await dialog.getByRole('heading', { name: 'Plan a change of “Table 1”' }).waitFor();
    // One dialog took the place of the other, and its first field has the focus.
    expect(await dialog.count()).toBe(1);
    expect(await page.evaluate('document.activeElement.name')).toBe('day');
    const address = dialog.getByLabel('Where should it lead?');
    await dialog.getByLabel('Every week').press('Space');
    await dialog.getByLabel('Mon').press('Space');
    await dialog.getByLabel('It is paused').press('Space');
    await address.waitFor({ state: 'hidden' });
    await dialog.getByLabel('It leads somewhere else').press('Space');
    await dialog.getByLabel('And back again at a set time').press('Space');
    await dialog.getByLabel('Back at').fill('14:00');
    await address.fill('example.org/lunch');
    // What will happen is said while one types.
    await dialog.getByText('At 12:00 it leads to example.org/lunch, at 14:00 to').waitFor();
    await dialog.getByLabel('And back again at a set time').press('Space');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Every Monday, 12:00 → example.org/lunch').waitFor();
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).press('Enter');
    await page.getByText('Planned change deleted.').waitFor();
    expect(await page.getByText('Every Monday').count()).toBe(0);
    expect(consoleErrors).toEqual([]);
  });

  test('the small phone of the settings follows the fields', async () => {
    const { page } = own;
    await page.goto(`${server.origin}/account/settings`);
    const phone = page.getByRole('figure', { name: 'How the page looks' });
    expect(await phone.textContent()).toContain('Its owner has turned it off for now.');
    await page.getByLabel('Business name').fill('Osteria <b>');
    await page.getByLabel('Message for paused codes').fill('Closed until March');
    await page.getByLabel('Button below it').fill('https://osteria.example/booking');
    const text = (await phone.textContent()) ?? '';
    expect(text).toContain('Osteria <b> has turned it off for now.');
    expect(text).toContain('Closed until March');
    expect(text).toContain('osteria.example/booking');
    await page.getByLabel('Message for paused codes').fill('');
    expect(await phone.getByText('Closed until March').count()).toBe(0);
  });
});
