import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openWithDrizzle } from '../../src/sqlite/database/drizzle.ts';
import { addAccount } from '../stores/folder.ts';
import { addManyQrs } from '../stores/many-qrs.ts';
import { programCommand, programEnv } from '../support/program.ts';

const manyCodes = 100_000;
// All rows at once would be 60 MB, and the text of the map another 10.
const maxGrowthMiB = 45;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waymark-export-'));
  for (const codes of [100, manyCodes]) {
    const data = join(folder, String(codes));
    const store = openWithDrizzle(data, { durability: 'process', busyTimeoutMs: 0 });
    const ids = await addAccount(store, 'a@example.org');
    addManyQrs(store.$client, ids, codes);
    store.$client.close();
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs the export with its output sent somewhere by the shell. */
function exporting(codes: number, redirection: string) {
  const line = `set -o pipefail; "$@" ${redirection}`;
  return Bun.spawn(['bash', '-c', line, 'bash', ...programCommand(), 'export'], {
    env: programEnv({ WAYMARK_DATA: join(folder, String(codes)) }),
    stdout: 'pipe',
    stderr: 'pipe',
  });
}

test('an export of many codes needs no more memory than one of few', async () => {
  const exported = async (codes: number) => {
    const child = exporting(codes, '');
    let bytes = 0;
    for await (const chunk of child.stdout) bytes += chunk.length;
    expect(await child.exited).toBe(0);
    return { bytes, peakMiB: (child.resourceUsage()?.maxRSS ?? 0) / 2 ** 20 };
  };
  const [few, many] = [await exported(100), await exported(manyCodes)];
  expect(many.bytes).toBeGreaterThan(manyCodes * 50);
  expect(few.peakMiB).toBeGreaterThan(20);
  expect(many.peakMiB - few.peakMiB).toBeLessThan(maxGrowthMiB);
});

test.each([
  ['a reader that closes the pipe is no error', '| true', 0, ''],
  ['a full disk is an error', '>/dev/full', 1, 'standard output cannot be written'],
])('%s', async (_, redirection, exitCode, message) => {
  const child = exporting(manyCodes, redirection);
  const stderr = await new Response(child.stderr).text();
  expect(await child.exited).toBe(exitCode);
  expect(stderr.split('\n').length - 1).toBe(exitCode);
  expect(stderr).toContain(message);
});
