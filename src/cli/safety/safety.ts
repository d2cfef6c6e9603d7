import type { Command } from 'commander';
import { addCodeCommands } from './codes.ts';
import { addExplainCommands } from './explain.ts';
import { addListCommands } from './lists.ts';
import { addRuleCommands } from './rules.ts';
import { addSourceCommands } from './sources.ts';

/** Adds `waymark safety …`: what destinations are checked against, and codes that are flagged. */
export function addSafetyCommands(program: Command): void {
  const safety = program
    .command('safety')
    .description('safe browsing: the lists that destinations are checked against');
  addListCommands(safety);
  addExplainCommands(safety);
  addRuleCommands(safety);
  addCodeCommands(safety);
  addSourceCommands(safety);
}
