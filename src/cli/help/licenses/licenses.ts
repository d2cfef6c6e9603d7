import type { Command } from 'commander';
import { version } from '../../../lib/build/version.ts';
import { toAction } from '../../command.ts';

/** Adds `waymark licenses`. */
export function addLicensesCommand(program: Command): void {
  program
    .command('licenses')
    .description('print the licences of this program and of all parts that it contains')
    .option('--json', 'print JSON')
    .action(
      toAction(async () => {
        const { formatLicenses, licenses } = await import('./texts.ts');
        const { own, parts } = licenses;
        return {
          text: formatLicenses(licenses),
          json: { name: 'waymark', version, license: 'MIT', texts: [own], parts },
        };
      }),
    );
}
