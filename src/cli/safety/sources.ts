import type { Command } from 'commander';
import { realClock } from '../../compose.ts';
import { addSource, removeSource } from '../../safety/sources.ts';
import { type CommonFlags, subcommand } from '../command.ts';
import { Refused } from '../refusals.ts';
import { type FormatFlags, formatOf, withFormat } from './format-flags.ts';
import { onWire } from './on-wire.ts';
import { onFolder } from './world.ts';

/** `waymark safety source add | remove`: where "safety update" fetches lists from. */
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
      subcommand('remove <name>', 'stop fetching a list; what was fetched stays').action(
        (name: string, flags: CommonFlags) =>
          onFolder(flags, async (folder) => {
            if (!(await removeSource(folder, name)))
              throw new Refused(`There is no source ${name}.`);
            return { text: `Removed the source ${name}.`, json: { removed: name } };
          }),
      ),
    );
}
