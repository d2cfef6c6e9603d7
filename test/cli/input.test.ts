import { expect, spyOn, test } from 'bun:test';
import { join } from 'node:path';
import { CommandError } from '../../src/cli/errors/command-error.ts';
import { reportError } from '../../src/cli/errors/report.ts';
import { programCommand, programEnv, runCommand } from '../support/program.ts';
import { createCommands } from './folder.ts';

const { folder, waymark } = createCommands();
await waymark('account create alice@example.org');

/** Runs a command in a shell that feeds it. */
const shell = (line: string) =>
  runCommand(['sh', '-c', line, 'sh', ...programCommand()], {
    cwd: folder,
    env: programEnv({ WAYMARK_DATA: join(folder, 'data') }),
  });

test.skipIf(process.platform === 'win32').each([
  ['yes | "$@" account password alice@example.org --password-stdin', '4 kB'],
  ['"$@" design set alice@example.org --logo - < /dev/zero', '1 MB'],
  ['"$@" design set alice@example.org --logo /dev/zero', '1 MB'],
  ['"$@" safety import /dev/zero --source endless', '256 MB'],
])('%s reads up to a bound and is then rejected', async (line, bound) => {
  const { exitCode, stderr } = await shell(line);
  expect(stderr).toMatch(new RegExp(`^waymark: .* is longer than ${bound}`));
  expect(exitCode).toBe(1);
});

test('a command whose database then fails to close says why it failed itself', () => {
  using printed = spyOn(console, 'error').mockReturnValue();
  reportError(new SuppressedError(new Error('disk I/O error'), new CommandError('No account.')));
  process.exitCode = 0;
  expect(printed.mock.calls).toEqual([['waymark: No account.']]);
});
