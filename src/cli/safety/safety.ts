import type { Command } from 'commander';
import { realClock } from '../../compose/runtime.ts';
import type { Rule } from '../../core/safety/threat-lists.ts';
import { addRule, describeScope, removeRule } from '../../reputation/rules.ts';
import { addCommand, onStores } from '../command.ts';
import { toJson } from '../output.ts';
import { addCodeCommands } from './codes.ts';
import { addExplainCommands } from './explain.ts';
import { removed } from './format.ts';
import { addListCommands, addSourceCommands } from './lists.ts';

/** Adds `waymark safety …`. */
export function addSafetyCommands(program: Command): void {
  const safety = program
    .command('safety')
    .description('manage threat lists, allow and block rules, and flagged codes');
  addListCommands(safety);
  addExplainCommands(safety);
  addRuleCommands(safety);
  addCodeCommands(safety);
  addSourceCommands(safety);
}

/** Adds `waymark safety block | allow | remove | rules`: the operator's rules. */
function addRuleCommands(safety: Command): void {
  addCommand(
    safety,
    'block <target>',
    "block a domain with its subdomains, a folder, one URL, or a top-level domain such as '*.zip'",
  ).action(add('block'));
  addCommand(safety, 'allow <target>', 'allow a domain or URL, even if a list flags it').action(
    add('allow'),
  );
  addCommand(safety, 'remove <target>', 'remove an allow or block rule').action(
    onStores(async ({ rules }, target: string) =>
      removed('rule for', target, await removeRule(rules, target), { target }),
    ),
  );
  addCommand(safety, 'rules', 'list the allow and block rules').action(
    onStores(async ({ rules }) => {
      const all = await rules.all();
      const lines = all.map(({ decision, expression }) => `${decision}  ${expression}`);
      return { text: lines.join('\n') || 'There are no rules.', json: toJson(all) };
    }),
  );
}

/** Creates the action that adds a rule of the operator. */
function add(decision: Rule['decision']) {
  return onStores(
    async ({ rules }, target: string) => {
      const rule = await addRule(rules, decision, target, { nowMs: realClock.nowMs() });
      const done = decision === 'block' ? 'Blocked' : 'Allowed';
      return {
        text: `${done} ${rule.expression}: ${describeScope(rule.expression)}.`,
        json: toJson(rule),
        change: { target: rule.expression },
      };
    },
    { create: true },
  );
}
