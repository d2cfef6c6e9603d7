import { expect, test } from 'bun:test';
import { sharedServer } from '../support/server.ts';
import { visit } from '../support/visit.ts';

const server = await sharedServer();
const { api, email } = await server.account();
const leadsTo = async (path: string) => (await visit(`${server.origin}/${path}`)).to;
const set = (code: string, ...options: string[]) =>
  server.cli(['code', 'set', code, '--json', ...options]);

test('a code passes the query of a visitor on while that is switched on', async () => {
  const { code } = await api.create('https://example.com/menu?lang=it#top');
  expect(await leadsTo(`${code}?table=7`)).toBe('https://example.com/menu?lang=it#top');
  const { stdout } = await set(code, '--pass-query', 'on');
  expect(JSON.parse(stdout)).toMatchObject({ code, query: 'on' });
  for (const [asked, location] of [
    [`${code}?table=7`, 'https://example.com/menu?lang=it&table=7#top'],
    [`${code.toUpperCase()}/?table=7`, 'https://example.com/menu?lang=it&table=7#top'],
    [`${code}?lang=de&a=%7E+b`, 'https://example.com/menu?lang=it&a=%7E+b#top'],
    [code, 'https://example.com/menu?lang=it#top'],
    [`${code}?`, 'https://example.com/menu?lang=it#top'],
    [`${code}?${'x'.repeat(513)}`, 'https://example.com/menu?lang=it#top'],
  ] as const)
    expect([asked, await leadsTo(asked)]).toEqual([asked, location]);
  await api.call(`PATCH /qrs/${code}`, { url: 'https://example.com/other' });
  expect(await leadsTo(`${code}?table=8`)).toBe('https://example.com/other?table=8');
  const shown = JSON.parse((await set(code, '--pass-query', 'off')).stdout);
  expect(shown).not.toHaveProperty('query');
  expect(await leadsTo(`${code}?table=8`)).toBe('https://example.com/other');
  expect(Object.keys(await api.read(code))).toHaveLength(12);
});

test('a new code and a path may pass it on, and nothing else is accepted', async () => {
  const create = ['code', 'create', 'https://example.com/new', '--account', email, '--json'];
  const made = await server.cli([...create, '--pass-query', 'on', '--path', 'passing']);
  expect(JSON.parse(made.stdout)).toMatchObject({ query: 'on' });
  expect(await leadsTo('PASSING.?a=1')).toBe('https://example.com/new?a=1');
  expect(await server.cli([...create, '--pass-query', 'maybe'])).toMatchObject({ exitCode: 2 });
});

test('a table has a column for it, and an import of Shlink brings it', async () => {
  const table =
    'destination,name,pass query\nhttps://example.com/1,First,on\nhttps://example.com/2,Second,\n';
  const bad = 'destination,pass query\nhttps://example.com/1,table=7\n';
  const importing = ['code', 'import', '-', '--account', email, '--json'];
  expect(await server.cli(importing, { stdin: bad })).toMatchObject({ exitCode: 1 });
  expect(await server.cli(importing, { stdin: table })).toMatchObject({ exitCode: 0 });
  const list = ['code', 'list', '--account', email, '--json', '--search'];
  const found = async (text: string) => JSON.parse((await server.cli([...list, text])).stdout).data;
  expect(await found('First')).toMatchObject([{ query: 'on' }]);
  expect((await found('Second'))[0]).not.toHaveProperty('query');

  const link = (shortCode: string, forwardQuery: boolean) => ({
    ...{ shortCode, shortUrl: `${server.origin}/${shortCode}`, forwardQuery },
    ...{ longUrl: `https://example.com/${shortCode}`, dateCreated: '2024-01-02T10:00:00+00:00' },
  });
  const stdin = JSON.stringify({
    shortUrls: { data: [link('fwd-1', true), link('fwd-2', false)] },
  });
  const imported = await server.cli(['link', 'import', '-', '--account', email], { stdin });
  expect(imported).toMatchObject({ exitCode: 0 });
  expect(await leadsTo('fwd-1?a=1')).toBe('https://example.com/fwd-1?a=1');
  expect(await leadsTo('fwd-2?a=1')).toBe('https://example.com/fwd-2');
});
