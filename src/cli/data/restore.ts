import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { unservedPrefixes } from '../../core/codes/short-url.ts';
import { restore } from '../../sqlite/maintenance/restore.ts';
import { inWords, onWire } from './backup.ts';
import { type CommonFlags, configOf, reporting, subcommand } from '../command.ts';

/** `waymark restore FILE` */
export function addRestoreCommand(program: Command): void {
  program.addCommand(
    subcommand('restore <file>', 'replace the database with a backup; stop the server first')
      .option('--force', 'replace the database that is there; it is kept under a dated name')
      .action((file: string, flags: CommonFlags & { force?: true }) =>
        reporting(flags, async () => {
          const config = configOf(flags);
          const { holdings, shortBases, kept } = restore(resolve(file), config.data, {
            replace: flags.force ?? false,
            nowMs: Date.now(),
          });
          const keptIn = kept === null ? null : join(config.data, kept);
          const forgotten = unservedPrefixes(shortBases, [
            config.shortUrl,
            ...config.shortUrlAliases,
          ]);
          return {
            text: [
              `Restored ${file} into ${config.data}: ${inWords(holdings)}.`,
              keptIn === null ? '' : `The database that was there is kept as ${keptIn}.`,
              'Keys, passwords and sign-ins are again what they were at the time of the backup.',
            ]
              .filter((line) => line !== '')
              .join('\n'),
            json: { ...onWire(holdings), kept: keptIn },
            ...(forgotten.length > 0 && {
              warning:
                `its codes were printed with short links at ${forgotten.join(', ')}, which the settings ` +
                'do not name; "waymark serve" will ask for WAYMARK_SHORT_URL_ALIASES.',
            }),
          };
        }),
      ),
  );
}
