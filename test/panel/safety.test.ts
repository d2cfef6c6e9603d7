import { afterAll, expect, test } from 'bun:test';
import { oneProcess, startServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { visit } from '../support/visit.ts';
import { createCode, signedIn } from './client.ts';
import { fieldOf, linkOf, parsePage, sentFields, textOf } from './page.ts';

const server = await startServer(oneProcess);
afterAll(server.close);
const operator = await signedIn(server, 'olga@example.org', { isOperator: true });
const owner = await signedIn(server, 'hal@example.org');

const send = async (path: string, fields: Record<string, string> = {}) =>
  operator.post(`/account/safety/${path}`, { csrf: await operator.csrf(), ...fields });
const addRule = (address: string, decision = 'block') =>
  send('rules', { address, decision, note: 'reported by phone' });
const removeRule = (expression: string) => send('rules/remove', { expression });
const lookUp = async (text: string) =>
  (await operator.get(`/account/safety?${new URLSearchParams({ q: text })}`)).text;
const statusOfCreating = async (url: string) =>
  (await owner.post('/account/codes', { csrf: await owner.csrf(), url })).status;

test('an operator finds a code by its short link, blocks and unblocks it', async () => {
  const code = await createCode(owner, 'https://example.org/reported');
  const shortLink = `${server.origin}/${code}`;
  expect((await visit(shortLink)).status).toBe(302);
  const found = await lookUp(shortLink);
  expect(found).toContain('hal@example.org');
  const q = new URLSearchParams({ q: shortLink });
  expect(linkOf(found, 'Block…')).toBe(`/account/safety/codes/${code}/block?${q}`);
  const long = await send(`codes/${code}/block`, { reason: 'a'.repeat(121) });
  expect([long.status, fieldOf(long.text, 'reason')?.descriptions.at(-1)]).toEqual([
    422,
    'The reason is too long: at most 120 characters are possible.',
  ]);
  const reason = 'Leads to a <fake> bank';
  expect((await send(`codes/${code}/block`, { reason })).to).toBe('/account/safety');
  expect(textOf(await lookUp(code))).toContain(`blocked: ${reason}`);
  const visitor = await visit(shortLink);
  expect([visitor.status, visitor.body.includes('fake')]).toEqual([410, false]);

  const path = `/account/codes/${code}`;
  const shown = textOf((await owner.get(path)).text);
  expect(shown).toContain('The operator has blocked this code');
  expect(shown).toContain(`Reason: ${reason}`);
  expect(textOf((await owner.get('/account')).text)).toContain(`Reason: ${reason}`);
  const resumed = await owner.post(`${path}/resume`, { csrf: await owner.csrf() });
  expect(resumed.to).toBe(path);
  expect((await visit(shortLink)).status).toBe(410);

  expect((await send(`codes/${code}/unblock`)).to).toBe('/account/safety');
  expect((await visit(shortLink)).status).toBe(302);
  expect((await send('codes/zzzzzzzz/block')).status).toBe(404);
  expect(await lookUp('zzzzzzzz')).toContain('There is no code “zzzzzzzz”.');
});

test('an operator sees names and pictures of codes of all accounts, and calls the own one so', async () => {
  const url = 'https://example.org/named';
  const code = await createCode(owner, url, { name: 'Menu at the door' });
  await send(`codes/${code}/block`);
  const listed = (await operator.get('/account/safety')).text;
  const shown = await lookUp(code);
  for (const text of [listed, shown]) expect(textOf(text)).toContain('Menu at the door');
  const picture = `/account/safety/codes/${code}/picture`;
  expect(shown).toContain(`src="${picture}"`);
  const drawn = await operator.get(picture);
  expect([drawn.status, drawn.headers.get('content-type')]).toEqual([200, 'image/png']);
  const own = await owner.get(`/account/codes/${code}/picture`);
  expect(drawn.text).toBe(own.text);
  expect((await owner.get(picture)).status).toBe(404);
  expect(textOf((await operator.get(`/account/safety/codes/${code}/block`)).text)).toContain(
    'Block Menu at the door?',
  );
  const ofOperator = await createCode(operator, 'https://example.org/own');
  const ownFound = textOf(await lookUp(ofOperator));
  expect(ownFound).toContain('your account');
  await send(`codes/${code}/unblock`);
});

test('a code that the operator blocks stays paused', async () => {
  const code = await createCode(owner, 'https://example.org/paused');
  const csrf = await owner.csrf();
  await owner.post(`/account/codes/${code}/pause`, { csrf });
  await send(`codes/${code}/block`);
  await send(`codes/${code}/unblock`);
  expect((await visit(`${server.origin}/${code}`)).status).toBe(410);
  const resumed = await owner.post(`/account/codes/${code}/resume`, { csrf });
  expect(resumed.to).toBe(`/account/codes/${code}`);
});

test('a block rule rejects destinations until it is removed', async () => {
  expect((await addRule('evil.example')).to).toBe('/account/safety');
  expect((await operator.get('/account/safety')).text).toContain('reported by phone');
  expect(await statusOfCreating('https://www.evil.example/menu')).toBe(422);
  const found = await lookUp('https://www.evil.example/menu');
  expect(found).toContain('https://www.evil.example/menu would be rejected');
  expect(found).toContain('Decided by the operator’s rules: “evil.example”');
  expect((await removeRule('evil.example/')).to).toBe('/account/safety');
  expect(await statusOfCreating('https://www.evil.example/menu')).toBe(303);
  expect((await removeRule('never-added.example/')).status).toBe(303);
});

test('what was looked up stays when a rule is rejected, and when a code is not blocked, or is', async () => {
  const csrf = await operator.csrf();
  const code = await createCode(operator, 'https://stays.example/');
  const page = `/account/safety?q=${code}`;
  const { forms, links } = parsePage((await operator.get(page)).text);
  const rule = forms.find(({ fields }) => fields.some(({ name }) => name === 'address'));
  const rejected = await operator.post(rule?.action ?? '', { csrf, address: 'a b', note: 'n' });
  expect([rejected.status, fieldOf(rejected.text, 'q')?.value]).toEqual([422, code]);
  expect(fieldOf(rejected.text, 'note')?.value).toBe('n');
  expect(rejected.text).toContain('Code found');

  const block = links.find((link) => link.includes(`/${code}/block`)) ?? '';
  const { text: dialog } = await operator.get(block);
  expect(linkOf(dialog, 'Cancel')).toBe(page);
  const form = parsePage(dialog).forms.find(({ action }) => action === block);
  const long = await operator.post(block, { csrf, reason: 'x'.repeat(200) });
  expect([long.status, linkOf(long.text, 'Cancel')]).toEqual([422, page]);
  expect((await operator.post(block, sentFields(form))).to).toBe(page);
  const unblock = parsePage((await operator.get(page)).text).forms.map(({ action }) => action);
  const path = unblock.find((action) => action.includes(`/${code}/unblock`)) ?? '';
  expect((await operator.post(path, { csrf })).to).toBe(page);
});

test('an allow rule overrides the built-in list', async () => {
  const unsafe = 'http://testsafebrowsing.appspot.com/s/malware.html';
  expect(await statusOfCreating(unsafe)).toBe(422);
  await addRule(unsafe, 'allow');
  expect(await statusOfCreating(unsafe)).toBe(303);
});

test('a code that is flagged later is shown to the operator, its owner and visitors', async () => {
  const code = await createCode(owner, 'https://later.example/');
  await addRule('later.example');
  await until(async () =>
    (await operator.get('/account/safety')).text.includes('flagged by the operator’s rules'),
  );
  expect((await operator.get('/account')).text).toMatch(/Safety<span class="count">1</);
  expect(textOf((await owner.get('/account')).text)).toContain(`${code}: flagged by`);
  const { text } = await owner.get(`/account/codes/${code}`);
  expect(text).toContain('The destination is flagged as dangerous');
  expect(text).toContain('by the operator’s rules as “later.example”');
  const { body } = await visit(`${server.origin}/${code}`);
  expect(body).toContain('flagged');
});
