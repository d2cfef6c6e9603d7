import { Database } from 'bun:sqlite';
import { afterAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { version } from '../../package.json';
import { startServer } from '../support/server.ts';
import { visit } from '../support/visit.ts';

const server = await startServer();
afterAll(server.close);
const { api } = await server.account('alice@example.org');
const qr = await api.create('https://example.org/printed');
for (let more = 0; more < 4; more++) await api.create();

/** Reads or changes the database of the server. */
function inDatabase<T>(act: (database: Database) => T): T {
  const database = new Database(join(server.dataFolder, 'waymark.db'));
  database.run('PRAGMA busy_timeout = 5000');
  try {
    return act(database);
  } finally {
    database.close();
  }
}

const programs = () =>
  inDatabase((database) =>
    database
      .query<{ renderer: string }, []>('SELECT renderer FROM server_versions ORDER BY id')
      .all(),
  );
const servedByAnother = () =>
  inDatabase((database) =>
    database.run(
      "INSERT INTO server_versions (version, renderer, since) VALUES ('0.0.9', 'other', 0)",
    ),
  );
const drawnDifferently = () =>
  inDatabase((database) => database.run('UPDATE qrs SET image_hash = zeroblob(32)'));

describe('a start after another version', () => {
  test('records the version once', async () => {
    expect(programs()).toEqual([{ renderer: expect.stringMatching(/^[0-9a-f]{16}$/) }]);
    await server.stop();
    await server.start();
    expect(programs()).toHaveLength(1);
    expect(server.log()).not.toContain('upgrade from');
  });

  test('renders a sample of the stored codes and logs it', async () => {
    const own = programs()[0]?.renderer ?? '';
    servedByAnother();
    await server.stop();
    await server.start();
    expect(server.log()).toContain(
      `upgrade from 0.0.9 to ${version}: the images of a sample are unchanged codes=5`,
    );
    expect(programs().map(({ renderer }) => renderer)).toEqual([own, 'other', own]);
    expect((await visit(qr.url)).to).toBe('https://example.org/printed');
  });

  test('is rejected when only the PNGs changed', async () => {
    servedByAnother();
    inDatabase((database) => database.run('UPDATE qrs SET png_hash = zeroblob(32)'));
    await server.stop();
    const refused = await server.start().catch(String);
    expect(refused).toContain('draws 5 of 5 codes differently from their printed images');
    inDatabase((database) => database.run('UPDATE qrs SET png_hash = NULL'));
    await server.start();
  });

  test('is rejected when images changed, and changes nothing', async () => {
    servedByAnother();
    drawnDifferently();
    await server.stop();
    const before = programs();
    const refused = await server.start().catch(String);
    expect(refused).toContain('ended with 1 at the start');
    expect(refused).toContain(
      `Waymark ${version} draws 5 of 5 codes differently from their printed images`,
    );
    expect(refused).toContain('continue with Waymark 0.0.9');
    expect(programs()).toEqual(before);
  });

  test('serves after verify --accept', async () => {
    const { exitCode, stdout } = await server.cli(['verify', '--accept']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Checked 5 codes');
    await server.start();
    expect((await visit(qr.url)).to).toBe('https://example.org/printed');
  });
});
