import { beforeAll, describe, expect, test } from 'bun:test';
import type { BrowserContext, Page } from 'playwright-core';
import { openPage, overflowPx, useStage, violations, withoutBrowser } from './browser.ts';
import { createStates, type State, type Who } from './states.ts';

const phone = { width: 390, height: 844 };
const desktop = { width: 1280, height: 800 };
// The rules whose result depends on the colour scheme.
const colorRules = ['color-contrast', 'link-in-text-block'];

describe.skipIf(withoutBrowser)('every page', () => {
  const stage = useStage();
  let contexts: Map<Who, BrowserContext>;
  let states: readonly State[];
  beforeAll(async () => {
    ({ contexts, states } = await createStates(stage.server, stage.browser));
  }, 120_000);

  const contextOf = (who: Who): BrowserContext => {
    const context = contexts.get(who);
    if (context === undefined) throw new Error(`there is no context of ${who}`);
    return context;
  };
  const openAs = async (who: Who, path: string) => {
    const watched = await openPage(contextOf(who));
    await watched.page.goto(`${stage.server.origin}${path}`);
    return watched;
  };

  test('is accessible and fits, on phones and desktops, in light and dark', async () => {
    for (const { name, who, path, act } of states) {
      const { page, complaints } = await openAs(who, path);
      await act?.(page);
      await page.setViewportSize(phone);
      const problems = await violations(page);
      const widths = [await overflowPx(page)];
      await page.setViewportSize(desktop);
      await page.emulateMedia({ colorScheme: 'dark' });
      problems.push(...(await violations(page, colorRules)));
      widths.push(await overflowPx(page));
      expect({ name, problems, complaints, widths }).toEqual({
        name,
        problems: [],
        complaints: [],
        widths: [0, 0],
      });
      await page.close();
    }
  }, 120_000);

  test('is operated by keyboard alone, with a visible focus', async () => {
    const { page } = await openAs('operator', '/account');
    await page.keyboard.press('Tab');
    const focused = () => page.evaluate('document.activeElement.textContent');
    expect(await focused()).toBe('Skip to content');
    for (const path of ['/account', '/account/design', '/account/safety']) {
      await page.goto(`${stage.server.origin}${path}`);
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
  }, 120_000);

  test('fits a phone with text of twice the size', async () => {
    const { page } = await openAs('operator', '/account');
    // 390 px hold as much text of 32 px as 195 px hold of 16 px.
    await page.setViewportSize({ width: 195, height: 400 });
    const tooWide: Record<string, number> = {};
    for (const section of ['', '/design', '/key', '/accounts', '/safety', '/settings']) {
      await page.goto(`${stage.server.origin}/account${section}`);
      const overflow = await overflowPx(page);
      if (overflow > 0) tooWide[section] = overflow;
    }
    expect(tooWide).toEqual({});
    await page.close();
  }, 120_000);

  test('has targets of at least 24 px (WCAG 2.2, 2.5.8)', async () => {
    const { page } = await openAs('operator', '/account');
    await page.setViewportSize(phone);
    for (const path of ['', '/design', '/safety', '/accounts', '/settings']) {
      await page.goto(`${stage.server.origin}/account${path}`);
      expect({ path, small: await smallTargets(page) }).toEqual({ path, small: [] });
    }
    await page.close();
  }, 120_000);

  test('keeps the meaning of colours in forced-colors mode', async () => {
    const { page } = await openAs('operator', '/account/design');
    await page.emulateMedia({ forcedColors: 'active' });
    const style = (selector: string, name: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('${selector}')).${name}`);
    expect(await style('nav [aria-current]', 'textDecorationLine')).toBe('underline');
    await page.close();
  }, 120_000);
});

/** Returns links, buttons and fields that are too small to touch. Links within sentences may be. */
function smallTargets(page: Page): Promise<unknown> {
  return page.evaluate(`[...document.querySelectorAll('a, button, summary, input')]
    .filter((one) => one.checkVisibility() && !one.closest('p, .skip'))
    .filter((one) => { const { width, height } = one.getBoundingClientRect();
      return height > 1 && (height < 24 || width < 24) && one.type !== 'range'; })
    .map((one) => one.outerHTML)`);
}
