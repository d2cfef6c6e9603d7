import { describe, expect, test } from 'bun:test';
import { addPastScans } from '../support/past-scans.ts';
import { oneProcess, startServer } from '../support/server.ts';
import { openPage, signInContext, useBrowser, withoutBrowser } from './browser.ts';
import { createCode } from './client.ts';

const server = await startServer(oneProcess);

describe.skipIf(withoutBrowser)('ticked codes', () => {
  const browser = useBrowser(server);

  /** Opens the list of an account with seven codes, of which the last has 40 scans of yesterday. */
  async function openList(email: string, options: { javaScriptEnabled?: boolean } = {}) {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 900 },
      ...options,
    });
    const client = await signInContext(context, server, email);
    const codes: string[] = [];
    for (let number = 1; number <= 7; number++)
      codes.push(
        await createCode(client, `https://example.org/${number}`, { name: `Code ${number}` }),
      );
    await addPastScans(server, codes[6] ?? '', [[Date.now() - 86_400_000, 40]]);
    await addPastScans(server, codes[5] ?? '', [[Date.now() - 86_400_000, 20]]);
    const { page } = await openPage(context);
    await page.goto(`${server.origin}/account/codes`);
    const tick = async (first: number, last: number) => {
      for (let at = first; at <= last; at++)
        await page.getByRole('checkbox', { name: `Select Code ${at}` }).check();
    };
    return { page, tick };
  }

  test.each([true, false])('are compared, with a script: %p', async (hasScript) => {
    const { page, tick } = await openList(`ticks-${hasScript}@example.org`, {
      javaScriptEnabled: hasScript,
    });
    await tick(6, 7);
    const compare = page.getByRole('button', { name: 'Compare' });
    await compare.click();
    await page.getByRole('heading', { name: 'Compare', level: 1, exact: true }).waitFor();
    const sentence = page.getByRole('main').getByRole('heading', { level: 2 });
    expect(await sentence.textContent()).toBe('Code 7 was scanned twice as often as Code 6');
    expect(new URL(page.url()).searchParams.getAll('code')).toHaveLength(2);
    await page.goBack();
    // The script keeps what was ticked.
    if (!hasScript) await tick(6, 7);
    await tick(1, 4);
    await compare.click();
    await page.getByText('6 codes or folders are chosen. At most five can be compared.').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(hasScript ? 1 : 0);
    await page.getByRole('link', { name: 'Close' }).click();
    await page.getByRole('heading', { name: 'Codes', level: 1 }).waitFor();
  });

  test('have charts that say their numbers, with the mouse and by keys', async () => {
    const { page, tick } = await openList('tips@example.org');
    await tick(6, 7);
    await page.getByRole('button', { name: 'Compare' }).click();
    const charts = page.getByRole('img', { name: /^Scans of Code \d a day, / });
    await charts.first().waitFor();
    expect(await charts.count()).toBe(2);
    const tip = page.locator('.chart .tip');
    await charts.first().locator('.hit').nth(28).hover();
    expect(await tip.textContent()).toMatch(/ · 40 scans$/);
    const box = await tip.boundingBox();
    expect(box?.x).toBeGreaterThan(0);
    await page.mouse.move(0, 0);
    await charts.nth(1).focus();
    for (let presses = 0; presses < 2; presses++) await page.keyboard.press('ArrowLeft');
    expect(await tip.textContent()).toMatch(/ · 20 scans$/);
  });
});
