import { describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { until } from '../support/until.ts';
import { openPage, withoutBrowser } from './browser.ts';
import { password } from './client.ts';
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

  test('takes a logo that is dropped', async () => {
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
  }, 120_000);

  test('says why a file is no logo', async () => {
    const { page } = await open('cleo@example.org');
    const problem = page.locator('#logo-problem');
    for (const [name, bytes, said] of [
      ['a.svg', Buffer.alloc(0), 'The file is empty.'],
      ['a.png', Buffer.alloc(4_000_000), 'A logo may have 1 MB.'],
      ['a.gif', gif, 'The file is a GIF.'],
    ] as const) {
      await page.locator('#logo').setInputFiles({ name, mimeType: 'image/png', buffer: bytes });
      await problem.filter({ hasText: said, visible: true }).waitFor();
    }
    expect(await page.locator('#logo').getAttribute('aria-describedby')).toContain('logo-problem');
    await redrawn(page, () => page.locator('#foreground').fill('#123a6b'));
    expect(await problem.isVisible()).toBe(false);
  }, 120_000);

  test('keeps a logo that is not saved when a later file is refused', async () => {
    const { page } = await open('rosa@example.org');
    const drawn = await redrawn(page, () => page.locator('#logo').setInputFiles(logo));
    const written = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><text>a</text></svg>`;
    for (const [name, buffer, said] of [
      ['a.gif', gif, 'The file is a GIF.'],
      ['a.svg', Buffer.from(written), 'text'],
    ] as const) {
      const file = { name, mimeType: 'image/svg+xml', buffer };
      await page.locator('#logo').setInputFiles(file);
      await page.locator('#logo-problem').filter({ hasText: said, visible: true }).waitFor();
      expect(svgOf(await picture(page))).toBe(drawn);
    }
    await page.getByRole('button', { name: 'Save the design' }).click();
    await page.waitForURL(/done=saved/);
    expect(svgOf(await picture(page))).toBe(drawn);
  }, 120_000);

  test('keeps a logo that is not saved while it is to be left out', async () => {
    const { page } = await open('suse@example.org');
    const without = page.getByLabel('Without a logo');
    const drawn = await redrawn(page, () => page.locator('#logo').setInputFiles(logo));
    const plain = await redrawn(page, () => without.check());
    expect(plain).not.toContain('data:image/png;base64,');
    expect(await redrawn(page, () => without.uncheck())).toBe(drawn);
    await redrawn(page, () => without.check());
    await page.getByRole('button', { name: 'Save the design' }).click();
    await page.waitForURL(/done=saved/);
    expect(svgOf(await picture(page))).toBe(plain);
    expect(await page.locator('[name=draft_logo]').count()).toBe(0);
  }, 120_000);

  test('picks a colour from the well, and the corners follow the foreground', async () => {
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

  test('keeps the picture while a colour is half typed, says so, and where', async () => {
    const { page } = await open('tina@example.org', { viewport: { width: 1280, height: 800 } });
    const field = page.locator('#foreground');
    const red = await redrawn(page, () => field.fill('#aa0000'));
    await redrawn(page, () => page.locator('#logo').setInputFiles(logo));
    const before = svgOf(await picture(page));
    expect(before).toContain('#aa0000');
    await field.fill('#aa00');
    const verdict = page.locator('.score');
    await verdict.filter({ hasText: 'Not up to dateSomething in the form is' }).waitFor();
    expect(svgOf(await picture(page))).toBe(before);
    expect(await verdict.getByText('100', { exact: true }).isVisible()).toBe(false);
    const complaint = await page.locator('#foreground-problem').boundingBox();
    const well = await page.getByLabel('Foreground: pick a colour').boundingBox();
    expect(complaint?.x).toBe(well?.x ?? 0);
    expect(complaint?.height).toBeLessThan(32);
    // The logo travels on, and the next colour is drawn with it.
    await redrawn(page, () => field.fill('#00a'));
    expect(await verdict.textContent()).toContain('Phones can read it');
    await page.getByLabel('Without a logo').check();
    await until(async () => svgOf(await picture(page)) === red.replaceAll('#aa0000', '#0000aa'));
  }, 120_000);

  test('takes a logo and a colour that is none at once, and keeps the logo', async () => {
    const { page } = await open('ulla@example.org');
    await page.locator('#foreground').fill('#aa00');
    await page.locator('.score', { hasText: 'Not up to date' }).waitFor();
    await page.locator('#logo').setInputFiles(logo);
    await until(async () => (await page.locator('[name=draft_logo]').count()) === 1);
    const drawn = await redrawn(page, () => page.locator('#foreground').fill('#aa0000'));
    expect(drawn).toContain('data:image/png;base64,');
  }, 120_000);

  test('takes a colour with blanks around it, as it is pasted', async () => {
    const { page } = await open('vera@example.org');
    await page.locator('#foreground').fill('');
    await page.locator('#foreground').focus();
    const drawn = await redrawn(page, () => page.keyboard.insertText('   #1b3a57 '));
    expect(drawn).toContain('#1b3a57');
    await page.getByRole('button', { name: 'Save the design' }).click();
    await page.waitForURL(/done=saved/);
    expect(await page.locator('#foreground').inputValue()).toBe('#1b3a57');
  }, 120_000);

  test('says in the bar of a narrow window too when the picture is not of the form', async () => {
    const { page } = await open('jill@example.org', { viewport: { width: 390, height: 844 } });
    const bar = page.locator('.mini');
    const good = 'Phones can read it';
    expect(await bar.textContent()).toStartWith(good);
    await page.context().setOffline(true);
    await page.locator('#foreground').fill('#123a6b');
    await bar.filter({ hasText: 'Not up to dateThe server did not answer.' }).waitFor();
    await page.context().setOffline(false);
    await redrawn(page, () => page.locator('#foreground').fill('#7a1f5c'));
    expect(await bar.textContent()).toStartWith(good);
    for (const [bytes, said] of [
      [Buffer.alloc(4_000_000), 'The logo is too large.'],
      [Buffer.from('GIF89a…'), 'Something in the form is not right.'],
    ] as const) {
      const file = { name: 'a.png', mimeType: 'image/png', buffer: bytes };
      await page.locator('#logo').setInputFiles(file);
      await bar.filter({ hasText: `Not up to date${said}` }).waitFor();
    }
    await page.locator('#quiet_zone').fill('6');
    await bar.filter({ hasText: good }).waitFor();
  }, 120_000);

  test('says when a picture is not of the form as it stands', async () => {
    const { page } = await open('ida@example.org');
    await page.context().setOffline(true);
    await page.locator('#foreground').fill('#123a6b');
    await page.getByText('This is not up to date').first().waitFor();
    await page.context().setOffline(false);
    await redrawn(page, () => page.locator('#foreground').fill('#7a1f5c'));
    expect(await page.locator('.stale').count()).toBe(0);
  }, 120_000);

  /** What the page says of the design, in every place where it says it. */
  const told = async (page: Page) => ({
    size: await page.locator('#logo_size').inputValue(),
    sizeBeside: await page.textContent('output[for=logo_size]'),
    margin: await page.locator('#quiet_zone').inputValue(),
    marginBeside: await page.textContent('output[for=quiet_zone]'),
    color: await page.locator('#foreground').inputValue(),
    well: await page.getByLabel('Foreground: pick a colour').inputValue(),
    modules: await page.locator('[name=module_shape]:checked').inputValue(),
    withoutLogo: await page.getByLabel('Without a logo').isChecked(),
    unsaved: await page.getByText('Not saved yet').isVisible(),
    picture: svgOf(await picture(page)),
    score: await page.textContent('.score'),
  });
  const settled = (page: Page) => page.locator('#preview:not([aria-busy])').waitFor();

  /** Saves a readable design with a logo, then changes every kind of field and saves nothing. */
  const change = async (page: Page) => {
    await redrawn(page, () => page.locator('#logo').setInputFiles(logo));
    await page.getByRole('button', { name: 'Save the design' }).click();
    await page.waitForURL(/done=saved/);
    await page.getByRole('link', { name: 'Design' }).click();
    await page.waitForURL(/design$/);
    const saved = await told(page);
    await redrawn(page, () => page.locator('#logo_size').fill('40'));
    await redrawn(page, () => page.locator('#quiet_zone').fill('8'));
    await redrawn(page, () => page.getByLabel('Dots').check());
    await redrawn(page, () =>
      page.getByLabel('Foreground: pick a colour').fill('#7a1f5c', { force: true }),
    );
    await settled(page);
    return { saved, changed: await told(page) };
  };

  test('agrees with itself after going back and forward, and after a reload', async () => {
    const { page, complaints } = await open('kim@example.org');
    const { saved, changed } = await change(page);
    expect(changed).toMatchObject({ size: '40', marginBeside: '8 modules', unsaved: true });
    expect(changed.picture).not.toBe(saved.picture);
    const comesBack = async (act: () => Promise<unknown>) => {
      await act();
      await until(async () => svgOf(await picture(page)) === changed.picture);
      await settled(page);
      expect(await told(page)).toEqual(changed);
    };
    await page.getByRole('link', { name: 'Codes' }).click();
    await page.waitForURL(/account$/);
    await comesBack(() => page.goBack());
    await comesBack(() => page.reload());
    await page.goBack();
    await page.waitForURL(/done=saved/);
    expect(await told(page)).toEqual(saved);
    await comesBack(() => page.goForward());

    // Opened anew it is the saved one.
    await page.getByRole('link', { name: 'Design' }).click();
    await until(async () => !(await told(page)).unsaved);
    expect(await told(page)).toEqual(saved);
    await page.goBack();
    await settled(page);

    expect(complaints).toEqual([]);
  }, 120_000);

  test('shows what was saved, and as saved, to whoever goes back after saving', async () => {
    const { page } = await open('lea@example.org');
    const { changed } = await change(page);
    await page.getByRole('button', { name: 'Save the design' }).click();
    await page.waitForURL(/done=saved/);
    const kept = { ...changed, unsaved: false };
    expect(await told(page)).toEqual(kept);
    await page.goBack();
    await page.waitForURL(/design$/);
    expect(await told(page)).toEqual(kept);
  }, 120_000);

  test('agrees with itself after going back without a script', async () => {
    const { page } = await open('mia@example.org', { javaScriptEnabled: false });
    const noted = async () => ({ ...(await told(page)), well: '' });
    const saved = await noted();
    await page.locator('#logo_size').fill('40');
    await page.getByLabel('Dots').check();
    await page.locator('#foreground').fill('#7a1f5c');
    await page.getByRole('link', { name: 'Codes' }).click();
    await page.waitForURL(/account$/);
    await page.goBack();
    await page.waitForURL(/design$/);
    expect(await noted()).toEqual(saved);
  }, 120_000);

  const signIn = async (page: Page, email: string) => {
    await page.getByText('Your session has ended').waitFor();
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(/design$/);
  };

  test('keeps what is not saved when the session has ended', async () => {
    const { page } = await open('hugo@example.org');
    const { changed } = await change(page);
    await page.context().clearCookies();
    await page.locator('#logo_size').fill('39');
    await page.getByText('Your session has ended').waitFor();
    expect(page.url()).toContain(`next=${encodeURIComponent('/account/design')}`);
    await signIn(page, 'hugo@example.org');
    await page.getByText('Not saved yet').waitFor();
    await settled(page);
    const { picture: _, ...rest } = changed;
    expect(await told(page)).toMatchObject({ ...rest, size: '39', sizeBeside: '39 %' });

    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Save the design' }).click();
    await signIn(page, 'hugo@example.org');
    await page.getByText('Not saved yet').waitFor();
    await page.getByRole('button', { name: 'Save the design' }).click();
    await page.waitForURL(/done=saved/);
    expect(await told(page)).toMatchObject({
      ...rest,
      size: '39',
      sizeBeside: '39 %',
      unsaved: false,
    });
    await page.goto(`${stage.server.origin}/account/design`);
    expect((await told(page)).unsaved).toBe(false);
  }, 120_000);

  test('keeps a logo that is not saved, and nothing for another account', async () => {
    const { page } = await open('nora@example.org');
    const drawn = await redrawn(page, () => page.locator('#logo').setInputFiles(logo));
    expect(drawn).toContain('data:image/png;base64,');
    await settled(page);
    await page.reload();
    await until(async () => svgOf(await picture(page)) === drawn);
    expect(await page.getByLabel('Without a logo').isChecked()).toBe(false);
    await enter(page.context(), stage.server, 'otto@example.org');
    await page.reload();
    expect(await page.getByLabel('Without a logo').isChecked()).toBe(true);
    expect(await page.getByText('Not saved yet').isVisible()).toBe(false);
  }, 120_000);

  test('shows on Enter, by a button that nobody meets', async () => {
    const { page } = await open('jan@example.org');
    const form = page.locator('#design');
    expect(await form.getByRole('button', { name: /^(Show|Save)/ }).allTextContents()).toEqual([
      'Save the design',
    ]);
    await page.locator('#foreground').fill('#123a6b');
    const [shown] = await Promise.all([
      page.waitForResponse((answer) => answer.request().isNavigationRequest()),
      page.keyboard.press('Enter'),
    ]);
    expect(shown.status()).toBe(200);
    expect(svgOf(await picture(page))).toContain('#123a6b');
    expect(await page.getByText('Not saved yet').isVisible()).toBe(true);
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
