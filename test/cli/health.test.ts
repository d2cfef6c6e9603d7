import { afterAll, expect, test } from 'bun:test';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { startServer } from '../support/server.ts';

const server = await startServer();
afterAll(server.close);

test('health exits with 0 while the server is healthy, with 1 and the reasons while it is not', async () => {
  const healthy = await server.cli(['health']);
  expect(healthy).toMatchObject({ exitCode: 0, stdout: 'ok\n' });
  const json = await server.cli(['health', '--json'], { env: { WAYMARK_HOST: '0.0.0.0' } });
  expect([json.exitCode, JSON.parse(json.stdout)]).toEqual([
    0,
    expect.objectContaining({ status: 'ok' }),
  ]);

  expect((await server.cli(['health', '--strict'])).exitCode).toBe(0);
  renameSync(join(server.dataFolder, 'waymark.db'), join(server.dataFolder, 'moved.db'));
  const degraded = await server.cli(['health']);
  expect([degraded.exitCode, degraded.stderr]).toEqual([
    1,
    expect.stringContaining('waymark.db was moved'),
  ]);
  expect((await server.cli(['health', '--live'])).exitCode).toBe(0);
  renameSync(join(server.dataFolder, 'moved.db'), join(server.dataFolder, 'waymark.db'));

  await server.stop();
  const stopped = await server.cli(['health', '--json']);
  expect([stopped.exitCode, JSON.parse(stopped.stdout)]).toEqual([
    1,
    expect.objectContaining({ status: 'unreachable' }),
  ]);
});

test('health --strict exits with 1 on warnings too', async () => {
  const warned = await startServer({ WAYMARK_BACKUP_DIR: undefined });
  expect((await warned.cli(['health'])).exitCode).toBe(0);
  expect(await warned.cli(['health', '--strict'])).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('WAYMARK_BACKUP_DIR'),
  });
  await warned.close();
});
