import type { Command } from 'commander';
import { realClock } from '../../compose/runtime.ts';
import type { Rule } from '../../core/safety/threat-lists.ts';
import { addRule, describeScope, removeRule } from '../../reputation/rules.ts';
import { type CommonFlags, run, subcommand } from '../command.ts';
import { CommandError } from '../errors.ts';
import { addCodeCommands } from './codes.ts';
import { addExplainCommands } from './explain.ts';
import { toJson } from './format.ts';
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
  const add = (decision: Rule['decision']) => (target: string, flags: CommonFlags) =>
    run(
      flags,
      async ({ rules }) => {
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
  const remove = (target: string, flags: CommonFlags) =>
    run(flags, async ({ rules }) => {
      if (!(await removeRule(rules, target)))
        throw new CommandError(`There is no rule for ${target}.`);
      return {
        text: `Removed the rule for ${target}.`,
        json: { removed: target },
        change: { target },
      };
    });
  const show = (flags: CommonFlags) =>
    run(flags, async ({ rules }) => {
      const all = await rules.all();
      const lines = all.map(({ decision, expression }) => `${decision}  ${expression}`);
      return { text: lines.join('\n') || 'There are no rules.', json: toJson(all) };
    });

  safety
    .addCommand(
      subcommand(
        'block <target>',
        "block a domain with its subdomains, a folder, one URL, or a top-level domain such as '*.zip'",
      ).action(add('block')),
    )
    .addCommand(
      subcommand('allow <target>', 'allow a domain or URL, even if a list flags it').action(
        add('allow'),
      ),
    )
    .addCommand(subcommand('remove <target>', 'remove an allow or block rule').action(remove))
    .addCommand(subcommand('rules', 'list the allow and block rules').action(show));
}
