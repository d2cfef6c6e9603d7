import { afterAll } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Env, type Outcome, runProgram } from '../support/program.ts';

/** A folder of one test file, and the program on the data in it. */
export function createCommands() {
  const folder = mkdtempSync(join(tmpdir(), 'waymark-cli-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const waymark = (line: string, options: { stdin?: string; env?: Env } = {}): Promise<Outcome> =>
    runProgram(line.split(' '), {
      ...options,
      cwd: folder,
      env: { WAYMARK_DATA: join(folder, 'data'), ...options.env },
    });

  return {
    folder,
    /** Runs a command, written as in a shell without quotes. */
    waymark,
    /** Runs a command that has to succeed, and reads what it prints for machines. */
    json: async (line: string, options?: { stdin?: string; env?: Env }): Promise<unknown> => {
      const { exitCode, stdout, stderr } = await waymark(`${line} --json`, options);
      if (exitCode !== 0) throw new Error(`${line}: exit ${exitCode}\n${stderr}`);
      return JSON.parse(stdout);
    },
  };
}
