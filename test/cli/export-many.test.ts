import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccountStore } from '../../src/sqlite/accounts/accounts.ts';
import { openStore } from '../../src/sqlite/database/store.ts';
import { addManyQrs } from '../stores/many-qrs.ts';
import { programCommand, programEnv } from '../support/program.ts';

const manyCodes = 150_000;
// All rows at once would be 90 MB, the text of the map another 15.
const mostGrowthMiB = 60;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waymark-export-'));
  for (const codes of [100, manyCodes]) {
    const store = openStore(join(folder, String(codes)), {
      durability: 'process',
      busyTimeoutMs: 0,
    });
    const account = await createAccountStore(store).create({
      ...{
        email: 'a@example.org',
        isOperator: false,
        planUntilMs: null,
        passwordHash: null,
        atMs: 0,
      },
    });
    if (account === 'taken') throw new Error('a new database has an account already');
    addManyQrs(store.$client, { accountId: account.id, designId: 1 }, codes);
    store.$client.close();
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function exported(codes: number, format: string) {
  const child = Bun.spawn([...programCommand(), 'export', '--format', format], {
    env: programEnv({ WAYMARK_DATA: join(folder, String(codes)) }),
    stdout: 'pipe',
    stderr: 'pipe',
  });
  let [bytes, last] = [0, ''];
  for await (const piece of child.stdout) {
    bytes += piece.length;
    last = new TextDecoder().decode(piece.subarray(-400));
  }
  const warning = await new Response(child.stderr).text();
  expect(await child.exited).toBe(0);
  return { bytes, last, warning, peakMiB: (child.resourceUsage()?.maxRSS ?? 0) / 2 ** 20 };
}

describe('an export of many codes', () => {
  test.each(['nginx', 'csv'])('%s: takes no more memory than one of few', async (format) => {
    const [few, many] = [await exported(100, format), await exported(manyCodes, format)];
    expect(many.bytes).toBeGreaterThan(manyCodes * 50);
    expect(few.peakMiB).toBeGreaterThan(20);
    expect(many.peakMiB - few.peakMiB).toBeLessThan(mostGrowthMiB);
  });

  test.each([
    ['a reader that has seen enough is no failure', '| true', 0, ''],
    ['a full disk is one, and is told', '>/dev/full', 1, 'standard output cannot be written'],
  ])('%s', async (_, target, exitCode, said) => {
    const line = `set -o pipefail; "$@" ${target}`;
    const child = Bun.spawn(['bash', '-c', line, 'bash', ...programCommand(), 'export'], {
      env: programEnv({ WAYMARK_DATA: join(folder, String(manyCodes)) }),
      stderr: 'pipe',
    });
    const stderr = await new Response(child.stderr).text();
    expect({ exitCode: await child.exited, lines: stderr.split('\n').length - 1 }).toEqual({
      exitCode,
      lines: exitCode,
    });
    expect(stderr).toContain(said);
  });

  test('caddy: comes with a warning, because Caddy needs much for each', async () => {
    const { warning, last } = await exported(manyCodes, 'caddy');
    expect(last).toEndWith('\trespond 404\n}\n');
    expect(warning).toContain(`Caddy needs about 9 MB of memory for a thousand codes`);
    expect((await exported(100, 'caddy')).warning).toBe('');
  });
});
