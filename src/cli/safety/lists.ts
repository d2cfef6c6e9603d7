import type { Command } from 'commander';
import { realClock } from '../../compose.ts';
import { instant } from '../../core/qr.ts';
import { type ImportReport, importList, removeList } from '../../safety/import.ts';
import { type UpdateResult, updateSources } from '../../safety/update.ts';
import { inBackground } from '../background.ts';
import { makeBackgroundPause } from '../background-pause.ts';
import { type CommonFlags, subcommand } from '../command.ts';
import { counted } from '../counted.ts';
import { exitCodes, Refused } from '../refusals.ts';
import { type FormatFlags, formatOf, withFormat } from './format-flags.ts';
import { onWire } from './on-wire.ts';
import { onFolder } from './world.ts';

/** `waymark safety import | update | forget`: the lists themselves. */
export function addListCommands(safety: Command): void {
  safety
    .addCommand(
      inBackground(
        withFormat(
          subcommand('import <file>', 'import a list; it replaces an earlier import of it'),
        ),
      )
        .requiredOption('--source <name>', 'what to call the list')
        .action((file: string, flags: FormatFlags & { source: string }) =>
          onFolder(flags, async (folder) => {
            const options = {
              ...formatOf(flags),
              nowMs: realClock.nowMs(),
              pause: makeBackgroundPause(),
            };
            const report = await importList(folder, file, flags.source, options);
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
              pause: makeBackgroundPause(),
            });
            const failed = results.some(({ outcome }) => outcome === 'failed');
            if (failed) process.exitCode = exitCodes.refused;
            const lines = results.map(updated);
            return {
              text: lines.join('\n') || 'No list has an address; see "waymark safety source add".',
              json: onWire(results),
              ...(failed && { warning: 'the last good copy of what failed stays in use.' }),
            };
          }),
      ),
    )
    .addCommand(
      subcommand('forget <source>', 'remove an imported list').action(
        (source: string, flags: CommonFlags) =>
          onFolder(flags, async (folder) => {
            if (!(await removeList(folder, source)))
              throw new Refused(`There is no list ${source}.`);
            return { text: `Removed the list ${source}.`, json: { removed: source } };
          }),
      ),
    );
}

function imported({ source, entries, format, unreadable, replaced }: ImportReport): string {
  const earlier =
    replaced && `, in place of ${replaced.entries} from ${instant(replaced.importedAtMs)}`;
  const bad = unreadable.first.map(({ line, text, why }) => `  line ${line}: ${why}: ${text}`);
  return [
    `Imported ${counted(entries, 'entry', 'entries')} as "${source}" (${format})${earlier ?? ''}.`,
    ...(unreadable.count > 0 ? [`Lines that could not be read: ${unreadable.count}`, ...bad] : []),
  ].join('\n');
}

function updated({ name, outcome, reason, report }: UpdateResult): string {
  const entries = report && counted(report.entries, 'entry', 'entries');
  return [name, outcome, entries, reason].filter((part) => part !== null).join('  ');
}
