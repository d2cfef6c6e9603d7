import { expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { startServer } from '../support/server.ts';
import { comparable, readFacts, storedEnv, storedFacts } from './facts.ts';

// Every version from 1.0.0 on that changed the schema, and the one before, which was only to be had as source.
const files = readdirSync(import.meta.dir, { recursive: true, encoding: 'utf8' });
const stored = files.filter((file) => file.endsWith('waymark.db.gz'));

test('the database of 1.0.0 is stored', () => {
  expect(stored).toContain('1.0.0/waymark.db.gz');
});

test.each(stored)('%s is restored, migrated and served as its version did', async (file) => {
  const path = join(import.meta.dir, file);
  const { facts, key } = await storedFacts(path);
  const server = await startServer(storedEnv);
  try {
    await server.stop();
    const backup = join(server.folder, 'stored.db');
    await Bun.write(backup, Bun.gunzipSync(await Bun.file(path).bytes()));
    expect(await server.cli(['restore', backup, '--force'])).toMatchObject({ exitCode: 0 });
    // Before an upgrade, without a change to the file. Paths that another service printed have no image.
    const ownCodes = facts.codes.filter(({ code }) => /^[0-9a-z]{8}$/.test(code));
    const verified = await server.cli(['verify', '--all', '--json']);
    expect(verified).toMatchObject({ exitCode: 0, stderr: '' });
    expect(JSON.parse(verified.stdout)).toMatchObject({ checked: ownCodes.length });
    const exported = await server.cli(['export', '--format', 'csv']);
    expect(exported.stdout.trim().split('\n')).toHaveLength(1 + facts.codes.length);
    expect(await server.cli(['doctor'])).toMatchObject({ exitCode: 0 });

    await server.start();
    expect(comparable(await readFacts(server, key))).toMatchObject(comparable(facts));
  } finally {
    await server.close();
  }
});
