import type { Command } from 'commander';
import { realClock } from '../../compose/runtime.ts';
import type { Rule } from '../../core/safety/rule.ts';
import { addRule, removeRule } from '../../reputation/rules.ts';
import { type CommonFlags, subcommand } from '../command.ts';
import { CommandError } from '../exit-codes.ts';
import { runSafety } from './deps.ts';
import { onWire } from './output.ts';

/** Adds `waymark safety block | allow | remove | entries`: the operator's rules. */
export function addRuleCommands(safety: Command): void {
  const add = (decision: Rule['decision'], target: string, flags: CommonFlags) =>
    runSafety(
      flags,
      async ({ rules }, { publicUrl, shortUrl, shortUrlAliases }) => {
        const ownBases = [publicUrl, shortUrl, ...shortUrlAliases];
        const rule = await addRule(rules, decision, target, { nowMs: realClock.nowMs(), ownBases });
        const done = decision === 'block' ? 'Blocked' : 'Allowed';
        return { text: `${done} ${rule.expression}.`, json: onWire(rule) };
      },
      'create',
    );

  safety
    .addCommand(
      subcommand('block <target>', 'block a domain with its subdomains, or one URL').action(
        (target: string, flags: CommonFlags) => add('block', target, flags),
      ),
    )
    .addCommand(
      subcommand('allow <target>', 'allow a domain or URL that a list flags').action(
        (target: string, flags: CommonFlags) => add('allow', target, flags),
      ),
    )
    .addCommand(
      subcommand('remove <target>', 'remove an allow or block rule').action(
        (target: string, flags: CommonFlags) =>
          runSafety(flags, async ({ rules }) => {
            if (!(await removeRule(rules, target)))
              throw new CommandError(`There is no rule for ${target}.`);
            return { text: `Removed the rule for ${target}.`, json: { removed: target } };
          }),
      ),
    )
    .addCommand(
      subcommand('entries', 'show the allow and block rules').action((flags: CommonFlags) =>
        runSafety(flags, async ({ rules }) => {
          const all = await rules.all();
          const lines = all.map(({ decision, expression }) => `${decision}  ${expression}`);
          return { text: lines.join('\n') || 'There are no rules.', json: onWire(all) };
        }),
      ),
    );
}
