import { expect, test } from 'bun:test';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { programCommand, programEnv } from '../support/program.ts';
import { until } from '../support/until.ts';
import { createCommands } from './folder.ts';

const { folder } = createCommands();
const lowNiceness = 10;

test.skipIf(process.platform !== 'linux')('a long command runs at low priority', async () => {
  const list = join(folder, 'list');
  await Bun.spawn(['mkfifo', list]).exited;
  const importing = Bun.spawn([...programCommand(), 'safety', 'import', list, '--source', 'slow'], {
    env: programEnv({ WAYMARK_DATA: join(folder, 'data') }),
    stdout: 'pipe',
    stderr: 'inherit',
  });
  await until(() => getPriority(importing.pid) >= lowNiceness);
  await Bun.spawn(['sh', '-c', 'echo evil.example > "$1"', 'sh', list]).exited;
  expect(await importing.exited).toBe(0);
  expect(await new Response(importing.stdout).text()).toContain('Imported 1 entry');
});
