import { describe, expect, test } from 'bun:test';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programCommand, programEnv, runProgram } from '../support/program.ts';

// The executable carries its rasterizer as a library, which Bun unpacks into the temporary folder
// under a name of its own, once per build, and leaves there for the next start.
const unpackedByBun = /^\.bun-\d+-[0-9a-f]+\.node$/;

describe('waymark demo --once', () => {
  test('makes everything, scans itself, exits 0 and leaves nothing behind', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'waymark-demo-'));
    try {
      const { exitCode, stdout, stderr } = await runProgram(['demo', '--once'], {
        cwd: folder,
        env: { TMPDIR: folder, WAYMARK_PORT: '0' },
      });
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      expect(stdout).toContain('302');
      expect(stdout).toMatch(/scans\D+1\b/);
      expect((await readdir(folder)).filter((name) => !unpackedByBun.test(name))).toEqual([]);

      const origins = new Set(stdout.match(/http:\/\/127\.0\.0\.1:\d+/g));
      expect(origins.size).toBe(1);
      for (const origin of origins) await expect(fetch(origin)).rejects.toThrow();
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }, 120_000);

  test('prints the same for machines with --json', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'waymark-demo-'));
    try {
      const args = ['demo', '--once', '--json'];
      const { exitCode, stdout } = await runProgram(args, { cwd: folder, env: { TMPDIR: folder } });
      expect({ exitCode, printed: typeof JSON.parse(stdout) }).toEqual({
        exitCode: 0,
        printed: 'object',
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }, 120_000);
});

describe('waymark demo', () => {
  test('names its own flag where the port is taken', async () => {
    const taken = Bun.listen({ hostname: '0.0.0.0', port: 0, socket: { data: () => {} } });
    const { exitCode, stderr } = await runProgram(['demo', '--port', String(taken.port)], {
      cwd: tmpdir(),
    });
    taken.stop();
    expect(exitCode).toBe(1);
    expect(stderr).toContain('something else listens there already. Choose another --port,');
  });

  test('ends with 0 and leaves nothing behind when one Ctrl-C arrives many times', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'waymark-demo-'));
    try {
      const demo = Bun.spawn([...programCommand(), 'demo'], {
        cwd: folder,
        env: programEnv({ TMPDIR: folder }),
        stdout: 'pipe',
        stderr: 'ignore',
      });
      let printed = '';
      for await (const chunk of demo.stdout) {
        printed += new TextDecoder().decode(chunk);
        if (printed.includes('Ctrl-C')) break;
      }
      // The terminal sends it once, and whatever started the program passes it on.
      for (let times = 0; times < 5; times++) {
        demo.kill('SIGINT');
        await Bun.sleep(10);
      }
      expect(await demo.exited).toBe(0);
      expect((await readdir(folder)).filter((name) => !unpackedByBun.test(name))).toEqual([]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }, 120_000);
});
