import { afterAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { decoders } from '../support/decoders.ts';
import { programCommand, programEnv } from '../support/program.ts';
import { startServer } from '../support/server.ts';
import { fieldsOf, outcome } from '../support/wire.ts';

// All commands run beside this server, on its data.
const server = await startServer();
afterAll(server.close);
const { api, email } = await server.account('alice@example.org');
const nobody = 'nobody@example.org';

/** A command that has to succeed; its JSON. */
async function json(...args: string[]): Promise<unknown> {
  const { exitCode, stdout, stderr } = await server.cli([...args, '--json']);
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  return JSON.parse(stdout);
}

const nouns = ['account', 'key', 'design', 'safety'];
const commands = [
  ['serve'],
  ['demo'],
  ...['create', 'list', 'show', 'plan', 'password', 'link', 'operator'].map((verb) => [
    'account',
    verb,
  ]),
  ...['generate', 'revoke'].map((verb) => ['key', verb]),
  ...['set', 'show', 'check', 'preview'].map((verb) => ['design', verb]),
  ...['import', 'check', 'status', 'update', 'recheck'].map((verb) => ['safety', verb]),
  ...['backup', 'restore', 'verify', 'export', 'doctor'].map((verb) => [verb]),
];

describe('--help on each: exit code 0, on stdout', () => {
  test.each(
    [[], ...nouns.map((noun) => [noun]), ...commands].map((args) => [args.join(' '), args]),
  )('waymark %s --help', async (name, args) => {
    const { exitCode, stdout, stderr } = await server.cli([...args, '--help']);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toContain(`waymark ${name}`.trim());
  });
});

describe('exit code 2: wrong usage, with a reason on stderr', () => {
  test.each([
    ['nonsense'],
    ['account nonsense'],
    ['account create'],
    [`account create ${email} --nonsense`],
    [`account create new@example.org --plan-until`],
    [`account plan ${email}`],
    ['key generate'],
    ['design set'],
    [`design preview ${email}`],
    ['--nonsense'],
  ])('waymark %s', async (line) => {
    const { exitCode, stdout, stderr } = await server.cli(line.split(' '));
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).not.toBe('');
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});

describe('exit code 1: refused, with a reason on stderr', () => {
  test.each([
    [`account create ${email}`],
    [`account create ${email.toUpperCase()}`],
    [`account show ${nobody}`],
    [`account plan ${nobody} --until 2099-01-01`],
    [`key generate ${nobody}`],
    [`key revoke ${nobody}`],
    [`design set ${nobody} --foreground #000000`],
    [`design show ${nobody}`],
    [`design check ${nobody}`],
    [`design set ${email} --logo missing.png`],
    ['restore missing-backup'],
  ])('waymark %s', async (line) => {
    const { exitCode, stdout, stderr } = await server.cli(line.split(' '));
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).not.toBe('');
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  test.each([['account list'], ['account list --json'], [`design show ${email}`]])(
    'waymark %s >/dev/full',
    async (line) => {
      const child = Bun.spawn(
        ['bash', '-c', '"$@" >/dev/full', 'bash', ...programCommand(), ...line.split(' ')],
        { env: programEnv({ WAYMARK_DATA: server.dataFolder }), stderr: 'pipe' },
      );
      expect(await new Response(child.stderr).text()).toBe(
        'waymark: standard output cannot be written: ENOSPC: no space left on device, write\n',
      );
      expect(await child.exited).toBe(1);
    },
  );

  // Whether a value that cannot be one is wrong usage or refused, the text leaves open.
  test.each([
    ['account create not-an-address'],
    ['account create bad-plan@example.org --plan-until tomorrow'],
    ['account create bad-day@example.org --plan-until 2027-02-30'],
    [`design set ${email} --foreground blue-ish`],
    [`design set ${email} --background #12345`],
  ])('or 2: waymark %s', async (line) => {
    const { exitCode, stderr } = await server.cli(line.split(' '));
    expect([1, 2]).toContain(exitCode);
    expect(stderr).not.toBe('');
  });

  test('nothing was created by them', async () => {
    const listed = JSON.stringify(await json('account', 'list'));
    expect(listed).toContain(email);
    for (const refused of ['not-an-address', 'bad-plan', 'bad-day', nobody])
      expect(listed).not.toContain(refused);
  });
});

describe('account and key', () => {
  test('account create --json prints email and plan_until', async () => {
    const args = ['account', 'create', 'new@example.org', '--plan-until', '2030-06-30'];
    const printed = fieldsOf(await json(...args));
    expect(Object.keys(printed).sort()).toEqual(['email', 'plan_until']);
    expect(printed['email']).toBe('new@example.org');
    expect(printed['plan_until']).toEqual(expect.stringMatching(/^2030-06-30/));
  });

  test('key generate --json prints the key alone, once', async () => {
    const printed = fieldsOf(await json('key', 'generate', 'new@example.org'));
    expect(Object.keys(printed)).toEqual(['key']);
    const key = String(printed['key']);
    expect(key).toMatch(/^wmk_[0-9a-f]{40}$/);
    expect(outcome(await server.api(key).call('GET /qrs'))).toBe('200');
    const shown = JSON.stringify(await json('account', 'show', 'new@example.org'));
    expect(shown).not.toContain(key.slice(4));
  });

  test('a password is read from stdin and never printed', async () => {
    const create = ['account', 'create', 'pw@example.org', '--password-stdin'];
    const stdin = 'correct horse battery staple\n';
    for (const args of [create, ['account', 'password', 'pw@example.org', '--password-stdin']]) {
      const { exitCode, stdout, stderr } = await server.cli(args, { stdin });
      expect(exitCode).toBe(0);
      expect(stdout + stderr).not.toContain('correct horse');
    }
  });

  test.each([
    'account list',
    `account show ${email}`,
    `design show ${email}`,
    'safety status',
    'doctor',
  ])('%s --json prints JSON', async (line) => {
    expect(await json(...line.split(' '))).toBeDefined();
  });
});

describe('design', () => {
  const check = async () => fieldsOf(await json('design', 'check', email));

  test('check --json of a readable design', async () => {
    const printed = await check();
    expect(printed).toEqual({
      readable: true,
      score: expect.any(Number),
      reasons: expect.any(Array),
      advice: null,
      link: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/[0-9a-hjkmnp-tv-z]{8}$/i),
      modules: expect.any(Number),
      quiet_zone: 4,
    });
    expect(printed['score']).toBeWithin(1, 101);
    // A symbol of version v has 17 + 4v modules a side.
    expect((Number(printed['modules']) - 17) % 4).toBe(0);
  });

  test('preview writes an image of the link that check names', async () => {
    const out = join(server.folder, 'preview.png');
    expect((await server.cli(['design', 'preview', email, '--out', out])).exitCode).toBe(0);
    const png = new Uint8Array(await Bun.file(out).arrayBuffer());
    for (const decoder of decoders.slice(0, 2))
      expect((await decoder.read(png)).text).toBe(String((await check())['link']));
  });

  test('set of an unreadable design: exit code 0, a warning on stderr, and it is stored', async () => {
    const white = ['--foreground', '#ffffff', '--background', '#ffffff'];
    const { exitCode, stderr } = await server.cli(['design', 'set', email, ...white]);
    expect(exitCode).toBe(0);
    expect(stderr).not.toBe('');
    expect(JSON.stringify(await json('design', 'show', email))).toContain('#ffffff');
    const refused = await api.call('POST /qrs', { url: 'https://example.org/' });
    expect(outcome(refused)).toBe('422 design_unreadable');
  });

  test('check --json of it says why, and preview writes it all the same', async () => {
    const printed = await check();
    expect(printed).toMatchObject({ readable: false, score: expect.any(Number) });
    expect(printed['reasons']).toEqual([
      expect.any(String),
      ...(printed['reasons'] as string[]).slice(1),
    ]);
    const out = join(server.folder, 'unreadable.png');
    expect((await server.cli(['design', 'preview', email, '--out', out])).exitCode).toBe(0);
    expect(Bun.file(out).size).toBeGreaterThan(100);
  });

  test('set of a readable one says nothing on stderr', async () => {
    const black = ['--foreground', '#000000', '--background', '#ffffff'];
    const { exitCode, stderr } = await server.cli(['design', 'set', email, ...black]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  });
});

describe('safety check', () => {
  test('says of the published test address that it is flagged, of another that it is not', async () => {
    const flagged = await json(
      'safety',
      'check',
      'http://testsafebrowsing.appspot.com/s/malware.html',
    );
    const clean = await json('safety', 'check', 'https://example.org/');
    expect(flagged).toMatchObject({ verdict: 'flagged' });
    expect(clean).toMatchObject({ verdict: 'not flagged' });
  });

  test.each(['', 'mailto:a@example.org', 'http://'])(
    'refuses %j, which names no host',
    async (url) => {
      const { exitCode, stdout, stderr } = await server.cli(['safety', 'check', url]);
      expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
      expect(stderr).toContain(`${JSON.stringify(url)} names no host`);
    },
  );
});
