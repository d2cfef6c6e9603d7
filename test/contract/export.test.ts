import { afterAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { noLabels } from '../core/sample-qr.ts';
import { inDatabase } from '../support/database.ts';
import { startServer } from '../support/server.ts';
import type { QrRecord } from '../support/wire.ts';

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
    'as %s has every code',
    async (format) => {
      const { exitCode, stdout, stderr } = await server.cli(['export', '--format', format]);
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      for (const { code } of [active, paused, blocked]) expect(stdout).toContain(code);
      expect(stdout.match(/\b(410|gone)\b/g)?.length).toBeGreaterThanOrEqual(2);
    },
  );

  test('is a table by default, on standard output or in a file', async () => {
    const table = await server.cli(['export', '--format', 'csv']);
    // Those of 1.1, and what came since: scripts read columns by their number.
    expect(table.stdout.split(/\r?\n/, 1)).toEqual([
      'code,short_link,destination,location,status,http_status,name,note,folder,archived,path',
    ]);
    expect(await server.cli(['export', '--out', '-'])).toEqual(table);
    const file = join(server.folder, 'map.csv');
    const written = await server.cli(['export', '--out', file, '--json']);
    const counts = { file, format: 'csv', codes: 3, active: 1, gone: 2 };
    expect(JSON.parse(written.stdout)).toEqual(counts);
    expect(await Bun.file(file).text()).toBe(table.stdout);
    expect((await server.cli(['export', '--out', file])).exitCode).toBe(1);
    expect((await server.cli(['export', '--out', file, '--force'])).exitCode).toBe(0);
  });

  test('prints JSON with --json', async () => {
    const redirects: unknown = JSON.parse((await server.cli(['export', '--json'])).stdout);
    // Named only where it is switched on.
    const { query: _, ...labels } = { ...noLabels, archived: false };
    const recordOf = ({ code, url, destination }: QrRecord, status: string) => ({
      ...{ code, short_link: url, destination, status, ...labels },
      location: status === 'active' ? destination : null,
      http_status: status === 'active' ? 302 : 410,
    });
    expect(redirects).toHaveLength(3);
    expect(redirects).toEqual(
      expect.arrayContaining([
        recordOf(active, 'active'),
        recordOf(paused, 'paused'),
        recordOf(blocked, 'blocked'),
      ]),
    );
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
  expect(nobody.stderr).toContain('no account nobody@example.org');
  expect(nobody.exitCode).toBe(1);
  expect(nobody.stdout).toBe('');
});
