import { beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { encodeRgbaPng } from '../../src/render/png/rgba.ts';
import { colorsOf, decodePicture } from '../support/pixels.ts';
import { sharedServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { inFirefox, openPage, signInContext, useBrowser, withoutBrowser } from './browser.ts';
import { createCode, type PanelClient } from './client.ts';

const server = await sharedServer();
const star = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><path fill="#c22" d="M5 0 6 4h4L7 6l1 4-3-2-3 2 1-4-3-2h4z"/></svg>`;
const logo = { name: 'star.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(star) };

/** Returns the preview, as a data URL. */
const picture = async (page: Page) => (await page.locator('.plate img').getAttribute('src')) ?? '';

/** Returns the colours of the preview. */
async function colors(page: Page): Promise<Set<string>> {
  const [, base64 = ''] = (await picture(page)).split(',');
  return colorsOf(await decodePicture(Buffer.from(base64, 'base64')));
}

/** Acts and waits for another preview. */
async function redrawn(page: Page, act: () => Promise<unknown>): Promise<string> {
  const before = await picture(page);
  await act();
  await page.locator(`.plate img:not([src="${before}"])`).waitFor();
  return picture(page);
}

/** Drops a file on an element as a mouse does. */
async function dropFile(page: Page, selector: string, path: string): Promise<void> {
  const box = await page.locator(selector).boundingBox();
  if (box === null) throw new Error(`${selector} is not visible`);
  const [x, y] = [box.x + box.width / 2, box.y + 4];
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, x, y, data });
  await session.detach();
}

describe.skipIf(withoutBrowser)('the design page', () => {
  const browser = useBrowser(server);
  let page: Page;
  let consoleErrors: readonly string[];
  let client: PanelClient;
  beforeAll(async () => {
    ({ page, consoleErrors, client } = await browser.openSignedIn('designer@example.org'));
  });

  const open = () => page.goto(`${server.origin}/account/design`);
  const save = async () => {
    await page.getByRole('button', { name: 'Save as default' }).click();
    await page.getByText('Design saved.').waitFor();
  };
  const score = () => page.textContent('.verdict');

  test('previews changes as soon as they are complete, and saves them for new codes only', async () => {
    const code = await createCode(client, 'https://example.org/');
    const image = `/account/codes/${code}/image.svg`;
    const before = (await client.get(image)).text;
    await open();
    const picker = page.getByLabel('Pattern: choose a colour');
    await redrawn(page, () => picker.fill('#7a1f5c'));
    expect(await colors(page)).toContain('#7a1f5c');
    expect(await page.locator('#foreground').inputValue()).toBe('#7a1f5c');
    expect(await page.textContent('#unsaved')).toBe('1 unsaved change');
    expect(await page.textContent('.undo')).toStartWith('Pattern changed from #000000 to #7a1f5c.');
    const kept = await redrawn(page, () => page.locator('#logo').setInputFiles(logo));
    expect(await colors(page)).toContain('#cc2222');
    expect(await page.textContent('#unsaved')).toBe('2 unsaved changes');
    expect(await page.textContent('.why')).toContain('The logo covers 5 % of the pattern.');
    expect(await score()).toContain('Phones can read it');
    const color = page.locator('#foreground');
    await color.fill('#aa00');
    await page.locator('.verdict', { hasText: 'Not checked yet' }).waitFor();
    expect(await page.textContent('#foreground-problem')).toBe('Enter a colour such as #1a2b3c.');
    expect(await picture(page)).toBe(kept);
    const completed = await redrawn(page, () => color.fill('  #00a '));
    expect(await colors(page)).toContain('#0000aa');
    await page.keyboard.press('Enter');
    await save();
    expect(await page.getByRole('status').first().textContent()).toContain('Design saved.');
    expect(await page.textContent('#unsaved')).toBe('');
    expect(await picture(page)).toBe(completed);
    expect((await client.get(image)).text).toBe(before);
  });

  // A file is dropped by a command of Chromium's debugger.
  test.skipIf(inFirefox)(
    'accepts a dropped logo, and keeps it when a later file is rejected',
    async () => {
      await open();
      const kept = await picture(page);
      const remove = page.getByRole('button', { name: 'Remove' });
      await redrawn(page, () => remove.click());
      expect(await page.getByText('Drop a logo here').isVisible()).toBe(true);
      expect(await page.getByLabel('Size').isVisible()).toBe(false);
      await redrawn(page, () => page.getByRole('button', { name: 'Undo' }).click());
      expect(await picture(page)).toBe(kept);
      expect(await page.textContent('#unsaved')).toBe('');
      await redrawn(page, () => remove.click());
      const path = join(server.folder, 'star.svg');
      await Bun.write(path, star);
      const drawn = await redrawn(page, () => dropFile(page, '#logo', path));
      const large = join(server.folder, 'large.png');
      await Bun.write(large, new Uint8Array(20_000_001));
      await page.locator('#logo').setInputFiles(large);
      await page.locator('#logo-problem', { hasText: 'A file can be up to 20 MB.' }).waitFor();
      expect(await picture(page)).toBe(drawn);
      await save();
      expect(await picture(page)).toBe(drawn);
    },
  );

  test('draws a logo in this browser, says so, and refuses what it cannot draw', async () => {
    await open();
    const kept = await picture(page);
    const file = (name: string, mimeType: string, buffer: Buffer) => ({ name, mimeType, buffer });
    const choose = (name: string, mimeType: string, buffer: Buffer) =>
      page.locator('#logo').setInputFiles(file(name, mimeType, buffer));
    const problem = (text: string) => page.locator('#logo-problem', { hasText: text }).waitFor();
    await choose('menu-card.pdf', 'application/pdf', Buffer.from('%PDF-1.7'));
    await problem(
      '“menu-card.pdf” isn’t a picture that this browser can draw. Choose a PNG, JPEG, WebP, AVIF or SVG. Your logo stays as it was.',
    );
    expect(await page.locator('#logo').getAttribute('aria-invalid')).toBe('true');
    await choose('broken.svg', 'image/svg+xml', Buffer.from('<svg><g></svg>'));
    await problem('“broken.svg” isn’t a picture');
    const empty = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
    await choose('empty.svg', 'image/svg+xml', Buffer.from(empty));
    await problem('The logo is fully transparent.');
    expect(await picture(page)).toBe(kept);
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 60"><rect width="90" height="60" fill="#2050c0"/><text x="9" y="40" fill="#fff">Ada</text></svg>';
    await redrawn(page, () => choose('text.svg', '', Buffer.from(svg)));
    expect(await colors(page)).toContain('#2050c0');
    expect(await page.locator('#logo-problem').isVisible()).toBe(false);
    const tile = page.locator('#logo-shown');
    expect(await tile.textContent()).toContain('text.svg');
    expect(await tile.textContent()).toContain(
      'Drawn by this browser, 512 × 342 px. It is printed as you see it here.',
    );
    await redrawn(page, () => page.locator('#foreground').fill('#20104a'));
    expect(await tile.textContent()).toContain('text.svg');
    await save();
    expect(await tile.textContent()).toContain('Your logo');
    expect(consoleErrors).toEqual([]);
  });

  test('saves a logo whose drawing is under way', async () => {
    await open();
    const noise = crypto.getRandomValues(new Uint8Array(900 * 900 * 4));
    const png = encodeRgbaPng({ widthPx: 900, heightPx: 900, rgba: noise });
    const before = await page.locator('.thumb').getAttribute('src');
    await page.locator('#logo').setInputFiles({
      ...{ name: 'noise.png', mimeType: 'image/png' },
      buffer: Buffer.from(png),
    });
    await save();
    expect(await page.locator('.thumb').getAttribute('src')).not.toBe(before);
  });

  test('previews a caption, undoes it, says what is wrong with it, and saves it', async () => {
    await open();
    const before = await picture(page);
    const field = page.locator('#caption');
    await redrawn(page, () => field.fill('Scan for the menu'));
    expect(await page.textContent('#unsaved')).toBe('1 unsaved change');
    expect(await page.textContent('.undo')).toStartWith('The caption is new.');
    expect(await score()).toContain('Phones can read it');
    await redrawn(page, () => page.getByRole('button', { name: 'Undo' }).click());
    expect([await picture(page), await field.inputValue()]).toEqual([before, '']);
    await redrawn(page, () => field.fill('Scan for the menu'));
    await redrawn(page, () => page.locator('[name=caption_place][value=above]').check());
    expect(await page.textContent('#unsaved')).toBe('1 unsaved change');
    const kept = await picture(page);
    for (const [text, problem] of [
      ['Scan this code for the menu', 'A caption can have up to 24 characters. Shorten it.'],
      ['扫码', 'The print face lacks these characters: 扫 码.'],
    ] as const) {
      await field.fill(text);
      await page.locator('#caption-problem', { hasText: problem }).waitFor();
      expect(await picture(page)).toBe(kept);
    }
    await redrawn(page, () => field.fill('Zum Menü'));
    await save();
    expect(await field.inputValue()).toBe('Zum Menü');
    const code = await createCode(client, 'https://example.org/captioned');
    const svg = (await client.get(`/account/codes/${code}/image.svg`)).text;
    expect(svg).toContain('translate(4 8)');
    await redrawn(page, () => field.fill(''));
    await save();
  });

  test('asks before unsaved changes are left, but not after saving', async () => {
    await open();
    let questions = 0;
    page.on('dialog', (dialog) => {
      questions++;
      void dialog.dismiss();
    });
    await redrawn(page, () => page.locator('#foreground').fill('#123a6b'));
    await page.getByRole('link', { name: 'Codes', exact: true }).click();
    await until(() => questions === 1);
    expect(await page.locator('#foreground').inputValue()).toBe('#123a6b');
    await save();
    await page.getByRole('link', { name: 'Codes', exact: true }).click();
    await page.waitForURL(/account\/codes$/);
    expect(questions).toBe(1);
  });

  test('rejects codes while the design is unreadable, and keeps verdict, picture and fix in view', async () => {
    await open();
    await redrawn(page, () => page.locator('#foreground').fill('#f4f4f4'));
    expect(await score()).toContain('Phones can’t read it');
    expect(await page.textContent('#unsaved')).toContain('no code can be created with it');
    const fix = page.getByRole('button', { name: 'Use this colour' });
    for (const size of [
      { width: 1280, height: 800 },
      { width: 390, height: 844 },
    ]) {
      await page.setViewportSize(size);
      for (const field of ['#logo', '#quiet_zone']) {
        await page.locator(field).scrollIntoViewIfNeeded();
        for (const part of [page.locator('.verdict .say'), fix, page.locator('.plate img')])
          expect(await part.boundingBox()).toSatisfy(
            (box) => box !== null && box.y >= 0 && box.y + box.height <= size.height,
          );
      }
    }
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.getByRole('button', { name: 'Save as default' }).click();
    await page.getByText('Saved, but phones can’t read it').waitFor();
    expect(await page.getByText('Design saved.').count()).toBe(0);
    await expect(createCode(client, 'https://example.org/unreadable')).rejects.toThrow(
      'Phones can’t read your default design: its white is too pale for the white behind it.',
    );
    await redrawn(page, () => fix.first().click());
    // One verdict at a time: the notice about the saved one is gone.
    expect(await score()).toMatch(/^Readable nowIt isn’t saved yet\./);
    const notice = page.getByText('Saved, but phones can’t read it');
    expect(await notice.count()).toBe(0);
    await redrawn(page, () => page.locator('#foreground').fill('#f5f5f5'));
    expect(await notice.count()).toBe(1);
    await redrawn(page, () => fix.first().click());
    await save();
    expect(await score()).toStartWith('Phones can read it');
    await createCode(client, 'https://example.org/readable');
  });

  test('takes the verdict away while it is computed, and recovers after a cut of the network', async () => {
    await open();
    const verdict = page.locator('.verdict');
    await page.context().setOffline(true);
    await page.locator('#foreground').fill('#f4f4f4');
    await verdict.filter({ hasText: 'Couldn’t check' }).waitFor();
    expect(await verdict.textContent()).not.toContain('Phones can read it');
    await page.context().setOffline(false);
    await verdict.filter({ hasText: 'Phones can’t read it' }).waitFor();
    await redrawn(page, () => page.getByRole('button', { name: 'Brick' }).click());
    expect(await verdict.textContent()).toStartWith('Phones can read it');
    expect(await page.locator('#foreground').inputValue()).toBe('#9a3412');
    await page.context().clearCookies();
    await page.locator('#foreground').fill('#123a6b');
    await verdict.filter({ hasText: 'Your session has ended.' }).waitFor();
    expect(consoleErrors).toEqual([]);
  });

  test('shows saved designs as pictures, and what is done with one in its menu', async () => {
    ({ page, consoleErrors } = await browser.openSignedIn('tiles@example.org'));
    await open();
    await redrawn(page, () => page.locator('#foreground').fill('#7a1f5c'));
    await page.getByRole('button', { name: 'Save as…' }).click();
    await page.getByLabel('Name').fill('Plum');
    await page.getByRole('button', { name: 'Save design' }).click();
    await page.getByRole('heading', { name: 'Plum' }).waitFor();
    const tiles = page.locator('.designs a');
    expect(await tiles.allTextContents()).toEqual([
      expect.stringMatching(/^Default design\d+ of 100$/),
      expect.stringMatching(/^Plum\d+ of 100$/),
    ]);
    expect(await tiles.last().getAttribute('aria-current')).toBe('true');
    await page.getByRole('button', { name: 'Actions for the design Plum' }).click();
    await page.getByRole('link', { name: 'Rename…' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Prune');
    await page.getByRole('button', { name: 'Rename', exact: true }).click();
    await page.getByRole('heading', { name: 'Prune' }).waitFor();
    await page.getByRole('button', { name: 'Actions for the design Prune' }).click();
    await page.getByRole('link', { name: 'Delete…' }).click();
    await page.getByRole('button', { name: 'Delete the saved design' }).click();
    await page.getByRole('heading', { name: 'Default design' }).waitFor();
    expect(await tiles.count()).toBe(0);
    expect(consoleErrors).toEqual([]);
  });

  // Playwright cannot turn scripts off in Firefox.
  test.skipIf(inFirefox)('works without scripts', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    await signInContext(context, server, 'plain@example.org');
    ({ page } = await openPage(context));
    await open();
    const check = () => page.getByRole('button', { name: 'Check' }).click();
    expect(await page.getByText('PNG or JPEG, up to 1 MB.').isVisible()).toBe(true);
    await page.locator('#logo').setInputFiles(logo);
    await check();
    expect(await page.textContent('#logo-problem')).toMatch(/panel with JavaScript on.*PNG/);
    const red = new Uint8Array(32 * 32 * 4).map((_, at) => [0xcc, 0x22, 0x22, 255][at % 4] ?? 0);
    const png = Buffer.from(encodeRgbaPng({ widthPx: 32, heightPx: 32, rgba: red }));
    await page
      .locator('#logo')
      .setInputFiles({ name: 'red.png', mimeType: 'image/png', buffer: png });
    await page.locator('#foreground').fill('#f4f4f4');
    await check();
    expect(await page.locator('#logo-shown').textContent()).toContain('red.png');
    expect(await score()).toContain('Phones can’t read it');
    expect(await colors(page)).toContain('#cc2222');
    await page.getByRole('button', { name: 'Use this colour' }).click();
    expect(await score()).toContain('Phones can read it');
    await save();
    expect(await colors(page)).toContain('#cc2222');
  });
});
