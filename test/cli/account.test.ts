import { describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifyPassword } from '../../src/core/accounts/password/password.ts';
import { hashToken } from '../../src/core/accounts/session.ts';
import { addOwner, command, newQr } from '../stores/rows.ts';
import { until } from '../support/until.ts';
import { createCommands } from './folder.ts';

const { folder, waymark, json, rows } = createCommands();
const data = join(folder, 'data');
const email = 'alice@example.org';

const queryRow = async (sql: string) => (await rows(sql))[0] ?? null;

const created = await json('account create Alice@Example.org --plan-until 2099-06-30');
await json('account create bob@example.org --operator');

describe('account rename and delete', () => {
  const other = createCommands({ WAYMARK_PUBLIC_URL: 'https://qr.example.com' });
  /** Creates an account with a code of that name, and returns the code. */
  const addAccount = (account: string, name: string, isOperator = false): Promise<string> =>
    other.onStores(async (stores) => {
      const owner = await addOwner(stores, { email: account, isOperator });
      const qr = newQr(owner, { name });
      await stores.qrs.insert(qr, null, command);
      return qr.code;
    });

  let code = '';

  test('rename changes the address to a free one', async () => {
    code = await addAccount('ann@example.com', 'menu');
    await addAccount('boss@example.com', 'boss', true);
    expect(await other.json('account rename ANN@example.com ann@example.org')).toEqual({
      email: 'ann@example.org',
    });
    const taken = await other.waymark('account rename ann@example.org boss@example.com');
    expect([taken.exitCode, taken.stderr]).toEqual([
      1,
      'waymark: There is already an account boss@example.com.\n',
    ]);
    expect((await other.waymark('account rename ann@example.org nobody')).exitCode).toBe(2);
    expect((await other.waymark('account show ann@example.com')).exitCode).toBe(1);
  });

  test('delete shows what it costs, and deletes with --yes only', async () => {
    const shown = await other.waymark('account delete ann@example.org');
    expect(shown).toMatchObject({
      exitCode: 1,
      stdout:
        'ann@example.org: It has 1 printed code. It was never scanned. Its codes keep redirecting and belong to ' +
        'nobody, without names and notes.\n',
      stderr: 'waymark: Nothing was deleted. Add --yes to delete ann@example.org for good.\n',
    });
    expect(
      JSON.parse((await other.waymark('account delete ann@example.org --json')).stdout),
    ).toEqual({
      email: 'ann@example.org',
      deleted: false,
      codes: 1,
      scans_last_30_days: 0,
      last_scan: null,
    });
    await other.json(`code archive ${code}`);
    const archived = await other.waymark('account delete ann@example.org --json');
    expect(JSON.parse(archived.stdout)).toMatchObject({ codes: 1 });
    await other.json(`code unarchive ${code}`);
    expect(await other.json('account delete ann@example.org --yes')).toMatchObject({
      deleted: true,
      codes: 1,
    });
    expect((await other.waymark('account show ann@example.org')).exitCode).toBe(1);
    expect(await other.json('account list')).toMatchObject([{ email: 'boss@example.com' }]);
    expect(await other.json(`code show ${code}`)).toMatchObject({ status: 'active', name: null });
    expect(await other.json('code list --account nobody')).toMatchObject({ total: 1 });
    // The operator of the machine can still change where it leads.
    const set = `code set ${code} --url https://example.com/after`;
    expect(await other.json(set)).toMatchObject({ destination: 'https://example.com/after' });
  });

  test('stopped codes cannot be changed any more; given ones belong to the other account', async () => {
    const code = await addAccount('carl@example.com', 'stop');
    await other.json('account delete carl@example.com --codes stop --yes');
    expect(await other.json(`code show ${code}`)).toMatchObject({ status: 'stopped' });
    expect((await other.waymark(`code resume ${code}`)).stderr).toContain('stopped for good');
    await addAccount('dora@example.com', 'give');
    await other.json('account delete dora@example.com --codes to:Boss@example.com --yes');
    expect(await other.json('code list --account boss@example.com')).toMatchObject({
      data: [{ name: 'boss' }, { name: 'give' }],
    });
    // Copies have the codes without an owner, too.
    await other.json('backup copy.db');
    const env = { WAYMARK_DATA: join(other.folder, 'restored') };
    await other.json('restore copy.db', { env });
    expect(await other.json('code list --account nobody', { env })).toMatchObject({ total: 2 });
    const exported = await other.waymark('export --format csv');
    expect(exported.stdout).toMatch(new RegExp(`^${code},[^,]*,,,stopped,410,`, 'm'));
  });

  test.each([
    ['account delete boss@example.com --yes', 1, 'is the only operator'],
    ['account delete boss@example.com --codes to:boss@example.com --yes', 1, 'only operator'],
    ['account delete boss@example.com --codes to:none@example.com --yes', 1, 'no account none'],
    ['account delete boss@example.com --codes burn --yes', 2, 'It must be "keep"'],
    ['account delete none@example.com --yes', 1, 'There is no account none@example.com.'],
    ['account delete nobody --yes', 2, 'is not an e-mail address'],
  ])('%s is refused', async (line, exitCode, reason) => {
    const refused = await other.waymark(line);
    expect([refused.exitCode, refused.stderr]).toEqual([exitCode, expect.stringContaining(reason)]);
    expect(await other.rows('SELECT email, qr_count FROM accounts WHERE is_operator')).toEqual([
      { email: 'boss@example.com', qr_count: 2 },
    ]);
  });
});

