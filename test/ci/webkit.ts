import { beforeAll, describe, expect, test } from 'bun:test';
import { createCode, type PanelClient, password, signedIn } from '../panel/client.ts';
import { sharedServer } from '../support/server.ts';
import { visit } from '../support/visit.ts';
import { openWebKit, type WebKit, withoutWebKit } from '../support/webdriver.ts';

const server = await sharedServer();
const escapeKey = '\uE00C';

// Each page is that of Safari, whose tab froze where Chromium and Firefox did what they should.
describe.skipIf(withoutWebKit).each([false, true])('the panel in WebKit, dark: %p', (dark) => {
  const email = `webkit-${dark ? 'dark' : 'light'}@example.org`;
  let client: PanelClient;
  beforeAll(async () => {
    client = await signedIn(server, email);
  });

  /** Opens the browser and signs in. */
  const openSignedIn = async (): Promise<WebKit> => {
    const webkit = await openWebKit(dark);
    await webkit.open(`${server.origin}/account`);
    await webkit.type('[name=email]', email);
    await webkit.type('[name=password]', password);
    await webkit.click('button', 'Sign in');
    await webkit.sees('Overview');
    return webkit;
  };

  test('one creates, changes, pauses and resumes a code', async () => {
    await using webkit = await openSignedIn();
    await webkit.open(`${server.origin}/account/codes`);
    await webkit.click('a', 'New code');
    await webkit.type('dialog [name=url]', 'https://example.org/webkit');
    await webkit.type('dialog [name=name]', 'WebKit table');
    await webkit.click('dialog button', 'Create');
    await webkit.sees('WebKit table');
    const address = new URL(await webkit.evaluate<string>('return location.href'));
    const shortLink = `${server.origin}/${address.pathname.split('/').at(-1)}`;

    await webkit.click('a', 'Change');
    await webkit.type('dialog [name=url]', 'not an address');
    await webkit.click('dialog button', 'Save');
    await webkit.sees('must begin with http');
    await webkit.type('dialog [name=url]', 'https://example.org/changed');
    await webkit.click('dialog button', 'Save');
    await webkit.sees('Destination saved.');
    expect((await visit(shortLink)).to).toBe('https://example.org/changed');
    await webkit.click('button', 'Undo');
    await webkit.sees('example.org/webkit');
    expect((await visit(shortLink)).to).toBe('https://example.org/webkit');

    await webkit.click('a', 'Pause');
    await webkit.click('dialog button', 'Pause');
    await webkit.sees('Paused');
    expect((await visit(shortLink)).status).toBe(410);
  });

  test('the selection ends by each of its ways, with its menu closed or open, and the tab goes on', async () => {
    for (const at of [1, 2]) await createCode(client, `https://select.example/${at}`);
    await using webkit = await openSignedIn();
    const bar = () =>
      webkit.evaluate("return getComputedStyle(document.querySelector('.selectbar')).display");
    const ways = [
      () => webkit.click('.codes tbody .box'),
      () => webkit.press(escapeKey),
      () => webkit.evaluate("document.querySelector('#selection [data-clear]').click()"),
    ];
    for (const hasMenu of [false, true])
      for (const end of ways) {
        await webkit.open(`${server.origin}/account/codes`);
        await webkit.click('.codes tbody .box');
        await webkit.sees('1 selected');
        if (hasMenu) {
          await webkit.evaluate("document.querySelector('#selection [popovertarget]').click()");
          await webkit.sees('Archive…');
        }
        await end();
        // With a menu open, the first Escape or click closes that alone.
        if (hasMenu && (await bar()) !== 'none') await end();
        expect(await bar()).toBe('none');
      }
    await webkit.click('.codes tbody .box');
    await webkit.click('.selectbar button', 'Pause');
    await webkit.click('dialog button', 'Pause 1 code');
    await webkit.sees('1 code paused.');
  });

  test('the menu of a row and the menu of the account open, and lead where they say', async () => {
    const code = await createCode(client, 'https://menu.example/1');
    await using webkit = await openSignedIn();
    await webkit.open(`${server.origin}/account/codes?q=menu.example`);
    await webkit.click('.codes button.dots');
    await webkit.click('#code-menu a', 'Pause');
    await webkit.click('dialog button', 'Pause');
    await webkit.sees('Paused');
    await webkit.open(`${server.origin}/account/codes/${code}`);
    await webkit.click('.rail .me');
    await webkit.click('#me a', 'Settings');
    await webkit.sees('Time zone');
  });

  test('one plans a change, and creates codes from a table', async () => {
    const code = await createCode(client, 'https://plan.example/1');
    await using webkit = await openSignedIn();
    await webkit.open(`${server.origin}/account/codes/${code}`);
    await webkit.click('a', 'Change');
    await webkit.click('dialog a', 'Plan it for later');
    await webkit.sees('Plan a change');
    await webkit.type('dialog [name=url]', 'https://plan.example/2');
    await webkit.click('dialog button.primary');
    await webkit.sees('plan.example/2');

    await webkit.open(`${server.origin}/account/codes`);
    await webkit.click('a', 'Create many');
    await webkit.sees('Paste a table');
    // Keys of WebDriver make no new line here.
    const table = JSON.stringify('Destination\nhttps://table.example/1\nhttps://table.example/2');
    await webkit.evaluate(`document.querySelector('textarea').value = ${table}`);
    await webkit.click('button', 'Check the table');
    await webkit.sees('2 rows ready');
    await webkit.click('button', 'Create 2 codes');
    await webkit.sees('2 codes created');
  });

  test('one saves a design and makes a sheet', async () => {
    await createCode(client, 'https://sheet.example/1');
    await using webkit = await openSignedIn();
    await webkit.open(`${server.origin}/account/design`);
    await webkit.type('#foreground', '#7a1f5c');
    await webkit.sees('Phones can read it');
    await webkit.click('button', 'Save');
    await webkit.sees('saved');
    await webkit.open(`${server.origin}/account/print`);
    await webkit.sees('Paper');
  });
});
