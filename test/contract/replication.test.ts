import { Database } from 'bun:sqlite';
import { afterAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { startLoad } from '../support/load.ts';
import { startServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { visit } from '../support/visit.ts';

const server = await startServer();
afterAll(server.close);
const { api, key } = await server.account('alice@example.org');
const qr = await api.create('https://example.org/replicated');

/**
 * Does what Litestream does (litestream.io, "How it works"): two tables of its own, an open read
 * transaction so that nothing else checkpoints, and its own checkpoints, each with a small write.
 */
function replicator(path: string) {
  const database = new Database(path);
  database.run('PRAGMA busy_timeout = 1000');
  database.run('PRAGMA wal_autocheckpoint = 0');
  database.run('CREATE TABLE IF NOT EXISTS _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)');
  database.run('CREATE TABLE IF NOT EXISTS _litestream_lock (id INTEGER)');
  const hold = () => {
    database.run('BEGIN');
    database.query('SELECT count(*) FROM _litestream_seq').get();
  };
  hold();
  return {
    checkpoint: (how: 'PASSIVE' | 'RESTART' | 'TRUNCATE') => {
      database.run('ROLLBACK');
      database.query(`PRAGMA wal_checkpoint(${how})`).all();
      database.run(
        'INSERT INTO _litestream_seq (id, seq) VALUES (1, 1) ON CONFLICT (id) DO UPDATE SET seq = seq + 1',
      );
      hold();
    },
    copyTo: (file: string) => {
      database.run('ROLLBACK');
      database.query('VACUUM INTO ?').run(file);
      hold();
    },
    close: () => database.close(),
  };
}

test('another process may replicate the database and take over its checkpoints', async () => {
  const litestream = replicator(join(server.dataFolder, 'waymark.db'));
  const load = startLoad(`${server.origin}/${qr.code}`, 4);
  const created: string[] = [];
  for (const [round, how] of (['PASSIVE', 'RESTART', 'TRUNCATE', 'PASSIVE'] as const).entries()) {
    await load.answered(300 * (round + 1));
    litestream.checkpoint(how);
    created.push((await api.create(`https://example.org/${round}`)).code);
    const edit = `https://example.org/edited/${round}`;
    expect((await api.call(`PATCH /qrs/${qr.code}`, { url: edit })).status).toBe(200);
  }
  await until(async () => (await fetch(`${server.origin}/healthz`)).ok);
  expect((await server.cli(['backup', join(server.folder, 'beside.db')])).exitCode).toBe(0);

  const stopped = server.stop();
  const answered = await load.ended;
  expect(await stopped).toBe(0);
  const replica = join(server.folder, 'replica.db');
  litestream.copyTo(replica);
  litestream.close();

  const restored = { WAYMARK_DATA: join(server.folder, 'restored') };
  expect((await server.cli(['restore', replica], { env: restored })).exitCode).toBe(0);
  await server.start(restored);
  const again = server.api(key);
  for (const code of created) expect((await again.read(code)).code).toBe(code);
  expect((await again.read(qr.code)).scans).toBeGreaterThanOrEqual(answered);
  expect((await visit(qr.url)).to).toBe('https://example.org/edited/3');
});