describe('account', () => {
  test('create stores the address in lower case, in files that only their owner can read', () => {
    expect(created).toEqual({ email, plan_until: '2099-06-30T23:59:59.999Z' });
    expect((statSync(data).mode & 0o777).toString(8)).toBe('700');
    expect((statSync(join(data, 'waymark.db')).mode & 0o777).toString(8)).toBe('600');
  });

  test('show and list print accounts, as JSON and as text', async () => {
    const bob = {
      email: 'bob@example.org',
      plan_until: null,
      operator: true,
      second_factor: false,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      qrs: 0,
    };
    expect(await json('account show BOB@example.org')).toEqual(bob);
    expect(await json('account list')).toMatchObject([{ email }, bob]);
    expect((await waymark('account list')).stdout).toBe(
      'E-MAIL             CODES  PLAN              ROLE      SECOND FACTOR\n' +
        'alice@example.org  0      until 2099-06-30            off\n' +
        "bob@example.org    0      doesn't expire    operator  off\n",
    );
  });

  test('plan sets the expiry to a day, a time or never', async () => {
    const until = (date: string) => json(`account plan ${email} --until ${date}`);
    expect(await until('never')).toEqual({ email, plan_until: null });
    const plan_until = '2030-01-01T09:00:00.000Z';
    expect(await until('2030-01-01T10:00:00+01:00')).toEqual({ email, plan_until });
    expect(await json(`account show ${email}`)).toMatchObject({ plan_until });
  });

  test('set gives the account a time zone by its name in the IANA database', async () => {
    const set = (zone: string) => json(`account set ${email} --time-zone ${zone}`);
    expect((await waymark(`account show ${email}`)).stdout).toContain('Time zone UTC.');
    expect(await set('europe/zurich')).toEqual({ email, time_zone: 'Europe/Zurich' });
    expect((await waymark(`account show ${email}`)).stdout).toContain('Time zone Europe/Zurich.');
    for (const zone of ['America/Argentina/Buenos_Aires', 'Asia/Calcutta', 'UTC'])
      expect(await set(zone)).toEqual({ email, time_zone: zone });
    for (const wrong of ['Mars/Olympus', '+02:00', 'EST5EDT', '2026-01-01T00:00[Europe/Berlin]']) {
      const refused = await waymark(`account set ${email} --time-zone ${wrong}`);
      expect([refused.exitCode, refused.stdout]).toEqual([2, '']);
      expect(refused.stderr).toContain('not a time zone. Write the region and a large city');
    }
    expect((await waymark(`account set ${email}`)).exitCode).toBe(2);
    expect((await waymark(`account show ${email}`)).stdout).toContain('Time zone UTC.');
  });

  test('a password is read from standard input and stored as argon2id, without the line end', async () => {
    const carol = 'carol@example.org';
    for (const [command, stdin] of [
      ['create', 'correct horse battery\n'],
      ['password', 'another long one\r\n'],
    ] as const) {
      const line = `account ${command} ${carol} --password-stdin`;
      expect((await waymark(line, { stdin })).exitCode).toBe(0);
      const sql = `SELECT password_hash AS hash FROM accounts WHERE email = '${carol}'`;
      const hash = String((await queryRow(sql))?.['hash']);
      expect(hash).toStartWith('$argon2id$');
      expect(await verifyPassword(stdin.trimEnd(), hash)).toBe(true);
    }
  });
});

