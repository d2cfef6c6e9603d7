import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { programCommand, programEnv } from '../support/program.ts';
import { startServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { createCommands } from './folder.ts';

const { folder } = createCommands();
const backgroundNiceness = 10;

describe('commands that take long give way to the server beside them', () => {
  test.skipIf(process.platform !== 'linux')('on all of their threads', async () => {
    const list = join(folder, 'list');
    await Bun.spawn(['mkfifo', list]).exited;
    // It waits for the list, which nobody writes yet.
    const importing = start('safety', 'import', list, '--source', 'slow');
    await until(() => nicenessesOf(importing.pid).every((nice) => nice >= backgroundNiceness));
    // A shell waits until the other end is open as well.
    await Bun.spawn(['sh', '-c', 'echo evil.example > "$1"', 'sh', list]).exited;
    expect(await importing.exited).toBe(0);
    expect(await new Response(importing.stdout).text()).toContain('Imported 1 entry');
  });

  test.skipIf(process.platform !== 'linux')('the server does not', async () => {
    const server = await startServer();
    expect(nicenessesOf(server.pid())).toContain(getPriority());
    await server.close();
  });
});

function start(...args: string[]) {
  return Bun.spawn([...programCommand(), ...args], {
    cwd: folder,
    env: programEnv({ WAYMARK_DATA: join(folder, 'data') }),
    stdout: 'pipe',
    stderr: 'inherit',
    timeout: 60_000,
  });
}

/** How much each thread of a process gives way, from -20 to 19: field 19 of its `stat`, see proc(5). */
function nicenessesOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) => {
    const stat = readIfThere(`/proc/${pid}/task/${task}/stat`);
    if (stat === null) return [];
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return [Number(fields[16])];
  });
}

/** Null for a thread that has ended meanwhile. */
function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
