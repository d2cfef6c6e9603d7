import { afterAll, describe, expect, test } from 'bun:test';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inDatabase } from '../support/database.ts';
import { usesPostgres } from '../support/postgres.ts';
import type { Env } from '../support/program.ts';
import { onStoresOf, startServer } from '../support/server.ts';

interface Check {
  readonly name: string;
  readonly status: string;
  readonly message: string;
  readonly advice: string | null;
}

const server = await startServer();
afterAll(server.close);
const { api } = await server.account('alice@example.org');
await api.create();

const onFolder = (folder: string) => ({ WAYMARK_DATA: folder, WAYMARK_DATABASE_URL: undefined });

async function doctor(env: Env = {}) {
  const { exitCode, stdout, stderr } = await server.cli(['doctor', '--json'], { env });
  // Every field is checked below.
  const printed = JSON.parse(stdout) as { healthy: boolean; warnings: number; checks: Check[] };
  expect(printed.healthy).toBe(exitCode === 0);
  expect(stderr === '').toBe(exitCode === 0);
  expect(printed.warnings).toBe(printed.checks.filter((one) => one.status === 'warning').length);
  for (const one of printed.checks) expect(one.advice === null).toBe(one.status === 'ok');
  return {
    exitCode,
    of: (name: string) => printed.checks.find((one) => one.name === name),
    statusOf: (name: string) => printed.checks.find((one) => one.name === name)?.status,
  };
}

/** Creates a data folder with a database, and returns settings that name it. */
async function folderWithDatabase(name: string) {
  const settings = onFolder(join(server.folder, name));
  await onStoresOf(settings, async () => {});
  return settings;
}

