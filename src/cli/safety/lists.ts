import type { Command } from 'commander';
import { realClock } from '../../compose/server.ts';
import { isoTimestamp } from '../../core/codes/qr.ts';
import {
  type ImportOptions,
  type ImportReport,
  importList,
  importPieces,
  removeList,
} from '../../reputation/lists/import.ts';
import { parseSourceName } from '../../reputation/lists/list-store.ts';
import { type UpdateResult, updateSources } from '../../reputation/lists/update.ts';
import { inBackground } from '../background.ts';
import { createBackgroundPause } from '../background-pause.ts';
import { type CommonFlags, subcommand } from '../command.ts';
import { counted } from '../counted.ts';
import { CommandError } from '../exit-codes.ts';
import { onFolder } from './deps.ts';
import { type FormatFlags, formatOf, withFormat } from './format-flags.ts';
import { onWire } from './on-wire.ts';

/** `waymark safety import | update | forget`: the lists themselves. */
export function addListCommands(safety: Command): void {
  safety
    .addCommand(
      inBackground(
        withFormat(
          subcommand(
            'import <file>',
            'import a list, from standard input with "-"; it replaces an earlier import of it',
          ),
        ),
      )
        .requiredOption('--source <name>', 'what to call the list')
        .action((file: string, flags: FormatFlags & { source: string }) =>
          onFolder(flags, async (folder) => {
            const options = {
              ...formatOf(flags),
              nowMs: realClock.nowMs(),
              pause: createBackgroundPause(),
            };
            const report =
              file === '-'
                ? await importPiped(folder, flags.source, options)
                : await importList(folder, file, flags.source, options);
            return { text: imported(report), json: onWire(report) };
          }),
        ),
    )
    .addCommand(
      inBackground(subcommand('update', 'fetch the lists that have an address')).action(
        (flags: CommonFlags) =>
          onFolder(flags, async (folder) => {
            const results = await updateSources(folder, {
              fetch,
              nowMs: realClock.nowMs,
              pause: createBackgroundPause(),
            });
            const failed = results.filter(({ outcome }) => outcome === 'failed');
            const lines = results.map(updated);
            return {
              text: lines.join('\n') || 'No list has an address; see "waymark safety source add".',
              json: onWire(results),
              ...(failed.length > 0 && { failure: failure(failed) }),
            };
          }),
      ),
    )
    .addCommand(
      subcommand('forget <source>', 'remove an imported list').action(
        (source: string, flags: CommonFlags) =>
          onFolder(flags, async (folder) => {
            if (!(await removeList(folder, source)))
              throw new CommandError(`There is no list ${source}.`);
            return { text: `Removed the list ${source}.`, json: { removed: source } };
          }),
      ),
    );
}

/** What comes through a pipe; whether it is a list shows when it has been read. */
function importPiped(folder: string, source: string, options: ImportOptions) {
  const name = parseSourceName(source);
  return importPieces(folder, Bun.stdin.stream(), name, { ...options, origin: null });
}

function imported({ source, entries, format, unreadable, replaced }: ImportReport): string {
  const earlier =
    replaced && `, in place of ${replaced.entries} from ${isoTimestamp(replaced.importedAtMs)}`;
  const bad = unreadable.first.map(({ line, text, why }) => `  line ${line}: ${why}: ${text}`);
  return [
    `Imported ${counted(entries, 'entry', 'entries')} as "${source}" (${format})${earlier ?? ''}.`,
    ...(unreadable.count > 0 ? [`Lines that could not be read: ${unreadable.count}`, ...bad] : []),
  ].join('\n');
}

/** One line for each list, because the reason of one is not that of another. */
function failure(failed: readonly UpdateResult[]): string {
  const reasons = failed.map(({ name, reason }) => `${name} was not updated: ${reason}`);
  return [...reasons, 'A good copy that was fetched before stays in use.'].join('\n');
}

function updated({ name, outcome, reason, report }: UpdateResult): string {
  const entries = report && counted(report.entries, 'entry', 'entries');
  return [name, outcome, entries, reason].filter((part) => part !== null).join('  ');
}
