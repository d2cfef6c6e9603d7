import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import jsQR from 'jsqr';
import { freePort } from '../support/free-port.ts';
import { programCommand, programEnv, runProgram } from '../support/program.ts';
import { until } from '../support/until.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waymark-demo-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const filesLeft = () => readdir(folder);

describe('waymark demo --once', () => {
  test('creates a code, scans it, exits with 0 and leaves nothing behind', async () => {
    const { exitCode, stdout, stderr } = await runProgram(['demo', '--once'], {
      cwd: folder,
      env: { TMPDIR: folder, WAYMARK_PORT: '0' },
    });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toContain('302');
    expect(stdout).toMatch(/scans\D+1\b/);
    expect(await filesLeft()).toEqual([]);
    const [origin = ''] = stdout.match(/http:\/\/127\.0\.0\.1:\d+/) ?? [];
    await expect(fetch(origin)).rejects.toThrow();
  });

  test('listens on the port that is asked for, and prints the record with --json', async () => {
    const port = freePort();
    const args = ['demo', '--once', '--json', '--port', String(port)];
    const { exitCode, stdout } = await runProgram(args, { cwd: folder, env: { TMPDIR: folder } });
    expect([exitCode, JSON.parse(stdout)]).toMatchObject([0, { scans: 1 }]);
    expect(stdout).toContain(`127.0.0.1:${port}/`);
    const wrong = await runProgram(['demo', '--port', '70000'], { cwd: folder });
    expect(wrong.exitCode).toBe(2);
  });
});

test('waymark demo draws the code, and one Ctrl-C that arrives many times ends it with 0', async () => {
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
  // The terminal sends it once, and whatever started the program forwards it.
  await until(() => {
    demo.kill('SIGINT');
    return demo.exitCode !== null;
  });
  expect(await demo.exited).toBe(0);
  expect(await filesLeft()).toEqual([]);
  expect(readTerminal(printed)).toBe(/(\S+) {2}redirects to/.exec(printed)?.[1] ?? '');
});

/** Reads the QR code that is drawn in half blocks, bright white on black. */
function readTerminal(printed: string): string | undefined {
  const light = '\x1b[97;40m';
  const lines = printed.split('\n').filter((line) => line.startsWith(light));
  const rows = lines.flatMap((line) => {
    const blocks = [...line.slice(light.length, -'\x1b[0m'.length)];
    return ['█▀', '█▄'].map((half) => blocks.map((block) => half.includes(block)));
  });
  const side = rows[0]?.length ?? 0;
  const [scale, width, height] = [4, side * 4, rows.length * 4];
  const rgba = new Uint8ClampedArray(width * height * 4);
  for (let at = 0; at < width * height; at++) {
    const isLight = rows[Math.floor(at / width / scale)]?.[Math.floor((at % width) / scale)];
    rgba.set([...Array(3).fill(isLight ? 255 : 0), 255], at * 4);
  }
  return jsQR(rgba, width, height)?.data;
}
