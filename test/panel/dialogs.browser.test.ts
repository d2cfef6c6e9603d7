import { beforeAll, describe, expect, test } from 'bun:test';
import { sharedServer } from '../support/server.ts';
import { type SignedInPage, useBrowser, violations, withoutBrowser } from './browser.ts';
import { createCode } from './client.ts';

const server = await sharedServer();

describe.skipIf(withoutBrowser)('dialogs of somebody in a hurry', () => {
  const browser = useBrowser(server);
  let own: SignedInPage;
  let code: string;
  const menu = 'https://osteria.example/menu?table=1';
  beforeAll(async () => {
    own = await browser.openSignedIn('hurry@example.org');
    code = await createCode(own.client, 'https://osteria.example/summer');
    const csrf = await own.client.csrf();
    await own.client.post(`/account/codes/${code}/destination`, { csrf, url: menu });
  });
  const dialog = () => own.page.locator('dialog[open]');
  const closed = () => own.page.locator('dialog').waitFor({ state: 'detached' });
  const focused = () => own.page.evaluate<string>('document.activeElement.textContent.trim()');
  const press = (name: string | RegExp) => own.page.getByRole('button', { name }).click();
  const openDestination = async () => {
    await own.page.goto(`${server.origin}/account/codes/${code}`);
    await own.page.getByRole('link', { name: 'Change', exact: true }).first().click();
    await dialog().waitFor();
  };
  const destination = () => own.page.locator('.goes .lead').textContent();

  test('the old address is selected: a paste takes its place', async () => {
    await openDestination();
    await own.page.keyboard.insertText('osteria.example/new-menu');
    expect(await own.page.getByLabel('Destination').inputValue()).toBe('osteria.example/new-menu');
    await own.page.keyboard.press('Enter');
    await closed();
    expect(await destination()).toBe('osteria.example/new-menu');
    expect(await focused()).toBe('Change');
  });

  test('a second address in the field is asked about, and Enter asks again', async () => {
    await openDestination();
    await own.page.keyboard.press('End');
    await own.page.keyboard.insertText('https://osteria.example/two');
    await own.page.keyboard.press('Enter');
    const question = dialog().getByText('There are two addresses in this field.');
    await question.waitFor();
    expect(await violations(own.page)).toEqual([]);
    await own.page.keyboard.press('Enter');
    await question.waitFor();
    await press('Use osteria.example/two');
    await closed();
    expect(await destination()).toBe('osteria.example/two');

    await openDestination();
    const archived = 'https://archive.example/web/2026/https://osteria.example/menu';
    await own.page.getByLabel('Destination').fill(archived);
    await own.page.keyboard.press('Enter');
    await press('That’s what I want');
    await closed();
    expect(await destination()).toBe(archived.slice('https://'.length));
  });

  test('an earlier address is one click away', async () => {
    await openDestination();
    await press('osteria.example/new-menu');
    await press('Save');
    await closed();
    expect(await destination()).toBe('osteria.example/new-menu');
  });

  test('Escape asks once before what was typed is thrown away', async () => {
    await openDestination();
    await own.page.keyboard.press('Escape');
    await closed();
    await openDestination();
    await own.page.keyboard.insertText('osteria.example/typed');
    await own.page.keyboard.press('Escape');
    await own.page.getByText('Throw away what you typed?').waitFor();
    expect(await violations(own.page)).toEqual([]);
    await press('Keep typing');
    expect(await own.page.getByLabel('Destination').inputValue()).toBe('osteria.example/typed');
    await own.page.keyboard.press('Escape');
    await press('Throw away');
    await closed();
    expect(await focused()).toBe('Change');
  });

  test('every link of every dialog carries what was typed, or asks', async () => {
    const { page, client } = await browser.openSignedIn('every-dialog@example.org', {
      isOperator: true,
    });
    const own = await createCode(client, 'https://osteria.example/a', { folder: 'Menus' });
    const csrf = await client.csrf();
    const design = { csrf, do: 'save', foreground: '#14684a', background: '#ffffff' };
    await client.post('/account/design', { ...design, design_name: 'Garden' });
    const accounts = (await client.get('/account/accounts')).text;
    const [account = ''] = /\/account\/accounts\/\d+/.exec(accounts) ?? [];
    const typed = 'typed.example/in-every-field';
    const pages = [
      ...['', '/codes', '/folders?folder=Menus', `/codes/${own}`, '/design?name=Garden'],
      ...['/key', '/settings', '/settings/people', '/batches', `/safety?q=${own}`],
    ];
    const pressed: string[] = [];
    const lost: string[] = [];
    const seen = new Set<string>();
    const shown = page.locator('dialog[open]');
    const question = page.getByText('Throw away what you typed?');
    const carried = shown.locator('h1', { hasText: 'Plan a change' });
    const fields = shown.locator('input:is([type=text], [type=email]), textarea');
    for (const path of [...pages.map((path) => `/account${path}`), account]) {
      await page.goto(`${server.origin}${path}`);
      const found = await page
        .locator('a[data-dialog]')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
      // In the menu of a row, which its button fetches.
      if (path.endsWith('/codes')) found.push(`${path}/${own}/folder?list=/account/codes`);
      for (const href of found.filter((href) => !seen.has(href))) {
        seen.add(href);
        const open = async () => {
          await page.goto(`${server.origin}${path}`);
          await page.evaluate((href) => {
            const link = document.createElement('a');
            Object.assign(link, { href, textContent: href });
            link.dataset['dialog'] = '';
            document.querySelector('main')?.append(link);
            link.click();
          }, href);
          await shown.waitFor();
          for (const field of await fields.all())
            if ((await field.isVisible()) && (await field.isEditable())) await field.fill(typed);
        };
        await open();
        const links = await shown.locator('a[href]').count();
        if (!(await fields.evaluateAll((all) => all.some((one) => one.checkVisibility()))))
          continue;
        for (let at = 0; at < links; at++) {
          if (at > 0) await open();
          const link = shown.locator('a[href]').nth(at);
          if (!(await link.isVisible())) continue;
          pressed.push(`${href}: ${(await link.textContent())?.trim()}`);
          const carries = (await link.getAttribute('data-carries')) !== null;
          await link.click();
          await (carries ? carried : question).waitFor();
          const values = await fields.evaluateAll((all) =>
            all.map((one) => ('value' in one ? one.value : '')),
          );
          if (!values.includes(typed)) lost.push(pressed.at(-1) ?? '');
        }
      }
    }
    expect(lost).toEqual([]);
    expect(pressed.length).toBeGreaterThan(10);
  });

  test('Cancel and links ask before what was typed is thrown away, and then do as they say', async () => {
    await openDestination();
    await own.page.keyboard.insertText('osteria.example/typed');
    await own.page.getByRole('link', { name: 'Cancel' }).click();
    await own.page.getByText('Throw away what you typed?').waitFor();
    await press('Keep typing');
    expect(await own.page.getByLabel('Destination').inputValue()).toBe('osteria.example/typed');
    await own.page.getByRole('link', { name: 'Plan it for later' }).click();
    const planned = own.page.getByLabel('Where should it lead?');
    expect(await planned.inputValue()).toBe('osteria.example/typed');
    await own.page.getByRole('link', { name: 'Cancel' }).click();
    await press('Throw away');
    await closed();
    // Nothing was typed: it does not ask. Where the code leads already is not carried.
    await openDestination();
    await own.page.getByRole('link', { name: 'Plan it for later' }).click();
    expect(await planned.inputValue()).toBe('');
    await own.page.getByRole('link', { name: 'Cancel' }).click();
    await closed();
  });

  test('the address that was typed for all selected codes is carried into their plan', async () => {
    await own.page.goto(`${server.origin}/account/codes`);
    await own.page.locator('tbody .box').first().check();
    await press('Destination');
    await own.page.getByLabel('Where should they lead?').fill('osteria.example/all');
    await own.page.getByRole('button', { name: 'Plan it for later' }).click();
    await own.page.getByText('All lead to one address').waitFor();
    expect(await own.page.getByLabel('Where should they lead?').inputValue()).toBe(
      'osteria.example/all',
    );
    await own.page.keyboard.press('Escape');
    await press('Throw away');
    await closed();
    await own.page.evaluate('sessionStorage.clear()');
  });

  test('N opens the form of a new code on every page', async () => {
    await own.page.goto(`${server.origin}/account/settings`);
    await own.page.keyboard.press('n');
    await dialog().waitFor();
    await own.page.keyboard.insertText('osteria.example/wine');
    await own.page.getByLabel('Folder').fill('Menus');
    await own.page.keyboard.press('Enter');
    await own.page.waitForURL(/\/codes\/[0-9a-z]{8}$/);
  });

  test('a new code, a change and a pause open without a request, also a second time', async () => {
    const open = async (path: string, name: string | RegExp) => {
      const requests: string[] = [];
      const listen = (request: { url(): string }) => requests.push(request.url());
      await own.page.goto(`${server.origin}/account${path}`, { waitUntil: 'networkidle' });
      own.page.on('request', listen);
      for (let times = 0; times < 2; times++) {
        await own.page.getByRole('link', { name }).first().click();
        await dialog().waitFor();
        await own.page.keyboard.press('Escape');
        await closed();
      }
      own.page.off('request', listen);
      return requests;
    };
    expect(await open('', /^New code/)).toEqual([]);
    expect(await open('/codes', /^New code/)).toEqual([]);
    expect(await open(`/codes/${code}`, /^Change$/)).toEqual([]);
    expect(await open(`/codes/${code}`, /^Pause$/)).toEqual([]);
  });

  test('an unreadable design is told at the design before the form is sent, and a readable one is offered', async () => {
    const { page, client, consoleErrors } = await browser.openSignedIn('unreadable-n@example.org');
    const design = { csrf: await client.csrf(), background: '#ffffff' };
    const saved = { ...design, do: 'save', foreground: '#14684a', design_name: 'Garden' };
    await client.post('/account/design', saved);
    await client.post('/account/design', { ...design, do: 'default', foreground: '#fdba74' });
    await page.goto(`${server.origin}/account/settings`);
    await page.keyboard.press('n');
    const chosen = page.locator('#design');
    const problem = page.getByText(
      'Phones can’t read your default design: its orange is too pale for the white behind it.',
    );
    await problem.waitFor();
    expect(await chosen.getAttribute('aria-invalid')).toBe('true');
    expect(await page.locator('dialog :focus').getAttribute('name')).toBe('url');
    expect(await violations(page)).toEqual([]);
    await page.keyboard.insertText('osteria.example/christmas');
    const picture = () => page.locator('#design-picture img').getAttribute('src');
    const before = await picture();
    await page.getByRole('button', { name: 'Use Garden' }).click();
    await problem.waitFor({ state: 'hidden' });
    expect(await chosen.inputValue()).toBe('Garden');
    expect(await page.locator('.offer').count()).toBe(0);
    expect(await picture()).not.toBe(before);
    await chosen.selectOption('');
    await problem.waitFor();
    await page.getByRole('button', { name: 'Create' }).click();
    // The answer says the same, at the design.
    await page.locator('#design:focus[aria-invalid=true]').waitFor();
    expect(await page.getByLabel('Where should it lead?').getAttribute('aria-invalid')).toBeNull();
    await page.getByRole('button', { name: 'Use Garden' }).click();
    await problem.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Create' }).click();
    await page.locator('.goes .lead', { hasText: 'osteria.example/christmas' }).waitFor();
    expect(consoleErrors).toEqual([]);
  });

  test('a folder is suggested, taken in whatever case it is typed, or new', async () => {
    const openLabels = async () => {
      await own.page.goto(`${server.origin}/account/codes/${code}`);
      await own.page.getByRole('button', { name: /^Actions for/ }).click();
      await own.page.getByRole('link', { name: /^Name/ }).click();
      await dialog().waitFor();
      return own.page.getByLabel('Folder', { exact: true });
    };
    const save = async () => {
      await press('Save');
      await closed();
    };
    const field = await openLabels();
    const options = own.page.locator(`datalist#${await field.getAttribute('list')} option`);
    expect(await options.evaluateAll((all) => all.map((one) => one.outerHTML))).toEqual([
      '<option value="Menus">1 code</option>',
    ]);
    await field.fill('Bar');
    await save();
    await own.page.getByRole('link', { name: 'Bar' }).waitFor();
    await (await openLabels()).fill('MENUS');
    await save();
    await own.page.getByRole('link', { name: 'Menus' }).waitFor();
    await (await openLabels()).fill('Bar');
    await save();
  });

  test('nothing is chosen when codes are moved, and a choice is asked for', async () => {
    await own.page.goto(`${server.origin}/account/codes`);
    for (const box of await own.page.locator('tbody .box').all()) await box.check();
    await press('Folder');
    await dialog().waitFor();
    expect(await own.page.getByRole('radio', { checked: true }).count()).toBe(0);
    await press('Move');
    await own.page.getByText('Choose a folder.').waitFor();
    expect(await violations(own.page)).toEqual([]);
    await own.page.getByRole('radio', { name: 'Menus' }).check();
    await press('Move');
    await own.page.getByText('1 code moved to Menus.').waitFor();
  });

  test('a suggestion in a checked table is one click, and the next row to check has the focus', async () => {
    await own.page.goto(`${server.origin}/account/batches`);
    const table = [
      'A,https://osteria.example/a',
      'B,http://127.0.0.1/b',
      'C,http://10.0.0.7/c',
      'D,"https://osteria,example/d"',
    ];
    await own.page.getByLabel('Paste a table').fill(['name,destination', ...table].join('\n'));
    await press('Check the table');
    await own.page.getByText('2 to check').waitFor();
    expect(await violations(own.page)).toEqual([]);
    await press('Use osteria.example/d');
    await own.page.getByText('Nothing left to fix').waitFor();
    await press('Use osteria.example/b');
    await own.page.getByText('1 to check').waitFor();
    expect(await own.page.evaluate<string>('document.activeElement.name')).toBe('destination-4');
    await press('That’s what I want');
    await own.page.getByText('4 ready').waitFor();
    await press('Create 4 codes');
    await own.page.getByText('4 codes created').waitFor();
  });

  test('a search says how many codes it found', async () => {
    await own.page.goto(`${server.origin}/account/codes`);
    await own.page.keyboard.press('/');
    await own.page.keyboard.type('10.0.0.7');
    await own.page.locator('body > p[role=status]', { hasText: /^1 code$/ }).waitFor();
    expect(own.page.url()).toEndWith('/account/codes?q=10.0.0.7');
  });

  test('all codes stay selected while one looks at a part of them', async () => {
    await own.page.goto(`${server.origin}/account/codes`);
    await own.page.locator('tbody .box').first().check();
    const all = own.page.getByRole('button', { name: /^All \d+$/ });
    const text = `${await all.textContent()} selected`;
    await all.click();
    const status = own.page.locator('.selectbar [role=status]');
    await own.page.getByLabel('Folder').selectOption({ index: 1 });
    await own.page.waitForURL(/folder=/);
    expect(await status.textContent()).toBe(text);
    await press('Pause');
    await dialog().waitFor();
    expect(await dialog().textContent()).toContain(text.replace(' selected', ' codes'));
    await own.page.keyboard.press('Escape');
    await closed();
    await own.page.keyboard.press('Escape');
    await own.page.getByText(`${text.replace(' selected', '')} deselected.`).waitFor();
  });
});
