import { describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { until } from '../support/until.ts';
import { openPage, withoutBrowser } from './browser.ts';
import { enter } from './enter.ts';
import { setStage } from './stage.ts';

const star = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><path fill="#c22" d="M5 0 6 4h4L7 6l1 4-3-2-3 2 1-4-3-2h4z"/></svg>`;
const logo = { name: 'star.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(star) };
const gif = Buffer.from(
  'R0lGODlhEAAQAIAAAP///wAAACH5BAEAAAAALAAAAAAQABAAAAIOhI+py+0Po5y02ouzPgUAOw==',
  'base64',
);

const picture = (page: Page) => page.locator('.view.large img').getAttribute('src');
const svgOf = (source: string | null) =>
  Buffer.from(source?.replace('data:image/svg+xml;base64,', '') ?? '', 'base64').toString();

/** Does something and waits until the server has drawn another picture. */
async function redrawn(page: Page, act: () => Promise<unknown>): Promise<string> {
  const before = await picture(page);
  await act();
  // Asked from outside, because the page's policy lets nothing be evaluated in it later on.
  await until(async () => (await picture(page)) !== before);
  return svgOf(await picture(page));
}

describe.skipIf(withoutBrowser)('the design in the panel', () => {
  const stage = setStage();

  const open = async (email: string, options = {}) => {
    const context = await stage.browser.newContext(options);
    const client = await enter(context, stage.server, email);
    const { page, complaints } = await openPage(context);
    await page.goto(`${stage.server.origin}/account/design`);
    return { page, complaints, client };
  };

  test("follows the form with the server's own picture", async () => {
    const { page, complaints } = await open('anna@example.org');
    expect(svgOf(await picture(page))).toContain('#000000');
    const colored = await redrawn(page, () => page.locator('#foreground').fill('#123a6b'));
    expect(colored).toContain('#123a6b');
    expect(await page.getByText('Not saved yet').isVisible()).toBe(true);
    await redrawn(page, () => page.getByLabel('Dots').check());
    const withLogo = await redrawn(page, () => page.locator('#logo').setInputFiles(logo));
    expect(withLogo).toContain('data:image/png;base64,');
    expect(await page.getByLabel('Without a logo').isChecked()).toBe(false);
    // The logo travels in the form from now on: a later change keeps it.
    const kept = await redrawn(page, () => page.locator('#background').fill('#fffbea'));
    expect(kept).toContain('data:image/png;base64,');
    expect(await page.textContent('.score')).toContain('Phones can read it');

    await page.getByRole('button', { name: 'Save the design' }).click();
    expect(await page.getByRole('status').first().textContent()).toContain('The design is saved.');
    expect(await page.getByText('Not saved yet').isVisible()).toBe(false);
    expect(svgOf(await picture(page))).toBe(kept);
    expect(complaints).toEqual([]);
  }, 120_000);

  test('accepts a dropped logo, and keeps it when a later file is rejected', async () => {
    const { page } = await open('bea@example.org');
    const drop = await page.evaluateHandle((text) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], 'star.svg', { type: 'image/svg+xml' }));
      return transfer;
    }, star);
    const drawn = await redrawn(page, () =>
      page.locator('[data-drop]').dispatchEvent('drop', { dataTransfer: drop }),
    );
    expect(drawn).toContain('data:image/png;base64,');
    const problem = page.locator('#logo-problem');
    for (const [name, bytes, message] of [
      ['a.svg', Buffer.alloc(0), 'The file is empty.'],
      ['a.png', Buffer.alloc(4_000_000), 'A logo may have 1 MB.'],
      ['a.gif', gif, 'The file is a GIF.'],
    ] as const) {
      await page.locator('#logo').setInputFiles({ name, mimeType: 'image/png', buffer: bytes });
      await problem.filter({ hasText: message, visible: true }).waitFor();
      expect(svgOf(await picture(page))).toBe(drawn);
    }
    const noLogo = page.getByLabel('Without a logo');
    await redrawn(page, () => noLogo.check());
    expect(await redrawn(page, () => noLogo.uncheck())).toBe(drawn);
    expect(await problem.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Save the design' }).click();
    await page.waitForURL(/done=saved/);
    expect(svgOf(await picture(page))).toBe(drawn);
  }, 120_000);

  test('picks a colour, and the corners follow the foreground', async () => {
    const { page } = await open('dan@example.org');
    const well = page.getByLabel('Foreground: pick a colour');
    const drawn = await redrawn(page, () => well.fill('#7a1f5c'));
    expect(await page.locator('#foreground').inputValue()).toBe('#7a1f5c');
    expect(await page.getByLabel('Corner colour: pick a colour').inputValue()).toBe('#7a1f5c');
    expect(drawn).toContain('#7a1f5c');
  }, 120_000);

  test('warns of a design that cannot be read, and takes the advice in one click', async () => {
    const { page, client } = await open('eva@example.org');
    await redrawn(page, () => page.locator('#foreground').fill('#f4f4f4'));
    expect(await page.textContent('.score')).toContain('Phones may not read it');
    expect(await page.textContent('.preview')).toContain('Codes in this design would be refused');
    await page.getByRole('button', { name: 'Save the design' }).click();
    await page.waitForURL(/done=saved/);
    expect(await page.textContent('.preview')).toContain('New codes are refused');

    const refused = await client.post('/account/codes', {
      csrf: await client.csrf(),
      url: 'https://example.org/',
    });
    expect(refused.status).toBe(422);

    await redrawn(page, () => page.getByRole('button', { name: 'Take the advice' }).click());
    expect(await page.textContent('.score')).toContain('Phones can read it');
    // The button is gone; the keyboard goes on where it was.
    expect(await page.evaluate('document.activeElement.id')).toBe('preview');
    await page.getByRole('button', { name: 'Save the design' }).click();
    await page.waitForURL(/done=saved/);
    const made = await client.post('/account/codes', {
      csrf: await client.csrf(),
      url: 'https://example.org/',
    });
    expect(made.status).toBe(303);
  }, 120_000);

  test('keeps the last picture while a colour is incomplete, and a logo chosen meanwhile', async () => {
    const { page } = await open('tina@example.org');
    const color = page.locator('#foreground');
    const red = await redrawn(page, () => color.fill('  #aa0000 '));
    expect(red).toContain('#aa0000');
    await color.fill('#aa00');
    await page.locator('.score', { hasText: 'A colour is not valid.' }).waitFor();
    expect(await page.textContent('#foreground-problem')).toBe('Write the colour as #1a2b3c.');
    await page.locator('#logo').setInputFiles(logo);
    expect(svgOf(await picture(page))).toBe(red);
    const blue = await redrawn(page, () => color.fill('#00a'));
    expect(blue).toContain('#0000aa');
    expect(blue).toContain('data:image/png;base64,');
    expect(await page.textContent('.score')).toContain('Phones can read it');
  }, 120_000);

  test('marks the preview as out of date when the server does not respond', async () => {
    const { page } = await open('jill@example.org', { viewport: { width: 390, height: 844 } });
    const bar = page.locator('.mini');
    await page.context().setOffline(true);
    await page.locator('#foreground').fill('#123a6b');
    await bar.filter({ hasText: 'Not up to dateThe server did not respond.' }).waitFor();
    await page.context().setOffline(false);
    await redrawn(page, () => page.locator('#foreground').fill('#7a1f5c'));
    expect(await bar.textContent()).toStartWith('Phones can read it');
    await page.context().clearCookies();
    await page.locator('#foreground').fill('#123a6b');
    await bar.filter({ hasText: 'Your session has ended.' }).waitFor();
  }, 120_000);

  test('asks before unsaved changes are left, and not after they were saved', async () => {
    const { page } = await open('kim@example.org');
    let questions = 0;
    page.on('dialog', (dialog) => {
      questions++;
      void dialog.dismiss();
    });
    await redrawn(page, () => page.locator('#foreground').fill('#123a6b'));
    await page.getByRole('link', { name: 'Codes' }).click();
    await until(async () => questions === 1);
    expect(await page.locator('#foreground').inputValue()).toBe('#123a6b');
    await page.getByRole('button', { name: 'Save the design' }).click();
    await page.waitForURL(/done=saved/);
    await page.getByRole('link', { name: 'Codes' }).click();
    await page.waitForURL(/account$/);
    expect(questions).toBe(1);
  }, 120_000);

  test('updates the preview at once on Enter', async () => {
    const { page } = await open('jan@example.org');
    await page.locator('#foreground').fill('#123a6b');
    await redrawn(page, () => page.keyboard.press('Enter'));
    expect(svgOf(await picture(page))).toContain('#123a6b');
    expect(page.url()).toEndWith('/account/design');
  }, 120_000);

  test('leaves codes that exist as they are', async () => {
    const { page, client } = await open('finn@example.org');
    const csrf = await client.csrf();
    const made = await client.post('/account/codes', { csrf, url: 'https://example.org/' });
    const image = `${(made.to ?? '').replace(/\?.*/, '')}/image.svg`;
    const before = (await client.get(image)).text;
    await redrawn(page, () => page.locator('#foreground').fill('#123a6b'));
    await page.getByRole('button', { name: 'Save the design' }).click();
    await page.waitForURL(/done=saved/);
    expect((await client.get(image)).text).toBe(before);
  }, 120_000);

  test('works without a script: show, take the advice, save', async () => {
    const { page } = await open('gil@example.org', { javaScriptEnabled: false });
    await page.locator('#logo').setInputFiles(logo);
    await page.locator('#foreground').fill('#f4f4f4');
    await page.locator('#background').fill('pale');
    await page.evaluate('document.querySelector("#design").noValidate = true');
    await page.getByRole('button', { name: 'Show without saving' }).click();
    expect(await page.textContent('#background-problem')).toBe('Write the colour as #1a2b3c.');
    expect(await page.locator('#background').inputValue()).toBe('pale');
    expect(await page.getByText('Not saved yet').isVisible()).toBe(true);
    expect(await page.textContent('.score')).toContain('Phones may not read it');
    expect(svgOf(await picture(page))).toContain('data:image/png;base64,');
    await page.getByRole('button', { name: 'Take the advice' }).click();
    expect(await page.textContent('.score')).toContain('Phones can read it');
    await page.getByRole('button', { name: 'Save the design' }).click();
    await page.waitForURL(/done=saved/);
    expect(svgOf(await picture(page))).toContain('data:image/png;base64,');

    const large = { ...logo, buffer: Buffer.alloc(4_000_000) };
    await page.locator('#logo').setInputFiles(large);
    await page.getByRole('button', { name: 'Show without saving' }).click();
    await page.getByText('A logo may have 1 MB.').waitFor();
    await page.getByRole('link', { name: 'Back to the form' }).click();
    expect(await page.textContent('h1')).toBe('Design');
  }, 120_000);
});
