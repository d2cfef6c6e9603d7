import { Command, type CommanderError } from 'commander';
import { version } from '../../package.json';
import type { Spawn } from '../compose.ts';
import { addAccountCommands } from './account.ts';
import { addBackupCommand } from './backup.ts';
import { addDemoCommand } from './demo.ts';
import { addDesignCommands } from './design/design.ts';
import { addDoctorCommand } from './doctor.ts';
import { addExportCommand } from './export.ts';
import { addKeyCommands } from './key.ts';
import { addLicensesCommand } from './licenses.ts';
import { exitCodes } from './refusals.ts';
import { addRestoreCommand } from './restore.ts';
import { addSafetyCommands } from './safety/safety.ts';
import { addServeCommand } from './serve.ts';
import { addVerifyCommand } from './verify.ts';

/** The command line: one noun, one verb. */
export function makeProgram(spawn: Spawn): Command {
  const program = new Command('waymark')
    .description(
      'A server for dynamic QR codes: the printed mark stays, where it leads can change.',
    )
    .version(version);
  addServeCommand(program, spawn);
  addDemoCommand(program, spawn);
  addAccountCommands(program, spawn);
  addKeyCommands(program, spawn);
  addDesignCommands(program, spawn);
  addSafetyCommands(program, spawn);
  addBackupCommand(program);
  addRestoreCommand(program);
  addVerifyCommand(program, spawn);
  addExportCommand(program);
  addDoctorCommand(program, spawn);
  addLicensesCommand(program);
  endWithOurCodes(program);
  return program;
}

/** Wrong usage ends with 2, on every level. */
function endWithOurCodes(command: Command): void {
  command
    .showHelpAfterError('(add --help for the whole usage)')
    .exitOverride(({ exitCode }: CommanderError) => {
      process.exit(exitCode === exitCodes.done ? exitCodes.done : exitCodes.misused);
    });
  for (const child of command.commands) endWithOurCodes(child);
}
