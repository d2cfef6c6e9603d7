import { expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '../support/program.ts';
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
  const folder = mkdtempSync(join(tmpdir(), 'waymark-golden-'));
  const env = { ...storedEnv, WAYMARK_DATA: join(folder, 'data') };
  const run = (...args: string[]) => runProgram(args, { cwd: folder, env });
  try {
    await Bun.write(join(folder, 'stored.db'), Bun.gunzipSync(await Bun.file(path).bytes()));
    expect(await run('restore', 'stored.db')).toMatchObject({ exitCode: 0 });
    // Before an upgrade, without a change to the file. Paths that another service printed have no image.
    const ownCodes = facts.codes.filter(({ code }) => /^[0-9a-z]{8}$/.test(code));
    const verified = await run('verify', '--all', '--json');
    expect(verified).toMatchObject({ exitCode: 0, stderr: '' });
    expect(JSON.parse(verified.stdout)).toMatchObject({ checked: ownCodes.length });
    const exported = await run('export', '--format', 'csv');
    expect(exported.stdout.trim().split('\n')).toHaveLength(1 + facts.codes.length);
    expect(await run('doctor')).toMatchObject({ exitCode: 0 });

    const server = await startServer(env);
    try {
      expect(comparable(await readFacts(server, key))).toMatchObject(comparable(facts));
    } finally {
      await server.close();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
