import { Command } from 'commander';
import { composeCommand } from '../compose/command.ts';
import type { StartRenderWorker } from '../compose/runtime.ts';
import { type Config, readConfig } from '../config.ts';
import { CommandError, refuse } from './exit-codes.ts';
import { print } from './stdout.ts';

/** What a command has to say: a line for people, and the same for machines under `--json`. */
export interface Outcome {
  readonly text: string;
  readonly json: unknown;
  /** Said on stderr beside either. */
  readonly warning?: string;
  /** Bad news: said on stderr, and the command ends with 1. */
  readonly failure?: string;
}

/** The data folder's stores, as a command works with them. */
export type CommandWorld = ReturnType<typeof composeCommand>;

/**
 * A subcommand with the flags that all of them have.
 *
 * @param usage its name and arguments, such as `show <email>`
 */
export function subcommand(usage: string, description: string): Command {
  const [name, ...expected] = usage.split(' ');
  const command = new Command(name).description(description);
  for (const argument of expected) command.argument(argument);
  return command
    .option('--json', 'answer in JSON, for machines')
    .option('--data <folder>', 'data folder (default: WAYMARK_DATA, or ./data)');
}

/** The flags that {@link subcommand} gives to every command. */
export interface CommonFlags {
  readonly json?: true;
  readonly data?: string;
}

/** The settings, with the flags of a command laid over the environment. */
export function configOf(flags: CommonFlags): Config {
  return readConfig({ ...Bun.env, ...(flags.data && { WAYMARK_DATA: flags.data }) });
}

/**
 * Runs a command on the data folder, prints what it has to say and ends with its exit code.
 *
 * @param act what the command does; throws {@link CommandError} when it will not
 * @param create whether it may make the database where there is none
 */
export async function run(
  startRenderWorker: StartRenderWorker,
  flags: CommonFlags,
  act: (deps: CommandWorld, config: Config) => Promise<Outcome>,
  { create = false } = {},
): Promise<void> {
  await reporting(flags, async () => {
    const config = configOf(flags);
    const deps = composeCommand(config, startRenderWorker, create);
    try {
      return await act(deps, config);
    } finally {
      await deps.close();
    }
  });
}

/** Prints an outcome, or the reason of a refusal, and sets the exit code. */
export async function reporting(flags: CommonFlags, act: () => Promise<Outcome>): Promise<void> {
  try {
    const { text, json, warning, failure } = await act();
    await print(flags.json ? JSON.stringify(json) : text);
    if (warning !== undefined) console.error(`Warning: ${warning}`);
    if (failure !== undefined) throw new CommandError(failure);
  } catch (error) {
    refuse(error);
  }
}
