import { getPriority, setPriority } from 'node:os';
import { Command, InvalidArgumentError, Option } from 'commander';
import { closing } from '../compose/runtime.ts';
import { createStorage } from '../compose/storage.ts';
import { type Config, readConfig } from '../config.ts';
import type { CommandStorage } from '../core/storage.ts';
import { CommandError, reportError } from './errors.ts';
import { createStderrLog, forTerminal, localAddressWarning, print } from './output.ts';

/** The result of a command. */
export interface Outcome {
  /** Printed for people. */
  readonly text: string;
  /** Printed instead of the text under `--json`. */
  readonly json: unknown;
  /** Printed on stderr. The exit code stays 0. */
  readonly warning?: string;
  /** Printed on stderr. The exit code is 1. */
  readonly failure?: string;
  /** What the command changed, for the log. Has no secrets. */
  readonly change?: Readonly<Record<string, string>>;
}

/** The stores of the database. */
export type CommandDeps = CommandStorage;

/** The command that runs: a process runs one. */
let running: Command | null = null;

/** The flags that {@link subcommand} adds to every command. */
export interface CommonFlags {
  readonly json?: true;
  readonly data?: string;
}

/**
 * Creates a command with the flags that all commands have.
 *
 * @param usage name and arguments, such as `show <email>`
 */
export function subcommand(usage: string, description: string): Command {
  const [name, ...expected] = usage.split(' ');
  const command = new Command(name).description(description);
  for (const argument of expected) command.argument(argument);
  return command
    .hook('preAction', (_, action) => {
      running = action;
    })
    .option('--json', 'print JSON')
    .option('--data <folder>', 'data folder (default: WAYMARK_DATA, or ./data)');
}

// The niceness of render workers. With 19, a command would hardly run on a busy processor.
const lowNiceness = 10;

/** Lowers the priority of a long command, so that a server on the same machine still redirects fast. */
export function withLowPriority(command: Command): Command {
  return command.hook('preAction', () => {
    try {
      setPriority(Math.max(lowNiceness, getPriority()));
    } catch {
      // A service manager may forbid the call.
    }
  });
}

interface Bounds {
  readonly min: number;
  readonly max: number;
}

/** Creates an option for a whole number within bounds, which its help names. */
export function numberOption(flags: string, description: string, { min, max }: Bounds): Option {
  return new Option(flags, `${description}, from ${min} to ${max}`).argParser((text) => {
    const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (number >= min && number <= max) return number;
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
  });
}

/** Returns the settings of a command: its flags override the environment. */
export function configOf(flags: CommonFlags): Config {
  return readConfig({ ...Bun.env, ...(flags.data && { WAYMARK_DATA: flags.data }) });
}

/**
 * Runs a command on the stores of the database.
 *
 * @param create whether to create the database if there is none
 */
export async function run(
  flags: CommonFlags,
  act: (deps: CommandDeps, config: Config) => Promise<Outcome>,
  { create = false } = {},
): Promise<void> {
  await report(flags, async () => {
    const config = configOf(flags);
    const storage = await createStorage(config);
    await using deps = closing(await storage.openForCommand({ create }));
    const outcome = await act(deps, config);
    if (outcome.change !== undefined) logChange(config, outcome.change);
    return outcome;
  });
}

/**
 * Logs a change on stderr if `WAYMARK_LOG` is set. It isn't by default: the outcome names the change, and
 * scripts take output on stderr for a failure.
 */
function logChange(config: Config, details: Readonly<Record<string, string>>): void {
  if (!Bun.env['WAYMARK_LOG']?.trim()) return;
  const { SUDO_USER, USER } = Bun.env;
  const user = SUDO_USER ?? USER ?? `uid ${process.getuid?.()}`;
  createStderrLog(config).info('command', { command: pathOf(running), ...details, user });
}

/** Returns the names of a command and those it is below, such as `account plan`. */
function pathOf(command: Command | null): string {
  if (command === null || command.parent === null) return '';
  return `${pathOf(command.parent)} ${command.name()}`.trim();
}

/** Adds the warning of {@link localAddressWarning} to an outcome. */
export function withAddressWarning(config: Config, outcome: Outcome): Outcome {
  const warning = [outcome.warning ?? null, localAddressWarning(config)]
    .filter((text) => text !== null)
    .join('\nWarning: ');
  return warning === '' ? outcome : { ...outcome, warning };
}

/** Prints the outcome of a command, or the reason of its failure, and sets the exit code. */
export async function report(flags: CommonFlags, act: () => Promise<Outcome>): Promise<void> {
  try {
    const { text, json, warning, failure } = await act();
    await print(flags.json ? JSON.stringify(json) : forTerminal(text));
    if (warning !== undefined) console.error(forTerminal(`Warning: ${warning}`));
    if (failure !== undefined) throw new CommandError(failure);
  } catch (error) {
    reportError(error);
  }
}

/** Rejects "-" as a file to write. @throws CommandError */
export function rejectStdout(file: string): void {
  if (file === '-')
    throw new CommandError("This command can't write to standard output. Name a file.");
}
