import { getPriority, setPriority } from 'node:os';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { closing, realClock } from '../compose/runtime.ts';
import { createStorage } from '../compose/storage.ts';
import { type Config, readConfig } from '../config.ts';
import type { Account } from '../core/accounts/account.ts';
import { createSchedule, type Schedule } from '../core/codes/schedule/schedule.ts';
import { unservedPrefixes } from '../core/codes/urls/short-url.ts';
import type { Acting } from '../core/ports.ts';
import type { CommandStorage } from '../core/storage.ts';
import { createStderrLog } from '../lib/logger.ts';
import { localAddressWarning } from '../redirect/settings.ts';
import { rejectOverwrite } from '../sqlite/maintenance/overwrite-guard.ts';
import { CommandError } from './errors/command-error.ts';
import { reportError } from './errors/report.ts';
import { forTerminal, print } from './output.ts';

/** A line to print, unless it is empty or its condition does not hold. */
type Line = string | false | null;

/** The result of a command. */
export interface Outcome {
  /** Printed for people: a text, or lines. */
  readonly text: string | readonly Line[];
  /** Printed instead of the text under `--json`. */
  readonly json: unknown;
  /** Printed on stderr. The exit code stays 0. */
  readonly warnings?: readonly Line[];
  /** Printed on stderr. The exit code is 1 then. */
  readonly failure?: Line;
  /** What the command changed, if it did, for the log. Has no secrets. */
  readonly change?: Readonly<Record<string, string>> | false;
}

/** The stores of the database, and the settings. */
export interface CommandDeps extends CommandStorage {
  readonly config: Config;
}

/** Creates what plans changes of codes, on the stores of a command. */
export function scheduleOf({ schedule: store, accounts }: CommandDeps): Schedule {
  return createSchedule({ store, accounts, clock: realClock });
}

/** Returns who changes an account by a command. */
export function commandOn({ id }: Pick<Account, 'id'>): Acting {
  return { accountId: id, by: { kind: 'command' } };
}

/** The flags that {@link addCommand} adds to every command. */
export interface CommonFlags {
  readonly json?: true;
  readonly data?: string;
}

/**
 * Adds a command with the flags that all commands have.
 *
 * @param usage name and arguments, such as `show <email>`
 */
export function addCommand(parent: Command, usage: string, description: string): Command {
  return parent
    .command(usage)
    .description(description)
    .option('--json', 'print JSON')
    .option('--data <folder>', 'data folder (default: WAYMARK_DATA, or ./data)');
}

// The niceness of render workers. With 19, a command would hardly run on a busy processor.
const lowNiceness = 10;

/** Lowers the priority of a long command, so that a server on the same machine still redirects fast. */
export function lowerPriority(): void {
  try {
    setPriority(Math.max(lowNiceness, getPriority()));
  } catch {
    // A service manager may forbid the call.
  }
}

interface Bounds {
  readonly min: number;
  /** None for a number that only has to exist, or of which more than there is does no harm. */
  readonly max?: number;
}

/** Creates an option for a whole number within bounds. Its help names them if there is an upper one. */
export function numberOption(flags: string, description: string, { min, max }: Bounds): Option {
  const help = max === undefined ? description : `${description}, from ${min} to ${max}`;
  return new Option(flags, help).argParser((text) => {
    const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (number >= min && number <= (max ?? Number.MAX_SAFE_INTEGER)) return number;
    throw new InvalidArgumentError(
      max === undefined
        ? `It must be a whole number, ${min} or more.`
        : `It must be a whole number from ${min} to ${max}.`,
    );
  });
}

/** Returns the settings of a command: its flags override the environment. */
export function configOf(flags: CommonFlags): Config {
  return readConfig({ ...Bun.env, ...(flags.data && { WAYMARK_DATA: flags.data }) });
}

/**
 * Creates the action of a command, which prints the outcome and sets the exit code.
 *
 * If the command fails, it prints the reason.
 *
 * @param act receives the arguments of the command, and its flags
 */
