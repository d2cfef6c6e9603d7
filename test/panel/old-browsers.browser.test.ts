import { describe, expect, test } from 'bun:test';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { sharedServer } from '../support/server.ts';
import { visit } from '../support/visit.ts';
import { openPage, signInContext, useBrowser, withoutBrowser } from './browser.ts';
import { createCode, password } from './client.ts';

const server = await sharedServer();

/** Selectors and functions of CSS that Safari 15.4, Chrome 100 or Firefox 100 does not know. */
const newCss =
  /light-dark\(|color-mix\(|:has\(|:popover-open|position-(area|try)|@container|oklch\(/;

/** Returns a style sheet as a browser of the floor reads it: rules that it does not know are dropped. */
function readByOld(css: string): string {
  return css
    .replaceAll(/@supports not selector\([^{]*\)\{/g, '@media all{')
    .replaceAll(/@media \(scripting: ?\w+\)/g, '@media not all')
    .replaceAll(/(?<=^|[{};])[^{};@]+\{[^{}]*\}/g, (rule) => {
      const [selector = '', body = ''] = rule.split('{');
      // Lists of selectors within :is() forgive what is unknown.
      if (newCss.test(selector.replaceAll(/:is\([^()]*(\([^()]*\)[^()]*)*\)/g, ''))) return '';
      const known = body
        .replace('}', '')
        .split(';')
        .filter((declaration) => !newCss.test(declaration));
      return `${selector}{${known.join(';')}}`;
    });
}

/** Takes from a context what came after the oldest browsers that the panel supports. */
async function makeOld(context: BrowserContext): Promise<void> {
  await context.addInitScript(`
    for (const name of ['popover', 'showPopover', 'hidePopover', 'togglePopover'])
      delete HTMLElement.prototype[name];
    for (const name of ['popoverTargetElement', 'popoverTargetAction'])
      delete HTMLButtonElement.prototype[name];
    for (const name of ['ariaBusy', 'ariaInvalid', 'ariaPressed', 'checkVisibility'])
      delete Element.prototype[name];
    delete Array.prototype.toSorted;
    for (const type of [Element, Document, DocumentFragment])
      for (const name of ['closest', 'matches', 'querySelector', 'querySelectorAll']) {
        const native = type.prototype[name];
        if (native) type.prototype[name] = function (selector) {
          if (/:popover-open|:has\\(/.test(selector)) throw new SyntaxError(selector);
          return native.call(this, selector);
        };
      }
  `);
  await context.route('**/*', async (route) => {
    const type = route.request().resourceType();
    if (type !== 'document' && type !== 'stylesheet') return route.continue();
    const response = await route.fetch({ maxRedirects: 0 });
    const text = await response.text();
    const body = type === 'document' ? text.replaceAll('popover="auto"', '') : readByOld(text);
    await route.fulfill({ response, body });
  });
}

/** Returns the fields and buttons whose text or border cannot be told from the page. */
function unseen(page: Page): Promise<unknown> {
  return page.evaluate(`[...document.querySelectorAll('input:not([type=hidden]), button, a, select, textarea')]
    .filter((element) => element.getClientRects().length > 0)
    .filter((element) => {
      const { color, borderTopColor, borderTopWidth } = getComputedStyle(element);
      const paper = getComputedStyle(document.body).backgroundColor;
      const isField = element.matches('input.input, select, textarea') && !element.closest('.colour');
      const hasNoBorder = borderTopColor === paper || borderTopWidth === '0px';
      return paper === 'rgba(0, 0, 0, 0)' || color === paper || (isField && hasNoBorder);
    })
    .map((element) => element.outerHTML.slice(0, 80))`);
}

describe.skipIf(withoutBrowser)('in the oldest browsers that are supported', () => {
  const browser = useBrowser(server);
  const open = async (options: BrowserContextOptions) => {
    const context = await browser.newContext(options);
    await makeOld(context);
    return context;
  };

  test.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 390],
    ['dark', 390],
  ] as const)(
    'a person signs in, creates, changes and pauses a code: %s, %d px',
    async (colorScheme, width) => {
      const context = await open({ colorScheme, viewport: { width, height: 800 } });
      const email = `old-${colorScheme}-${width}@example.org`;
      const client = await signInContext(context, server, email);
      await context.clearCookies();
      const { page, consoleErrors } = await openPage(context);
      const press = (name: string | RegExp) =>
        page.getByRole('button', { name, exact: true }).locator('visible=true').first().click();
      await page.goto(`${server.origin}/account`);
      expect(await unseen(page)).toEqual([]);
      await page.getByLabel('E-mail').fill(email);
      await page.getByLabel('Password', { exact: true }).fill(password);
      await press('Sign in');
      await page.waitForURL('**/account');

      await page.goto(`${server.origin}/account/codes`);
      await page.getByRole('link', { name: 'New code' }).first().click();
      await page.waitForURL('**/account/new*');
      expect(await unseen(page)).toEqual([]);
      await page.getByLabel('Where should it lead?').fill('https://example.org/old');
      await press('Create');
      await page.waitForURL(/\/account\/codes\//);
      expect(await unseen(page)).toEqual([]);
      const code = new URL(page.url()).pathname.split('/').at(-1);

      await page.getByRole('link', { name: 'Change', exact: true }).first().click();
      await page.getByLabel('Destination').fill('https://example.org/changed');
      await press('Save');
      await page.waitForURL(`**/account/codes/${code}*`);
      expect((await visit(`${server.origin}/${code}`)).to).toBe('https://example.org/changed');

      await page.getByRole('link', { name: 'Pause', exact: true }).first().click();
      await press('Pause');
      await page.waitForURL(`**/account/codes/${code}*`);
      expect((await visit(`${server.origin}/${code}`)).status).toBe(410);

      // The selection and the menus, which are popovers elsewhere, stand in the page.
      await createCode(client, 'https://example.org/second');
      await page.goto(`${server.origin}/account/codes`);
      for (const box of await page.locator('.codes tbody .box').all()) await box.check();
      // On a phone it is an entry of the menu.
      await press(/^Pause…?$/);
      await press('Pause 1 code');
      await page.getByText('1 code paused.').waitFor();
      // A page that follows a redirect is not taken apart: it passes the route of the test.
      await page.goto(`${server.origin}/account`);
      await press('Sign out');
      await page.waitForURL('**/account/sign-in*');
      expect(consoleErrors).toEqual([]);
    },
    300_000,
  );

  test('the style sheet gives no colour by what they do not know', async () => {
    const page = await (await fetch(`${server.origin}/account`)).text();
    const [path] = /\/account\/assets\/panel\.\w+\.css/.exec(page) ?? [];
    const css = await (await fetch(`${server.origin}${path}`)).text();
    expect(css).not.toMatch(/light-dark\(|color-mix\(|oklch\(/);
  });
});
