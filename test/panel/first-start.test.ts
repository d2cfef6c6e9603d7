import { afterAll, expect, test } from 'bun:test';
import { oneProcess, startServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { createPanelClient, password } from './client.ts';
import { headingOf, linkOf, textOf } from './page.ts';

const server = await startServer(oneProcess);
afterAll(server.close);
const links = () =>
  [...server.log().matchAll(/http:\S+(\/account\/link\/[0-9a-f]{64})/g)].map(
    ([, path]) => path ?? '',
  );

test('the first start logs a link that creates the first account, once', async () => {
  await until(() => links().length > 0);
  const [link = ''] = links();
  const visitor = createPanelClient(server.origin);
  const signIn = (await visitor.get('/account/sign-in')).text;
  expect(textOf(signIn)).toContain(
    'There is no account yetTo create the first account, open the newest link in the log of this server.',
  );
  const wrong = await visitor.get(link.replace(/.{8}$/, '00000000'));
  expect(textOf(wrong.text)).toContain('open the newest link in the log');
  const made = await visitor.post(link, { email: 'anna@example.org', password });
  expect(made.to).toBe('/account');
  const { text } = await visitor.get('/account');
  expect(text).toContain('anna@example.org');
  // The first account is an operator.
  expect(linkOf(text, 'Accounts')).toBe('/account/accounts');
  expect(textOf((await visitor.get(link)).text)).toContain('Ask the operator');
});

test('then the account signs in, changes its password and signs out', async () => {
  const browser = createPanelClient(server.origin);
  const signIn = (secret: string) =>
    browser.post('/account/sign-in', { email: 'Anna@Example.org ', password: secret });
  const refused = await signIn('not the password');
  expect([refused.status, refused.text.includes('Wrong e-mail or password.')]).toEqual([422, true]);
  expect((await signIn(password)).to).toBe('/account');
  const csrf = await browser.csrf();
  const change = (next: string) =>
    browser.post('/account/settings/password', { csrf, present: password, next });
  expect((await change(password)).text).toContain('is the same as the current one');
  const changed = await change('another few words');
  expect((await browser.get(changed.to ?? '')).text).toContain('Password changed.');
  const left = await browser.post('/account/sign-out', { csrf: await browser.csrf() });
  expect((await browser.get(left.to ?? '')).text).toContain('You are signed out.');
  expect(headingOf((await browser.get((await browser.get('/account')).to ?? '')).text)).toBe(
    'Sign in',
  );
});

test('the next start logs no link', async () => {
  await server.stop();
  const before = links().length;
  await server.start();
  expect(links()).toHaveLength(before);
});
