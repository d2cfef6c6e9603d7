import type { Command } from 'commander';
import { realClock } from '../../compose/runtime.ts';
import { isoTimestamp } from '../../core/codes/qr.ts';
import { type ImportReport, importFile, importList } from '../../reputation/lists/import.ts';
import { parseSourceName } from '../../reputation/lists/sources.ts';
import { type UpdateResult, updateSources } from '../../reputation/lists/update.ts';
import { inBackground } from '../background.ts';
import { type CommonFlags, subcommand } from '../command.ts';
import { counted } from '../counted.ts';
import { CommandError } from '../exit-codes.ts';
import { runSafety } from './deps.ts';
import { onWire } from './output.ts';
import { type FormatFlags, formatOf, withFormat } from './sources.ts';

/** Adds `waymark safety import | update | forget`: the lists themselves. */
export function addListCommands(safety: Command): void {
  const importCommand = subcommand(
    'import <file>',
    'import a list, from standard input with "-"; it replaces an earlier import of it',
  );
  safety
    .addCommand(
      inBackground(withFormat(importCommand))
        .requiredOption('--source <name>', 'name of the list')
        .action((file: string, flags: FormatFlags & { source: string }) =>
          runSafety(
            flags,
            async ({ lists }) => {
              const options = { ...formatOf(flags), nowMs: realClock.nowMs() };
              const report =
                file === '-'
                  ? await importList(lists, Bun.stdin.stream(), flags.source, options)
                  : await importFile(lists, file, flags.source, options);
              return { text: importText(report), json: onWire(report) };
            },
            'create',
          ),
        ),
    )
    .addCommand(
      inBackground(subcommand('update', 'download the lists that have an address')).action(
        (flags: CommonFlags) =>
          runSafety(flags, async (stores) => {
            const results = await updateSources(stores, { fetch, nowMs: realClock.nowMs });
            const failed = results.filter(({ outcome }) => outcome === 'failed');
            return {
              text:
                results.map(updateLine).join('\n') ||
                'No list has an address. Add one with "waymark safety source add".',
              json: onWire(results),
              ...(failed.length > 0 && { failure: failureText(failed) }),
            };
          }),
      ),
    )
    .addCommand(
      subcommand('forget <source>', 'remove an imported list').action(
        (source: string, flags: CommonFlags) =>
          runSafety(flags, async ({ lists }) => {
            if (!(await lists.remove(parseSourceName(source))))
              throw new CommandError(`There is no list ${source}.`);
            return { text: `Removed the list ${source}.`, json: { removed: source } };
          }),
      ),
    );
}

function importText({ source, entries, format, unreadable, replaced }: ImportReport): string {
  const earlier =
    replaced && `, in place of ${replaced.entries} from ${isoTimestamp(replaced.importedAtMs)}`;
  const lines = unreadable.first.map(({ line, text, why }) => `  line ${line}: ${why}: ${text}`);
  return [
    `Imported ${counted(entries, 'entry', 'entries')} as "${source}" (${format})${earlier ?? ''}.`,
    ...(unreadable.count > 0
      ? [`Lines that could not be read: ${unreadable.count}`, ...lines]
      : []),
  ].join('\n');
}

function updateLine({ name, outcome, reason, report }: UpdateResult): string {
  const entries = report && counted(report.entries, 'entry', 'entries');
  return [name, outcome, entries, reason].filter((part) => part !== null).join('  ');
}

function failureText(failed: readonly UpdateResult[]): string {
  const reasons = failed.map(({ name, reason }) => `${name} was not updated: ${reason}`);
  return [...reasons, 'The earlier list, if any, stays in use.'].join('\n');
}
