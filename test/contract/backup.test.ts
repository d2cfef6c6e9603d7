import { afterAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { startServer } from '../support/server.ts';
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

  test('has unchanged images', async () => {
    expect(await server.cli(['verify'])).toMatchObject({ exitCode: 0 });
    expect(await server.cli(['verify'], { env: restored })).toMatchObject({ exitCode: 0 });
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
});
