import { afterAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { decoders } from '../support/decoders.ts';
import { programCommand, programEnv } from '../support/program.ts';
import { startServer } from '../support/server.ts';
import { fieldsOf, outcome } from '../support/wire.ts';

// All commands run beside this server.
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

describe('exit code 1, with a reason on stderr', () => {
  test.each([
    `design set ${nobody} --foreground #000000`,
    `design check ${nobody}`,
    `design set ${email} --logo missing.png`,
    'restore missing-backup',
  ])('waymark %s', async (line) => {
    const { exitCode, stdout, stderr } = await server.cli(line.split(' '));
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(/^waymark: /);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  test('a full disk behind standard output', async () => {
    const command = [...programCommand(), 'account', 'list'];
    const child = Bun.spawn(['bash', '-c', '"$@" >/dev/full', 'bash', ...command], {
      env: programEnv({ WAYMARK_DATA: server.dataFolder }),
      stderr: 'pipe',
    });
    expect(await new Response(child.stderr).text()).toBe(
      'waymark: standard output cannot be written: ENOSPC: no space left on device, write\n',
    );
    expect(await child.exited).toBe(1);
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

  test('key generate --json prints the key, and nothing prints it again', async () => {
    const printed = fieldsOf(await json('key', 'generate', 'new@example.org'));
    expect(Object.keys(printed)).toEqual(['key']);
    const key = String(printed['key']);
    expect(key).toMatch(/^wmk_[0-9a-f]{40}$/);
    expect(outcome(await server.api(key).call('GET /qrs'))).toBe('200');
    const shown = JSON.stringify(await json('account', 'show', 'new@example.org'));
    expect(shown).not.toContain(key.slice(4));
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

  test('preview writes an image of the link that check prints', async () => {
    const out = join(server.folder, 'preview.png');
    expect((await server.cli(['design', 'preview', email, '--out', out])).exitCode).toBe(0);
    const png = new Uint8Array(await Bun.file(out).arrayBuffer());
    for (const decoder of decoders.slice(0, 2))
      expect((await decoder.read(png)).text).toBe(String((await check())['link']));
  });

  test('set stores an unreadable design, with exit code 0 and a warning', async () => {
    const white = ['--foreground', '#ffffff', '--background', '#ffffff'];
    const { exitCode, stderr } = await server.cli(['design', 'set', email, ...white]);
    expect(exitCode).toBe(0);
    expect(stderr).not.toBe('');
    expect(JSON.stringify(await json('design', 'show', email))).toContain('#ffffff');
    const refused = await api.call('POST /qrs', { url: 'https://example.org/' });
    expect(outcome(refused)).toBe('422 design_unreadable');
  });

  test('check --json gives reasons, and preview writes it', async () => {
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

  test('set of a readable design prints no warning', async () => {
    const black = ['--foreground', '#000000', '--background', '#ffffff'];
    const { exitCode, stderr } = await server.cli(['design', 'set', email, ...black]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  });
});

describe('safety check', () => {
  test('flags the published test address and no other', async () => {
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
    'rejects %j, which has no host',
    async (url) => {
      const { exitCode, stdout, stderr } = await server.cli(['safety', 'check', url]);
      expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
      expect(stderr).toContain(`${JSON.stringify(url)} names no host`);
    },
  );
});
