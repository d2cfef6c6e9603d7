import { afterAll, describe, expect, test } from 'bun:test';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { backupName } from '../../src/core/backups/schedule.ts';
import { signedIn } from '../panel/client.ts';
import { startServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { visit } from '../support/visit.ts';

const server = await startServer();
afterAll(server.close);
const { api } = await server.account('alice@example.org');
const qr = await api.create('https://example.org/kept');
const png = await api.call(`GET /qrs/${qr.code}.png`);
await visit(qr.url);
await server.cli(['safety', 'import', '-', '--source', 'feed'], { stdin: 'evil.example' });
const backup = join(server.folder, 'backup');
const restored = await server.otherDatabase('restored');

describe('a backup of a running server', () => {
  test('restores the same key, QR, count, image and threat lists', async () => {
    const before = await api.read(qr.code);
    expect(await server.cli(['backup', backup])).toMatchObject({ exitCode: 0 });
    await api.call(`PATCH /qrs/${qr.code}`, { url: 'https://example.org/after-the-backup' });
    await server.stop();

    const done = await server.cli(['restore', backup], { env: restored });
    expect(done).toMatchObject({ exitCode: 0 });
    await server.start(restored);
    expect(await api.read(qr.code)).toEqual(before);
    expect((await api.call(`GET /qrs/${qr.code}.png`)).bytes).toEqual(png.bytes);
    expect((await visit(qr.url)).to).toBe('https://example.org/kept');
    const listed = await api.call('POST /qrs', { url: 'https://evil.example/' });
    expect([listed.status, listed.text]).toEqual([422, expect.stringContaining('unsafe_url')]);
  });

  test('replaces a database only with --force, after naming what would be lost', async () => {
    const lost = [
      await api.create('https://example.org/lost-1'),
      await api.create('https://example.org/lost-2'),
    ];
    await api.call(`PATCH /qrs/${qr.code}`, { url: 'https://example.org/changed' });
    await server.stop();

    const listed = await server.cli(['restore', backup], { env: restored });
    expect(listed.exitCode).toBe(1);
    expect(listed.stderr).toContain('2 printed codes will lead nowhere');
    expect(listed.stderr).toContain('1 code will lead to an earlier destination');
    expect(listed.stderr).toContain('--force');
    for (const { code, destination } of lost)
      expect(listed.stdout).toContain(`${code}  ${destination}\n`);
    const json = await server.cli(['restore', backup, '--json'], { env: restored });
    expect([json.exitCode, JSON.parse(json.stdout)]).toEqual([
      1,
      {
        lost_codes: lost.map(({ code, destination }) => ({ code, destination })),
        changed_codes: 1,
        compared: true,
      },
    ]);

    const done = await server.cli(['restore', backup, '--force'], { env: restored });
    expect(done.exitCode).toBe(0);
    expect(done.stderr).toContain('2 printed codes will lead nowhere');
    const nothingLost = await server.cli(['restore', backup], { env: restored });
    expect(nothingLost.exitCode).toBe(1);
    expect(nothingLost.stderr).not.toContain('nowhere');
    expect(nothingLost.stdout).toContain('The backup has all 1 code');
  });

  test('brings no session, known browser, one-time link or invitation back, unless it is told to', async () => {
    const own = await startServer();
    const email = 'sessions@example.org';
    const linkOf = async () => {
      const { stdout } = await own.cli(['account', 'link', email, '--json']);
      return new URL(Object(JSON.parse(stdout)).link).pathname;
    };
    const client = await signedIn(own, email);
    const link = await linkOf();
    const invite = ['account', 'invite', email, '--to', 'guest@example.org', '--role', 'viewer'];
    const { stdout } = await own.cli([...invite, '--json']);
    const invitation = new URL(Object(JSON.parse(stdout)).link).pathname;
    const withSessions = join(own.folder, 'with-sessions');
    expect(await own.cli(['backup', withSessions])).toMatchObject({ exitCode: 0 });
    const statuses = async () => {
      const statusOf = async (path: string) => (await client.get(path)).status;
      return [
        await statusOf('/account/settings'),
        await statusOf(link),
        await statusOf(invitation),
      ];
    };
    expect(await statuses()).toEqual([200, 200, 200]);
    const restore = async (...more: string[]) => {
      await own.stop();
      const done = await own.cli(['restore', withSessions, '--force', ...more]);
      await own.start();
      return done;
    };
    expect(await restore('--keep-sessions')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('sessions are those of the time of the backup'),
    });
    expect(await statuses()).toEqual([200, 200, 200]);
    expect(await restore()).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('Everybody has to sign in again'),
    });
    expect(await statuses()).toEqual([303, 410, 410]);
    await own.close();
  });

  test('replaces a database that another program has just closed', async () => {
    await server.stop();
    await server.onStores(({ accounts }) => accounts.findByEmail('alice@example.org'));
    expect(await server.cli(['restore', backup, '--force'])).toMatchObject({ exitCode: 0 });
  });
});

