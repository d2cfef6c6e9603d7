import { Command } from 'commander';
import { version } from '../../../package.json';
import { type CommonFlags, report } from '../command.ts';
import type { Licenses, Part } from './read.macro.ts';

/** `waymark licenses` */
export function addLicensesCommand(program: Command): void {
  program.addCommand(
    new Command('licenses')
      .description('print the licences of this program and of all that it is made of')
      .option('--json', 'answer in JSON, for machines')
      .action((flags: CommonFlags) =>
        report(flags, async () => {
          const { licenses } = await import('./texts.ts');
          const { own, parts } = licenses;
          return {
            text: written(licenses),
            json: { name: 'waymark', version, license: 'MIT', texts: [own], parts },
          };
        }),
      ),
  );
}

function written({ own, parts }: Licenses): string {
  const width = Math.max(...parts.map((part) => titleOf(part).length));
  const list = parts.map(
    (part) => `  ${titleOf(part).padEnd(width)}  ${part.license.padEnd(12)}  ${part.source}`,
  );
  return [
    `Waymark ${version}\n\n${own}`,
    `It is made of these parts, whose source is at the addresses behind them:\n\n${list.join('\n')}`,
    ...[...namesByText(parts)].map(([text, names]) => `${names.join(', ')}\n\n${text}`),
  ].join(`\n\n${'='.repeat(80)}\n\n`);
}

function titleOf({ name, version }: Part): string {
  return `${name} ${version}`;
}

/** Many parts have the same text. */
function namesByText(parts: readonly Part[]): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const part of parts)
    for (const text of part.texts) names.set(text, [...(names.get(text) ?? []), part.name]);
  return names;
}
