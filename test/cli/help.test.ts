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

const all = tree(program);
const leaves = all.filter(([, { commands }]) => commands.length === 0);

describe('the help', () => {
  test.each(all)(
    'of "%s" says what it does and explains every argument and option',
    (path, command) => {
      const help = command.helpInformation();
      expect(help).toContain(`Usage: waymark ${path}`.trim());
      expect(command.description()).toMatch(/\S/);
      expect(help).toContain('--help');
      for (const option of command.options) {
        expect(help).toContain(option.long ?? option.flags);
        expect(option.description + (option.argChoices ?? []).join()).not.toBe('');
      }
    },
  );

  test.each(leaves)('of "%s" knows --json', (_, command) => {
    expect(command.options.map(({ long }) => long)).toContain('--json');
  });

  test('of "serve" has a flag for every setting, and names it and its default', () => {
    const help = program.commands.find((one) => one.name() === 'serve')?.helpInformation() ?? '';
    for (const option of Object.values(options)) {
      const flag = option.name.slice('WAYMARK_'.length).toLowerCase().replaceAll('_', '-');
      expect(help).toContain('isSwitch' in option ? `--${flag} [value]` : `--${flag} <value>`);
      const standard = 'default' in option ? `(default: ${option.default}) ` : '';
      expect(help.replace(/\s+/g, ' ')).toContain(`${standard}[${option.name}]`);
    }
  });

  test('is on stdout, on every level, and the exit code is 0', async () => {
    const levels = [
      ['--help'],
      ['account', '--help'],
      ['account', 'create', '--help'],
      ['help', 'key'],
    ];
    const cwd = tmpdir();
    const outcomes = await Promise.all(levels.map((args) => runProgram(args, { cwd })));
    for (const { exitCode, stdout, stderr } of outcomes)
      expect({ exitCode, stdout, stderr }).toEqual({
        exitCode: 0,
        stdout: expect.stringContaining('Usage: waymark'),
        stderr: '',
      });
  });

  test.each(all)('of "%s" has examples of it', (path, command) => {
    let help = '';
    command.configureOutput({ writeOut: (text) => (help += text) });
    command.outputHelp();
    const [, examples = ''] = help.split('\nExamples:\n');
    const lines = [...examples.matchAll(/^ {2}waymark (.+)$/gm)].map(([, line = '']) => line);
    expect(lines).not.toBeEmpty();
    for (const line of lines) {
      expect(line === 'help account create' || `${line} `.startsWith(path && `${path} `)).toBe(
        true,
      );
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

  test('without a command it is on stderr, and the exit code is 2', async () => {
    const cwd = tmpdir();
    const outcomes = await Promise.all(
      [[], ['account'], ['key']].map((args) => runProgram(args, { cwd })),
    );
    for (const { exitCode, stdout, stderr } of outcomes)
      expect({ exitCode, stdout, stderr }).toEqual({
        exitCode: 2,
        stdout: '',
        stderr: expect.stringContaining('Usage: waymark'),
      });
  });
});
