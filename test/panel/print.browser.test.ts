import { beforeAll, describe, expect, test } from 'bun:test';
import { sharedServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { type SignedInPage, useBrowser, withoutBrowser } from './browser.ts';
import { createCode, password } from './client.ts';

const server = await sharedServer();
const email = 'sheets@example.org';

describe.skipIf(withoutBrowser)('the page of a sheet', () => {
  const browser = useBrowser(server);
  let page: SignedInPage['page'];
  let consoleErrors: readonly string[];
  beforeAll(async () => {
    const opened = await browser.openSignedIn(email);
    ({ page, consoleErrors } = opened);
    const csrf = await opened.client.csrf();
    for (let at = 1; at <= 23; at++) {
      const code = await createCode(opened.client, `https://example.org/${at}`);
      const labels = { csrf, name: `Table ${at}`, note: 'Terrace' };
      await opened.client.post(`/account/codes/${code}/labels`, labels);
    }
  });

  const open = () => page.goto(`${server.origin}/account/print`);
  const openFreeGrid = async () => {
    await open();
    await paper().selectOption('a4-grid');
    await columns().waitFor();
  };
  const paper = () => page.getByLabel('Paper', { exact: true });
  const title = (text: string) => page.getByRole('heading', { name: text }).waitFor();
  const texts = () => page.locator('.sheet text').allTextContents();
  const columns = () => page.getByRole('textbox', { name: 'Columns' });
  const said = (text: string) => page.locator('#preview').getByText(text);
  const pictures = () => page.locator('.sheet image').count();

  test('is drawn again at each change, and nothing typed is lost', async () => {
    await open();
    await title('Page 1 of 2');
    await paper().selectOption('L7160');
    await until(async () => (await pictures()) === 21);
    expect(await columns().isVisible()).toBe(false);
    expect(await texts()).toEqual(Array.from({ length: 21 }, (_, at) => `Table ${at + 1}`));
    await page.getByLabel('Line above').pressSequentially('Scan me');
    await page.getByLabel('Note', { exact: true }).check();
    await until(async () => (await texts()).length === 63);
    expect((await texts()).slice(0, 3)).toEqual(['Scan me', 'Table 1', 'Terrace']);
    expect(await page.getByLabel('Line above').inputValue()).toBe('Scan me');
    await page.getByRole('button', { name: 'Next page' }).click();
    await title('Page 2 of 2');
    expect(await page.locator(':focus').textContent()).toBe('Page 2 of 2');
    expect((await texts()).slice(0, 3)).toEqual(['Scan me', 'Table 22', 'Terrace']);
    await page.getByLabel('Copies').fill('2');
    await title('Page 1 of 3');
    await page.getByLabel('Black only').check();
    await until(
      async () =>
        (await page.locator('.sheet image').first().getAttribute('href'))?.endsWith('form=black') ??
        false,
    );
  });

  test('begins at a label that is clicked, a button ends a warning, and what is shown is downloaded', async () => {
    await open();
    await paper().selectOption('L7160');
    await title('Page 1 of 2');
    await page.locator('.sheet [data-start="21"]').click();
    await title('Page 1 of 3');
    const start = page.getByLabel('Start at label');
    expect(await start.inputValue()).toBe('21');
    expect(await page.locator('.starts .used').count()).toBe(20);
    await said('1 label is alone on page 3').waitFor();
    await page.getByRole('button', { name: 'Start at label 20' }).click();
    await title('Page 1 of 2');
    // The button is gone: the focus is where its effect is.
    expect(await page.locator(':focus').textContent()).toBe('Page 1 of 2');
    expect(await start.inputValue()).toBe('20');
    await page.locator('.starts [data-start="3"]').click();
    await until(async () => (await page.locator('.sheet .used').count()) === 2);
    expect(await start.inputValue()).toBe('3');
    const download = async (button: string) => {
      const press = page.getByRole('button', { name: button }).click();
      const [file] = await Promise.all([page.waitForEvent('download'), press]);
      return file.suggestedFilename();
    };
    expect(await download('Download PDF')).toMatch(/^codes-.*-L7160\.pdf$/);
    expect(await download('Download ZIP')).toMatch(/^codes-.*\.zip$/);
    await open();
    expect(await paper().inputValue()).toBe('L7160');
  });

  test('marks a field that is wrong while it is, and says what helps where codes do not fit', async () => {
    await openFreeGrid();
    await columns().fill('x');
    await page.getByText('The number of columns must be from 1 to 50.').waitFor();
    expect(await columns().getAttribute('aria-invalid')).toBe('true');
    await columns().fill('5');
    await title('Page 1 of 2');
    expect(await page.locator('#columns-problem').isVisible()).toBe(false);
    expect(await columns().getAttribute('aria-invalid')).toBeNull();
    await paper().selectOption('dymo-30332');
    await said('This can’t be printed').waitFor();
    await page.getByRole('button', { name: 'Without texts' }).click();
    await title('Page 1 of 23');
    expect(await page.getByLabel('Name', { exact: true }).isChecked()).toBe(false);
  });

  test('every button of the preview sets the fields whose sheet it draws', async () => {
    const email = 'folders-of-sheets@example.org';
    const { page, client } = await browser.openSignedIn(email);
    for (const folder of ['Menus', 'Bar'])
      for (const at of [1, 2, 3]) {
        const url = `https://example.org/${folder}/${at}`;
        await createCode(client, url, { folder, name: `${folder} ${at}` });
      }
    const buttons = page.locator('#preview button[name=set]');
    const drawn = page.locator('#preview:not([aria-busy])');
    const choose = () => page.getByRole('button', { name: 'Folder Menus' }).click();
    // Each shows other buttons.
    const states: Readonly<Record<string, () => Promise<unknown>>> = {
      'no codes are chosen': async () => {},
      'a label is alone': async () => {
        await choose();
        await page.getByLabel('Paper', { exact: true }).selectOption('L7160');
        await page.getByLabel('Start at label').fill('21');
      },
      'a code does not fit': async () => {
        await choose();
        await page.getByLabel('Paper', { exact: true }).selectOption('dymo-30332');
        await page.getByLabel('Line above').fill('Scan for the menu');
        // The page moves while a sheet is drawn.
        await drawn.waitFor();
        await page.getByLabel('Address to type').check();
      },
    };
    for (const [state, prepare] of Object.entries(states)) {
      const show = async () => {
        await page.goto(`${server.origin}/account/print`);
        await prepare();
        await buttons.first().waitFor();
        await drawn.waitFor();
      };
      await show();
      const count = await buttons.count();
      for (let at = 0; at < count; at++) {
        if (at > 0) await show();
        const set = (await buttons.nth(at).getAttribute('value')) ?? '';
        await buttons.nth(at).click();
        await drawn.waitFor();
        const fields = new URLSearchParams(
          await page.evaluate<string>(
            'String(new URLSearchParams(new FormData(document.getElementById("print"))))',
          ),
        );
        const kept = [...new URLSearchParams(set)].map(([name]) => [name, fields.get(name) ?? '']);
        expect([state, kept]).toEqual([state, [...new URLSearchParams(set)]]);
      }
    }
    // Another change draws the codes that were chosen, and they are what is downloaded.
    await page.goto(`${server.origin}/account/print`);
    await page.getByRole('button', { name: 'Folder Menus' }).click();
    await page.locator('.sheet').waitFor();
    await page.getByLabel('Paper', { exact: true }).selectOption('L7160');
    await until(async () => (await page.locator('.sheet image').count()) === 3);
    expect(await page.getByLabel('Codes', { exact: true }).inputValue()).toBe('in:Menus');
    const press = page.getByRole('button', { name: 'Download PDF' }).click();
    const [file] = await Promise.all([page.waitForEvent('download'), press]);
    // Firefox numbers downloads of one name.
    expect(file.suggestedFilename()).toMatch(/^codes-.*-L7160(-\d+)?\.pdf$/);
  });

  test('recovers after a cut of the network, and goes on after a new sign-in', async () => {
    await openFreeGrid();
    await page.context().setOffline(true);
    await columns().fill('4');
    await said('The server did not respond.').waitFor();
    await page.context().setOffline(false);
    await title('Page 1 of 2');
    await until(async () => (await pictures()) === 16);
    await page.context().clearCookies();
    await columns().fill('5');
    await page.getByRole('heading', { name: 'Sign in again' }).waitFor();
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await until(async () => (await pictures()) === 20);
    expect(await columns().inputValue()).toBe('5');
    expect(consoleErrors).toEqual([]);
  });
});
