import { expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '../support/program.ts';
import { expectStoredFacts, storedEnv } from './facts.ts';

// Every version from 1.0.0 on that changed the schema, and the one before, which was only to be had as source.
const files = readdirSync(import.meta.dir, { recursive: true, encoding: 'utf8' });
const stored = files.filter((file) => file.endsWith('waymark.db.gz'));

test('the database of 1.0.0 is stored', () => {
  expect(stored).toContain('1.0.0/waymark.db.gz');
});

test.each(stored)('%s is restored, migrated and served as its version did', async (file) => {
  const path = join(import.meta.dir, file);
  const folder = mkdtempSync(join(tmpdir(), 'waymark-golden-'));
  const env = { ...storedEnv, WAYMARK_DATA: join(folder, 'data') };
  const run = (...args: string[]) => runProgram(args, { cwd: folder, env });
  try {
    await Bun.write(join(folder, 'stored.db'), Bun.gunzipSync(await Bun.file(path).bytes()));
    expect(await run('restore', 'stored.db')).toMatchObject({ exitCode: 0 });
    expect(await run('doctor')).toMatchObject({ exitCode: 0 });
    await expectStoredFacts(path, env);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
