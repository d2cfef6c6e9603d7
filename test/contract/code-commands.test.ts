import { expect, test } from 'bun:test';
import { sharedServer } from '../support/server.ts';

const server = await sharedServer();
const { email, api } = await server.account();

const command = async (...args: string[]): Promise<Record<string, unknown>> => {
  const { exitCode, stdout, stderr } = await server.cli([...args, '--json']);
  // Only this machine can open the address of a test's server.
  const warnings = stderr.replace(/^Warning: phones can't open 127\.0\.0\.1.*\n/, '');
  expect({ exitCode, warnings }).toEqual({ exitCode: 0, warnings: '' });
  return JSON.parse(stdout) as Record<string, unknown>; // each of them prints an object
};
const follow = (url: unknown) => fetch(String(url), { redirect: 'manual' });

test('codes of the command line are served at once, and changes take effect at the next request', async () => {
  const name = 'Table 7, „Süd“';
  const url = 'https://example.com/7';
  const created = await command('code', 'create', url, '--account', email, '--name', name);
  const { code } = created;
  expect((await follow(created['url'])).headers.get('location')).toBe(url);
  const record = await api.read(String(code));
  expect(record).toMatchObject({ code, destination: url, kind: 'qr' });
  // The name is for people: the API does not show it.
  expect(JSON.stringify(record)).not.toContain('Table');

  await command('code', 'pause', String(code));
  expect((await follow(created['url'])).status).toBe(410);
  await command('code', 'resume', String(code));
  await command('code', 'set', String(code), '--url', 'https://example.com/8');
  expect((await follow(created['url'])).headers.get('location')).toBe('https://example.com/8');
  expect(await command('code', 'show', String(code))).toMatchObject({ name, scans: 2 });
});

test('an archived code leaves lists, searches and exports, and redirects and counts on', async () => {
  const { email: owner, api: ownApi } = await server.account();
  const account = ['--account', owner];
  const { code: kept } = await ownApi.create();
  const { code } = await ownApi.create();
  const done = await command('code', 'set', code, '--name', 'Done');
  const listed = async (...flags: string[]) => {
    const list = await command('code', 'list', ...account, ...flags);
    const { data, total } = list as { data: { code: string }[]; total: number }; // its documented shape
    expect(total).toBe(data.length);
    return data.map((one) => one.code);
  };
  expect(await command('code', 'archive', code)).toEqual({ ...done, archived: true });
  expect(await listed()).toEqual([kept]);
  expect(await listed('--search', 'done')).toEqual([]);
  expect(await listed('--archived', '--search', 'done')).toEqual([code]);
  expect(await listed('--archived')).toEqual([code]);
  const archive = ['--format', 'svg', '--out', `${server.folder}/archived.zip`];
  expect(await command('code', 'download', ...account, ...archive)).toMatchObject({ codes: 1 });

  expect((await follow(done['url'])).status).toBe(302);
  expect(await ownApi.read(code)).toMatchObject({ code, status: 'active' });
  // The API has no notion of the archive: its list is complete, and so is its total.
  expect(await ownApi.list()).toMatchObject({ total: 2 });
  expect(await command('code', 'show', code)).toMatchObject({ scans: 1, archived: true });
  await command('code', 'pause', code);
  expect((await follow(done['url'])).status).toBe(410);
  await command('code', 'resume', code);

  await command('code', 'archive', kept, code);
  expect(await listed()).toEqual([]);
  await command('code', 'unarchive', kept, code);
  expect(await listed()).toEqual([code, kept]);
  const missing = await server.cli(['code', 'archive', kept, '00000000']);
  expect(missing).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('00000000') });
  expect(await listed('--archived')).toEqual([]);
});

test('folders are made where they are named, and lists are sorted and filtered', async () => {
  const { email: owner } = await server.account();
  const account = ['--account', owner];
  const table = `${server.folder}/tables.csv`;
  const rows = ['Table 10,https://example.com/10,', 'Table 2,https://example.com/2,Bar'];
  await Bun.write(table, ['name,url,folder', ...rows].join('\n'));
  expect(await command('code', 'import', table, ...account, '--folder', 'Menus')).toMatchObject({
    created: 2,
  });
  await Bun.write(table, 'path,destination,name\ndoor-1,https://example.com/1,Door\n');
  await command('link', 'import', table, ...account, '--folder', 'Doors');
  const names = async (...flags: string[]) => {
    const { data } = await command('code', 'list', ...account, ...flags);
    return (data as { name: string }[]).map(({ name }) => name); // its documented shape
  };
  expect(await names('--sort', 'name')).toEqual(['Door', 'Table 2', 'Table 10']);
  expect(await names('--folder', 'Menus')).toEqual(['Table 10']);
  expect(await names('--search', 'menus')).toEqual(['Table 10']);
  await follow(`${server.origin}/door-1`);
  expect(await names('--never-scanned', '--sort', 'name')).toEqual(['Table 2', 'Table 10']);
  expect(await names('--status', 'paused')).toEqual([]);
  const folders = async () => (await server.cli(['folder', 'list', ...account])).stdout;
  expect(await folders()).toBe('Bar  1 code\nDoors  1 code\nMenus  1 code\n');
  await command('folder', 'rename', 'Menus', 'Bar', ...account);
  expect(await folders()).toBe('Bar  2 codes\nDoors  1 code\n');
  expect(await command('folder', 'remove', 'Doors', ...account)).toEqual({ codes: 1 });
  expect(await command('code', 'show', 'door-1')).toMatchObject({ folder: null, name: 'Door' });
  const [head = '', ...lines] = (await server.cli(['export', ...account])).stdout
    .trim()
    .split('\r\n');
  expect(head).toEndWith(',name,note,folder,archived,path');
  expect(lines.filter((line) => line.endsWith(',Bar,,'))).toHaveLength(2);
});
