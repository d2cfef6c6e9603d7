import { describe, expect, test } from 'bun:test';
import { sharedServer } from '../support/server.ts';
import { createCode, signedIn } from './client.ts';
import { linkOf, textOf } from './page.ts';

const server = await sharedServer();
const email = 'activity@example.org';
const anna = await signedIn(server, email);
const path = '/account/activity';
const code = await createCode(anna, 'https://example.org/one', { name: 'Table 1' });
const csrf = await anna.csrf();
await anna.post(`/account/codes/${code}/destination`, { csrf, url: 'https://example.org/two' });
await anna.post('/account/design', {
  csrf,
  do: 'save',
  foreground: '#1b3a57',
  background: '#ffffff',
});
const key = await server.generateKey(email);
await server.api(key).call(`PATCH /qrs/${code}`, { url: 'https://example.org/three' });

const show = async (query = '') => textOf((await anna.get(`${path}${query}`)).text);

describe('the activity in the panel', () => {
  test('says who did what, by day, with a link to the code', async () => {
    const { status, text } = await anna.get(path);
    expect(status).toBe(200);
    const shown = textOf(text);
    expect(shown).toMatch(/Today, \w{3} \d+ \w+/);
    expect(shown).toContain(
      `API key …${key.slice(-4)} changed the destination of Table 1https://example.org/two → https://example.org/three`,
    );
    expect(shown).toContain('You created Table 1→ https://example.org/one');
    expect(shown).toContain('A command on the server made the API key');
    expect(shown.indexOf('three')).toBeLessThan(shown.indexOf('created Table 1'));
    expect(text).toContain(`href="/account/codes/${code}"`);
  });

  test('is filtered by person and kind', async () => {
    const byKey = await show(`?by=key:${key.slice(-4)}`);
    expect(byKey).toContain('three');
    expect(byKey).not.toContain('You created');
    const designs = await show('?kind=designs');
    expect(designs).toContain('You changed the design of new codes');
    expect(designs).not.toContain('Table 1');
    expect(await show(`?by=key:${key.slice(-4)}&kind=designs`)).toContain('Nothing is recorded');
    for (const query of ['?kind=x', '?by=x', '?by=person:x', '?before=x', '?code=00000000'])
      expect([query, (await anna.get(`${path}${query}`)).status]).toEqual([query, 404]);
  });

  test('is searched by code, address, person and what was done, also in the table', async () => {
    expect(await show('?q=THREE')).toContain('→ https://example.org/three');
    expect(await show('?q=three')).not.toContain('You created');
    expect(await show('?q=Table+1')).toContain('You created Table 1');
    expect(await show(`?q=${code}&kind=designs`)).toContain('No entry matches');
    expect(await show('?q=design+of+new')).toContain('You changed the design of new codes');
    expect(await show(`?q=${email}`)).toContain('You created Table 1');
    const { text } = await anna.get(`${path}?q=three`);
    const csv = (await anna.get(linkOf(text, 'CSV') ?? '')).text.trimEnd().split('\r\n');
    expect(csv).toHaveLength(2);
    expect(csv[1]).toContain('https://example.org/three');
  });

  test('is searched so far back as is done at once, and further on the next page', async () => {
    const dora = await signedIn(server, 'activity-dora@example.org');
    const own = await createCode(dora, 'https://example.org/', { name: 'First of all' });
    await server.onStores(async ({ activity, accounts }) => {
      const account = await accounts.findByEmail('activity-dora@example.org');
      const acting = { accountId: account?.id ?? 0, by: { kind: 'command' } } as const;
      const event = { kind: 'codes-printed', count: 2 } as const;
      for (let at = 0; at < 5000; at += 500)
        await Promise.all(
          Array.from({ length: 500 }, () => activity.add(acting, event, Date.now())),
        );
    });
    const first = await dora.get(`${path}?q=first+of`);
    expect(textOf(first.text)).toContain('Searched back to');
    const next = await dora.get(linkOf(first.text, 'Search on') ?? '');
    expect(next.text).toContain(`/account/codes/${own}`);
  });

  test('goes on with older entries, as long as there are some', async () => {
    const ben = await signedIn(server, 'activity-ben@example.org');
    const own = await createCode(ben, 'https://example.org/');
    for (let at = 0; at < 60; at++)
      await ben.post(`/account/codes/${own}/${at % 2 === 0 ? 'archive' : 'unarchive'}`, {
        csrf: await ben.csrf(),
      });
    const first = await ben.get(path);
    const older = linkOf(first.text, 'Older') ?? '';
    const last = await ben.get(older);
    const count = (text: string) => text.match(/<time /g)?.length;
    expect([count(first.text), count(last.text)]).toEqual([50, 13]);
    expect(linkOf(last.text, 'Older')).toBeUndefined();
    expect(linkOf(last.text, 'Newest')).toBe(path);
    expect(textOf(last.text)).toContain('created the account');
  });

  test('is a table to download', async () => {
    const { headers, text } = await anna.get(`${path}.csv?kind=codes`);
    expect(headers.get('content-disposition')).toContain('waymark-activity-');
    const [header, ...lines] = text.trimEnd().split('\r\n');
    expect(header).toContain('at,by,kind,code,object,before,after,codes');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toContain(`destination-changed,${code},,https://example.org/two`);
  });

  test('is the history of a code, with the destinations to use again', async () => {
    const page = `/account/codes/${code}`;
    expect(linkOf((await anna.get(page)).text, 'History')).toBe(`${page}/history`);
    const { text } = await anna.get(`${page}/history`);
    expect(text).toContain('Use again: https://example.org/one');
    expect(textOf(text)).toContain('You changed the destination of this code');
    const all = await show(`?code=${code}`);
    expect(all).toContain('You created Table 1');
    expect(all).not.toContain('signed in');
  });

  test("has nothing of others, nor another account's code", async () => {
    const carl = await signedIn(server, 'activity-carl@example.org');
    expect(textOf((await carl.get(path)).text)).not.toContain('Table 1');
    expect((await carl.get(`${path}?code=${code}`)).status).toBe(404);
    const forged = await carl.get(`${path}?by=key:${key.slice(-4)}`);
    expect(textOf(forged.text)).toContain('Nothing is recorded');
  });
});
