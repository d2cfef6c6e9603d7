import { describe, expect, test } from 'bun:test';
import { sharedServer } from '../support/server.ts';
import { createCode, signedIn } from './client.ts';
import { fieldOf } from './page.ts';

const server = await sharedServer();
const anna = await signedIn(server, 'names@example.org');
const csrf = await anna.csrf();

const label = (code: string, name: string, note = '') =>
  anna.post(`/account/codes/${code}/labels`, { csrf, name, note });
const pageOf = async (code: string) => (await anna.get(`/account/codes/${code}`)).text;

describe('a name', () => {
  test('is the title in list, page and overview', async () => {
    const code = await createCode(anna, 'https://example.org/7');
    expect((await label(code, '  Tisch № 7 · قائمة ', 'by the window')).to).toBe(
      `/account/codes/${code}`,
    );
    const page = await pageOf(code);
    expect(page).toContain('<h1><bdi>Tisch № 7 · قائمة</bdi></h1>');
    expect(page).toContain('<title>Tisch № 7 · قائمة · Waymark</title>');
    const labels = (await anna.get(`/account/codes/${code}/labels`)).text;
    expect(fieldOf(labels, 'note')?.value).toBe('by the window');
    for (const path of ['/account', '/account/codes'])
      expect((await anna.get(path)).text).toContain('>Tisch № 7 · قائمة<');
  });

  test('is given when a code is created, to several codes if need be', async () => {
    for (const attempt of ['a', 'b']) {
      const fields = { name: 'Shelf 1', attempt };
      const code = await createCode(anna, 'https://example.org/named', fields);
      expect(await pageOf(code)).toContain('Shelf 1');
    }
  });

  test('of a folder means the one that exists, in whatever case it is typed', async () => {
    const folderOf = async (code: string) =>
      fieldOf((await anna.get(`/account/codes/${code}/labels`)).text, 'folder')?.value;
    const create = (folder: string) =>
      createCode(anna, 'https://example.org/cased', { folder, attempt: folder });
    await create('Über Uns');
    const code = await create('über uns');
    expect(await folderOf(code)).toBe('Über Uns');
    await anna.post(`/account/codes/${code}/labels`, { csrf, folder: 'Other' });
    await anna.post(`/account/codes/${code}/labels`, { csrf, folder: 'ÜBER UNS' });
    expect(await folderOf(code)).toBe('Über Uns');
    for (const fields of [{ created: 'OTHER' }, { created: 'über uns' }])
      await anna.post('/account/selection/folder', { csrf, code, ...fields });
    expect(await folderOf(code)).toBe('Über Uns');
  });

  test('changes from the list, which is shown again', async () => {
    const code = await createCode(anna, 'https://example.org/list');
    const list = '/account/codes?q=list&page=1';
    const fields = { csrf, name: 'A7', note: '', folder: '' };
    const send = (back: string) =>
      anna.post(`/account/codes/${code}/labels`, { ...fields, list: back });
    expect((await send(list)).to).toMatch(/^\/account\/codes\?q=list&page=1#code-\d+$/);
    for (const elsewhere of ['//evil.example/account', 'https://evil.example/', 'javascript:1'])
      expect((await send(elsewhere)).to).toMatch(/^\/account#/);
  });

  test('that is rejected keeps the list to go back to', async () => {
    const code = await createCode(anna, 'https://example.org/kept');
    const list = '/account/codes?q=kept&page=2';
    const fields = { csrf, name: `"${'a'.repeat(121)}`, note: '', folder: '', list };
    const { text } = await anna.post(`/account/codes/${code}/labels`, fields);
    expect(fieldOf(text, 'list')?.value).toBe(list);
  });

  test('is removed when it is empty, and does not touch image, destination or API', async () => {
    const code = await createCode(anna, 'https://example.org/same');
    const api = server.api(await server.generateKey('names@example.org'));
    const image = (await anna.get(`/account/codes/${code}/image.svg`)).text;
    const record = (await api.call(`GET /qrs/${code}`)).text;
    await label(code, 'Named', 'Noted');
    expect((await anna.get(`/account/codes/${code}/image.svg`)).text).toBe(image);
    expect((await api.call(`GET /qrs/${code}`)).text).toBe(record);
    await label(code, ' ', '');
    expect(await pageOf(code)).not.toContain('Named');
  });

  test.each([
    ['a'.repeat(121), '', 'The name is too long'],
    ['a\nb', '', 'A name is one line of text'],
    ['', 'n'.repeat(1001), 'The note is too long'],
  ])('is rejected beside its field', async (name, note, problem) => {
    const code = await createCode(anna, 'https://example.org/rejected');
    await label(code, 'Before', 'Earlier');
    const { status, text } = await label(code, name, note);
    expect(status).toBe(422);
    expect(text).toContain(problem);
    expect(await pageOf(code)).toContain('<bdi>Before</bdi>');
    const created = await anna.post('/account/codes', { csrf, url: 'https://a.example/', name });
    if (name !== '') expect([created.status, created.text.includes(problem)]).toEqual([422, true]);
  });
});

test('names and notes are exported, and no cell is a formula', async () => {
  const code = await createCode(anna, 'https://example.org/export');
  await label(code, '=HYPERLINK("https://evil.example")', '@SUM(A1), "quoted"\nsecond line');
  const { text } = await anna.get('/account/codes.csv');
  expect(text).toStartWith('name,code,url,destination,status,scans,last_scan,created_at,note');
  expect(text).toContain(`"'=HYPERLINK(""https://evil.example"")",${code},`);
  expect(text).toContain(`"'@SUM(A1), ""quoted""\nsecond line"`);
});

test('a folder is created where a code names it, renamed, joined and removed, and its codes stay', async () => {
  const code = await createCode(anna, 'https://example.org/in-folder', { folder: 'Speisen' });
  const other = await createCode(anna, 'https://example.org/in-other', { folder: 'Bar' });
  const send = (action: string, fields: Record<string, string>) =>
    anna.post(`/account/folders/${action}`, { csrf, ...fields });
  const inFolder = async (name: string) => {
    const list = `/account/codes?${new URLSearchParams({ folder: `in:${name}` })}`;
    const { text } = await anna.get(list);
    return [code, other].filter((one) => text.includes(`value="${one}"`));
  };
  expect(await inFolder('Speisen')).toEqual([code]);
  expect((await send('rename', { folder: 'Speisen', name: ' ' })).status).toBe(422);
  const renamed = await send('rename', { folder: 'Speisen', name: 'Menüs' });
  expect(renamed.to).toBe('/account/codes?folder=in%3AMen%C3%BCs');
  expect([await inFolder('Speisen'), await inFolder('Menüs')]).toEqual([[], [code]]);
  const listed = await server.cli([
    ...['code', 'list', '--account', 'names@example.org', '--folder', 'Menüs', '--json'],
  ]);
  expect(JSON.parse(listed.stdout)).toMatchObject({ data: [{ code, folder: 'Menüs' }], total: 1 });
  await send('rename', { folder: 'Menüs', name: 'Bar' });
  expect(await inFolder('Bar')).toEqual([code, other]);
  const asked = await anna.get('/account/folders/remove?folder=Bar');
  expect(asked.text).toContain('2 codes stay, without a folder.');
  expect((await send('remove', { folder: 'Bar' })).to).toBe('/account/codes');
  expect((await anna.get('/account/codes')).text).toContain('2 codes stay, without a folder.');
  expect(await inFolder('Bar')).toEqual([]);
  expect(await pageOf(code)).toContain('https://example.org/in-folder');
});
