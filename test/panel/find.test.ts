import { expect, test } from 'bun:test';
import { sharedServer } from '../support/server.ts';
import { createCode, createPanelClient, signedIn } from './client.ts';
import { textOf } from './page.ts';

const server = await sharedServer();
const anna = await signedIn(server, 'finder@example.org');
const shuttle = await createCode(anna, 'https://example.org/bus', {
  name: 'Airport shuttle',
  folder: 'Signs outside',
});
await createCode(anna, 'https://example.org/menu', { name: 'Menu' });
const find = async (q: string, client = anna) =>
  (await client.get(`/account/find?${new URLSearchParams({ q })}`)).text;
const foundIn = (text: string) => text.slice(text.indexOf('id="found"'));

test('codes, folders and pages are found on a page that needs no script', async () => {
  const overview = (await anna.get('/account')).text;
  expect(overview).toContain('href="/account/find"');
  const code = foundIn(await find('AIRPORT'));
  expect(code).toContain(`href="/account/codes/${shuttle}"`);
  expect(code).not.toContain('Menu');
  expect(foundIn(await find('signs'))).toMatch(
    /href="\/account\/codes\?folder=in%3ASigns\+outside"/,
  );
  expect(foundIn(await find('activ'))).toContain('href="/account/activity"');
  expect(foundIn(await find(`${server.origin}/${shuttle}`))).toContain(
    `href="/account/codes/${shuttle}"`,
  );
  const near = await find('shutle');
  expect(textOf(near)).toContain('These match “shuttle”, which is near.');
  expect(near).toContain(`href="/account/codes/${shuttle}"`);
  expect(textOf(await find('elephant'))).toContain('Nothing matches “elephant”.');
  // Before anything is typed, the pages.
  expect(foundIn(await find(''))).toContain('href="/account/design"');
});

test('only what one may open is found', async () => {
  expect(foundIn(await find('accounts'))).not.toContain('/account/accounts');
  const operator = await signedIn(server, 'finding-operator@example.org', { isOperator: true });
  expect(foundIn(await find('accounts', operator))).toContain('href="/account/accounts"');
  expect(foundIn(await find('airport', operator))).not.toContain('Airport shuttle');
  const visitor = await createPanelClient(server.origin).get('/account/find?q=airport');
  expect([visitor.status, visitor.to]).toEqual([303, expect.stringContaining('/account/sign-in')]);
});
