import { expect, test } from 'bun:test';
import { tmpdir } from 'node:os';
import { version } from '../../package.json';
import { schemaVersion } from '../../src/redirect/sqlite/schema-version.ts';
import { rendererIdentity } from '../../src/render/identity.ts';
import { runProgram } from '../support/program.ts';

const run = (...args: string[]) => runProgram(args, { cwd: tmpdir() });

test('version --json names version, commit, renderer and schema', async () => {
  const { exitCode, stdout } = await run('version', '--json');
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    // A test may run on an executable that was built with uncommitted changes.
    version: expect.stringMatching(new RegExp(`^${RegExp.escape(version)}(\\+dirty)?$`)),
    commit: expect.stringMatching(/^([0-9a-f]{40}|unknown)$/),
    renderer: rendererIdentity,
    schema: schemaVersion,
  });
});

test.each([['version'], ['--version'], ['-V']])('%s prints the same for people', async (flag) => {
  const { version, commit, renderer, schema } = JSON.parse((await run('version', '--json')).stdout);
  const { exitCode, stdout, stderr } = await run(flag);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const [first, ...rest] = stdout.trimEnd().split('\n');
  expect(first).toBe(`waymark ${version}`);
  expect(rest.map((line) => line.trim().split(/\s+/))).toEqual([
    ['commit', commit],
    ['renderer', renderer],
    ['schema', String(schema)],
  ]);
});
