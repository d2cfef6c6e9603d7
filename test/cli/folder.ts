import { afterAll } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inDatabase } from '../support/database.ts';
import { type Env, type Outcome, runProgram } from '../support/program.ts';
import { type CommandStores, onStoresOf } from '../support/server.ts';
import { canRunHere, runHere } from './in-process.ts';

/** A folder of one test file, and the program on the data in it, with settings. */
export function createCommands(settings: Env = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'waymark-cli-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const dataFolder = join(folder, 'data');
  const waymark = (
    line: string | readonly string[],
    options: { stdin?: string; env?: Env } = {},
  ): Promise<Outcome> => {
    const args = typeof line === 'string' ? line.split(' ') : [...line];
    const env = { WAYMARK_DATA: dataFolder, ...settings, ...options.env };
    if (options.stdin === undefined && canRunHere(args)) return runHere(args, folder, env);
    return runProgram(args, { ...options, cwd: folder, env });
  };

  return {
    folder,
    /** See {@link onStoresOf}. */
    onStores: <T>(act: (stores: CommandStores) => Promise<T>): Promise<T> =>
      onStoresOf({ WAYMARK_DATA: dataFolder }, act),
    /** Returns the rows of a statement. */
    rows: (statement: string) => inDatabase({ database: {}, dataFolder }, statement),
    /** Runs a command, written as in a shell without quotes. Many run in this process after the first time. */
    waymark,
    /** Runs a command that has to succeed, and reads what it prints for machines. */
    json: async (line: string, options?: { stdin?: string; env?: Env }): Promise<unknown> => {
      const { exitCode, stdout, stderr } = await waymark(`${line} --json`, options);
      if (exitCode !== 0) throw new Error(`${line}: exit ${exitCode}\n${stderr}`);
      return JSON.parse(stdout);
    },
  };
}
