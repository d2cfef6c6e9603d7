import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { backUp } from '../../sqlite/maintenance/backup.ts';
import type { Holdings } from '../../sqlite/maintenance/integrity.ts';
import { type CommonFlags, configOf, reporting, subcommand } from '../command.ts';
import { counted } from '../counted.ts';
import { CommandError } from '../exit-codes.ts';

/** `waymark backup FILE` */
export function addBackupCommand(program: Command): void {
  program.addCommand(
    subcommand('backup <file>', 'copy the database into one file, also while the server runs')
      .option('--force', 'replace the file if it exists')
      .action((file: string, flags: CommonFlags & { force?: true }) =>
        reporting(flags, async () => {
          // It would be a file of that name, which is easily missed and hard to remove.
          if (file === '-')
            throw new CommandError(
              'A backup is read back before it counts, so it cannot go to standard output. Name a file.',
            );
          const { data } = configOf(flags);
          const { bytes, holdings } = backUp(data, resolve(file), flags.force ?? false);
          return {
            text: `Wrote ${file} (${megabytes(bytes)}) and read it back: ${inWords(holdings)}.${aboutLists(data)}`,
            json: { file, bytes, ...onWire(holdings) },
          };
        }),
      ),
  );
}

/** Lists are large and imported again in a minute; the operator's own entries are small files beside them. */
function aboutLists(data: string): string {
  const folder = join(data, 'safety');
  if (!existsSync(folder)) return '';
  return `\nThe block lists and your own allow and block entries are not in it; they are in ${folder}.`;
}

export function inWords({ accounts, qrs, hits }: Holdings): string {
  return [counted(accounts, 'account'), counted(qrs, 'code'), counted(hits, 'hit')].join(', ');
}

export function onWire({ accounts, designs, qrs, hits }: Holdings) {
  return { accounts, designs, codes: qrs, hits };
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
