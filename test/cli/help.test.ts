import { describe, expect, test } from 'bun:test';
import { tmpdir } from 'node:os';
import type { Command } from 'commander';
import { createProgram } from '../../src/cli/program.ts';
import { options } from '../../src/config.ts';
import { runProgram } from '../support/program.ts';

const program = await createProgram(() => {
  throw new Error('help needs no worker');
});

/** A command and everything below it, each with its path. */
function tree(command: Command, path: readonly string[] = []): [string, Command][] {
  const children = command.commands.flatMap((child) => tree(child, [...path, child.name()]));
  return [[path.join(' '), command], ...children];
}

describe('the help', () => {
  test.each(tree(program))(
    'of "%s" says what it does, explains every argument and option, and has examples',
    (path, command) => {
      let help = '';
      command.configureOutput({ writeOut: (text) => (help += text) });
      command.outputHelp();
      expect(help).toContain(`Usage: waymark ${path}`.trim());
      expect(command.description()).toMatch(/\S/);
      expect(help).toContain('--help');
      for (const option of command.options) {
        expect(help).toContain(option.long ?? option.flags);
        expect(option.description + (option.argChoices ?? []).join()).not.toBe('');
      }
      if (command.commands.length === 0)
        expect(command.options.map(({ long }) => long)).toContain('--json');
      const [, examples = ''] = help.split('\nExamples:\n');
      const lines = [...examples.matchAll(/^ {2}waymark (.+)$/gm)].map(([, line = '']) => line);
      expect(lines).not.toBeEmpty();
      for (const line of lines)
        expect(line === 'help account create' || `${line} `.startsWith(path && `${path} `)).toBe(
          true,
        );
    },
  );

  test('of "serve" has a flag for every setting, and names it and its default', () => {
    const help = program.commands.find((one) => one.name() === 'serve')?.helpInformation() ?? '';
    for (const option of Object.values(options)) {
      const flag = option.name.slice('WAYMARK_'.length).toLowerCase().replaceAll('_', '-');
      expect(help).toContain('isSwitch' in option ? `--${flag} [value]` : `--${flag} <value>`);
      const standard = 'default' in option ? `(default: ${option.default}) ` : '';
      expect(help.replace(/\s+/g, ' ')).toContain(`${standard}[${option.name}]`);
    }
  });

  test('of a command is also shown by "help" with its name; an unknown name is wrong usage', async () => {
    const cwd = tmpdir();
    const help = await runProgram(['help', 'account', 'create'], { cwd });
    expect(help).toEqual(await runProgram(['account', 'create', '--help'], { cwd }));
    expect(help.stdout).toContain('Usage: waymark account create');
    for (const args of [['nosuch'], ['account', 'nosuch']]) {
      const { exitCode, stdout, stderr } = await runProgram(['help', ...args], { cwd });
      expect([exitCode, stdout]).toEqual([2, '']);
      expect(stderr).toContain(`there is no command "${args.join(' ')}"`);
    }
  });

  test('names no bound of a number that nobody would reach', async () => {
    for (const line of ['code plan', 'code list', 'verify']) {
      const { stdout } = await runProgram([...line.split(' '), '--help'], { cwd: tmpdir() });
      expect([line, stdout]).toEqual([line, expect.not.stringMatching(/to \d{7}/)]);
    }
    const plan = ['code', 'plan', '0a1b2c3d', '--cancel', '0'];
    const { exitCode, stderr } = await runProgram(plan, { cwd: tmpdir() });
    expect([exitCode, stderr]).toEqual([2, expect.not.stringMatching(/\d{7}/)]);
  });

  test.each([
    ['--help', 0],
    ['account --help', 0],
    ['account create --help', 0],
    ['help key', 0],
    ['help --help', 0],
    ['help -h', 0],
    ['help key --help', 0],
    ['', 2],
    ['account', 2],
    ['key', 2],
  ])(
    'of "%s" is on stdout where it is asked for, and on stderr where a command is missing',
    async (line, exitCode) => {
      const usage = expect.stringContaining('Usage: waymark');
      expect(await runProgram(line === '' ? [] : line.split(' '), { cwd: tmpdir() })).toEqual({
        exitCode,
        stdout: exitCode === 0 ? usage : '',
        stderr: exitCode === 0 ? '' : usage,
      });
    },
  );
});
