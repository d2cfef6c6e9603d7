import { describe, expect, test } from 'bun:test';
import { type CommandStores, sharedServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { visit } from '../support/visit.ts';
import { createCode, signedIn } from './client.ts';
import { fieldOf, headingOf, linkOf, parsePage, textOf } from './page.ts';

const server = await sharedServer();
const anna = await signedIn(server, 'bulk@example.org');

const page = '/account/selection';
const createTwo = async (host: string) => [
  await createCode(anna, `https://${host}.example/a?x=1`),
  await createCode(anna, `https://${host}.example/b`),
];
/** Sends a form about all codes that match a search. */
const send = async (action: string, q: string, fields: Record<string, string>, client = anna) =>
  client.post(`${page}/${action}`, { csrf: await client.csrf(), all: 'yes', q, ...fields });
/** Opens a dialog of all codes that match a search. */
const open = async (dialog: string, q: string, list = '/account/codes', client = anna) =>
  (await client.post(page, { csrf: await client.csrf(), all: 'yes', q, list, open: dialog })).text;
const replace = (replaced: string, replacement: string) => ({
  do: 'replace',
  replaced,
  replacement,
});
const locationOf = async (code = '') => (await visit(`${server.origin}/${code}`)).to;
const statusOf = async (code = '') => (await visit(`${server.origin}/${code}`)).status;

test('ticked codes, or all that match, are counted; none is no selection', async () => {
  const [first = ''] = await createTwo('ticked');
  const select = async (fields: Record<string, string>) =>
    (await anna.post(page, { csrf: await anna.csrf(), ...fields })).text;
  expect(headingOf(await select({ code: first }))).toBe('1 code');
  expect(headingOf(await select({ all: 'yes', q: 'TICKED.example' }))).toBe(
    'All 2 codes that match “TICKED.example”',
  );
  for (const fields of [{}, { code: 'zzzzzzzz' }, { all: 'yes', q: 'nothing-like-it' }])
    for (const open of ['', 'folder'])
      expect(await select({ ...fields, open })).toContain('No codes are selected');
  expect((await anna.get(page)).to).toBe('/account/codes');
  await createCode(anna, 'https://single.example/');
  expect(headingOf(await select({ all: 'yes', q: 'single.example' }))).toBe(
    'The one code that matches “single.example”',
  );
  const list = '/account/codes?q=ticked&page=2';
  expect(parsePage(await select({ code: first, list })).links).toContain(list);
  expect(await select({ code: first, list: '//evil.example' })).not.toContain('evil');
});

test('a part of destinations is replaced after a preview, and undone', async () => {
  const codes = await createTwo('old');
  const other = await createCode(anna, 'https://other.example/old');
  const change = replace('https://old.example', 'https://new.example/shop');
  const preview = await send('preview', 'old', change);
  expect(preview.text).toContain('2 will change. 1 does not contain this text');
  expect(textOf(preview.text)).toContain(
    'before: https://old.example/a?x=1after: https://new.example/shop/a?x=1',
  );
  expect(await locationOf(codes[0])).toBe('https://old.example/a?x=1');

  expect((await send('apply', 'old', change)).to).toBe('/account/codes');
  const { text } = await anna.get('/account/codes');
  expect(text).toContain('“https://old.example” became “https://new.example/shop” in 2 codes.');
  expect(parsePage(text).forms.map(({ action }) => action)).toContain(`${page}/undo`);
  expect(await locationOf(codes[0])).toBe('https://new.example/shop/a?x=1');
  expect(await locationOf(codes[1])).toBe('https://new.example/shop/b');
  expect(await locationOf(other)).toBe('https://other.example/old');
  expect((await anna.get(`/account/codes/${codes[1]}`)).text).toContain('Changed 1 time');

  const list = '/account/codes?q=old';
  expect((await send('undo', '', { list })).to).toBe(list);
  expect(await locationOf(codes[1])).toBe('https://old.example/b');
});

test('before and after are cut between characters', async () => {
  const pins = '📍'.repeat(60);
  await createCode(anna, `https://pins.example/${pins}1old2${pins}`);
  const { text } = await send('preview', 'pins.example', replace('old', 'new'));
  const parts = text.match(/<(del|ins)>.*?<\/\1>/g) ?? [];
  expect(parts).toHaveLength(2);
  for (const part of parts) expect(part).toMatch(/^<(del|ins)>…(📍)+1(old|new)2(📍)+…<\/\1>$/u);
});

test('all get one destination, with the history of each, and back', async () => {
  const codes = await createTwo('many');
  const dialog = await open('destination', 'many.example');
  expect(textOf(dialog)).toContain('All 2 codes that match “many.example”.');
  const url = 'one.example/winter';
  const wrong = 'ftp://one.example/';
  const rejected = await send('destination', 'many.example', { url: wrong });
  expect([rejected.status, fieldOf(rejected.text, 'url')?.value]).toEqual([422, wrong]);
  expect(textOf(rejected.text)).toContain('must begin with http');
  expect((await send('destination', 'many.example', { url })).to).toBe('/account/codes');
  expect((await anna.get('/account/codes')).text).toContain(
    '2 codes now lead to one.example/winter.',
  );
  for (const code of codes) expect(await locationOf(code)).toBe('https://one.example/winter');
  expect((await anna.get(`/account/codes/${codes[0]}/history`)).text).toContain(
    'https://many.example/a?x=1',
  );
  expect(textOf(await open('folder', 'one.example'))).toContain(
    '2 codes now lead to one.example/winter.',
  );
  await send('undo', '', {});
  expect(await locationOf(codes[1])).toBe('https://many.example/b');
});

test('codes are paused and resumed, and cannot be undone once another edit changed them', async () => {
  const codes = await createTwo('pausing');
  const buttons = async () =>
    [...(await open('status', 'pausing')).matchAll(/value="(\w+)">([^<]*)</g)].map(
      ([, kind, text]) => [kind, text],
    );
  expect(await buttons()).toEqual([['pause', 'Pause 2 codes']]);
  await send('apply', 'pausing', { do: 'pause' });
  expect((await anna.get('/account/codes')).text).toContain('2 codes paused.');
  for (const code of codes) expect(await statusOf(code)).toBe(410);
  await anna.post(`/account/codes/${codes[1]}/resume`, { csrf: await anna.csrf() });
  expect(await buttons()).toEqual([
    ['resume', 'Resume 1 code'],
    ['pause', 'Pause 1 code'],
  ]);
  await send('apply', 'pausing', { do: 'resume' });
  for (const code of codes) expect(await statusOf(code)).toBe(302);
  await anna.post(`/account/codes/${codes[0]}/pause`, { csrf: await anna.csrf() });
  const undo = await send('undo', '', {});
  expect([undo.status, undo.text.includes('The code was changed since')]).toEqual([422, true]);
});

test('the query of visitors is passed on by all codes, and no longer, with an undo', async () => {
  const [one = '', other = ''] = await createTwo('passing');
  const passed = async () => [await locationOf(`${one}?t=7`), await locationOf(`${other}?t=7`)];
  const message = async () =>
    /role="status"><span>([^<]*)</.exec((await anna.get('/account/codes')).text)?.[1];
  const plain = ['https://passing.example/a?x=1', 'https://passing.example/b'];
  const joined = ['https://passing.example/a?x=1&t=7', 'https://passing.example/b?t=7'];
  expect(await passed()).toEqual(plain);
  await send('apply', 'passing', { do: 'query-on' });
  expect(await message()).toBe('2 codes now pass the query on.');
  expect(await passed()).toEqual(joined);
  const dialog = await open('query', 'passing');
  expect(dialog).toContain('Switch off for 2 codes');
  expect(dialog).not.toContain('Switch on for');
  await send('apply', 'passing', { do: 'query-off' });
  expect(await message()).toBe('2 codes no longer pass the query on.');
  expect(await passed()).toEqual(plain);
  await send('undo', '', {});
  expect(await passed()).toEqual(joined);
  const { stdout } = await server.cli(['activity', 'bulk@example.org', '--json']);
  const kinds = JSON.parse(stdout).map(({ kind }: { kind: string }) => kind);
  expect(kinds.slice(0, 3)).toEqual(['codes-edit-undone', 'codes-query-off', 'codes-query-on']);
});

test('codes are archived and come back', async () => {
  await createTwo('archiving');
  expect(await open('archive', 'archiving')).toContain('Archive 2 codes');
  await send('apply', 'archiving', { do: 'archive' });
  expect((await anna.get('/account/codes?q=archiving')).text).toContain('2 codes archived.');
  const list = '/account/codes?archived=yes';
  expect(await open('archive', 'archiving', list)).toContain('Unarchive 2 codes');
  expect((await send('apply', 'archiving', { do: 'unarchive', list })).to).toBe(list);
  expect((await anna.get('/account/codes?q=archiving')).text).toContain('archiving.example/b');
});

test('codes move to an existing folder, a new one or none, and codes that the operator blocked stay blocked', async () => {
  const [one = '', other = ''] = await createTwo('moving');
  const move = async (fields: Record<string, string>) => {
    await send('folder', 'moving', fields);
    const { text } = await anna.get('/account/codes');
    return /role="status"><span>([^<]*)</.exec(text)?.[1];
  };
  const folders = async () => {
    const radios = parsePage(await open('folder', 'moving'))
      .forms.flatMap(({ fields }) => fields)
      .filter(({ name }) => name === 'folder');
    // Nothing is chosen at first.
    expect(radios.filter(({ isChecked }) => isChecked)).toEqual([]);
    return radios.map(({ value }) => value);
  };
  expect(await move({ created: 'Bar' })).toBe('2 codes moved to Bar.');
  expect(await folders()).toEqual(['Bar', ' ']);
  expect(await move({ created: 'Roof', folder: 'Bar' })).toBe('2 codes moved to Roof.');
  expect(await folders()).toEqual(['Roof', ' ']);
  const long = await send('folder', 'moving', { created: 'x'.repeat(121), folder: 'Roof' });
  expect([long.status, fieldOf(long.text, 'created')?.isInvalid]).toEqual([422, true]);
  const list = '/account/codes?folder=in%3ARoof';
  const single = (await anna.get(`/account/codes/${one}/folder?${new URLSearchParams({ list })}`))
    .text;
  expect(textOf(single)).toContain(one);
  expect(fieldOf(single, 'list')?.value).toBe(list);
  expect(single).toMatch(/value="Roof" checked/);
  expect((await send('folder', 'moving', { created: '' })).text).toContain('Choose a folder.');
  expect(await move({ folder: '' })).toBe('2 codes moved out of their folders.');
  expect((await send('folder', 'moving', {})).text).toContain('Enter a name for the folder.');
  await anna.post(`/account/codes/${one}/labels`, { csrf: await anna.csrf(), folder: 'Roof' });
  expect(await move({ folder: '' })).toBe('1 code moved out of its folder.');
  expect((await server.cli(['safety', 'block-code', other])).exitCode).toBe(0);
  const status = await open('status', 'moving');
  expect(textOf(status)).toContain('1 code is blocked by the operator');
  expect(status).toContain('Pause 1 code');
});

test('of long destinations, the preview shows what changes', async () => {
  const path = 'part/'.repeat(60);
  await createCode(anna, `https://long.example/${path}old/${path}`);
  const { text } = await send('preview', 'long.example', replace('old/', 'new/'));
  const after = /<ins>(.*?)<\/ins>/.exec(text)?.[1] ?? '';
  expect(after).toMatch(/^…(part\/)+new\/(part\/)+part…$/);
  expect(after.length).toBeLessThan(160);
});

test('destinations that a single edit would reject are left out, with the reason', async () => {
  const codes = await createTwo('reject');
  const change = replace('https://reject.example/a', 'ftp://reject.example/a');
  const preview = await send('preview', 'reject.example', change);
  expect(preview.text).toContain('1 code cannot be changed');
  expect(preview.text).toContain('must begin with http');
  const both = await send('preview', 'reject.example', replace('https://', 'ftp://'));
  expect(both.text).toContain('2 codes cannot be changed');
  expect(both.text.match(/must begin with http/g)).toHaveLength(1);
  const list = '/account/codes?q=reject';
  expect((await send('apply', 'reject.example', { ...change, list })).to).toBe(list);
  expect((await anna.get('/account/codes')).text).toContain('No code was changed');
  expect(await locationOf(codes[0])).toBe('https://reject.example/a?x=1');
});

test('a destination of which nothing would be left is refused in words', async () => {
  await createTwo('nothing-left');
  const { text } = await send(
    'preview',
    'nothing-left',
    replace('https://nothing-left.example/b', ''),
  );
  expect(textOf(text)).toContain(
    '1 code cannot be changedNothing would be left of the destination.',
  );
});

describe('nothing is edited', () => {
  test('without a text to replace', async () => {
    expect((await send('preview', '', replace(' ', 'x'))).status).toBe(422);
  });

  test('of another account', async () => {
    const [code = ''] = await createTwo('mine');
    const ben = await signedIn(server, 'bulk-ben@example.org');
    const csrf = await ben.csrf();
    const fields = { csrf, code, ...replace('mine', 'yours') };
    expect((await ben.post(`${page}/apply`, fields)).to).toBe('/account/codes');
    expect(await locationOf(code)).toBe('https://mine.example/a?x=1');
  });

  test('in destinations while the plan is expired; pausing goes on', async () => {
    const carl = await signedIn(server, 'bulk-carl@example.org');
    const code = await createCode(carl, 'https://carl.example/');
    await server.cli(['account', 'plan', 'bulk-carl@example.org', '--until', '2026-01-31']);
    for (const action of ['preview', 'apply'])
      expect((await send(action, 'carl', replace('carl', 'x'), carl)).status).toBe(402);
    expect((await send('destination', 'carl', { url: 'x.example' }, carl)).status).toBe(402);
    expect(await open('destination', 'carl', '', carl)).toContain(
      'once this account has an active plan',
    );
    await send('apply', 'carl', { do: 'pause' }, carl);
    expect(await statusOf(code)).toBe(410);
  });
});

test('all codes of a filtered list are those that match its filter', async () => {
  const csrf = await anna.csrf();
  const one = await createCode(anna, 'https://filtered.example/', { folder: 'Filtered' });
  const other = await createCode(anna, 'https://filtered.example/');
  const list = '/account/codes?folder=in%3AFiltered';
  const applied = await anna.post(`${page}/apply`, { csrf, list, all: 'yes', q: '', do: 'pause' });
  expect(applied.to).toBe(list);
  expect([await statusOf(one), await statusOf(other)]).toEqual([410, 302]);
});

test('an action of the list that is rejected leads back to the same list', async () => {
  const csrf = await anna.csrf();
  const list = '/account/codes?q=M%C3%BCnchen&folder=in%3ABar&sort=name&page=3';
  const ben = await signedIn(server, 'back-ben@example.org', { planUntilMs: 1 });
  for (const [client, path, fields, expected] of [
    [anna, '/account/codes/zzzzzzzz/pause', {}, 404],
    [anna, '/account/codes/zzzzzzzz/labels', { name: 'x' }, 404],
    [anna, `${page}/images.zip`, { code: 'zzzzzzzz', format: 'svg' }, 422],
    [anna, `${page}/apply`, { code: 'zzzzzzzz' }, 422],
    [anna, page, { batch: '999999' }, 404],
    [ben, `${page}/preview`, { code: 'zzzzzzzz', ...replace('a', 'b') }, 402],
    [ben, `${page}/destination`, { code: 'zzzzzzzz', url: 'x.example' }, 402],
    [ben, `${page}/undo`, {}, 422],
  ] as const) {
    const own = client === anna ? csrf : await ben.csrf();
    const { status, text } = await client.post(path, { csrf: own, list, ...fields });
    expect([path, status, linkOf(text, 'Back to the list')]).toEqual([path, expected, list]);
  }
  const evil = { csrf, list: '//evil.example' };
  const { text } = await anna.post('/account/codes/zzzzzzzz/pause', evil);
  expect(linkOf(text, 'Back to the list')).toBe('/account');
});

test('all codes of a list with the longest search and folder are those of the list, and it follows', async () => {
  const csrf = await anna.csrf();
  const folder = '😀'.repeat(120);
  const name = '菜'.repeat(120);
  const one = await createCode(anna, 'https://long.example/', { name, folder });
  const other = await createCode(anna, 'https://long.example/', { name });
  const q = '菜'.repeat(100);
  const query = { q, folder: `in:${folder}`, scans: 'never', sort: 'last-scan', page: '1' };
  const list = `/account/codes?${new URLSearchParams(query)}`;
  const selected = { csrf, list, all: 'yes', q };
  expect(headingOf((await anna.post(page, selected)).text)).toContain('The one code');
  expect((await anna.post(`${page}/apply`, { ...selected, do: 'pause' })).to).toBe(list);
  expect([await statusOf(one), await statusOf(other)]).toEqual([410, 302]);
  // A longer one is not taken for the list without filters.
  for (const path of [page, `${page}/apply`, '/account/print']) {
    const long = { ...selected, list: `${list}&x=${'x'.repeat(4000)}`, do: 'pause' };
    const { status, text } = await anna.post(path, long);
    expect([path, status]).toEqual([path, 422]);
    expect(text).toContain('The address of the list is too long.');
  }
  expect(await statusOf(other)).toBe(302);
});

describe('an edit that takes long', () => {
  /** Begins an edit of two codes as another copy of the server, which `finish` kills. */
  const begin = async (host: string) => {
    const email = `${host}@example.org`;
    const client = await signedIn(server, email);
    const codes = [
      await createCode(client, `https://${host}.example/a`),
      await createCode(client, `https://${host}.example/b`),
    ];
    const onStores = <T>(act: (stores: CommandStores, accountId: number) => Promise<T>) =>
      server.onStores(async (stores) => {
        const account = await stores.accounts.findByEmail(email);
        return act(stores, account?.id ?? 0);
      });
    const untilMs = Date.now() + 100_000;
    const id = await onStores(async ({ bulkEdits, qrs }, accountId) => {
      await bulkEdits.lease(accountId, Date.now(), untilMs);
      const by = { kind: 'person', accountId } as const;
      const edits = (await qrs.findMany(accountId, codes)).map((qr) => ({
        ...{ qrId: qr.id, code: qr.code, before: 'active', after: 'paused', needsRecheck: false },
      }));
      const change = { kind: 'pause' } as const;
      return bulkEdits.begin({ accountId, by }, untilMs, change, edits, Date.now());
    });
    const path = `/account/bulk-edits/${id}`;
    const post = async (to: string, fields: Record<string, string> = {}) =>
      client.postWithoutWaiting(to, { csrf: await client.csrf(), ...fields });
    const finish = () =>
      onStores(({ bulkEdits }, accountId) => bulkEdits.release(accountId, untilMs));
    return { client, codes, path, post, finish, id };
  };

  test('has a page with its progress and a row of the tables, and goes on when its process is killed', async () => {
    const { client, codes, path, post, finish } = await begin('long');
    const { headers, text } = await client.get(path);
    expect([headers.get('refresh'), headingOf(text)]).toEqual(['2', 'Changing codes']);
    expect(textOf(text)).toContain('0 of 2 codes');
    const tables = (await client.get('/account/batches')).text;
    expect(parsePage(tables).links).toContain(path);
    expect(textOf(tables)).toContain('0 of 2 codes changed so far');
    for (const [to, fields] of [
      ['/account/selection/undo', {}],
      ['/account/selection/apply', { code: codes[0] ?? '', do: 'archive' }],
    ] as const) {
      const refused = await post(to, fields);
      expect([refused.status, refused.text]).toEqual([
        422,
        expect.stringContaining('Another change of many codes is running'),
      ]);
    }
    expect((await anna.get(path)).status).toBe(404);
    await finish();
    await until(async () => !(await client.get(path)).headers.has('refresh'));
    expect(headingOf((await client.get(path)).text)).toBe('2 codes paused');
    // A browser that waits gets what an edit responds that takes no time.
    expect((await client.get(`${path}?list=/account/codes?q=a`)).to).toBe('/account/codes?q=a');
    expect((await client.get('/account/codes')).text).toContain('2 codes paused.');
    for (const code of codes) expect(await statusOf(code)).toBe(410);
    expect((await post('/account/selection/undo')).to).toBe('/account/codes');
    expect(headingOf((await client.get(path)).text)).toBe('Undone: 2 codes paused');
    for (const code of codes) expect(await statusOf(code)).toBe(302);
  });

  test('is stopped, and makes room for another', async () => {
    const { client, codes, path, post } = await begin('stopped');
    expect((await post(`${path}/stop`)).to).toBe(`${path}?list=%2Faccount%2Fcodes`);
    const { text, headers } = await client.get(path);
    expect(headers.has('refresh')).toBeFalse();
    expect(textOf(text)).toContain('Not all codes were changed');
    expect(textOf(text)).toContain('Somebody stopped it.');
    expect(textOf(text)).toContain('0 of 2 codes changed');
    for (const code of codes) expect(await statusOf(code)).toBe(302);
    const archive = { code: codes[0] ?? '', do: 'archive' };
    expect((await post('/account/selection/apply', archive)).to).toBe('/account/codes');
    expect(headingOf((await client.get(path)).text)).toBe('This bulk edit has ended');
    for (const wrong of [`${path}9`, '/account/bulk-edits/x'])
      expect((await client.get(wrong)).status).toBe(404);
  });

  test('ends with its account', async () => {
    const { codes, finish } = await begin('deleted');
    const remove = ['account', 'delete', 'deleted@example.org', '--codes', 'keep', '--yes'];
    expect((await server.cli(remove)).exitCode).toBe(0);
    await finish();
    for (const code of codes) expect(await statusOf(code)).toBe(302);
  });
});
