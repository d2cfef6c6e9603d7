import type { Command } from 'commander';
import type { StartRenderWorker } from '../../compose/runtime.ts';
import { downloadCommand } from './download.ts';
import { sheetCommand } from './sheet.ts';

/** Adds `waymark code …`. */
export function addCodeCommands(program: Command, startRenderWorker: StartRenderWorker): void {
  program
    .command('code')
    .description('manage and print codes')
    .addCommand(sheetCommand(startRenderWorker))
    .addCommand(downloadCommand(startRenderWorker));
}
