import { Database } from 'bun:sqlite';
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lockFolder } from '../../src/sqlite/database/lock.ts';
import { migrate, missingSteps } from '../../src/sqlite/database/migrate.ts';
import { readMigrations } from '../../src/sqlite/database/migrations.macro.ts';
import { flawsOf } from '../../src/sqlite/maintenance/integrity.ts';
import { programCommand, programEnv, runProgram } from '../support/program.ts';
import { createLaunches } from './launch.ts';
import { seed } from './seeded.ts';
import { canTrace, tracing } from './strace.ts';

setDefaultTimeout(120_000);

const { newPath } = createLaunches();
const oldest = readMigrations().slice(0, 1);

/** A data folder that the first version made, in the middle of its work. */
function oldFolder(): string {
  const folder = newFolder();
  const database = new Database(join(folder, 'waymark.db'), { create: true });
  database.run('PRAGMA journal_mode = WAL');
  migrate(database, oldest);
  database.run("INSERT INTO accounts (email, created_at) VALUES ('old@example.org', 1)");
  database.close();
  return folder;
}

function newFolder(): string {
  const folder = newPath();
  mkdirSync(folder, { mode: 0o700 });
  return folder;
}

/** What is in a folder's database, opened without bringing it up to date. */
function look(folder: string) {
  const database = new Database(join(folder, 'waymark.db'));
  try {
    return {
      flaws: flawsOf(database),
      missing: missingSteps(database).length,
      emails: database.query('SELECT email FROM accounts').values().flat(),
    };
  } finally {
    database.close();
  }
}

/**
 * Runs a command and kills it when it makes a call for the nth time.
 *
 * @param paths only calls on these
 */
async function killedAt(
  call: string,
  nth: number,
  args: readonly string[],
  paths: readonly string[] = [],
) {
  const injection = [`trace=${call}`, `inject=${call}:signal=SIGKILL:when=${nth}`];
  const child = Bun.spawn([...tracing(injection, { paths }), ...programCommand(), ...args], {
    env: programEnv(),
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  });
  const said = new Response(child.stderr).text();
  const exitCode = await child.exited;
  if (child.signalCode === 'SIGKILL') return 'killed';
  if (exitCode === 0) return 'done';
  throw new Error(`${call} ${nth}: exit ${exitCode}\n${await said}`);
}

describe('bringing a database up to date', () => {
  test.skipIf(!canTrace)(
    'killed at any write: the schema is the old one or the new one, never between',
    async () => {
      const seen = new Set<number>();
      for (const [call, nths] of [
        ['pwrite64', [1, 5, 14, 30, 45, 70]],
        ['fsync', [1, 2]],
      ] as const)
        for (const nth of nths) {
          const folder = oldFolder();
          const ended = await killedAt(call, nth, ['account', 'list', '--data', folder]);
          const { flaws, missing, emails } = look(folder);
          expect({ flaws, emails }).toEqual({ flaws: [], emails: ['old@example.org'] });
          expect([0, readMigrations().length - 1]).toContain(missing);
          if (ended === 'done') expect(missing).toBe(0);
          seen.add(missing);
          const { exitCode } = await runProgram(['account', 'list'], {
            cwd: folder,
            env: { WAYMARK_DATA: folder },
          });
          expect([exitCode, look(folder).missing]).toEqual([0, 0]);
        }
      // Kills before and after the decisive write.
      expect(seen.size).toBe(2);
    },
  );

  test('is refused to a command while a server of an earlier version runs', async () => {
    const folder = oldFolder();
    const unlock = lockFolder(folder);
    const options = { cwd: folder, env: { WAYMARK_DATA: folder } };
    const before = look(folder);
    for (const args of ['account list', 'account create new@example.org', 'verify --accept']) {
      const { exitCode, stderr } = await runProgram(args.split(' '), options);
      expect(exitCode).toBe(1);
      expect(stderr).toMatch(/^waymark: A server of an earlier version runs.*Restart.*\n$/);
    }
    expect(look(folder)).toEqual(before);
    unlock();
    expect((await runProgram(['account', 'list'], options)).exitCode).toBe(0);
    expect(look(folder).missing).toBe(0);
  });
});

test.skipIf(!canTrace)(
  'a backup that is killed leaves no file of its name, and the next one clears up',
  async () => {
    const data = newPath();
    await seed(data, 3);
    const out = newFolder();
    const file = join(out, 'backup.db');
    for (const [call, nth] of [
      ['pwrite64', 20],
      ['fsync', 1],
      ['rename', 1],
    ] as const) {
      expect(await killedAt(call, nth, ['backup', file, '--data', data])).toBe('killed');
      expect(readdirSync(out)).not.toContain('backup.db');
      expect(readdirSync(out)).not.toEqual([]);
    }
    const { exitCode } = await runProgram(['backup', file], {
      cwd: out,
      env: { WAYMARK_DATA: data },
    });
    expect([exitCode, readdirSync(out)]).toEqual([0, ['backup.db']]);
    expect(readFileSync(file).length).toBeGreaterThan(4096);
  },
);

test.skipIf(!canTrace)(
  'an export that is killed leaves no file of its name, and the next one clears up',
  async () => {
    const data = newPath();
    await seed(data, 3);
    const out = newFolder();
    const file = join(out, 'map.conf');
    const args = ['export', '--format', 'nginx', '--out', file, '--data', data];
    for (const call of ['fsync', 'rename']) {
      expect(await killedAt(call, 1, args)).toBe('killed');
      expect(readdirSync(out)).not.toContain('map.conf');
      expect(readdirSync(out)).not.toEqual([]);
    }
    expect((await runProgram(args, { cwd: out })).exitCode).toBe(0);
    expect(readdirSync(out)).toEqual(['map.conf']);
    const whole = readFileSync(file, 'utf8');

    // The folder is flushed too, which makes the new name survive a power cut.
    expect(await killedAt('fsync', 1, [...args, '--force'], [out])).toBe('killed');
    expect(readFileSync(file, 'utf8')).toBe(whole);
  },
);
