import { describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifyPassword } from '../../src/core/accounts/password.ts';
import { openStore } from '../../src/sqlite/database/store.ts';
import { createCommands } from './folder.ts';

const { folder, waymark, json } = createCommands();
const data = join(folder, 'data');

/** A line of the database, past the program. */
function row(sql: string): Record<string, unknown> | null {
  const store = openStore(data, { durability: 'process', busyTimeoutMs: 1000 });
  try {
    return store.$client.query<Record<string, unknown>, []>(sql).get();
  } finally {
    store.$client.close();
  }
}

const created = await json('account create Alice@Example.org --plan-until 2099-06-30');

describe('account', () => {
  test('create prints what it made; the folder and its files are for their owner alone', () => {
    expect(created).toEqual({ email: 'alice@example.org', plan_until: '2099-06-30T23:59:59.999Z' });
    expect((statSync(data).mode & 0o777).toString(8)).toBe('700');
    expect((statSync(join(data, 'waymark.db')).mode & 0o777).toString(8)).toBe('600');
  });

  test('a new account wears the plain design, and has no end of plan unless one is given', async () => {
    expect(await json('account create bob@example.org --operator')).toEqual({
      email: 'bob@example.org',
      plan_until: null,
    });
    expect(await json('design show bob@example.org')).toMatchObject({
      design: { foreground: '#000000', background: '#ffffff', logo: null },
    });
    expect(await json('account show BOB@example.org')).toEqual({
      email: 'bob@example.org',
      plan_until: null,
      operator: true,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      qrs: 0,
    });
  });

  test('list shows all of them in order, to machines and to people', async () => {
    const listed = await json('account list');
    expect(listed).toMatchObject([{ email: 'alice@example.org' }, { email: 'bob@example.org' }]);
    const { stdout } = await waymark('account list');
    expect(stdout).toBe(
      'alice@example.org  0 QRs  The plan ends with 2099-06-30 (UTC).\n' +
        'bob@example.org  0 QRs  The plan has no end.  operator\n',
    );
    const shown = await waymark('account show bob@example.org');
    expect(shown.stdout).toBe('bob@example.org  0 QRs  The plan has no end.  operator\n');
  });

  test('plan changes the end, to a day, an instant or never', async () => {
    const until = async (date: string) => json(`account plan alice@example.org --until ${date}`);
    const email = 'alice@example.org';
    expect(await until('never')).toEqual({ email, plan_until: null });
    expect(await until('2030-01-01T10:00:00+01:00')).toEqual({
      email,
      plan_until: '2030-01-01T09:00:00.000Z',
    });
    expect(await json('account show alice@example.org')).toMatchObject({
      plan_until: '2030-01-01T09:00:00.000Z',
    });
    const { stdout } = await waymark('account plan alice@example.org --until 2020-01-01T10:00Z');
    expect(stdout).toBe(`${email}: The plan ended at 2020-01-01T10:00:00Z.\n`);
    await until('2030-01-01T09:00:00Z');
  });

  test('a password comes from stdin, is kept as argon2id and without the line end', async () => {
    const set = (line: string, stdin: string) => waymark(`${line} --password-stdin`, { stdin });
    const hash = async (email: string) =>
      String(row(`SELECT password_hash AS hash FROM accounts WHERE email = '${email}'`)?.['hash']);
    const made = await set('account create carol@example.org', 'correct horse battery\n');
    expect(made.exitCode).toBe(0);
    const first = await hash('carol@example.org');
    expect(first).toMatch(/^\$argon2id\$/);
    expect(await verifyPassword('correct horse battery', first)).toBe(true);
    expect((await set('account password carol@example.org', 'another long one\r\n')).exitCode).toBe(
      0,
    );
    expect(await verifyPassword('another long one', await hash('carol@example.org'))).toBe(true);
  });
});

describe('key', () => {
  test('generate prints a key once, alone, and a second one replaces it', async () => {
    const { stdout, stderr } = await waymark('key generate bob@example.org');
    expect(stdout).toMatch(/^wmk_[0-9a-f]{40}\n$/);
    expect(stderr).toBe('');
    const second = await json('key generate bob@example.org', {
      env: { WAYMARK_KEY_PREFIX: 'acme' },
    });
    expect(second).toEqual({ key: expect.stringMatching(/^acme_[0-9a-f]{40}$/) });
    expect(row('SELECT count(*) AS n FROM keys')).toEqual({ n: 1 });
    const bytes = readFileSync(join(data, 'waymark.db')).toString('latin1');
    expect(bytes).not.toContain(stdout.trim().slice(4));
  });

  test('revoke takes it away, and a second time there is none', async () => {
    expect(await json('key revoke bob@example.org')).toEqual({ email: 'bob@example.org' });
    expect(row('SELECT count(*) AS n FROM keys')).toEqual({ n: 0 });
    expect((await waymark('key revoke bob@example.org')).exitCode).toBe(1);
  });
});

describe('refused with 1 and a reason on stderr, on stdout nothing, and nothing is changed', () => {
  test.each([
    ['account create ALICE@example.org', 'already an account alice@example'],
    ['account create alice', 'not an e-mail address'],
    ['account create eve@example.org --plan-until tomorrow', 'not a date'],
    ['account create eve@example.org --plan-until 2027-02-30', 'not a date'],
    ['account plan alice@example.org --until soon', 'not a date'],
    ['account show eve@example.org', 'no account'],
    ['account plan eve@example.org --until never', 'no account'],
    ['account password eve@example.org --password-stdin', 'no account'],
    ['account create eve@example.org --password-stdin', 'at least 10'],
    ['key generate eve@example.org', 'no account'],
    ['key revoke eve@example.org', 'no account'],
    ['design show eve@example.org', 'no account'],
  ])('waymark %s', async (line, reason) => {
    const { exitCode, stdout, stderr } = await waymark(line, { stdin: 'short\n' });
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringMatching(new RegExp(`^waymark: .*${reason}.*\n$`)),
    });
    expect(row("SELECT id FROM accounts WHERE email LIKE '%eve%'")).toBeNull();
  });

  test('a database that is none is left as it is', async () => {
    const other = join(folder, 'other');
    mkdirSync(other);
    writeFileSync(join(other, 'waymark.db'), 'Dear diary,\n'.repeat(500));
    const { exitCode, stderr } = await waymark(`account list --data ${other}`);
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringMatching(/^waymark: .*not an SQLite database/),
    ]);
    expect(readFileSync(join(other, 'waymark.db'), 'utf8')).toBe('Dear diary,\n'.repeat(500));
    expect(existsSync(join(other, 'waymark.db-wal'))).toBe(false);
  });

  test('a wrong setting is named', async () => {
    const { exitCode, stderr } = await waymark('account list', { env: { WAYMARK_LOG: 'xml' } });
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringMatching(/^waymark: WAYMARK_LOG is "xml"/),
    ]);
  });
});

describe('used wrongly: 2, with the way to the help', () => {
  test.each([
    'account nonsense',
    'account create',
    'account create a@example.org b@example.org',
    'account create a@example.org --nonsense',
    'account plan alice@example.org',
    'account password alice@example.org',
    'account link',
    'account operator',
    'key generate',
    'nonsense',
  ])('waymark %s', async (line) => {
    const { exitCode, stdout, stderr } = await waymark(line);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^error: .+/);
    expect(stderr).toContain('--help');
  });
});
