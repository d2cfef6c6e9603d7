import type { Command } from 'commander';
import { realClock } from '../../compose/server.ts';
import type { Config } from '../../config.ts';
import { allow, block, listRules, remove } from '../../reputation/rules.ts';
import { type CommonFlags, subcommand } from '../command.ts';
import { CommandError } from '../exit-codes.ts';
import { onFolder } from './deps.ts';
import { onWire } from './on-wire.ts';

/** `waymark safety block | allow | remove | entries`: the operator's rules, which win. */
export function addRuleCommands(safety: Command): void {
  safety
    .addCommand(
      subcommand('block <target>', 'refuse a domain with all below it, or one URL').action(
        (target: string, flags: CommonFlags) =>
          onFolder(flags, async (folder, config) => {
            const made = await block(folder, target, circumstances(config));
            return { text: `Blocked ${made.expression}.`, json: onWire(made) };
          }),
      ),
    )
    .addCommand(
      subcommand('allow <target>', 'let through what a list flags').action(
        (target: string, flags: CommonFlags) =>
          onFolder(flags, async (folder, config) => {
            const made = await allow(folder, target, circumstances(config));
            return { text: `Allowed ${made.expression}.`, json: onWire(made) };
          }),
      ),
    )
    .addCommand(
      subcommand('remove <target>', 'take an allow or block entry back').action(
        (target: string, flags: CommonFlags) =>
          onFolder(flags, async (folder) => {
            if (!(await remove(folder, target)))
              throw new CommandError(`There is no entry ${target}.`);
            return { text: `Removed the entry ${target}.`, json: { removed: target } };
          }),
      ),
    )
    .addCommand(
      subcommand('entries', 'list the allow and block entries').action((flags: CommonFlags) =>
        onFolder(flags, async (folder) => {
          const { rules, damaged } = await listRules(folder);
          const lines = rules.map((one) => `${one.decision}  ${one.expression}`);
          return {
            text: lines.join('\n') || 'There are no entries.',
            json: onWire(rules),
            ...(damaged.length > 0 && {
              warning: `damaged in safety/entries: ${damaged.join(', ')}.`,
            }),
          };
        }),
      ),
    );
}

function circumstances({ publicUrl, shortUrl, shortUrlAliases }: Config) {
  return { nowMs: realClock.nowMs(), ownBases: [publicUrl, shortUrl, ...shortUrlAliases] };
}
