import { Command, type CommanderError } from 'commander';
import { version } from '../../package.json';
import type { StartRenderWorker } from '../compose/runtime.ts';
import { addAccountCommands } from './account/account.ts';
import { addBackupCommand } from './data/backup.ts';
import { addExportCommand } from './data/export.ts';
import { addRestoreCommand } from './data/restore.ts';
import { addVerifyCommand } from './data/verify.ts';
import { addDemoCommand } from './demo/demo.ts';
import { addDesignCommands } from './design/design.ts';
import { addDoctorCommand } from './doctor/doctor.ts';
import { exitCodes } from './exit-codes.ts';
import { addKeyCommands } from './key.ts';
import { addLicensesCommand } from './licenses/licenses.ts';
import { addSafetyCommands } from './safety/safety.ts';
import { addServeCommand } from './serve/serve.ts';

/** The command line: one noun, one verb. */
export function createProgram(startRenderWorker: StartRenderWorker): Command {
  const program = new Command('waymark')
    .description(
      'A server for dynamic QR codes: the printed mark stays, where it leads can change.',
    )
    .version(version);
  addServeCommand(program, startRenderWorker);
  addDemoCommand(program, startRenderWorker);
  addAccountCommands(program, startRenderWorker);
  addKeyCommands(program, startRenderWorker);
  addDesignCommands(program, startRenderWorker);
  addSafetyCommands(program);
  addBackupCommand(program);
  addRestoreCommand(program);
  addVerifyCommand(program, startRenderWorker);
  addExportCommand(program);
  addDoctorCommand(program, startRenderWorker);
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