export function toAction<Given extends unknown[]>(
  act: (this: Command, ...given: Given) => Promise<Outcome>,
): (this: Command, ...given: Given) => Promise<void> {
  return async function (...given) {
    try {
      const { text, json, warnings = [], failure } = await act.apply(this, given);
      const lines = [text].flat().filter(Boolean).join('\n');
      await print(this.opts<CommonFlags>().json ? JSON.stringify(json) : forTerminal(lines));
      for (const warning of warnings)
        if (warning) console.error(forTerminal(`Warning: ${warning}`));
      if (failure) throw new CommandError(failure);
    } catch (error) {
      reportError(error);
    }
  };
}

/**
 * Creates the action of a command on the stores of the database.
 *
 * @param create whether to create the database if there is none
 */
export function onStores<Given extends unknown[]>(
  act: (deps: CommandDeps, ...given: Given) => Promise<Outcome>,
  { create = false } = {},
) {
  return toAction(async function (...given: Given) {
    const config = configOf(this.opts());
    const storage = await createStorage(config);
    await using stores = closing(await storage.openForCommand({ create }));
    const outcome = await act({ ...stores, config }, ...given);
    if (outcome.change) logChange(config, this, outcome.change);
    return outcome;
  });
}

/**
 * Logs a change on stderr if `WAYMARK_LOG` is set.
 * It isn't by default: the outcome names the change, and scripts take output on stderr for a failure.
 */
function logChange(config: Config, command: Command, details: Readonly<Record<string, string>>) {
  if (!Bun.env['WAYMARK_LOG']?.trim()) return;
  const { SUDO_USER, USER } = Bun.env;
  const user = SUDO_USER ?? USER ?? `uid ${process.getuid?.()}`;
  createStderrLog(config).info('command', { command: pathOf(command), ...details, user });
}

/** Returns the names of a command and those it is below, such as `account plan`. */
function pathOf(command: Command): string {
  const { parent } = command;
  return parent === null ? '' : `${pathOf(parent)} ${command.name()}`.trim();
}

/**
 * Prints the warning of {@link localAddressWarning} before codes are created.
 * The first one fixes what it warns of.
 */
export async function warnOfLocalAddress(config: Config): Promise<void> {
  const warning = localAddressWarning(config);
  if (warning === null) return;
  await using reader = closing(await (await createStorage(config)).openForReading());
  const { shortUrl } = config;
  const isFirst = unservedPrefixes([shortUrl], await reader.usedShortUrlPrefixes()).length > 0;
  const consequence = isFirst
    ? ` The first code with ${shortUrl} keeps the server from starting without that address, until "waymark domain remove ${shortUrl} --force".`
    : '';
  console.error(forTerminal(`Warning: ${warning}${consequence}`));
}

/**
 * Returns an address of the server, for links that a command prints.
 * The public URL of the settings, unless the server was started with others, as by options of `waymark serve`.
 */
export async function serverUrl(config: Config): Promise<string> {
  const { publicUrl } = config;
  await using reader = closing(await (await createStorage(config)).openForReading());
  const served = await reader.servedPrefixes();
  if (served.length === 0 || unservedPrefixes([publicUrl], served).length === 0) return publicUrl;
  return served.find((url) => url.startsWith('https:')) ?? served[0] ?? publicUrl;
}

/** Adds the warning of {@link localAddressWarning} to an outcome. */
export function withAddressWarning(config: Config, outcome: Outcome): Outcome {
  return { ...outcome, warnings: [...(outcome.warnings ?? []), localAddressWarning(config)] };
}

/**
 * Rejects a file that a command may not write, see {@link rejectOverwrite}.
 *
 * @throws CommandError, FileError
 */
export function rejectOutput({ data }: Pick<Config, 'data'>, file: string): void {
  rejectStdout(file);
  rejectOverwrite(data, file);
}

/** Rejects "-" as a file to write. @throws CommandError */
export function rejectStdout(file: string): void {
  if (file === '-')
    throw new CommandError("This command can't write to standard output. Name a file.");
}
