import { Database } from 'bun:sqlite';
import { beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { version } from '../../package.json';
import { lockFolder } from '../../src/redirect/sqlite/lock.ts';
import { applicationId } from '../../src/redirect/sqlite/schema-version.ts';
import { openForCommand } from '../../src/sqlite/database/command.ts';
import { migrate, missingSteps } from '../../src/sqlite/database/migrate.ts';
import { integrityError } from '../../src/sqlite/maintenance/integrity.ts';
import { programCommand, programEnv, runProgram } from '../support/program.ts';
import { isCompleteRun } from '../support/sample.ts';
import { createLaunches } from './launch.ts';
import { nextSteps } from './next-step.ts';
import { seed } from './seeded.ts';
import { canTrace, tracing } from './strace.ts';

const { newPath } = createLaunches();
function newFolder(): string {
  const folder = newPath();
  mkdirSync(folder, { mode: 0o700 });
  return folder;
}

/**
 * Runs a command and kills it when it makes a call for the nth time.
 *
 * @param paths only calls on these
 */
async function killedAt(
  call: string,
  nth: number,
  command: readonly string[],
  paths: readonly string[] = [],
) {
  const injection = [`trace=${call}`, `inject=${call}:signal=SIGKILL:when=${nth}`];
  const child = Bun.spawn([...tracing(injection, { paths }), ...command], {
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

describe('a schema migration', () => {
  test.skipIf(!canTrace)('that is killed leaves the old schema or the new one', async () => {
    const seen = new Set<number>();
    for (const [call, nth] of [
      ['pwrite64', 1],
      ['pwrite64', 5],
      ['fsync', 1],
      ['pwrite64', 1000],
    ] as const) {
      const path = join(newFolder(), 'waymark.db');
      const database = new Database(path, { create: true });
      database.run('PRAGMA journal_mode = WAL');
      migrate(database);
      database.run("INSERT INTO accounts (email, created_at) VALUES ('old@example.org', 1)");
      database.close();
      const script = join(import.meta.dir, 'next-step.ts');
      const ended = await killedAt(
        call,
        nth,
        [process.execPath, script, path],
        [path, `${path}-wal`],
      );

      const after = new Database(path);
      expect(integrityError(after)).toBeNull();
      expect(after.query('SELECT email FROM accounts').values()).toEqual([['old@example.org']]);
      const missing = missingSteps(after, nextSteps).length;
      const columns = after.query("SELECT name FROM pragma_table_info('accounts')").values().flat();
      expect(columns.includes('added')).toBe(missing === 0);
      if (ended === 'done') expect(missing).toBe(0);
      seen.add(missing);
      after.close();
    }
    expect([...seen].sort()).toEqual([0, 1]);
  });

  test('is left to the server: commands refuse an earlier schema', async () => {
    const folder = newFolder();
    const database = new Database(join(folder, 'waymark.db'), { create: true });
    database.run(`CREATE TABLE earlier (id); PRAGMA application_id = ${applicationId}`);
    database.close();
    const before = readFileSync(join(folder, 'waymark.db'));
    const unlock = lockFolder(folder);
    for (const [args, message] of [
      [
        'account list',
        `was last used by an earlier version. Start the server of Waymark ${version} first`,
      ],
      ['account create new@example.org', 'was last used by an earlier version. Start the server'],
    ] as const) {
      const options = { cwd: folder, env: { WAYMARK_DATA: folder } };
      const { exitCode, stderr } = await runProgram(args.split(' '), options);
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining(message)]);
    }
    expect(() => openForCommand(folder, { upgrade: true })).toThrow(/already running/);
    unlock();
    expect(readFileSync(join(folder, 'waymark.db')).equals(before)).toBe(true);
    openForCommand(folder, { upgrade: true }).$client.close();
    expect(
      (await runProgram(['account', 'list', '--data', folder], { cwd: folder })).exitCode,
    ).toBe(0);
  });
});

describe.skipIf(!canTrace || !isCompleteRun)(
  'a command that is killed while it writes a file',
  () => {
    const data = newPath();
    beforeAll(() => seed(data, 3));

    test.each([
      ['backup', ['backup'], 'backup.db', { pwrite64: 20, fsync: 1, rename: 1 }],
      ['export', ['export', '--format', 'nginx', '--out'], 'map.conf', { fsync: 1, rename: 1 }],
    ] as const)(
      '%s: leaves none of its name, and the next one clears up',
      async (_, args, name, at) => {
        const out = newFolder();
        const command = [...args, join(out, name), '--data', data];
        for (const [call, nth] of Object.entries(at)) {
          expect(await killedAt(call, nth, [...programCommand(), ...command])).toBe('killed');
          expect(readdirSync(out)).not.toContain(name);
          expect(readdirSync(out)).not.toEqual([]);
        }
        expect(await runProgram(command, { cwd: out })).toMatchObject({ exitCode: 0 });
        expect(readdirSync(out)).toEqual([name]);
        const whole = readFileSync(join(out, name));
        expect(whole.length).toBeGreaterThan(name === 'backup.db' ? 4096 : 0);

        // The folder is flushed too, which makes the new name survive a power cut.
        const again = [...programCommand(), ...command, '--force'];
        expect(await killedAt('fsync', 1, again, [out])).toBe('killed');
        expect(readFileSync(join(out, name)).equals(whole)).toBe(true);
      },
    );
  },
);

describe.skipIf(!canTrace || !isCompleteRun)('a command that a signal ends', () => {
  const data = newPath();
  const backup = join(newFolder(), 'backup.db');
  beforeAll(async () => {
    await seed(data, 3);
    const made = await runProgram(['backup', backup, '--data', data], { cwd: data });
    expect(made.exitCode).toBe(0);
  });

  /** Runs a command with a folder of its own for temporary files. Sends a signal at the nth call. */
  async function signalAt(signal: string, call: string, nth: number, args: readonly string[]) {
    const temporary = newFolder();
    const injection = [`trace=${call}`, `inject=${call}:signal=${signal}:when=${nth}`];
    const child = Bun.spawn([...tracing(injection), ...programCommand(), ...args], {
      env: programEnv({ TMPDIR: temporary, TMP: temporary, BUN_TMPDIR: temporary }),
      cwd: temporary,
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'ignore',
    });
    await child.exited;
    return { temporary, signalCode: child.signalCode, left: readdirSync(temporary) };
  }

  test.each([
    // Copies the backup into the folder, reads it, and draws codes.
    ['verify', ['verify', backup], ['fsync', 'pwrite64']],
    ['backup', ['backup', 'out.db', '--data', data], ['pwrite64']],
    ['backup --keep', ['backup', '--keep', '2', '.', '--data', data], ['pwrite64']],
    ['restore', ['restore', backup, '--data', '.'], ['pwrite64']],
    ['repair', ['repair', '--to', 'out.db', '--data', data], ['pwrite64']],
  ] as const)('%s leaves nothing', async (_, args, calls) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
      for (const call of calls) {
        const ended = await signalAt(signal, call, 3, args);
        // Those of the locks are always empty.
        const left = ended.left.filter((name) => !name.includes('.lock'));
        expect([signal, call, ended.signalCode, left]).toEqual([signal, call, signal as never, []]);
      }
  });

  test('a file that is written piece by piece leaves nothing', async () => {
    const out = newFolder();
    const file = join(out, 'file.zip');
    // Its first piece never comes.
    const script = `
      const { writeFileAtomically } = await import(process.argv.at(-2));
      setInterval(() => {}, 1000);
      await writeFileAtomically(process.argv.at(-1), async (append) => {
        append('begun');
        console.log('begun');
        await new Promise(() => {});
      });
    `;
    const module = join(import.meta.dir, '../../src/lib/files/atomic-write.ts');
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      const child = Bun.spawn([process.execPath, '-e', script, module, file], { stdout: 'pipe' });
      await child.stdout.getReader().read();
      expect(readdirSync(out)).toHaveLength(1);
      child.kill(signal);
      await child.exited;
      expect([child.signalCode, readdirSync(out)]).toEqual([signal, []]);
    }
  });

  test('what a killed one has left is removed by the next one, whatever it writes', async () => {
    const killed = await signalAt('SIGKILL', 'pwrite64', 3, [
      ...['backup', '--keep', '2', '.', '--data', data],
    ]);
    expect(killed.left.join()).toContain('partial');
    const cwd = killed.temporary;
    const next = await runProgram(['export', '--out', 'map.conf', '--data', data], { cwd });
    expect([next.exitCode, readdirSync(cwd)]).toEqual([0, ['map.conf']]);
    const verified = await signalAt('SIGKILL', 'pwrite64', 3, ['verify', backup]);
    expect(verified.left).toHaveLength(1);
    const env = { TMPDIR: verified.temporary, BUN_TMPDIR: verified.temporary };
    const again = await runProgram(['verify', backup], { cwd: verified.temporary, env });
    expect([again.exitCode, readdirSync(verified.temporary)]).toEqual([0, []]);
  });
});