test('a key is printed once, replaces the earlier one only with --replace, and can be revoked', async () => {
  const { stdout, stderr } = await waymark('key generate bob@example.org');
  expect(stdout).toMatch(/^wmk_[0-9a-f]{40}\n$/);
  expect(stderr).toBe('');
  const env = { WAYMARK_KEY_PREFIX: 'acme' };
  const refused = await waymark('key generate bob@example.org', { env });
  expect([refused.exitCode, refused.stdout]).toEqual([1, '']);
  expect(refused.stderr).toContain(`ending in ${stdout.trim().slice(-4)}`);
  expect(refused.stderr).toContain('401');
  expect(refused.stderr).toContain('--replace');
  expect(await json('key generate bob@example.org --replace', { env })).toEqual({
    key: expect.stringMatching(/^acme_[0-9a-f]{40}$/),
  });
  expect(await queryRow('SELECT count(*) AS n FROM api_keys')).toEqual({ n: 1 });
  const bytes = readFileSync(join(data, 'waymark.db')).toString('latin1');
  expect(bytes).not.toContain(stdout.trim().slice(4));

  expect(await json('key revoke bob@example.org')).toEqual({ email: 'bob@example.org' });
  expect(await queryRow('SELECT count(*) AS n FROM api_keys')).toEqual({ n: 0 });
  expect((await waymark('key revoke bob@example.org')).exitCode).toBe(1);
});

test('keys are listed and shown by what they end in, when they were made and last used', async () => {
  const own = createCommands();
  for (const email of ['zoe@example.org', 'adam@example.org', 'none@example.org'])
    await own.json(`account create ${email}`);
  expect(await own.json('key list')).toEqual([]);
  const { key } = Object(await own.json('key generate zoe@example.org'));
  await own.json('key generate adam@example.org');
  await own.onStores(async ({ accounts, keys }) => {
    const { id } = Object(await accounts.findByEmail('adam@example.org'));
    keys.recordUse(id, Date.parse('2026-03-04T05:06:07.000Z'));
    // It is written in the background.
    await until(async () => (await keys.findByAccount(id))?.lastUsedAtMs !== null);
  });
  const zoe = {
    email: 'zoe@example.org',
    last4: String(key).slice(-4),
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    last_used: null,
  };
  const adam = { email: 'adam@example.org', last_used: '2026-03-04T05:06:07.000Z' };
  expect(await own.json('key list')).toEqual([expect.objectContaining(adam), zoe]);
  expect(await own.json('key show zoe@example.org')).toEqual(zoe);
  const shown = await own.waymark('key show zoe@example.org');
  expect(shown.stdout).toContain(`ends in ${zoe.last4}`);
  expect(shown.stdout).not.toContain(key);
  expect(await own.waymark('key show none@example.org')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('none@example.org has no key'),
  });
  await own.json('key generate zoe@example.org --replace --overlap 24h');
  expect((await own.waymark('key show zoe@example.org')).stdout).toContain(
    `ends in ${zoe.last4}, works until `,
  );
});

describe('an address that browsers do not accept', () => {
  const own = createCommands({ WAYMARK_SHORT_URL: 'https://qr.example.com' });
  const old = 'jörg@müller_.example';

  test('is no address of a new account, nor of one that is renamed', async () => {
    await own.json('account create boss@example.com --operator');
    for (const address of [old, 'a@b_c', '"a"@b.example', 'a@b.'])
      for (const line of [
        `account create ${address}`,
        `account rename boss@example.com ${address}`,
      ])
        expect({ line, ...(await own.waymark(line)) }).toMatchObject({
          exitCode: 2,
          stderr: expect.stringContaining('This is not an e-mail address. Write it as'),
        });
    expect(await own.json('account list')).toMatchObject([{ email: 'boss@example.com' }]);
  });

  test('that 1.1 stored is found by commands, invited, kept by a backup and renamed', async () => {
    await own.onStores((stores) => addOwner(stores, { email: old, isOperator: true }));
    expect(await own.json(`account show ${old.toUpperCase()}`)).toMatchObject({ email: old });
    const invite = 'account invite boss@example.com --role editor --to';
    expect(await own.json(`${invite} ${old}`)).toMatchObject({ email: old });
    expect((await own.waymark(`${invite} other${old}`)).exitCode).toBe(2);
    await own.json(`code create https://example.com/ --account ${old}`);
    await own.json('backup addresses.db');
    const env = { WAYMARK_DATA: join(own.folder, 'restored') };
    await own.json('restore addresses.db', { env });
    expect(await own.json(`code list --account ${old}`, { env })).toMatchObject({ total: 1 });
    expect(await own.json(`account rename ${old} joerg@example.com`)).toEqual({
      email: 'joerg@example.com',
    });
  });
});

