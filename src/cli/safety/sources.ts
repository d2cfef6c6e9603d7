import type { Command } from 'commander';
import { realClock } from '../../compose/server.ts';
import { isoTimestamp } from '../../core/codes/qr.ts';
import { addSource, listSources, removeSource } from '../../reputation/lists/sources.ts';
import { type CommonFlags, subcommand } from '../command.ts';
import { CommandError } from '../exit-codes.ts';
import { onFolder } from './deps.ts';
import { type FormatFlags, formatOf, withFormat } from './format-flags.ts';
import { onWire } from './on-wire.ts';

type ListedSource = Awaited<ReturnType<typeof listSources>>['sources'][number];

/** `waymark safety source add | list | remove`: where "safety update" fetches lists from. */
export function addSourceCommands(safety: Command): void {
  safety
    .command('source')
    .description('the addresses that "safety update" fetches lists from')
    .addCommand(
      withFormat(subcommand('add <name> <url>', 'fetch a list from an https address')).action(
        (name: string, url: string, flags: FormatFlags) =>
          onFolder(flags, async (folder) => {
            const nowMs = realClock.nowMs();
            const source = await addSource(folder, { ...formatOf(flags), name, url, nowMs });
            return { text: `"safety update" fetches ${source.url}.`, json: onWire(source) };
          }),
      ),
    )
    .addCommand(
      subcommand('list', 'show the addresses, and what became of the last update').action(
        (flags: CommonFlags) =>
          onFolder(flags, async (folder) => {
            const { sources, damaged } = await listSources(folder);
            return {
              text: sources.map(sourceLine).join('\n') || 'No list has an address.',
              json: onWire(sources),
              ...(damaged.length > 0 && {
                warning: `damaged in safety/sources: ${damaged.join(', ')}.`,
              }),
            };
          }),
      ),
    )
    .addCommand(
      subcommand('remove <name>', 'stop fetching a list; what was fetched stays').action(
        (name: string, flags: CommonFlags) =>
          onFolder(flags, async (folder) => {
            if (!(await removeSource(folder, name)))
              throw new CommandError(`There is no source ${name}.`);
            return { text: `Removed the source ${name}.`, json: { removed: name } };
          }),
      ),
    );
}

/** A source with what became of its last update. */
export function sourceLine({ name, url, lastUpdate: last }: ListedSource): string {
  return [
    name,
    url,
    last ? `${last.outcome} ${isoTimestamp(last.checkedAtMs)}` : 'never updated',
    ...(last?.reason ? [last.reason] : []),
  ].join('  ');
}
