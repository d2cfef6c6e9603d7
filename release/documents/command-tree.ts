import type { Command, Option } from 'commander';
import { createProgram } from '../../src/cli/program.ts';

/** A command of the program, as its manual and its completions tell it. */
export interface CommandEntry {
  /** Words after `waymark`; none for the program itself. */
  readonly path: readonly string[];
  readonly description: string;
  /** Such as `<email>`. */
  readonly arguments: readonly string[];
  readonly options: readonly OptionEntry[];
  readonly children: readonly CommandEntry[];
}

export interface OptionEntry {
  /** Such as `--out <file>`. */
  readonly flags: string;
  /** Such as `--out` and `-o`. */
  readonly names: readonly string[];
  readonly description: string;
  readonly takesValue: boolean;
  /** The values that it accepts, if they are a list. */
  readonly choices: readonly string[];
}

/** Returns the command line as a tree. */
export async function readCommandTree(): Promise<CommandEntry> {
  const program = await createProgram(() => {
    throw new Error('no command is run');
  });
  return entryOf(program, []);
}

/** Returns a command and all below it, parents first. */
export function allCommands(command: CommandEntry): CommandEntry[] {
  return [command, ...command.children.flatMap(allCommands)];
}

function entryOf(command: Command, path: readonly string[]): CommandEntry {
  const help = command.createHelp();
  return {
    path,
    description: command.description(),
    arguments: command.registeredArguments.map((argument) =>
      argument.required ? `<${argument.name()}>` : `[${argument.name()}]`,
    ),
    options: help.visibleOptions(command).map(optionOf),
    children: command.commands.map((child) => entryOf(child, [...path, child.name()])),
  };
}

function optionOf({ flags, short, long, description, required, optional, argChoices }: Option) {
  return {
    flags,
    names: [long, short].filter((name) => name !== undefined),
    description,
    takesValue: required || optional,
    choices: argChoices ?? [],
  };
}
