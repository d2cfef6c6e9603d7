import type { Command } from 'commander';
import { realClock } from '../../compose/runtime.ts';
import type { Rule } from '../../core/safety/threat-lists.ts';
import { addRule, removeRule } from '../../reputation/rules.ts';
import { type CommonFlags, subcommand } from '../command.ts';
import { CommandError } from '../errors.ts';
import { addCodeCommands } from './codes.ts';
import { addExplainCommands } from './explain.ts';
import { addListCommands, addSourceCommands } from './lists.ts';
import { onWire, runSafety } from './run.ts';

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

/** Adds `waymark safety block | allow | remove | entries`: the operator's rules. */
function addRuleCommands(safety: Command): void {
  const add = (decision: Rule['decision']) => (target: string, flags: CommonFlags) =>
    runSafety(
      flags,
      async ({ rules }) => {
        const rule = await addRule(rules, decision, target, { nowMs: realClock.nowMs() });
        const done = decision === 'block' ? 'Blocked' : 'Allowed';
        return { text: `${done} ${rule.expression}.`, json: onWire(rule) };
      },
      { create: true },
    );
  const remove = (target: string, flags: CommonFlags) =>
    runSafety(flags, async ({ rules }) => {
      if (!(await removeRule(rules, target)))
        throw new CommandError(`There is no rule for ${target}.`);
      return { text: `Removed the rule for ${target}.`, json: { removed: target } };
    });
  const show = (flags: CommonFlags) =>
    runSafety(flags, async ({ rules }) => {
      const all = await rules.all();
      const lines = all.map(({ decision, expression }) => `${decision}  ${expression}`);
      return { text: lines.join('\n') || 'There are no rules.', json: onWire(all) };
    });

  safety
    .addCommand(
      subcommand('block <target>', 'block a domain with its subdomains, or one URL').action(
        add('block'),
      ),
    )
    .addCommand(
      subcommand('allow <target>', 'allow a domain or URL that a list flags').action(add('allow')),
    )
    .addCommand(subcommand('remove <target>', 'remove an allow or block rule').action(remove))
    .addCommand(subcommand('entries', 'show the allow and block rules').action(show));
}
