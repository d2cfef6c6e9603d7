import { afterAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { startServer } from '../support/server.ts';

const server = await startServer();
afterAll(() => server.close());
const { email, api } = await server.account('owner@example.org');
const other = await server.account('other@example.org');

const follow = (path: string, method = 'GET') =>
  fetch(`${server.origin}/${path}`, { redirect: 'manual', method });
const leadsTo = async (path: string) => (await follow(path)).headers.get('location');

/** Runs a command that is expected to succeed, and returns what it prints. */
async function run(...args: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await server.cli(args);
  if (exitCode !== 0) throw new Error(`${args.join(' ')}: ${stderr}`);
  return stdout;
}
const show = async (code: string) => JSON.parse(await run('code', 'show', code, '--json'));
const setPath = (code: string, path: string) => server.cli(['code', 'set', code, '--path', path]);

describe('the path of a code', () => {
  test('leads where the code leads, is counted with it, and follows each change at the next request', async () => {
    const { code } = await api.create('https://example.com/lunch');
    const picture = (await api.call(`GET /qrs/${code}.svg`)).text;
    expect((await follow('menu')).status).toBe(404);
    await run('code', 'set', code, '--path', 'menu');
    expect(await leadsTo('menu')).toBe('https://example.com/lunch');
    expect(await leadsTo('menu/')).toBe('https://example.com/lunch');
    expect(await leadsTo(code)).toBe('https://example.com/lunch');
    expect(await leadsTo('Menu')).toBe('https://example.com/lunch');
    expect((await follow('menu', 'HEAD')).status).toBe(302);
    expect(await show(code)).toMatchObject({ scans: 4, path: 'menu' });

    await api.call(`PATCH /qrs/${code}`, { url: 'https://example.com/dinner' });
    expect(await leadsTo('menu')).toBe('https://example.com/dinner');
    await run('code', 'pause', 'menu');
    expect((await follow('menu')).status).toBe(410);
    await run('code', 'resume', code);
    expect(await leadsTo('menu')).toBe('https://example.com/dinner');

    await run('code', 'set', code, '--path', 'Karte/heute');
    expect((await follow('menu')).status).toBe(404);
    expect(await leadsTo('Karte/heute')).toBe('https://example.com/dinner');
    await run('code', 'set', code, '--path', '');
    expect((await follow('Karte/heute')).status).toBe(404);
    expect(await show(code)).not.toHaveProperty('path');
    expect(await leadsTo(code)).toBe('https://example.com/dinner');
    expect((await api.call(`GET /qrs/${code}.svg`)).text).toBe(picture);
  });

  test('is not in the API, which knows the code alone', async () => {
    const { code } = await api.create();
    await run('code', 'set', code, '--path', 'api-menu');
    expect(Object.keys(await api.read(code))).toHaveLength(12);
    expect(JSON.stringify(await api.read(code))).not.toContain('api-menu');
    expect((await api.call('GET /qrs/api-menu')).status).toBe(404);
    expect((await api.call('GET /qrs/api-menu.png')).status).toBe(404);
  });

  test.each([
    ['summer 2026', 'summer%202026'],
    ['Über/uns', '%C3%9Cber/uns'],
    ['cafe\u0301', 'caf%C3%A9'],
    // Eight characters that could be a code.
    ['xmas2026', 'xmas2026'],
    ['WEST2026', 'WEST2026'],
    ['%C3%A4', '%C3%A4'],
    ['/with-slash', 'with-slash'],
  ])('may be %j', async (path, requested) => {
    const { code } = await api.create(`https://example.com/${encodeURIComponent(path)}`);
    await run('code', 'set', code, '--path', path);
    expect(await leadsTo(requested)).toBe(`https://example.com/${encodeURIComponent(path)}`);
    expect(await leadsTo(encodeURI(decodeURI(requested).toUpperCase()))).toBe(
      `https://example.com/${encodeURIComponent(path)}`,
    );
  });

  test.each([
    ['ACCOUNT/sign-in', 'looks like a page of Waymark'],
    ['\u0430ccount', 'looks like a page of Waymark'],
    ['menu/login', 'looks like a page of Waymark'],
    ['m\u0435nu', 'letters of several scripts'],
    ['menu%20', 'with a blank'],
    ['account', 'is a page of Waymark'],
    ['api/v1/qrs', 'is a page of Waymark'],
    ['docs', 'is a page of Waymark'],
    ['healthz', 'is a page of Waymark'],
    ['metrics', 'is a page of Waymark'],
    ['robots.txt', 'Choose another path'],
    ['.well-known/x', 'Choose another path'],
    ['a//b', 'empty segment'],
    ['../x', 'empty segment'],
    ['a?b', 'question mark'],
    ['a\u202eb', 'path has'],
    ['50%', 'badly encoded'],
    ['menu/', 'slash at the end'],
    ['/', 'has no path'],
    [' / ', 'has no path'],
    ['//', 'empty segment'],
    ['x'.repeat(256), 'longer than 255 characters'],
  ])('cannot be %j', async (path, reason) => {
    const { code } = await api.create();
    const { exitCode, stderr } = await setPath(code, path);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(reason);
    expect(await show(code)).not.toHaveProperty('path');
  });

  test('is unique among codes, imported links and paths, and not handed to another account', async () => {
    const { code } = await api.create();
    const { code: second } = await api.create();
    const { code: foreign } = await other.api.create();
    const file = join(server.folder, 'links.csv');
    await Bun.write(file, 'path,destination\nprinted,https://example.com/printed\n');
    await run('link', 'import', file, '--account', email);
    await run('code', 'set', code, '--path', 'unique');
    for (const path of ['unique', 'printed', code, code.toUpperCase()])
      for (const one of [second, foreign]) {
        const { exitCode, stderr } = await setPath(one, path);
        expect([path, exitCode]).toEqual([path, 1]);
        expect(stderr).toContain('exists already');
      }
    // An import does not take a path either.
    await Bun.write(file, 'path,destination\nunique,https://example.com/taken\n');
    const { stdout } = await server.cli(['link', 'import', file, '--account', email, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ created: 0, existing: 1 });

    // One that nobody has scanned is free at once.
    await run('code', 'set', code, '--path', 'unscanned');
    expect((await setPath(foreign, 'unique')).exitCode).toBe(0);
    await run('code', 'set', foreign, '--path', '');
    await run('code', 'set', code, '--path', 'unique');
    await follow('unique');
    await run('code', 'set', code, '--path', '');
    const { exitCode, stderr } = await setPath(foreign, 'unique');
    expect(exitCode).toBe(1);
    expect(stderr).toContain('less than two years ago');
    const link = await server.cli(['link', 'import', file, '--account', other.email, '--json']);
    expect(JSON.parse(link.stdout)).toMatchObject({ created: 0 });
    await run('code', 'set', second, '--path', 'unique');
    expect(await show('unique')).toMatchObject({ code: second });
  });

  test('goes on when its account is deleted, and is given to nobody', async () => {
    const leaving = await server.account('leaving@example.org');
    const { code } = await leaving.api.create('https://example.com/leaving');
    await run('code', 'set', code, '--path', 'leaving');
    await run('account', 'delete', leaving.email, '--codes', 'keep', '--yes');
    expect(await leadsTo('leaving')).toBe('https://example.com/leaving');
    const { code: foreign } = await other.api.create();
    expect((await setPath(foreign, 'leaving')).exitCode).toBe(1);
  });

  test('is a column of tables, exports and archives, and found by a search', async () => {
    const owner = await server.account('tables@example.org');
    const account = ['--account', owner.email];
    const { code: foreign } = await other.api.create();
    await run('code', 'set', foreign, '--path', 'foreign-path');
    const table = join(server.folder, 'table.csv');
    const rows = ['Bar,https://example.com/bar,bar', 'Door,https://example.com/door,'];
    const problems = [
      'A,https://example.com/1,foreign-path',
      'B,https://example.com/2,bar',
      'C,https://example.com/3,docs/x',
    ];
    await Bun.write(table, `name,url,path\n${[...rows, ...problems].join('\n')}\n`);
    const checked = await server.cli(['code', 'import', table, ...account, '--json']);
    expect(checked.exitCode).toBe(1);
    expect(JSON.parse(checked.stdout)).toMatchObject({
      created: 0,
      refused: [
        { row: 4, reason: expect.stringContaining('/foreign-path exists already') },
        { row: 5, reason: expect.stringContaining('Row 2 has the same path') },
        { row: 6, reason: expect.stringContaining('/docs is a page of Waymark') },
      ],
      ignored_columns: [],
    });
    const good = ['code', 'import', table, ...account, '--only-good', '--json'];
    expect(JSON.parse((await server.cli(good)).stdout)).toMatchObject({ created: 2 });
    expect(await leadsTo('bar')).toBe('https://example.com/bar');
    const [head = '', ...lines] = (await run('export', ...account)).trim().split('\r\n');
    const at = head.split(',').indexOf('path');
    expect(lines.map((line) => line.split(',')[at]).sort()).toEqual(['', 'bar']);
    const archive = join(server.folder, 'paths.zip');
    await run('code', 'download', ...account, '--format', 'svg', '--out', archive);
    expect(await Bun.file(archive).text()).toMatch(/file,name,.*,path,@image\r\n.*,bar,/);
    const found = await run('code', 'list', ...account, '--search', 'BAR');
    expect(found).toContain('https://example.com/bar');
    expect(found).not.toContain('https://example.com/door');
    // The export of a server can be imported into another one, with both addresses of a code.
    const links = join(server.folder, 'exported.csv');
    await Bun.write(
      links,
      `${head}\r\nzzzzzzz0,${server.origin}/zzzzzzz0,https://example.com/z,,active,302,,,,,typed-z\r\n`,
    );
    await run('link', 'import', links, ...account);
    expect(await leadsTo('typed-z')).toBe('https://example.com/z');
  });
});
