import { beforeAll, describe, expect, test } from 'bun:test';
import type { BrowserContext, Page } from 'playwright-core';
import { openPage, overflowPx, useBrowser, violations, withoutBrowser } from '../panel/browser.ts';
import { createStates, type State, type Viewer } from '../panel/states.ts';
import { sharedServer } from '../support/server.ts';

const server = await sharedServer();

// The narrowest that must not scroll sideways (WCAG 2.2, 1.4.10).
const phone = { width: 320, height: 640 };
// 390 px hold as much text of 32 px as 195 px hold of 16 px.
const largeText = { width: 195, height: 400 };
const desktop = { width: 1280, height: 800 };
// The rules whose result depends on the colour scheme.
const colorRules = ['color-contrast', 'link-in-text-block'];

describe.skipIf(withoutBrowser)('every page', () => {
  const browser = useBrowser(server);
  let contexts: Readonly<Record<Viewer, BrowserContext>>;
  let states: readonly State[];
  beforeAll(async () => {
    ({ contexts, states } = await createStates(server, browser));
  });

  const openAs = async (viewer: Viewer, path: string) => {
    const watched = await openPage(contexts[viewer]);
    await watched.page.goto(`${server.origin}${path}`);
    return watched;
  };

  test('is accessible and fits, on phones and desktops, in light and dark, and with text of twice the size', async () => {
    for (const { name, viewer, path, prepare } of states) {
      const { page, consoleErrors } = await openAs(viewer, path);
      await prepare?.(page);
      await page.setViewportSize(phone);
      const problems = await violations(page);
      const small = await smallTargets(page);
      const widths = [await overflowPx(page)];
      await page.setViewportSize(largeText);
      widths.push(await overflowPx(page));
      await page.setViewportSize(desktop);
      await page.emulateMedia({ colorScheme: 'dark' });
      problems.push(...(await violations(page, colorRules)));
      widths.push(await overflowPx(page));
      expect({ name, problems, consoleErrors, small, widths }).toEqual({
        name,
        problems: [],
        consoleErrors: [],
        small: [],
        widths: [0, 0, 0],
      });
      await page.close();
    }
    // A hundred pages, each at three sizes.
  }, 1_200_000);

  test('is operated by keyboard alone, with a visible focus', async () => {
    const { page } = await openAs('operator', '/account');
    await page.keyboard.press('Tab');
    const focused = () => page.evaluate('document.activeElement.textContent');
    expect(await focused()).toBe('Skip to content');
    for (const path of ['', '/codes', '/batches', '/design', '/safety']) {
      await page.goto(`${server.origin}/account${path}`);
      for (let presses = 0; presses < 60; presses++) {
        await page.keyboard.press('Tab');
        // A radio button's label has the outline.
        const outline = await page.evaluate(`(() => {
          const focused = document.activeElement;
          if (focused === document.body) return 'end';
          const styles = [focused, focused.nextElementSibling].map((one) => one && getComputedStyle(one));
          return styles.some((one) => one && one.outlineStyle !== 'none') ? 'seen' : focused.outerHTML;
        })()`);
        if (outline === 'end') break;
        expect(outline).toBe('seen');
      }
    }
    await page.close();
  });

  test('of the API is legible in the dark', async () => {
    const context = await browser.newContext({ colorScheme: 'dark' });
    const { page } = await openPage(context);
    await page.goto(`${server.origin}/docs`);
    const create = page.locator('[id$="-createQr"]');
    await create.locator('.opblock-summary-control').click();
    await create.locator('.responses-table').first().waitFor();
    const contrasts = (await violations(page, ['color-contrast'])).map((line) =>
      Number(/contrast of ([\d.]+)/.exec(line)?.[1]),
    );
    // Swagger UI's own colours miss the 4.5 of WCAG by a little.
    expect(contrasts.filter((contrast) => !(contrast > 3.5))).toEqual([]);
    await page.close();
  });

  test('moves nothing where people ask for less motion', async () => {
    const { page } = await openAs('operator', '/account');
    const moving = () =>
      page.evaluate(`[...document.querySelectorAll('*')].flatMap((one) => {
        const { animationName, transitionDuration } = getComputedStyle(one);
        return animationName === 'none' && transitionDuration === '0s' ? [] : [one.outerHTML];
      }).length`);
    expect(await moving()).toBe(0);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    expect(await moving()).toBeGreaterThan(0);
    await page.close();
  });

  test('shows each character of a code as it is', async () => {
    const { page } = await openAs('operator', '/account/codes');
    // Contextual alternates of Inter make a multiplication sign of an x between digits.
    const contextual = await page.evaluate(`[...document.querySelectorAll('*')]
      .filter((one) => getComputedStyle(one).fontVariantLigatures !== 'no-contextual').length`);
    expect(contextual).toBe(0);
    await page.close();
  });

  test('keeps the meaning of colours in forced-colors mode', async () => {
    const { page } = await openAs('operator', '/account/design');
    await page.emulateMedia({ forcedColors: 'active' });
    const style = (selector: string, name: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('${selector}')).${name}`);
    expect(await style('nav [aria-current]', 'textDecorationLine')).toBe('underline');
    await page.goto(`${server.origin}/account/accounts`);
    expect(await style('input[type=checkbox]', 'appearance')).toBe('auto');
    await page.close();
  });
});

/**
 * Returns links, buttons and fields below 24 px (WCAG 2.2, 2.5.8). Links within sentences may be. The label around a
 * box is part of its target.
 */
function smallTargets(page: Page): Promise<unknown> {
  return page.evaluate(`[...document.querySelectorAll('a, button, summary, input, select, textarea')]
    .filter((one) => one.checkVisibility() && !one.closest('p, .skip'))
    .filter((one) => { const { width, height } = (one.closest('label') ?? one).getBoundingClientRect();
      return height > 1 && (height < 24 || width < 24) && one.type !== 'range'; })
    .map((one) => one.outerHTML)`);
}
