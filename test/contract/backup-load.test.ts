import { Database } from 'bun:sqlite';
import { afterAll, expect, test } from 'bun:test';
import { basename, join } from 'node:path';
import { startLoad } from '../support/load.ts';
import { startServer } from '../support/server.ts';
import { until } from '../support/until.ts';

const server = await startServer();
afterAll(server.close);
const { api } = await server.account('alice@example.org');
const qr = await api.create('https://example.org/scanned');
const clients = 4;

test('backups under load have everything that was answered before', async () => {
  const load = startLoad(`${server.origin}/${qr.code}`, clients);
  const created: string[] = [];
  let going = true;
  const creating = (async () => {
    while (going) created.push((await api.create(`https://example.org/${created.length}`)).code);
  })();

  const rounds: { file: string; before: string[]; scans: number; edit: string }[] = [];
  for (let round = 1; round <= 2; round++) {
    await load.answered(100 * round);
    await until(() => created.length > round);
    const edit = `https://example.org/edited/${round}`;
    expect((await api.call(`PATCH /qrs/${qr.code}`, { url: edit })).status).toBe(200);
    const [before, file] = [[...created], join(server.folder, `backup-${round}`)];
    const scans = (await api.read(qr.code)).scans;
    const answeredBefore = 100 * round;
    expect(scans).toBeGreaterThanOrEqual(answeredBefore);
    const redirectsBefore = await redirects();
    const { exitCode, stdout, stderr } = await server.cli(['backup', file, '--json']);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(await redirects()).toBeGreaterThan(redirectsBefore + clients);
    expect(JSON.parse(stdout)).toMatchObject({ file, accounts: 1 });
    rounds.push({ file, before, scans, edit });
  }
  going = false;
  await creating;
  await server.stop();
  await load.ended;

  for (const { file, before, scans, edit } of rounds) {
    const restored = await server.otherDatabase(`${basename(file)}.data`);
    expect(await server.cli(['restore', file], { env: restored })).toMatchObject({ exitCode: 0 });
    await server.start(restored);
    const after = await api.read(qr.code);
    expect(after.destination).toBe(edit);
    expect(after.scans).toBeGreaterThanOrEqual(scans);
    for (const code of before) expect((await api.read(code)).code).toBe(code);
    // The counter of the list belongs to the same instant as the codes.
    expect((await api.list('?limit=1')).total).toBe(countIn(file));
    await server.stop();
  }
  expect(rounds.at(-1)?.before.length).toBeGreaterThan(2);
});

/** Returns the number of redirects since the start. */
async function redirects(): Promise<number> {
  const metrics = await (await fetch(`${server.origin}/metrics`, { keepalive: false })).text();
  return Number(/^waymark_redirects_total (\d+)$/m.exec(metrics)?.[1]);
}

function countIn(file: string): number {
  const database = new Database(file, { readonly: true });
  try {
    expect(database.query('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
    return database.query<{ n: number }, []>('SELECT count(*) AS n FROM qrs').get()?.n ?? -1;
  } finally {
    database.close();
  }
}