test('the domain of an address is found in letters too, as browsers show it', async () => {
  await waymark('account create anna@xn--mller-kva.example');
  expect((await waymark('account show Anna@Müller.example')).stdout).toContain('anna@xn--mller');
  // It is the same address.
  expect((await waymark('account create anna@müller.example')).exitCode).toBe(1);
  expect(await json('account create Ben@Müller.example')).toMatchObject({
    email: 'ben@xn--mller-kva.example',
  });
  expect(await json('account rename ben@müller.example eva@müller.example')).toEqual({
    email: 'eva@xn--mller-kva.example',
  });
});

describe('exit code 1, a reason on stderr, and nothing is changed', () => {
  const create = 'account create eve@example.org --password-stdin';

  test.each([
    ['account create ALICE@example.org', '', 'already an account alice@example'],
    ['account password eve@example.org --password-stdin', 'short\n', 'no account'],
    ['key generate eve@example.org', '', 'no account'],
    ['design show eve@example.org', '', 'no account'],
    [create, 'short\n', 'at least 10'],
    [create, 'correct horse\0battery', 'one line of text in UTF-8'],
    [create, 'correct horse\nbattery staple\n', 'one line of text in UTF-8'],
    [create, 'qwertyuiop', 'Choose another'],
    [create, 'eve@example.org', 'Choose another'],
  ])('waymark %s with %j', async (line, stdin, reason) => {
    expect(await waymark(line, { stdin })).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringMatching(new RegExp(`^waymark: .*${reason}.*\n$`)),
    });
    expect(await queryRow("SELECT id FROM accounts WHERE email LIKE '%eve%'")).toBeNull();
  });

  test('a file that is not a database is left as it is', async () => {
    const other = join(folder, 'other');
    mkdirSync(other);
    const diary = 'Dear diary,\n'.repeat(500);
    writeFileSync(join(other, 'waymark.db'), diary);
    const { exitCode, stderr } = await waymark(`account list --data ${other}`);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('not an SQLite database')]);
    expect(readFileSync(join(other, 'waymark.db'), 'utf8')).toBe(diary);
    expect(existsSync(join(other, 'waymark.db-wal'))).toBe(false);
  });

  test('a wrong setting is named', async () => {
    const { exitCode, stderr } = await waymark('account list', { env: { WAYMARK_LOG: 'xml' } });
    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringMatching(/^waymark: WAYMARK_LOG is "xml"/),
    ]);
  });
});

