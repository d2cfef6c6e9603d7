import { beforeAll, describe, expect, test } from 'bun:test';
import { sharedServer } from '../support/server.ts';
import { type SignedInPage, useBrowser, withoutBrowser } from './browser.ts';
import { createCode } from './client.ts';

const server = await sharedServer();

/**
 * Returns the steps of the focus that jump back: up on the page, or to the left in a row. Compares two elements by the
 * boxes in which their nearest common ancestor holds them. Columns that the style sheet places are read one by one.
 */
const jumps = `(() => {
  const isPlaced = (one) => getComputedStyle(one).position === 'fixed' || one.closest(':popover-open');
  const focusable = [...document.querySelectorAll('a[href], button, input, select, textarea, summary')]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.disabled && one.tabIndex >= 0)
    .filter((one) => !one.closest('.skip, .tabs, .hidden, .savebar, dialog:not([open])') && !isPlaced(one))
    .filter((one) => one.type !== 'radio' || one.checked);
  const within = (ancestor, one) => {
    let box = one;
    for (let up = one; up !== ancestor; up = up.parentElement)
      if (getComputedStyle(up).display !== 'contents') box = up;
    return box.getBoundingClientRect();
  };
  const found = [];
  for (let at = 1; at < focusable.length; at++) {
    const [before, after] = [focusable[at - 1], focusable[at]];
    let common = before.parentElement;
    while (!common.contains(after)) common = common.parentElement;
    if (common.contains(before) && before.contains(after)) continue;
    const [from, to] = [within(common, before), within(common, after)];
    const isColumn = ['code', 'studio', 'print'].some((name) => common.classList.contains(name)) && innerWidth > 1060;
    const isAbove = to.bottom <= from.top + 1 && !(to.left >= from.right - 1);
    const isLeft = to.right <= from.left + 1 && to.top < from.bottom - 1;
    if (!isColumn && (isAbove || isLeft))
      found.push([before, after].map((one) => (one.getAttribute('aria-label') ?? one.textContent.trim()) || one.name).join(' → '));
  }
  return found;
})()`;

/** Returns the places of the style sheet that change the order of what the HTML has. */
const reordered = `[...document.querySelectorAll('body *')]
  .filter((one) => getComputedStyle(one).order !== '0').map((one) => one.className)`;

describe.skipIf(withoutBrowser)('the order of the focus is that of the page', () => {
  const browser = useBrowser(server);
  let own: SignedInPage;
  let code: string;
  let account: string;
  beforeAll(async () => {
    own = await browser.openSignedIn('order@example.org', { isOperator: true });
    const { client } = own;
    code = await createCode(client, 'https://osteria.example/menu', {
      name: 'Table 1',
      folder: 'Menus',
    });
    const csrf = await client.csrf();
    const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    const plan = { csrf, day, time: '12:30', change: 'pause' };
    await client.post(`/account/codes/${code}/plan`, plan);
    const design = { csrf, do: 'save', foreground: '#fdba74', background: '#ffffff' };
    await client.post('/account/design', { ...design, design_name: 'Pale' });
    const accounts = (await client.get('/account/accounts')).text;
    account = /\/account\/accounts\/\d+/.exec(accounts)?.[0] ?? '';
  });

  test.each([1280, 390])('at %d px', async (width) => {
    const { page } = own;
    await page.setViewportSize({ width, height: 900 });
    const check = async (name: string) => {
      const found = await page.evaluate<string[]>(`[...${jumps}, ...${reordered}]`);
      expect([name, found]).toEqual([name, []]);
    };
    const paths = [
      ...['', '/codes', `/codes/${code}`, '/folders?folder=Menus', '/new', '/batches', '/print'],
      ...['/design', '/design?name=Pale', '/key', '/planned', '/activity', '/settings'],
      ...['/settings/people', '/settings/sessions', '/accounts', '/safety', '/keys'],
      ...[`/codes/${code}/destination`, `/codes/${code}/plan`, `/codes/${code}/pause`],
    ].map((path) => `/account${path}`);
    for (const path of [...paths, account, `${account}/delete`]) {
      await page.goto(`${server.origin}${path}`);
      await check(path);
    }
    await page.goto(`${server.origin}/account/batches`);
    const rows = ['name,destination', 'A,https://osteria.example/a', 'B,"https://osteria,example"'];
    await page.getByLabel('Paste a table').fill(rows.join('\n'));
    await page.getByRole('button', { name: 'Check the table' }).click();
    await page.locator('.fix .drop').first().waitFor();
    await check('a table to correct');
    await page.goto(`${server.origin}/account/codes`);
    await page.locator('tbody .box').first().check();
    await page.getByRole('button', { name: 'Destination' }).click();
    await page.locator('dialog[open]').waitFor();
    await check('a dialog of selected codes');
    await page.evaluate('sessionStorage.clear()');
  });

  test('on phones, Print begins with a small sheet that stays in view', async () => {
    const { page } = own;
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${server.origin}/account/print`);
    await page
      .getByRole('button', { name: /^Folder Menus|^All codes/ })
      .last()
      .click();
    await page.locator('.small-sheet .sheet').waitFor();
    const place = (selector = '.small-sheet') =>
      page.evaluate<number[]>(
        `(({ top, height }) => [top, height])(document.querySelector('${selector}').getBoundingClientRect())`,
      );
    const [card = 0] = await place('[aria-label="Codes and paper"]');
    expect((await place())[0]).toBeLessThan(card);
    await page.getByLabel('Line above').focus();
    const [top = 0, height = 0] = await place();
    expect([Math.round(top), height < 250]).toEqual([0, true]);
  });

  test('no choice of a select is cut on phones', async () => {
    const { page } = own;
    await page.setViewportSize({ width: 390, height: 844 });
    for (const path of ['/codes?scans=never', '/print', '/activity', '/settings', '/new']) {
      await page.goto(`${server.origin}/account${path}`);
      const cut = await page.evaluate<string[]>(`(() => {
        for (const details of document.querySelectorAll('main details')) details.open = true;
        const context = document.createElement('canvas').getContext('2d');
        const selects = [...document.querySelectorAll('select')].filter((one) => one.checkVisibility());
        return selects.flatMap((select) => {
          const style = getComputedStyle(select);
          context.font = [style.fontWeight, style.fontSize, style.fontFamily].join(' ');
          const roomPx = select.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
          return [...select.options].map(({ text }) => text)
            .filter((text) => context.measureText(text).width > roomPx + 1);
        });
      })()`);
      expect([path, cut]).toEqual([path, []]);
    }
  });
});
