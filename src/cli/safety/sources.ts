import { type Command, Option } from 'commander';
import { realClock } from '../../compose/runtime.ts';
import { isoTimestamp } from '../../core/codes/qr.ts';
import {
  type ListFormat,
  type ListSource,
  listFormats,
  type UpdateRecord,
} from '../../core/safety/threat-lists.ts';
import type { FormatOptions } from '../../reputation/lists/detect-format.ts';
import { addSource, parseSourceName } from '../../reputation/lists/sources.ts';
import { type CommonFlags, subcommand } from '../command.ts';
import { CommandError } from '../exit-codes.ts';
import { runSafety } from './deps.ts';
import { onWire } from './output.ts';

/** Flags for the format of a list, where detection fails. */
export interface FormatFlags extends CommonFlags {
  readonly format?: ListFormat;
  readonly column?: string;
}

/** Adds the flags `--format` and `--column` to a command. */
export function withFormat(command: Command): Command {
  return command
    .addOption(new Option('--format <format>', 'default: detected').choices(listFormats))
    .option('--column <column>', 'of a CSV file: its heading, or its position from 1');
}

/** Parses the flags of {@link withFormat}. */
export function formatOf({ format, column }: FormatFlags): FormatOptions {
  const position = column !== undefined && /^\d+$/.test(column) ? Number(column) : column;
  return { ...(format && { format }), ...(position !== undefined && { column: position }) };
}

/** Adds `waymark safety source add | list | remove`: where `safety update` downloads lists. */
export function addSourceCommands(safety: Command): void {
  safety
    .command('source')
    .description('the addresses that "safety update" downloads lists from')
    .addCommand(
      withFormat(subcommand('add <name> <url>', 'download a list from an https address')).action(
        (name: string, url: string, flags: FormatFlags) =>
          runSafety(
            flags,
            async ({ sources }) => {
              const addedAtMs = realClock.nowMs();
              const source = await addSource(sources, { ...formatOf(flags), name, url, addedAtMs });
              return { text: `"safety update" downloads ${source.url}.`, json: onWire(source) };
            },
            'create',
          ),
      ),
    )
    .addCommand(
      subcommand('list', 'show the addresses, and the result of the last update').action(
        (flags: CommonFlags) =>
          runSafety(flags, async ({ sources }) => {
            const all = await sources.all();
            return {
              text: all.map(sourceLine).join('\n') || 'No list has an address.',
              json: onWire(all),
            };
          }),
      ),
    )
    .addCommand(
      subcommand('remove <name>', 'stop downloading a list; the list itself stays').action(
        (name: string, flags: CommonFlags) =>
          runSafety(flags, async ({ sources }) => {
            if (!(await sources.remove(parseSourceName(name))))
              throw new CommandError(`There is no source ${name}.`);
            return { text: `Removed the source ${name}.`, json: { removed: name } };
          }),
      ),
    );
}

/** Formats a source with the result of its last update in one line. */
export function sourceLine({
  name,
  url,
  lastUpdate: last,
}: ListSource & { readonly lastUpdate: UpdateRecord | null }): string {
  return [
    name,
    url,
    last ? `${last.outcome} ${isoTimestamp(last.checkedAtMs)}` : 'never updated',
    ...(last?.reason ? [last.reason] : []),
  ].join('  ');
}
