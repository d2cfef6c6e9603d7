import { afterAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { inDatabase } from '../support/database.ts';
import { startServer } from '../support/server.ts';

const server = await startServer();
afterAll(server.close);
const { api } = await server.account('alice@example.org');
const [active, paused, blocked] = [
  await api.create('https://example.org/?a="b"&$c={d}'),
  await api.create(),
  await api.create(),
];
for (const [code, status] of [
  [paused.code, 'paused'],
  [blocked.code, 'blocked'],
] as const)
  await inDatabase(server, `UPDATE qrs SET status = '${status}' WHERE code = '${code}'`);

describe('export', () => {
  test.each(['nginx', 'caddy', 'redirects', 'csv', 'json'])(
    '%s has every code, on standard output or in a file',
    async (format) => {
      const { exitCode, stdout, stderr } = await server.cli(['export', '--format', format]);
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      for (const { code } of [active, paused, blocked]) expect(stdout).toContain(code);
      expect(stdout.match(/\b(410|gone)\b/g)?.length).toBeGreaterThanOrEqual(2);

      const out = join(server.folder, `map.${format}`);
      const written = await server.cli(['export', '--format', format, '--out', out, '--json']);
      expect(JSON.parse(written.stdout)).toEqual({
        file: out,
        format,
        codes: 3,
        active: 1,
        gone: 2,
      });
      expect(await Bun.file(out).text()).toBe(stdout);
      expect((await server.cli(['export', '--out', out])).exitCode).toBe(1);
      expect((await server.cli(['export', '--out', out, '--force'])).exitCode).toBe(0);
    },
  );

  test('prints a table by default, and JSON with --json', async () => {
    const table = await server.cli(['export', '--format', 'csv']);
    expect(await server.cli(['export'])).toEqual(table);
    expect(await server.cli(['export', '--out', '-'])).toEqual(table);
    const { exitCode, stdout } = await server.cli(['export', '--json']);
    expect(exitCode).toBe(0);
    const destination = 'https://example.org/?a="b"&$c={d}';
    const redirects: unknown = JSON.parse(stdout);
    expect(redirects).toHaveLength(3);
    expect(redirects).toContainEqual({
      code: active.code,
      short_link: active.url,
      destination,
      location: destination,
      status: 'active',
      http_status: 302,
      name: null,
      note: null,
      folder: null,
      archived: false,
    });
    for (const [{ code, url, destination: kept }, status] of [
      [paused, 'paused'],
      [blocked, 'blocked'],
    ] as const)
      expect(redirects).toContainEqual({
        code,
        short_link: url,
        destination: kept,
        location: null,
        status,
        http_status: 410,
        name: null,
        note: null,
        folder: null,
        archived: false,
      });
  });

  test('of no codes is an empty list', async () => {
    const env = await server.otherDatabase('empty');
    await server.cli(['account', 'create', 'bob@example.org'], { env });
    const { stdout } = await server.cli(['export', '--json'], { env });
    expect(JSON.parse(stdout)).toEqual([]);
  });

  test.each([[['export', '--format', 'apache']], [['export', '--format', 'csv', '--json']]])(
    '%p is wrong usage',
    async (args) => {
      const { exitCode, stdout, stderr } = await server.cli(args);
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
      expect(stderr).not.toBe('');
    },
  );
});

test('export --account has the codes of one account only', async () => {
  const other = await server.account('bob@example.org');
  const { code } = await other.api.create('https://example.org/bob');
  const alice = await server.cli(['export', '--account', 'alice@example.org']);
  for (const mine of [active, paused, blocked]) expect(alice.stdout).toContain(mine.code);
  expect(alice.stdout).not.toContain(code);
  const csv = await server.cli(['export', '--account', 'Bob@example.org']);
  expect(csv.stdout.trim().split('\n')).toEqual([
    expect.any(String),
    expect.stringContaining(code),
  ]);
  const nobody = await server.cli(['export', '--account', 'nobody@example.org']);
  expect([nobody.exitCode, nobody.stdout, nobody.stderr]).toEqual([
    1,
    '',
    expect.stringContaining('no account nobody@example.org'),
  ]);
});
