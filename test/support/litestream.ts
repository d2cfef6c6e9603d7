import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { blockOf, blocksOf, replaced } from '../docs/blocks.ts';
import { guardAgainstOrphan } from './orphans.ts';
import { type Env, programCommand, programEnv } from './program.ts';
import { saidIn } from './said.ts';

const page = 'docs/litestream.md';

// It looks ten times as often and takes in the log twenty times as often as by itself, so that a short
// test meets it often.
const eager = '\n    monitor-interval: 100ms\n    min-checkpoint-page-count: 50';

/** Litestream itself, set up as the page about it says, but for users, services and where it copies to. */
export interface Litestream {
  /** Starts to replicate, now or once there is a database. */
  start(): void;
  /** SIGKILL: what a crash looks like from outside. */
  kill(): Promise<void>;
  /** What it said since the first start. */
  log(): string;
  /** Brings what the replica holds into a new file; false while it holds nothing. */
  copyTo(file: string): Promise<boolean>;
  /** Runs the commands of the page that restore, all of them or up to the first that fails. */
  restore(): Promise<{ exitCode: number; output: string }>;
}

/** False where it is not installed and may be missing: CI must have it. */
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
  const said = saidIn(join(folder, 'litestream.log'));
  let child: Bun.Subprocess | null = null;
  let unguard = () => {};

  async function kill(): Promise<void> {
    child?.kill('SIGKILL');
    await child?.exited;
    child = null;
    unguard();
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
      child = said.spawn(['litestream', 'replicate'], { cwd: folder, env });
      unguard = guardAgainstOrphan(child, folder);
    },
    kill,
    log: said.read,
    copyTo: async (file) => {
      await run(['litestream', 'restore', '-o', file, join(dataFolder, 'waymark.db')]);
      return existsSync(file);
    },
    restore: async () => run(['sh', '-ec', await restoreScript(dataFolder)]),
  };
}

/** The commands of the page for a machine on which everything is the tester's own. */
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