describe('doctor', () => {
  test('a healthy server: 0, with a warning about the address', async () => {
    const { exitCode, of, statusOf } = await doctor();
    expect(exitCode).toBe(0);
    const names = 'settings|data folder|public URL|database|printed links|renderer'.split('|');
    for (const name of names) expect([name, statusOf(name)]).toEqual([name, 'ok']);
    expect(of('address')).toMatchObject({ status: 'warning' });
    expect(statusOf('clock')).toBe('ok');
    expect(of('short link')).toMatchObject({
      status: 'ok',
      message: expect.stringMatching(new RegExp(`^${server.origin}/\\w+ arrives`)),
    });
    expect((await api.list()).data).toMatchObject([{ scans: 0 }]);
    const { stdout } = await server.cli(['doctor']);
    expect(stdout).toMatch(/^warning {2}address: .*\n +→ Set WAYMARK_SHORT_URL/m);
  });

  test('before the first start: 0, and no file is created', async () => {
    const folder = join(server.folder, 'never');
    expect((await doctor(onFolder(folder))).exitCode).toBe(0);
    expect(await Bun.file(join(folder, 'waymark.db')).exists()).toBe(false);
  });

  test('wrong and mistyped settings: 1, and every one is named', async () => {
    const env = { WAYMARK_PORT: 'x', WAYMARK_TRUST_PROXY: 'proxy.local', WAYMARK_PUBLIC_ULR: 'x' };
    const { exitCode, of } = await doctor(env);
    expect(exitCode).toBe(1);
    expect(of('settings')?.message).toContain('WAYMARK_PORT');
    expect(of('settings')?.message).toMatch(/WAYMARK_TRUST_PROXY.*"proxy\.local"/);
    expect(of('setting names')).toMatchObject({
      status: 'warning',
      message: expect.stringContaining('WAYMARK_PUBLIC_ULR'),
    });
  });

  test.each<[string, () => Promise<Env>, name: string, message: RegExp, advice: RegExp]>([
    ['a data folder that is a file', file, 'data folder', /./, /WAYMARK_DATA/],
    ['a damaged database', damaged, 'database', /./, /waymark restore/],
    [
      'a database of a newer version',
      newer,
      'database',
      /newer Waymark/,
      /^(?!.*waymark restore)/s,
    ],
  ])('%s: 1, with advice', async (_, settings, name, message, advice) => {
    const { exitCode, of } = await doctor(await settings());
    expect(exitCode).toBe(1);
    expect(of(name)).toMatchObject({
      status: 'broken',
      message: expect.stringMatching(message),
      advice: expect.stringMatching(advice),
    });
  });

  async function file() {
    const path = join(server.folder, 'file');
    await writeFile(path, '');
    return { WAYMARK_DATA: path };
  }
  async function damaged() {
    const settings = await folderWithDatabase('damaged');
    await writeFile(join(settings.WAYMARK_DATA, 'waymark.db'), 'x'.repeat(10_000));
    return settings;
  }
  async function newer() {
    const settings = await folderWithDatabase('newer');
    const dataFolder = settings.WAYMARK_DATA;
    await inDatabase({ database: {}, dataFolder }, 'PRAGMA user_version = 99');
    return settings;
  }

  test('printed links that the settings do not name: 1', async () => {
    const { exitCode, of } = await doctor({ WAYMARK_SHORT_URL: 'https://elsewhere.example.com' });
    expect(exitCode).toBe(1);
    expect(of('printed links')).toMatchObject({
      status: 'broken',
      message: expect.stringContaining(server.origin),
      advice: expect.stringContaining('WAYMARK_SHORT_URL_ALIASES'),
    });
    const known = {
      WAYMARK_SHORT_URL: 'https://qr.example.com',
      WAYMARK_SHORT_URL_ALIASES: server.origin,
    };
    const { statusOf } = await doctor(known);
    expect([statusOf('printed links'), statusOf('address')]).toEqual(['ok', 'ok']);
  });

  test('a short link is followed from outside in, at the short URL and each alias', async () => {
    const known = { WAYMARK_SHORT_URL_ALIASES: server.origin };
    const away = await doctor({ ...known, WAYMARK_SHORT_URL: 'http://no-such-host.invalid' });
    expect(away.exitCode).toBe(1);
    expect(away.of('short link')).toMatchObject({
      status: 'broken',
      message: expect.stringContaining('no-such-host.invalid cannot be resolved'),
      advice: expect.stringContaining('DNS'),
    });

    const nowhere = 'https://example.org/of-no-code';
    const other = Bun.serve({ port: 0, fetch: () => Response.redirect(nowhere, 302) });
    // An old machine with a copy of the database.
    const destinations = new Map((await api.list()).data.map((qr) => [qr.code, qr.destination]));
    const old = Bun.serve({
      port: 0,
      fetch: ({ url }) => {
        const Location = destinations.get(new URL(url).pathname.slice(1)) ?? '';
        return new Response(null, { status: 302, headers: { Location } });
      },
    });
    // It sends visitors on to this server, as a proxy does from http to https.
    const proxy = Bun.serve({
      port: 0,
      fetch: (request) => Response.redirect(server.origin + new URL(request.url).pathname, 301),
    });
    try {
      const aliases = [server.origin, other.url.origin, old.url.origin].join();
      const { stdout } = await server.cli(['doctor', '--json'], {
        env: { WAYMARK_SHORT_URL: proxy.url.origin, WAYMARK_SHORT_URL_ALIASES: aliases },
      });
      const checks: Check[] = JSON.parse(stdout).checks;
      expect(
        checks.filter(({ name }) => name === 'short link').map(({ status }) => status),
      ).toEqual(['ok', 'ok', 'broken', usesPostgres ? 'warning' : 'broken']);
    } finally {
      await Promise.all([other.stop(true), old.stop(true), proxy.stop(true)]);
    }
  });

  test.skipIf(usesPostgres)(
    'a scan of the future: a warning of doctor, and of the log at the next start',
    async () => {
      const { code } = await api.create('https://example.org/future');
      await inDatabase(
        server,
        `UPDATE scan_counters SET scans = 1, last_scan = unixepoch('2040-01-02') * 1000, scans_in_hour = 1
         WHERE qr_id = (SELECT id FROM qrs WHERE code = '${code}')`,
      );
      expect((await doctor()).of('clock')).toMatchObject({
        status: 'warning',
        message: expect.stringContaining('2040-01-02'),
      });
      await server.stop();
      await server.start();
      expect(server.log()).toMatch(/warn The newest entry of the database is of 2040-01-02/);
      await inDatabase(server, 'DELETE FROM scan_counters');
    },
  );

  test('a folder that others can read: a warning, and no request without a running server', async () => {
    const settings = await folderWithDatabase('warned');
    await chmod(settings.WAYMARK_DATA, 0o755);
    const { exitCode, statusOf } = await doctor(settings);
    expect(exitCode).toBe(0);
    expect(statusOf('data folder')).toBe('warning');
    expect(statusOf('public URL')).toBeUndefined();
  });
});
