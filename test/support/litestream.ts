import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { blockOf, blocksOf, replaced } from '../docs/blocks.ts';
import { createLoggedProcesses, type Env, programCommand, programEnv } from './program.ts';

const page = 'docs/litestream.md';

// Ten times as many checks and twenty times as many checkpoints as by default, so that a short test has many.
const eager = '\n    monitor-interval: 100ms\n    min-checkpoint-page-count: 50';

/** Litestream with the configuration of docs/litestream.md, except users, services and the replica's location. */
export interface Litestream {
  /** Starts to replicate as soon as there is a database. */
  start(): void;
  /** Simulates a crash with SIGKILL. */
  kill(): Promise<void>;
  /** Returns its output since the first start. */
  log(): string;
  /** Restores the replica into a new file. Returns false while it is empty. */
  copyTo(file: string): Promise<boolean>;
  /** Runs the restore commands of the page up to the first that fails. */
  restore(): Promise<{ exitCode: number; output: string }>;
}

/** Whether it is installed, or this is CI, which must have it. */
export const hasLitestream = Bun.which('litestream') !== null || process.env['CI'] === 'true';

/**
 * @param folder for its settings and the replica; private to the test
 * @param dataFolder whose database it replicates
 */
export async function setUpLitestream(folder: string, dataFolder: string): Promise<Litestream> {
  const settings = join(folder, 'litestream.yml');
  const written = replaced(await blockOf(page, 'yaml'), {
    '/var/lib/waymark/waymark.db': `${join(dataFolder, 'waymark.db')}${eager}`,
    's3://waymark-backups/waymark': `file://${join(folder, 'replica')}`,
  });
  await Bun.write(settings, written);
  const env: Env = programEnv({ LITESTREAM_CONFIG: settings, WAYMARK_DATA: dataFolder });
  const processes = createLoggedProcesses(join(folder, 'litestream.log'));
  let child: Bun.Subprocess | null = null;

  async function kill(): Promise<void> {
    child?.kill('SIGKILL');
    await child?.exited;
    child = null;
  }

  async function run(command: readonly string[]): Promise<{ exitCode: number; output: string }> {
    const ran = Bun.spawn([...command], { env, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' });
    const [output, errors] = await Promise.all([
      new Response(ran.stdout).text(),
      new Response(ran.stderr).text(),
    ]);
    return { exitCode: await ran.exited, output: output + errors };
  }

  return {
    start: () => {
      child = processes.spawn(['litestream', 'replicate'], { cwd: folder, env });
    },
    kill,
    log: processes.log,
    copyTo: async (file) => {
      await run(['litestream', 'restore', '-o', file, join(dataFolder, 'waymark.db')]);
      return existsSync(file);
    },
    restore: async () => run(['sh', '-ec', await restoreScript(dataFolder)]),
  };
}

/** Returns the restore commands of the page without other users and services. */
async function restoreScript(dataFolder: string): Promise<string> {
  const blocks = await blocksOf(page, 'sh');
  const block = blocks.find((one) => one.includes('waymarkctl restore --force')) ?? '';
  const ours = replaced(block, {
    '-o waymark -g waymark ': '',
    'setpriv --reuid=waymark --regid=waymark --clear-groups ': '',
    waymarkctl: programCommand()
      .map((word) => `'${word}'`)
      .join(' '),
    '/var/lib/waymark': dataFolder,
  });
  return ours.replaceAll(/^systemctl .*$/gm, '');
}
