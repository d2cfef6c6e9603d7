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
    addManyQrs(store.$client, await addAccount(store, 'a@example.org'), codes);
    store.$client.close();
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('an export of many codes needs no more memory than one of few', async () => {
  const exported = async (codes: number) => {
    const child = Bun.spawn([...programCommand(), 'export'], {
      env: programEnv({ WAYMARK_DATA: join(folder, String(codes)) }),
      stdout: 'pipe',
      stderr: 'inherit',
    });
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