describe('people of an account', () => {
  const other = createCommands({ WAYMARK_PUBLIC_URL: 'https://qr.example.com' });
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

  test('are invited by a link, listed, and removed', async () => {
    await other.json('account create owner@example.org');
    await other.json('account create maria@example.org');
    const invited = await other.json(
      'account invite owner@example.org --to Maria@example.org --role editor',
    );
    expect(invited).toEqual({
      email: 'maria@example.org',
      role: 'editor',
      link: expect.stringMatching(/^https:\/\/qr\.example\.com\/account\/join\/[0-9a-f]{64}$/),
      expires_at: time,
    });
    const owner = { email: 'owner@example.org', role: 'owner', since: time };
    expect(await other.json('account people owner@example.org')).toEqual({
      people: [owner],
      invited: [{ email: 'maria@example.org', role: 'editor', expires_at: time }],
    });
    const { link = '' } = invited as { readonly link?: string };
    await other.onStores(async ({ accounts, people }) => {
      const { id = 0 } = (await accounts.findByEmail('maria@example.org')) ?? {};
      await people.join(hashToken(link.replace(/.*\//, '')), id, 'no session', Date.now());
    });
    expect(await other.json('account people owner@example.org')).toEqual({
      people: [owner, { email: 'maria@example.org', role: 'editor', since: time }],
      invited: [],
    });
    const { stdout } = await other.waymark('account people owner@example.org');
    expect(stdout).toMatch(/^CAN ENTER +ROLE +SINCE\nowner@.*\nmaria@example\.org +editor +\d/);
    expect(await other.json('account remove owner@example.org --member maria@example.org')).toEqual(
      { email: 'owner@example.org', removed: 'maria@example.org' },
    );
    expect(await other.json('account people owner@example.org')).toMatchObject({ people: [owner] });
  });

  test.each([
    ['invite owner@example.org --to owner@example.org --role viewer', 1, 'is the owner'],
    ['invite owner@example.org --to maria --role viewer', 2, 'not an e-mail address'],
    ['invite owner@example.org --to ben@example.org --role owner', 2, 'viewer, editor'],
    ['invite owner@example.org --to ben@example.org', 2, '--role'],
    ['invite owner@example.org --role viewer', 2, '--to'],
    ['remove owner@example.org --member maria@example.org', 1, 'cannot enter the account'],
    ['remove owner@example.org --member owner@example.org', 1, 'waymark account delete'],
    ['people nobody@example.org', 1, 'There is no account'],
  ])('are refused: account %s', async (line, exit, reason) => {
    const { exitCode, stdout, stderr } = await other.waymark(`account ${line}`);
    expect([exitCode, stdout]).toEqual([exit, '']);
    expect(stderr).toContain(reason);
  });

  test('a taken-back invitation is over, and the link is not in the log', async () => {
    const invite = 'account invite owner@example.org --to ben@example.org --role viewer';
    const { stdout, stderr } = await other.waymark(invite, { env: { WAYMARK_LOG: 'json' } });
    const [link = ''] = stdout.split('\n');
    expect(link).toContain('/account/join/');
    expect(stderr).toContain('"role":"viewer"');
    expect(stderr).not.toContain(link.slice(-64));
    const removed = await other.waymark(
      'account remove owner@example.org --member ben@example.org',
    );
    expect(removed.stdout).toContain('taken back');
  });
});

test.each(['text', 'json'])(
  'with WAYMARK_LOG=%s, a command logs its change, without secrets',
  async (format) => {
    const env = { WAYMARK_LOG: format, SUDO_USER: 'alma' };
    const { stdout, stderr } = await waymark('key generate bob@example.org --replace', { env });
    const details = { command: 'key generate', account: 'bob@example.org', user: 'alma' };
    for (const [name, value] of Object.entries(details))
      expect(stderr).toContain(format === 'text' ? `${name}="${value}"` : `"${name}":"${value}"`);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).not.toContain(stdout.trim());
    expect((await waymark('account show bob@example.org', { env })).stderr).toBe('');
  },
);

test.each([
  ['account create alice', 'not an e-mail address'],
  ['account show alice', 'not an e-mail address'],
  ['account create eve@example.org --plan-until 2027-02-30', 'not a date'],
  ['account plan alice@example.org --until soon', 'not a date'],
  ['design set alice@example.org --foreground red', 'A colour is written #RRGGBB'],
  ['verify --sample none', 'a whole number'],
  ['safety block 10.0.0.0/8', 'is a network'],
  ['safety forget no/name', "can't be the name of a list"],
  ['safety source add other http://lists.example/', 'over https only'],
  ['serve --port http', 'a whole number from 1 to 65535'],
])('exit code 2 for a wrong value, and nothing is changed: waymark %s', async (line, reason) => {
  const { exitCode, stdout, stderr } = await waymark(line);
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toContain(reason);
  expect(await queryRow("SELECT id FROM accounts WHERE email LIKE '%eve%'")).toBeNull();
});

test.each([
  'nonsense',
  // A process of a server.
  'serve-app',
  'account create a@example.org b@example.org',
  'account create a@example.org --nonsense',
  'account plan alice@example.org',
  'key generate',
])('exit code 2, a reason and a hint to --help: waymark %s', async (line) => {
  const { exitCode, stdout, stderr } = await waymark(line);
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^error: .+/);
  expect(stderr).toContain('--help');
});
