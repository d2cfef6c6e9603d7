import type { Command } from 'commander';
import { realClock } from '../../compose/runtime.ts';
import { composeSafety } from '../../compose/safety.ts';
import { isoTimestamp } from '../../core/codes/qr.ts';
import type { Explanation } from '../../core/safety/admin.ts';
import type { ListSource, ThreatList, UpdateRecord } from '../../core/safety/threat-lists.ts';
import { formatCount } from '../../lib/numbers.ts';
import { type CommonFlags, run, subcommand } from '../command.ts';
import { CommandError } from '../errors.ts';
import { createStderrLog } from '../output.ts';
import { listName, toJson } from './format.ts';

/** Adds `waymark safety check | status`. */
export function addExplainCommands(safety: Command): void {
  const check = (url: string, flags: CommonFlags) =>
    run(flags, async (stores, config) => {
      const reputation = composeSafety(config, stores, realClock, createStderrLog(config));
      const explanation = await reputation.explain(url);
      if (explanation.expressions.length === 0)
        throw new CommandError(
          `${JSON.stringify(url)} has no host, so there is nothing to check. Give a URL such as https://example.com/menu.`,
        );
      return { text: explanationText(explanation), json: toJson(explanation) };
    });
  const status = (flags: CommonFlags) =>
    run(flags, async (stores) => {
      const lists = await stores.lists.all();
      const sources = await stores.sources.all();
      const rules = await stores.rules.all();
      const blocked = rules.filter(({ decision }) => decision === 'block').length;
      const allowed = rules.length - blocked;
      const text = [
        ...(lists.length > 0 ? lists.map(listLine) : ['No list is imported.']),
        `Rules: ${blocked} block, ${allowed} allow.`,
        ...sources.map(sourceLine),
      ].join('\n');
      return { text, json: toJson({ lists, allowed, blocked, sources }) };
    });

  safety
    .addCommand(
      subcommand('check <url>', 'show whether a URL is flagged, and by what').action(check),
    )
    .addCommand(subcommand('status', 'show lists, rules and sources').action(status));
}

function listLine({ source, entries, importedAtMs }: ThreatList): string {
  return `${source}  ${formatCount(entries, 'entry', 'entries')}, imported ${isoTimestamp(importedAtMs)}`;
}

function sourceLine({
  name,
  url,
  lastUpdate,
}: ListSource & { readonly lastUpdate: UpdateRecord | null }): string {
  const outcome =
    lastUpdate === null
      ? 'never updated'
      : `${lastUpdate.outcome} ${isoTimestamp(lastUpdate.checkedAtMs)}`;
  return [name, url, outcome, lastUpdate?.reason].filter(Boolean).join('  ');
}

function explanationText(explanation: Explanation): string {
  const { verdict, decidedBy, canonical, expressions, matches, provider } = explanation;
  return [
    `${verdict}${decidedBy === null ? '' : ` by ${listName(decidedBy)}`}`,
    `canonical form: ${canonical ?? 'none, it has no host'}`,
    ...matches.map(
      ({ decision, list, expression, sinceMs }) =>
        `${decision}: "${expression}" in ${listName(list)}${sinceMs === null ? '' : ` since ${isoTimestamp(sinceMs)}`}`,
    ),
    ...(provider === null
      ? []
      : [`${provider.name}: ${provider.failure ?? (provider.unsafe ? 'unsafe' : 'safe')}`]),
    `looked up: ${expressions.join(', ')}`,
  ].join('\n');
}
