import { describe, expect, test } from 'bun:test';
import { sharedServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { visit } from '../support/visit.ts';

const server = await sharedServer();
const { api, email } = await server.account();
const { code } = await api.create('https://example.com/code');
const table = [
  'path,destination',
  ...['Lookup', 'Twice-7', 'twice-7', 'R&X', 'Caf\u00e9/\u00d6l'].map(
    (path) => `${path},https://example.com/${encodeURIComponent(path)}`,
  ),
  '',
].join('\n');
const imported = await server.cli(['link', 'import', '-', '--account', email], { stdin: table });
const statusOf = async (path: string) => (await visit(`${server.origin}/${path}`)).status;
const leadsTo = async (path: string) => (await visit(`${server.origin}/${path}`)).to;

describe('an address as people type and print it', () => {
  test('leads where it was printed to lead', async () => {
    expect(imported).toMatchObject({ exitCode: 0 });
    for (const typed of [
      ...['lookup', 'LOOKUP/', 'Lookup.', 'lookup%20', 'LOOKUP&utm_source=x', 'l%6Fokup)'],
      'lookup%E2%80%9D',
    ])
      expect([typed, await leadsTo(typed)]).toEqual([typed, 'https://example.com/Lookup']);
    expect(await leadsTo('CAFE%CC%81/%C3%B6L')).toBe('https://example.com/Caf%C3%A9%2F%C3%96l');
    const read = code.replaceAll('0', 'O').replaceAll('1', 'l');
    for (const typed of [
      `${code}.`,
      `${code}%20`,
      `${code}!/`,
      `%${code.charCodeAt(0).toString(16)}${code.slice(1)}`,
      read,
      `${read},`,
    ])
      expect([typed, await leadsTo(typed)]).toEqual([typed, 'https://example.com/code']);
  });

  test('leads nowhere if several are meant, and by the letter first', async () => {
    expect(await leadsTo('Twice-7')).toBe('https://example.com/Twice-7');
    expect(await leadsTo('twice-7')).toBe('https://example.com/twice-7');
    expect(await leadsTo('R&X')).toBe('https://example.com/R%26X');
    for (const typed of ['TWICE-7', 'Twice-7x', 'lookup//', 'lookup%2F', 'lookup;', 'lookup%00'])
      expect([typed, await statusOf(typed)]).toEqual([typed, 404]);
  });

  test('is counted as the link', async () => {
    const scans = async () =>
      JSON.parse((await server.cli(['code', 'show', 'R&X', '--json'])).stdout).scans;
    const before = await scans();
    await visit(`${server.origin}/r&x`);
    await until(async () => (await scans()) === before + 1);
  });
});

describe('a new path', () => {
  const setPath = (of: string, path: string) => server.cli(['code', 'set', of, '--path', path]);

  test('that differs from one only in case is refused, but for the code that has it', async () => {
    for (const path of ['lookup', 'LOOKUP', 'cafe\u0301/\u00f6l'])
      expect(await setPath(code, path)).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining('differs from'),
      });
    expect(await setPath(code, 'Own-Path')).toMatchObject({ exitCode: 0 });
    expect(await setPath(code, 'own-path')).toMatchObject({ exitCode: 0 });
    expect(await leadsTo('OWN-PATH')).toBe('https://example.com/code');
    const { code: other } = await api.create();
    expect(await setPath(other, 'OWN-path')).toMatchObject({ exitCode: 1 });
  });

  test('may not lead back in another case', async () => {
    const { code: other } = await api.create();
    expect(await setPath(other, 'lead-back')).toMatchObject({ exitCode: 0 });
    for (const url of ['LEAD-BACK', 'lead-back.', 'lookup'])
      expect(
        (await api.call(`PATCH /qrs/${other}`, { url: `${server.origin}/${url}` })).status,
      ).toBe(400);
  });

  test('of a table is refused too, also beside a row of the same table', async () => {
    const rows =
      'destination,path\nhttps://example.com/1,LookUp\nhttps://example.com/2,row-path\nhttps://example.com/3,Row-Path\n';
    const { exitCode, stdout } = await server.cli(
      ['code', 'import', '-', '--account', email, '--json'],
      { stdin: rows },
    );
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout).refused.map(({ row }: { row: number }) => row)).toEqual([2, 4]);
  });
});
