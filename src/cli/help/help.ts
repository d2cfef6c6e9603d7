import type { Command } from 'commander';
import { examples, firstExamples } from './examples.ts';

/** Returns a command and all below it, each with its path, such as `account create`. */
function allCommands(
  command: Command,
  path: readonly string[] = [],
): readonly (readonly [string, Command])[] {
  const children = command.commands.flatMap((child) => allCommands(child, [...path, child.name()]));
  return [[path.join(' '), command], ...children];
}

/** Adds the examples to the help of every command. A noun shows the first one of each verb. */
export function addExamples(program: Command): void {
  for (const [path, command] of allCommands(program)) {
    const lines = examplesOf(path, command).map((line) => `  waymark ${line}`);
    if (lines.length > 0) command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
  }
}

function examplesOf(path: string, command: Command): readonly string[] {
  if (path === '') return firstExamples;
  const own = examples.filter((line) => `${line} `.startsWith(`${path} `));
  if (command.commands.length === 0) return own;
  return command.commands.flatMap(
    (verb) => own.find((line) => `${line} `.startsWith(`${path} ${verb.name()} `)) ?? [],
  );
}

/** Prints the help of a command for `waymark help account create`. Ends the process. */
export function showHelp(program: Command, path: readonly string[]): never {
  let command = program;
  // "waymark help account --help" asks for the same.
  for (const name of path.filter((one) => one !== '--help' && one !== '-h')) {
    const next = command.commands.find((child) => child.name() === name);
    if (next === undefined)
      return command.error(
        `error: there is no command ${JSON.stringify(path.join(' '))}. "waymark --help" lists them.`,
      );
    command = next;
  }
  return command.help();
}
