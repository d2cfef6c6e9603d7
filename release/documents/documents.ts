import { join } from 'node:path';
import { formatLicenses, licenses } from '../../src/cli/help/licenses/texts.ts';
import { readCommandTree } from './command-tree.ts';
import { completions } from './completions.ts';
import { formatManual } from './manual.ts';

/** The files of a release beside the executable. */
export interface Documents {
  /** The manual page waymark(1). */
  readonly manual: string;
  // Completions.
  readonly bash: string;
  readonly zsh: string;
  readonly fish: string;
  /** The licences of the program and of everything in it. */
  readonly licenses: string;
  readonly changelog: string;
  /** The systemd unit, with the executable in /usr/local/bin. */
  readonly unit: string;
  readonly waymarkctl: string;
  /** Template of /etc/waymark.env. */
  readonly settings: string;
}

/** @param seconds time of the commit */
export async function createDocuments(version: string, seconds: number): Promise<Documents> {
  const program = await readCommandTree();
  const date = new Date(seconds * 1000).toISOString().slice(0, 10);
  return {
    manual: formatManual(program, version, date),
    bash: completions.bash(program),
    zsh: completions.zsh(program),
    fish: completions.fish(program),
    licenses: `${formatLicenses(licenses)}\n`,
    changelog: await textOf('CHANGELOG.md'),
    unit: await textOf('deploy/waymark.service'),
    waymarkctl: await textOf('deploy/waymarkctl'),
    settings: await textOf('deploy/waymark.env'),
  };
}

function textOf(path: string): Promise<string> {
  return Bun.file(join(import.meta.dir, '../..', path)).text();
}
