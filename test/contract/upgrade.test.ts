import { afterAll, describe, expect, test } from 'bun:test';
import { version } from '../../package.json';
import { inDatabase } from '../support/database.ts';
import { usesPostgres } from '../support/postgres.ts';
import { startServer } from '../support/server.ts';
import { visit } from '../support/visit.ts';

const server = await startServer();
afterAll(server.close);
const { api } = await server.account('alice@example.org');
const qr = await api.create('https://example.org/printed');
await api.create();

const programs = () => inDatabase(server, 'SELECT renderer FROM server_versions ORDER BY id');
const servedByAnother = () =>
  inDatabase(
    server,
    "INSERT INTO server_versions (version, renderer, since) VALUES ('0.0.9', 'other', 0)",
  );
const zeros = usesPostgres ? "decode(repeat('00', 32), 'hex')" : 'zeroblob(32)';
const drawnDifferently = () => inDatabase(server, `UPDATE qrs SET image_hash = ${zeros}`);

describe('a start after another version', () => {
  test('records the version once', async () => {
    expect(await programs()).toEqual([{ renderer: expect.stringMatching(/^[0-9a-f]{16}$/) }]);
    await server.stop();
    await server.start();
    expect(await programs()).toHaveLength(1);
    expect(server.log()).not.toContain('upgrade from');
  });

  test('renders a sample of the stored codes and logs it', async () => {
    const own = (await programs())[0]?.['renderer'];
    await servedByAnother();
    await server.stop();
    await server.start();
    expect(server.log()).toContain(
      `upgrade from 0.0.9 to ${version}: the images of a sample are unchanged codes=2`,
    );
    expect((await programs()).map((row) => row['renderer'])).toEqual([own, 'other', own]);
    expect((await visit(qr.url)).to).toBe('https://example.org/printed');
  });

  test('logs no upgrade to itself when only the renderer is another one', async () => {
    await inDatabase(
      server,
      `INSERT INTO server_versions (version, renderer, since) VALUES ('${version}', 'other', 0)`,
    );
    await server.stop();
    const before = server.log().length;
    await server.start();
    expect(server.log().slice(before)).not.toContain('upgrade');
  });

  test('is called the first where only commands had the database', async () => {
    await inDatabase(server, 'DELETE FROM server_versions');
    await server.stop();
    const before = server.log().length;
    await server.start();
    expect(server.log().slice(before)).toContain(
      `first start of ${version} on this database: the images of a sample are unchanged`,
    );
    expect(server.log().slice(before)).not.toContain('upgrade');
  });

  test('is rejected when only the PNGs changed', async () => {
    await servedByAnother();
    await inDatabase(server, `UPDATE designs SET png_hash = ${zeros}`);
    await server.stop();
    const refused = await server.start().catch(String);
    expect(refused).toContain('draws 2 of 2 codes differently from their printed images');
    await inDatabase(server, 'UPDATE designs SET png_hash = NULL');
    await server.start();
  });

  test('is rejected when images changed, and changes nothing', async () => {
    await servedByAnother();
    await drawnDifferently();
    await server.stop();
    const before = await programs();
    const refused = await server.start().catch(String);
    expect(refused).toContain('ended with 1 at the start');
    expect(refused).toContain(
      `Waymark ${version} draws 2 of 2 codes differently from their printed images`,
    );
    expect(refused).toContain('continue with Waymark 0.0.9');
    expect(await programs()).toEqual(before);
  });

  test('serves after verify --accept', async () => {
    const { exitCode, stdout } = await server.cli(['verify', '--accept']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Checked 2 codes');
    await server.start();
    expect((await visit(qr.url)).to).toBe('https://example.org/printed');
  });
});