describe('a server with WAYMARK_BACKUP_DIR', () => {
  const backups = join(server.folder, 'backups');
  const warnings = async (): Promise<string[]> => {
    const health = await (await fetch(`${server.origin}/healthz`)).json();
    return Object(health).warnings;
  };

  test('makes a proven backup soon after a start, and removes the oldest beyond the number', async () => {
    await server.stop();
    mkdirSync(backups);
    const dayMs = 24 * 3_600_000;
    const old = [1, 2, 3].map((days) => backupName(Date.now() - days * dayMs - dayMs));
    for (const name of [...old, 'notes.txt']) writeFileSync(join(backups, name), 'old');
    await server.start({ WAYMARK_BACKUP_DIR: backups, WAYMARK_BACKUP_KEEP: '2' });
    await until(() => /backup written and checked.*removed/.test(server.log()));
    expect(readdirSync(backups)).toHaveLength(3);
    expect(readdirSync(backups)).toEqual(expect.arrayContaining(['notes.txt', old[0] ?? '']));
    const newest = readdirSync(backups).filter(
      (name) => !old.includes(name) && name !== 'notes.txt',
    );
    const verified = await server.cli(['verify', join(backups, newest[0] ?? ''), '--json']);
    expect([verified.exitCode, verified.stderr]).toEqual([0, '']);
    expect(JSON.parse(verified.stdout)).toMatchObject({ accounts: 1, mismatched: 0 });
    expect(Object(JSON.parse(verified.stdout)).checked).toBeGreaterThan(0);
    expect(await warnings()).toEqual([]);
    expect(await (await fetch(`${server.origin}/metrics`)).text()).toMatch(
      /^waymark_last_backup_age_seconds \d/m,
    );
  });

  test('says why a backup failed, and keeps the older ones', async () => {
    await server.stop();
    rmSync(backups, { recursive: true });
    writeFileSync(backups, 'a file');
    await server.start({ WAYMARK_BACKUP_DIR: backups });
    await until(async () => (await warnings()).some((text) => /failed: .*backups/.test(text)));
    expect(server.log()).toContain('backup_missing');
  });

  test('warns until it is set, or off on purpose', async () => {
    await server.stop();
    await server.start({ WAYMARK_BACKUP_DIR: '' });
    await until(async () =>
      (await warnings()).some((text) => text.includes('WAYMARK_BACKUP_DIR is not set')),
    );
    await server.stop();
    await server.start({ WAYMARK_BACKUP_DIR: 'off' });
    expect(await (await fetch(`${server.origin}/docs`)).text()).toContain('swagger');
    expect(await warnings()).toEqual([]);
  });
});

test('a backup that cannot be restored is refused by verify', async () => {
  const damaged = join(server.folder, 'damaged.db');
  writeFileSync(damaged, 'no database');
  const { exitCode, stdout, stderr } = await server.cli(['verify', damaged]);
  expect([exitCode, stdout, stderr]).toEqual([1, '', expect.stringContaining('damaged.db')]);
  expect((await server.cli(['verify', damaged, '--accept'])).exitCode).toBe(2);
});
