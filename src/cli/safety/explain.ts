import type { Command } from 'commander';
import { composeSafety } from '../../compose/safety.ts';
import { isoTimestamp } from '../../core/codes/qr.ts';
import type { Explanation } from '../../core/safety/admin.ts';
import type { ListSource, ThreatList, UpdateRecord } from '../../core/safety/threat-lists.ts';
import { createStderrLog } from '../../lib/logger.ts';
import { formatCount } from '../../lib/numbers.ts';
import { addCommand, type CommandDeps, type Outcome, onStores } from '../command.ts';
import { CommandError } from '../errors/command-error.ts';
import { formatTable, toJson } from '../output.ts';
import { listName } from './format.ts';

/** Adds `waymark safety check | list | status`. */
export function addExplainCommands(safety: Command): void {
  addCommand(safety, 'check <url>', 'show whether a URL is flagged, and by what').action(
    onStores(explain),
  );
  addCommand(safety, 'list', 'list the threat lists, and where they come from').action(
    onStores(listLists),
  );
  addCommand(safety, 'status', 'show lists, rules and sources').action(onStores(showStatus));
}

async function explain(deps: CommandDeps, url: string): Promise<Outcome> {
  const { config } = deps;
  const explanation = await composeSafety(config, deps, createStderrLog(config)).explain(url);
  if (explanation.expressions.length === 0)
    throw new CommandError(
      `${JSON.stringify(url)} has no host, so there is nothing to check. Give a URL such as https://example.com/menu.`,
    );
  return { text: linesOf(explanation), json: toJson(explanation) };
}

async function listLists(stores: CommandDeps): Promise<Outcome> {
  const lists = await stores.lists.all();
  const sources = await stores.sources.all();
  const names = new Set([...lists.map(({ source }) => source), ...sources.map(({ name }) => name)]);
  const rows = [...names].sort().map((name) => {
    const list = lists.find(({ source }) => source === name);
    const url = sources.find((source) => source.name === name)?.url ?? null;
    return { name, entries: list?.entries ?? null, importedAtMs: list?.importedAtMs ?? null, url };
  });
  const table = formatTable([
    ['NAME', 'ENTRIES', 'IMPORTED', 'ADDRESS'],
    ...rows.map(({ name, entries, importedAtMs, url }) => [
      name,
      entries === null ? '' : String(entries),
      importedAtMs === null ? 'never' : isoTimestamp(importedAtMs),
      url ?? '',
    ]),
  ]);
  return {
    text: rows.length === 0 ? 'There is no list. Add one with "waymark safety import".' : table,
    json: toJson(rows),
  };
}

async function showStatus(stores: CommandDeps): Promise<Outcome> {
  const lists = await stores.lists.all();
  const sources = await stores.sources.all();
  const rules = await stores.rules.all();
  const blocked = rules.filter(({ decision }) => decision === 'block').length;
  const allowed = rules.length - blocked;
  const text = [
    ...(lists.length > 0 ? lists.map(listLine) : ['No list is imported.']),
    `Rules: ${blocked} block, ${allowed} allow.`,
    ...sources.map(sourceLine),
  ];
  return { text, json: toJson({ lists, allowed, blocked, sources }) };
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

function linesOf(explanation: Explanation): string[] {
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
  ];
}
