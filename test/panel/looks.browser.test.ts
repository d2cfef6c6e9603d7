import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { type Server, startServer } from '../support/server.ts';
import { barriers, launch, openPage, overflowPx, withoutBrowser } from './browser.ts';
import { createStates, type State, type Who } from './states.ts';

const widths = [360, 1440] as const;
// What a rule finds hangs on the colours for these alone.
const rulesOfColor = ['color-contrast', 'link-in-text-block'];

describe.skipIf(withoutBrowser)('every page', () => {
  let server: Server;
  let browser: Browser;
  let contexts: Map<Who, BrowserContext>;
  let states: readonly State[];
  beforeAll(async () => {
    [server, browser] = await Promise.all([startServer(), launch()]);
    ({ contexts, states } = await createStates(server, browser));
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  const contextOf = (who: Who): BrowserContext => {
    const context = contexts.get(who);
    if (context === undefined) throw new Error(`nobody is ${who}`);
    return context;
  };
  const origins = new Set<string>();
  const open = async ({ who, path, act }: State) => {
    const { page, complaints } = await openPage(contextOf(who));
    page.on('request', (request) => origins.add(new URL(request.url()).origin));
    await page.goto(`${server.origin}${path}`);
    await act?.(page);
    return { page, complaints };
  };

  /** Looks at a page in every width and colour scheme without loading it again. */
  const lookAt = async (page: Page) => {
    const found: Record<string, readonly string[]> = {};
    for (const width of widths)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize({ width, height: 800 });
        await page.emulateMedia({ colorScheme });
        const barred = await barriers(page, colorScheme === 'light' ? undefined : rulesOfColor);
        const overflow = await overflowPx(page);
        found[`${width} ${colorScheme}`] =
          overflow > 0 ? [...barred, `${overflow} px too wide`] : barred;
      }
    return found;
  };

  test('is free of barriers, fits, and loads nothing from elsewhere', async () => {
    const free = { '360 light': [], '360 dark': [], '1440 light': [], '1440 dark': [] };
    const titles = new Map<string, string>();
    for (const state of states) {
      const { page, complaints } = await open(state);
      const { name } = state;
      expect({ name, ...(await lookAt(page)), complaints }).toEqual({
        name,
        ...free,
        complaints: [],
      });
      if (state.act === undefined) titles.set(state.path, await page.title());
      await page.close();
    }
    // Pictures that are drawn in place have no origin.
    origins.delete('null');
    expect([...origins]).toEqual([server.origin]);
    // Whoever has several of them open tells them apart by their titles.
    expect(titles.values().toArray()).toEqual([...new Set(titles.values())]);
  }, 120_000);

  test('is reached by keyboard alone', async () => {
    const { page } = await openPage(contextOf('operator'));
    await page.goto(`${server.origin}/account`);
    await page.keyboard.press('Tab');
    const focused = () => page.evaluate('document.activeElement.textContent');
    expect(await focused()).toBe('Skip to the content');
    const seen: unknown[] = [];
    for (let presses = 0; presses < 7; presses++) {
      await page.keyboard.press('Tab');
      seen.push(await focused());
    }
    expect(seen).toEqual(['Waymark', 'Codes', 'Design', 'Key', 'Accounts', 'Safety', 'Settings']);
    await page.keyboard.press('Enter');
    await page.waitForURL(/settings/);
    await page.close();
  }, 120_000);

  test('shows where the keyboard is', async () => {
    const { page } = await openPage(contextOf('operator'));
    for (const path of ['/account', '/account/design', '/account/safety']) {
      await page.goto(`${server.origin}${path}`);
      // Every stop up to the end of the page has an outline, its own or that of what stands for it.
      for (let presses = 0; presses < 60; presses++) {
        await page.keyboard.press('Tab');
        const outline = await page.evaluate(`(() => {
          const at = document.activeElement;
          if (at === document.body) return 'end';
          const outlines = [at, at.nextElementSibling].map((one) => one && getComputedStyle(one));
          return outlines.some((one) => one && one.outlineStyle !== 'none') ? 'seen' : at.outerHTML;
        })()`);
        if (outline === 'end') break;
        expect(outline).toBe('seen');
      }
    }
    await page.close();
  }, 120_000);

  test('fits a phone whose letters are twice as large', async () => {
    const { page } = await openPage(contextOf('operator'));
    // The same layout: 390 pixels hold as many letters of 32 pixels as 195 hold of 16.
    await page.setViewportSize({ width: 195, height: 400 });
    const wide: Record<string, number> = {};
    for (const section of ['', 'design', 'key', 'accounts', 'safety', 'settings']) {
      await page.goto(`${server.origin}/account/${section}`.replace(/\/$/, ''));
      for (const question of await page.locator('summary').all()) await question.click();
      const overflow = await overflowPx(page);
      if (overflow > 0) wide[section] = overflow;
    }
    expect(wide).toEqual({});
    await page.close();
  }, 120_000);

  test('cuts nothing off where the letters are twice as large', async () => {
    const { page } = await openPage(contextOf('operator'));
    await page.setViewportSize({ width: 195, height: 400 });
    const charted = states.find(({ name }) => name === 'a code by the hour');
    await page.goto(`${server.origin}${charted?.path}`);
    const hidden = (selector: string) =>
      page.evaluate(`[...document.querySelectorAll('${selector}')].filter((one) =>
        one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight).length`);
    expect(await hidden('.switch')).toBe(0);
    // The words below the chart stand beside each other.
    const covered = await page.evaluate(`[...document.querySelectorAll('.chart .tick')]
      .map((one) => one.getBoundingClientRect()).filter(({ width }) => width > 0)
      .some(({ left }, at, all) => at > 0 && left < all[at - 1].right)`);
    expect(covered).toBe(false);
    await page.goto(`${server.origin}/account/design`);
    expect(await hidden('.color input[type=text]')).toBe(0);
    for (const slider of await page.locator('input[type=range]').all())
      expect((await slider.boundingBox())?.width).toBeGreaterThan(90);
    await page.close();
  }, 120_000);

  test('shows an e-mail that no line ends in, wherever it stands', async () => {
    const email = `${'w'.repeat(64)}@${'d'.repeat(60)}.example`;
    const { page } = await openPage(contextOf('operator'));
    await page.setViewportSize({ width: 360, height: 640 });
    await page.goto(`${server.origin}/account/accounts`);
    await page.getByLabel('E-mail', { exact: true }).fill(email);
    await page.getByRole('button', { name: 'Create the account' }).click();
    await page.locator('.fresh').waitFor();
    expect(await overflowPx(page)).toBe(0);
    await page.goto((await page.locator('.fresh code').textContent()) ?? '');
    await page.getByText(`For ${email}.`).waitFor();
    expect(await overflowPx(page)).toBe(0);
    await page.close();
  }, 120_000);

  test('shows however long a search that found nothing', async () => {
    const { page } = await openPage(contextOf('operator'));
    await page.setViewportSize({ width: 360, height: 640 });
    for (const section of ['', '/accounts', '/safety']) {
      await page.goto(`${server.origin}/account${section}?q=${'y'.repeat(300)}`);
      expect([section, await overflowPx(page)]).toEqual([section, 0]);
    }
    await page.close();
  }, 120_000);

  test('is not buried by a very long address, which can be read whole without a script', async () => {
    const context = await browser.newContext({
      javaScriptEnabled: false,
      storageState: await contextOf('operator').storageState(),
    });
    const { page } = await openPage(context);
    await page.setViewportSize({ width: 390, height: 844 });
    const heights: Record<string, number> = {};
    const isLengthy = (name: string) => name.includes('very long') || name === 'safety';
    for (const { name, path } of states.filter(({ name }) => isLengthy(name))) {
      await page.goto(`${server.origin}${path}`);
      heights[name] = Number(await page.evaluate('document.documentElement.scrollHeight'));
      await page.locator('summary').filter({ hasText: 'The whole address' }).first().click();
      const whole = page.locator('details[open]').first();
      expect((await whole.textContent())?.length).toBeGreaterThan(1900);
    }
    // The warning fits the screen of a phone; a page of the panel is three or four of them high.
    const highest = { 'a flagged code that leads to a very long address': 844 };
    expect(heights).toMatchObject(highest);
    expect(Object.values(heights).filter((px) => px > 3500)).toEqual([]);
    await context.close();
  }, 120_000);

  test('has nothing to press that is smaller than a fingertip', async () => {
    const { page } = await openPage(contextOf('operator'));
    await page.setViewportSize({ width: 390, height: 844 });
    const small: Record<string, unknown> = {};
    const codes = ['a code that leads to a very long address', 'a code by the hour'];
    const names = ['the codes', 'the design', 'safety', 'the accounts', 'no such page', ...codes];
    for (const { path } of states.filter(({ name }) => names.includes(name))) {
      await page.goto(`${server.origin}${path}`);
      // A link within a sentence is as high as its line (WCAG 2.2, 2.5.8).
      small[path] = await page.evaluate(`[...document.querySelectorAll('a, button, summary, input')]
        .filter((one) => one.checkVisibility() && !one.closest('p:not(.back), .skip, .choice'))
        .filter((one) => { const { width, height } = one.getBoundingClientRect();
          return height > 1 && (height < 24 || width < 24) && one.type !== 'range'; })
        .map((one) => one.outerHTML)`);
    }
    expect(Object.values(small).flat()).toEqual([]);
    await page.close();
  }, 120_000);

  test('keeps what its colours say where the reader has chosen the colours', async () => {
    const { page } = await openPage(contextOf('operator'));
    await page.emulateMedia({ forcedColors: 'active' });
    await page.goto(`${server.origin}/account/design`);
    const style = (selector: string, name: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('${selector}')).${name}`);
    expect(await style('.view.dark', 'backgroundColor')).toBe('rgb(20, 23, 26)');
    expect(await style('nav [aria-current]', 'textDecorationLine')).toBe('underline');
    // The chosen one is filled: an outline is for where the keyboard is.
    const chosen = '.choice input:checked + span';
    expect(await style(chosen, 'backgroundColor')).not.toBe(
      await style('.choice input:not(:checked) + span', 'backgroundColor'),
    );
    expect(await style(chosen, 'outlineStyle')).toBe('none');
    await page.keyboard.press('Tab');
    await page.locator('.choice input:checked').first().focus();
    expect(await style(chosen, 'outlineStyle')).toBe('solid');
    await page.close();
  }, 120_000);

  test('leaves a window that is low to the form', async () => {
    const { page } = await openPage(contextOf('operator'));
    await page.goto(`${server.origin}/account/design`);
    await page.setViewportSize({ width: 360, height: 640 });
    expect(await page.locator('.mini').isVisible()).toBe(true);
    // A phone on its side.
    await page.setViewportSize({ width: 844, height: 390 });
    expect(await page.locator('.mini').isVisible()).toBe(false);
    // 1,280 by 1,024 pixels, magnified four times.
    await page.setViewportSize({ width: 320, height: 256 });
    expect(await page.locator('.mini').isVisible()).toBe(false);
    await page.close();
  }, 120_000);
});
