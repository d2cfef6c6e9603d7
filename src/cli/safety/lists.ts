import { type Command, Option } from 'commander';
import { realClock } from '../../compose/runtime.ts';
import {
  type FormatOptions,
  type ListFormat,
  listFormats,
} from '../../core/safety/threat-lists.ts';
import { readFileAtMost } from '../../lib/files/bounded-read.ts';
import { formatCount } from '../../lib/numbers.ts';
import { type ImportReport, importList, parseSourceName } from '../../reputation/lists/import.ts';
import { addSource, type UpdateResult, updateSources } from '../../reputation/lists/update.ts';
import { addCommand, type CommandDeps, lowerPriority, type Outcome, onStores } from '../command.ts';
import { toJson } from '../output.ts';
import { createProgress } from '../progress.ts';
import { removed } from './format.ts';

// A list of ten million domains.
const maxListBytes = 256_000_000;

/** Flags for the format of a list, where detection fails. */
interface FormatFlags {
  readonly format?: ListFormat;
  readonly column?: string;
}

function withFormat(command: Command): Command {
  return command
    .addOption(
      new Option('--format <format>', 'format of the list (default: detected)').choices(
        listFormats,
      ),
    )
    .option('--column <column>', 'column of a CSV file, by heading or by position from 1');
}

function formatOf({ format, column }: FormatFlags): FormatOptions {
  const position = column !== undefined && /^\d+$/.test(column) ? Number(column) : column;
  return { ...(format && { format }), ...(position !== undefined && { column: position }) };
}

/** Adds `waymark safety import | update | forget`. */
export function addListCommands(safety: Command): void {
  const description =
    'import a list ("-" reads standard input); it replaces the list of the same name';
  withFormat(addCommand(safety, 'import <file>', description))
    .requiredOption('--source <name>', 'name of the list')
    .hook('preAction', lowerPriority)
    .action(onStores(importFile, { create: true }));
  addCommand(safety, 'update', 'download the lists that have an address')
    .hook('preAction', lowerPriority)
    .action(onStores(update));
  addCommand(safety, 'forget <source>', 'remove an imported list').action(
    onStores(async ({ lists }, source: string) =>
      removed('list', source, await lists.remove(parseSourceName(source)), { list: source }),
    ),
  );
}

/** Adds `waymark safety source add | remove`. */
export function addSourceCommands(safety: Command): void {
  const source = safety
    .command('source')
    .description('manage the addresses that "safety update" downloads lists from');
  withFormat(
    addCommand(source, 'add <name> <url>', 'add an https address, or change the one of a list'),
  ).action(onStores(add, { create: true }));
  addCommand(source, 'remove <name>', 'stop downloading a list; the imported list stays').action(
    onStores(async ({ sources }, name: string) =>
      removed('source', name, await sources.remove(parseSourceName(name)), { list: name }),
    ),
  );
}

async function importFile(
  { lists }: CommandDeps,
  file: string,
  flags: FormatFlags & { readonly source: string },
): Promise<Outcome> {
  const options = { ...formatOf(flags), nowMs: realClock.nowMs() };
  const content = await readFileAtMost(file, maxListBytes);
  using progress = createProgress('lines', null);
  const onProgress = progress.update;
  const report = await importList(lists, content, flags.source, { ...options, onProgress });
  return {
    text: importLines(report),
    json: toJson(report),
    change: { list: report.source, entries: String(report.entries) },
  };
}

async function update(stores: CommandDeps): Promise<Outcome> {
  const results = await updateSources(stores, { fetch, nowMs: realClock.nowMs });
  const failed = results.filter(({ outcome }) => outcome === 'failed');
  return {
    text:
      results.map(updateLine).join('\n') ||
      'No list has an address. Add one with "waymark safety source add".',
    json: toJson(results),
    failure: failed.length > 0 && failureText(failed),
  };
}

async function add(
  { sources }: CommandDeps,
  name: string,
  url: string,
  flags: FormatFlags,
): Promise<Outcome> {
  const addedAtMs = realClock.nowMs();
  const source = await addSource(sources, { ...formatOf(flags), name, url, addedAtMs });
  return {
    text: `"waymark safety update" now downloads ${source.name} too.`,
    json: toJson(source),
    change: { list: source.name },
  };
}

function importLines({ source, entries, format, unreadable }: ImportReport): string[] {
  const imported = `Imported ${formatCount(entries, 'entry', 'entries')} as "${source}" (${format}).`;
  if (unreadable.count === 0) return [imported];
  const lines = unreadable.first.map(({ line, text, why }) => `  line ${line} (${text}): ${why}`);
  return [imported, `Lines that could not be read: ${unreadable.count}`, ...lines];
}

function updateLine({ name, outcome, reason, report }: UpdateResult): string {
  const entries = report && formatCount(report.entries, 'entry', 'entries');
  return [name, outcome, entries, reason].filter((part) => part !== null).join('  ');
}

function failureText(failed: readonly UpdateResult[]): string {
  const reasons = failed.map(({ name, reason }) => `${name} was not updated: ${reason}`);
  return [...reasons, 'The earlier list, if any, stays in use.'].join('\n');
}
