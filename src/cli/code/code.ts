import type { Command } from 'commander';
import type { StartRenderWorker } from '../../compose/runtime.ts';
import { downloadCommand } from './download.ts';
import { importCommand } from './import.ts';
import { manageCommands } from './manage.ts';
import { sheetCommand } from './sheet.ts';

/** Adds `waymark code …`. */
export function addCodeCommands(program: Command, startRenderWorker: StartRenderWorker): void {
  const code = program.command('code').description('create, edit and print codes');
  for (const command of manageCommands(startRenderWorker)) code.addCommand(command);
  code
    .addCommand(importCommand(startRenderWorker))
    .addCommand(sheetCommand(startRenderWorker))
    .addCommand(downloadCommand(startRenderWorker));
}
