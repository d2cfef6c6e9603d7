import { afterAll, describe, expect, test } from 'bun:test';
import { inDatabase } from '../support/database.ts';
import { usesPostgres } from '../support/postgres.ts';
import { startServer } from '../support/server.ts';
import { fieldsOf } from '../support/wire.ts';

const server = await startServer();
afterAll(server.close);
const { api, email } = await server.account('alice@example.org');
const codes: string[] = [];
for (let number = 0; number < 3; number++)
  codes.push((await api.create(`https://example.org/${number}`)).code);
const [changed = '', unreadable = ''] = codes;

// They change rows of the file.
const testOfFile = test.skipIf(usesPostgres);

const change = (statement: string) => inDatabase(server, statement);

describe('verify beside a running server', () => {
  test('checks a sample of the given size', async () => {
    const { stdout } = await server.cli(['verify', '--sample', '2']);
    expect(stdout).toContain('Checked 2 codes');
    expect((await server.cli(['verify', '--sample', '0'])).exitCode).toBe(2);
  });

  testOfFile('compares a PNG of each design, not only the SVG of each code', async () => {
    await change('UPDATE designs SET png_hash = zeroblob(32) WHERE png_hash IS NOT NULL');
    const { exitCode, stdout } = await server.cli(['verify', '--all']);
    expect([exitCode, stdout]).toEqual([1, expect.stringContaining(`${changed}: the PNG differs`)]);
  });

  testOfFile('of codes of an earlier version, compares the PNG after the next create', async () => {
    await change('UPDATE designs SET png_hash = NULL');
    const before = await server.cli(['verify', '--all']);
    expect(before.stdout).toContain('Of 3 codes, only the SVG was compared');
    expect(before.exitCode).toBe(0);
    codes.push((await api.create('https://example.org/next')).code);
    const after = await server.cli(['verify', '--all', '--json']);
    expect(JSON.parse(after.stdout)).toEqual({ checked: 4, mismatched: 0, mismatches: [] });
  });

  testOfFile('names each changed or unreadable code and exits with 1', async () => {
    await change(`UPDATE qrs SET image_hash = zeroblob(32) WHERE code = '${changed}'`);
    await server.setDesign(email, { foreground: '#ffffff' });
    const set = (value: string) => change(`UPDATE qrs SET ${value} WHERE code = '${unreadable}'`);
    await set('design_id = (SELECT max(id) FROM designs)');
    const { bytes } = await api.call(`GET /qrs/${unreadable}.svg`);
    await set(`image_hash = x'${new Bun.CryptoHasher('sha256').update(bytes).digest('hex')}'`);

    const { exitCode, stdout, stderr } = await server.cli(['verify', '--all', '--json']);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('2 of 4 codes');
    const printed = fieldsOf(JSON.parse(stdout));
    expect(printed).toMatchObject({ checked: 4, mismatched: 2 });
    expect(printed['mismatches']).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ code: changed, problem: 'image_changed' }),
        expect.objectContaining({ code: unreadable, problem: 'unreadable' }),
      ]),
    );
  });
});

test('verify of a folder without a database is refused', async () => {
  const nowhere = await server.otherDatabase('nowhere');
  for (const command of [['verify'], ['backup', 'x.db'], ['export', '--format', 'csv']]) {
    const { exitCode, stdout, stderr } = await server.cli(command, { env: nowhere });
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toContain('no database');
  }
});
