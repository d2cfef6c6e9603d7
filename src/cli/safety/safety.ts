import type { Command } from 'commander';
import type { StartRenderWorker } from '../../compose/server.ts';
import { addCodeCommands } from './codes.ts';
import { addExplainCommands } from './explain.ts';
import { addListCommands } from './lists.ts';
import { addRuleCommands } from './rules.ts';
import { addSourceCommands } from './sources.ts';

/** `waymark safety …`: what destinations are held against, and the codes that were flagged. */
export function addSafetyCommands(program: Command, startRenderWorker: StartRenderWorker): void {
  const safety = program
    .command('safety')
    .description('safe browsing: the lists that destinations are checked against');
  addListCommands(safety);
  addExplainCommands(safety);
  addRuleCommands(safety);
  addCodeCommands(safety, startRenderWorker);
  addSourceCommands(safety);
}
