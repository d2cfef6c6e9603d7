import type { Command } from 'commander';
import { isoTimestamp } from '../../core/codes/qr.ts';
import type { FullExplanation } from '../../reputation/explain.ts';
import { listSources } from '../../reputation/lists/sources.ts';
import { type CommonFlags, subcommand } from '../command.ts';
import { counted } from '../counted.ts';
import { CommandError } from '../exit-codes.ts';
import { withCheck } from './deps.ts';
import { listName } from './list-name.ts';
import { onWire } from './on-wire.ts';
import { sourceLine } from './sources.ts';

/** `waymark safety check | status`: what is held against a URL, and with what. */
export function addExplainCommands(safety: Command): void {
  safety
    .addCommand(
      subcommand('check <url>', 'explain what the check says of a URL').action(
        (url: string, flags: CommonFlags) =>
          withCheck(flags, async (check) => {
            const explanation = await check.explain(url);
            if (explanation.expressions.length === 0)
              throw new CommandError(
                `${JSON.stringify(url)} names no host, so there is nothing to check. Give a URL such as https://example.com/menu.`,
              );
            return { text: explained(explanation), json: onWire(explanation) };
          }),
      ),
    )
    .addCommand(
      subcommand('status', 'show lists, entries and sources').action((flags: CommonFlags) =>
        withCheck(flags, async (check, folder) => {
          await check.refresh();
          const { local, localProblem } = check.status();
          const { damagedRules, ...known } = local;
          const { sources, damaged: damagedSources } = await listSources(folder);
          const lists = local.lists.map(({ source, entries, importedAtMs, problem }) =>
            [
              `${source}  ${counted(entries, 'entry', 'entries')}`,
              importedAtMs === null ? '' : `, imported ${isoTimestamp(importedAtMs)}`,
              problem === null ? '' : `  PROBLEM: ${problem}`,
            ].join(''),
          );
          const problems = [
            ...(localProblem === null ? [] : [`The lists cannot be read: ${localProblem}`]),
            ...damagedRules.map((name) => `The entry in safety/entries/${name} is damaged.`),
            ...damagedSources.map((name) => `The source in safety/sources/${name} is damaged.`),
          ];
          return {
            text: [
              ...(lists.length > 0 ? lists : ['No list is imported.']),
              `Entries of the operator: ${local.blocked} blocked, ${local.allowed} allowed.`,
              ...sources.map(sourceLine),
              ...problems.map((problem) => `PROBLEM: ${problem}`),
            ].join('\n'),
            json: onWire({
              ...known,
              damagedEntries: damagedRules,
              ...{ problem: localProblem, sources, damagedSources },
            }),
          };
        }),
      ),
    );
}

function explained(explanation: FullExplanation): string {
  const { verdict, decidedBy, canonical, expressions, matches, provider } = explanation;
  return [
    `${verdict}${decidedBy === null ? '' : `, by ${listName(decidedBy)}`}`,
    `canonical form: ${canonical ?? 'none, it has no host'}`,
    ...matches.map(
      ({ decision, list, expression, sinceMs }) =>
        `${decision}: "${expression}" by ${listName(list)}${sinceMs === null ? '' : ` since ${isoTimestamp(sinceMs)}`}`,
    ),
    ...(provider === null ? [] : [`${provider.name}: ${opinionOf(provider)}`]),
    `looked up: ${expressions.join(', ')}`,
  ].join('\n');
}

function opinionOf({ failure, opinion }: NonNullable<FullExplanation['provider']>): string {
  return failure ?? (opinion?.unsafe ? 'unsafe' : 'clean');
}
