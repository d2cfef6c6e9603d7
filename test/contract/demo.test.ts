import { describe, expect, test } from 'bun:test';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '../support/program.ts';

describe('waymark demo --once', () => {
  test('makes everything, scans itself, exits 0 and leaves nothing behind', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'waymark-demo-'));
    try {
      const { exitCode, stdout, stderr } = await runProgram(['demo', '--once'], {
        cwd: folder,
        env: { TMPDIR: folder, WAYMARK_PORT: '0' },
      });
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      expect(stdout).toMatch(/wmk_[0-9a-f]{40}/);
      expect(stdout).toContain('curl');
      expect(stdout).toMatch(/[█▀▄]/);
      expect(await readdir(folder)).toEqual([]);

      const origins = new Set(stdout.match(/http:\/\/127\.0\.0\.1:\d+/g));
      expect(origins.size).toBe(1);
      for (const origin of origins) await expect(fetch(origin)).rejects.toThrow();
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }, 20_000);
});
