import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { hasLitestream, type Litestream, setUpLitestream } from '../support/litestream.ts';
import { startLoad } from '../support/load.ts';
import { type Holder, type Server, startServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { visit } from '../support/visit.ts';
import type { QrRecord } from '../support/wire.ts';

describe.skipIf(!hasLitestream)('beside the real Litestream', () => {
  let server: Server;
  let holder: Holder;
  let litestream: Litestream;
  let database: string;
  let qr: QrRecord;
  let copies = 0;

  beforeAll(async () => {
    server = await startServer();
    holder = await server.account('alice@example.org');
    litestream = await setUpLitestream(server.folder, server.dataFolder);
    database = join(server.dataFolder, 'waymark.db');
    qr = await holder.api.create('https://example.org/replicated');
    litestream.start();
    await until(() => isReplicated(qr.code, 'https://example.org/replicated'));
  });
  afterAll(async () => {
    await litestream?.kill();
    await server?.close();
  });

  /** Returns whether the replica has a code with a destination, and at least so many scans in its counters. */
  async function isReplicated(code: string, destination: string, scans = 0): Promise<boolean> {
    const file = join(server.folder, `copy-${copies++}.db`);
    if (!(await litestream.copyTo(file))) return false;
    const copy = new Database(file, { readonly: true });
    try {
      const found = copy
        .query<{ destination: string; scans: number | null }, [string]>(
          'SELECT destination, (SELECT scans FROM scan_counters WHERE qr_id = qrs.id) AS scans FROM qrs WHERE code = ?',
        )
        .get(code);
      return found?.destination === destination && (found.scans ?? 0) >= scans;
    } finally {
      copy.close();
    }
  }

  /** Returns how often the log was restarted, which only Litestream can do while it holds the log. */
  function logRestarts(): number {
    const log = openSync(`${database}-wal`, 'r');
    const header = Buffer.alloc(32);
    readSync(log, header, 0, header.length, 0);
    closeSync(log);
    // "Checkpoint sequence number": sqlite.org/fileformat2.html, section 4.1.
    return header.readUInt32BE(12);
  }

  test('it keeps replicating through its checkpoints, a backup and a restart', async () => {
    const before = logRestarts();
    await until(async () => {
      for (let edits = 0; edits < 20; edits++) {
        const to = `https://example.org/edited/${edits}`;
        expect((await holder.api.call(`PATCH /qrs/${qr.code}`, { url: to })).status).toBe(200);
        expect((await visit(qr.url)).to).toBe(to);
      }
      return logRestarts() >= before + 3;
    });
    expect((await server.cli(['backup', join(server.folder, 'beside.db')])).exitCode).toBe(0);
    expect(await server.stop()).toBe(0);
    await server.start();
    const last = await holder.api.create('https://example.org/after-the-restart');
    await until(() => isReplicated(last.code, last.destination));
    // It starts a new generation when it finds the log changed by others.
    expect((litestream.log().match(/new generation/g) ?? []).length).toBeLessThanOrEqual(1);
  });

  test('its restore has everything that was answered, in private files', async () => {
    const created: QrRecord[] = [];
    for (let place = 0; place < 5; place++)
      created.push(await holder.api.create(`https://example.org/${place}`));
    const image = (await holder.api.call(`GET /qrs/${qr.code}.png`)).bytes;
    const load = startLoad(qr.url, 4);
    await load.answered(1000);
    const { scans } = await holder.api.read(qr.code);
    const edit = 'https://example.org/the-last-edit';
    expect((await holder.api.call(`PATCH /qrs/${qr.code}`, { url: edit })).status).toBe(200);
    // Scans reach the file that Litestream follows within about a second.
    await until(() => isReplicated(qr.code, edit, scans));
    await Promise.all([server.kill(), litestream.kill()]);
    await load.ended;

    const restored = await litestream.restore();
    expect(restored.output).toContain('Restored');
    expect(restored.exitCode).toBe(0);
    const files = readdirSync(server.dataFolder);
    expect(files.filter((file) => /replica\.|litestream/.test(file))).toEqual([]);
    for (const file of files)
      expect([file, statSync(join(server.dataFolder, file)).mode & 0o077]).toEqual([file, 0]);
    await server.start();
    litestream.start();

    for (const record of created) expect(await holder.api.read(record.code)).toEqual(record);
    const again = await holder.api.read(qr.code);
    expect(again.scans).toBeGreaterThanOrEqual(scans);
    expect((await visit(qr.url)).to).toBe(edit);
    expect((await holder.api.call(`GET /qrs/${qr.code}.png`)).bytes).toEqual(image);
    expect((await server.cli(['verify', '--all'])).exitCode).toBe(0);
    const later = await holder.api.create('https://example.org/after-the-restore');
    await until(() => isReplicated(later.code, later.destination));
  });
});
