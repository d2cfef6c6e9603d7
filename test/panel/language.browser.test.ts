import { describe, expect, test } from 'bun:test';
import { textsOf } from '../../src/languages/texts.ts';
import { sharedServer } from '../support/server.ts';
import { useBrowser, withoutBrowser } from './browser.ts';
import { createCode } from './client.ts';

const server = await sharedServer();

describe.skipIf(withoutBrowser)('the language', () => {
  const browser = useBrowser(server);

  test('is chosen in the account menu, and the page and its script speak it at once', async () => {
    const { page, client } = await browser.openSignedIn('language@example.org');
    await createCode(client, 'https://osteria.example/a', { name: 'A' });
    await page.goto(`${server.origin}/account/codes`);
    for (const [name, lang, dir, selected] of [
      ['Deutsch', 'de', 'ltr', '1 ausgewählt'],
      ['العربية', 'ar', 'rtl', '1'],
      ['English', 'en', 'ltr', '1 selected'],
    ] as const) {
      await page.locator('.me:visible').click();
      await page.locator('a.language:visible').click();
      await page.locator('dialog[open]').getByText(name, { exact: true }).click();
      await page.locator('dialog[open] button.primary').click();
      await page.locator(`html[lang=${lang}][dir=${dir}]`).waitFor();
      expect(page.url()).toBe(`${server.origin}/account/codes`);
      const { languageChanged } = textsOf(lang).messages;
      expect(await page.locator('.toast').textContent()).toContain(languageChanged);
      const box = page.locator('tbody .box').first();
      await box.check();
      expect(await page.locator('.selectbar').textContent()).toContain(selected);
      await box.uncheck();
    }
  });

  test('is chosen before signing in', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${server.origin}/account/sign-in`);
    await page.locator('a.language').click();
    await page.locator('dialog[open]').getByText('Français', { exact: true }).click();
    await page.locator('dialog[open] button.primary').click();
    await page.locator('html[lang=fr]').waitFor();
    expect(page.url()).toBe(`${server.origin}/account/sign-in`);
  });
});
