import { Command, type CommanderError } from 'commander';
import type { StartRenderWorker } from '../compose/runtime.ts';
import { exitCodes } from './errors/command-error.ts';
import { addExamples, showHelp } from './help/help.ts';
import { addVersionCommand } from './help/version.ts';

/**
 * Adds commands.
 *
 * @param verb the one that is called, if it is known; the others need not be added
 */
type AddCommands = (
  program: Command,
  startRenderWorker: StartRenderWorker,
  verb?: string,
) => void | Promise<void>;

// Loading all of them takes longer than most of them run.
/** Commands and nouns in the order of the help, each loaded when it is needed. */
const commands: Readonly<Record<string, () => Promise<AddCommands>>> = {
  serve: async () => (await import('./serve/serve.ts')).addServeCommand,
  demo: async () => (await import('./serve/demo.ts')).addDemoCommand,
  account: async () => (await import('./account/account.ts')).addAccountCommands,
  activity: async () => (await import('./code/activity.ts')).addActivityCommand,
  key: async () => (await import('./account/key.ts')).addKeyCommands,
  design: async () => (await import('./design/design.ts')).addDesignCommands,
  code: async () => (await import('./code/code.ts')).addCodeCommands,
  folder: async () => (await import('./code/folder.ts')).addFolderCommands,
  link: async () => (await import('./code/link.ts')).addLinkCommands,
  domain: async () => (await import('./data/domain.ts')).addDomainCommands,
  safety: async () => (await import('./safety/safety.ts')).addSafetyCommands,
  backup: async () => (await import('./data/backup.ts')).addBackupCommand,
  backups: async () => (await import('./data/backups.ts')).addBackupsCommand,
  restore: async () => (await import('./data/restore.ts')).addRestoreCommand,
  repair: async () => (await import('./data/repair.ts')).addRepairCommand,
  move: async () => (await import('./data/move.ts')).addMoveCommand,
  verify: async () => (await import('./data/verify.ts')).addVerifyCommand,
  export: async () => (await import('./data/export/export.ts')).addExportCommand,
  settings: async () => (await import('./doctor/settings.ts')).addSettingsCommand,
  doctor: async () => (await import('./doctor/doctor.ts')).addDoctorCommand,
  health: async () => (await import('./doctor/health.ts')).addHealthCommand,
  licenses: async () => (await import('./help/licenses/licenses.ts')).addLicensesCommand,
};

/**
 * Creates the command line: `waymark COMMAND`, or `waymark NOUN VERB` for nouns with several commands.
 *
 * @param names the commands and nouns that are added beside `version`; all by default
 * @param verb the command of the noun that is called, if it is known
 */
export async function createProgram(
  startRenderWorker: StartRenderWorker,
  names: readonly string[] = Object.keys(commands),
  verb?: string,
): Promise<Command> {
  const program = new Command('waymark').description(
    'A server for dynamic QR codes: the printed code stays, its destination can change.',
  );
  for (const name of names) await (await commands[name]?.())?.(program, startRenderWorker, verb);
  addVersionCommand(program);
  addExamples(program);
  setExitCodes(program);
  return program;
}

/** Runs the command that the arguments name. */
export async function runCommand(
  startRenderWorker: StartRenderWorker,
  args: readonly string[],
): Promise<void> {
  const [name, ...path] = args;
  const program = await createProgram(
    startRenderWorker,
    neededBy(name === 'help' ? path : args),
    name === 'help' ? undefined : path[0],
  );
  if (name === 'help') showHelp(program, path);
  await program.parseAsync(args, { from: 'user' });
}

/** Returns the commands that the arguments may name, undefined for all. */
function neededBy([name = '']: readonly string[]): readonly string[] | undefined {
  if (Object.hasOwn(commands, name)) return [name];
  return ['version', '--version', '-V'].includes(name) ? [] : undefined;
}

/** Makes wrong usage exit with 2, on every level. */
function setExitCodes(command: Command): void {
  command
    .showHelpAfterError('(--help shows the usage)')
    .exitOverride(({ exitCode }: CommanderError) => {
      process.exit(exitCode === exitCodes.done ? exitCodes.done : exitCodes.misused);
    });
  for (const child of command.commands) setExitCodes(child);
}
