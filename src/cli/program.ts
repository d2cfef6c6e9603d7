import { Command, type CommanderError } from 'commander';
import type { StartRenderWorker } from '../compose/runtime.ts';
import { addAccountCommands } from './account/account.ts';
import { addKeyCommands } from './account/key.ts';
import { addCodeCommands } from './code/code.ts';
import { addFolderCommands } from './code/folder.ts';
import { addLinkCommands } from './code/link.ts';
import { addBackupCommand } from './data/backup.ts';
import { addExportCommand } from './data/export/export.ts';
import { addMoveCommand } from './data/move.ts';
import { addRepairCommand } from './data/repair.ts';
import { addRestoreCommand } from './data/restore.ts';
import { addVerifyCommand } from './data/verify.ts';
import { addDesignCommands } from './design/design.ts';
import { addDoctorCommand } from './doctor/doctor.ts';
import { addHealthCommand } from './doctor/health.ts';
import { exitCodes } from './errors.ts';
import { addExamples, showHelp } from './help/help.ts';
import { addVersionCommand } from './help/version.ts';
import { addLicensesCommand } from './licenses/licenses.ts';
import { addSafetyCommands } from './safety/safety.ts';
import { addDemoCommand } from './serve/demo.ts';
import { addServeCommand } from './serve/serve.ts';

/** Creates the command line: `waymark COMMAND`, or `waymark NOUN VERB` for nouns with several commands. */
export function createProgram(startRenderWorker: StartRenderWorker): Command {
  const program = new Command('waymark').description(
    'A server for dynamic QR codes: the printed code stays, its destination can change.',
  );
  addServeCommand(program, startRenderWorker);
  addDemoCommand(program, startRenderWorker);
  addAccountCommands(program);
  addKeyCommands(program);
  addDesignCommands(program, startRenderWorker);
  addCodeCommands(program, startRenderWorker);
  addFolderCommands(program);
  addLinkCommands(program, startRenderWorker);
  addSafetyCommands(program);
  addBackupCommand(program);
  addRestoreCommand(program);
  addRepairCommand(program);
  addMoveCommand(program);
  addVerifyCommand(program, startRenderWorker);
  addExportCommand(program);
  addDoctorCommand(program, startRenderWorker);
  addHealthCommand(program);
  addLicensesCommand(program);
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
  const program = createProgram(startRenderWorker);
  const [name, ...path] = args;
  if (name === 'help') showHelp(program, path);
  await program.parseAsync(args, { from: 'user' });
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
