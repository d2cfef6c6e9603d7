import { Command } from 'commander';

import { readCommit, version } from '../../lib/build/version.ts';
import { schemaVersion } from '../../redirect/sqlite/schema-version.ts';
import { rendererIdentity } from '../../render/identity.ts';
import { toAction } from '../command.ts';

/** Adds `waymark version`, and `waymark --version`, which prints the same. */
export function addVersionCommand(program: Command): void {
  program
    .option('-V, --version', 'print version, commit, renderer and database schema')
    .on('option:version', () => {
      process.stdout.write(`${formatVersion()}\n`);
      process.exit();
    })
    .addCommand(
      new Command('version')
        .description('print version, commit, renderer and database schema')
        .option('--json', 'print JSON')
        .action(toAction(async () => ({ text: formatVersion(), json: describeVersion() }))),
    );
}

function describeVersion() {
  return {
    version,
    commit: readCommit(),
    // Programs of the same renderer draw equal images.
    renderer: rendererIdentity,
    schema: schemaVersion,
  };
}

function formatVersion(): string {
  const { commit, renderer, schema } = describeVersion();
  return `waymark ${version}\n  commit    ${commit}\n  renderer  ${renderer}\n  schema    ${schema}`;
}
