import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runTool } from './tools.ts';
import { type Entry, writeTree } from './tree.ts';

/** What every archive and package of a release has. */
export interface Build {
  readonly version: string;
  /** The time of the commit, in seconds since 1970: the time of all files. */
  readonly seconds: number;
  /** An empty folder for temporary files. */
  readonly work: string;
  /** Where artefacts are written. */
  readonly out: string;
}

/**
 * Writes an archive: .zip for Windows, .tar.gz otherwise. Equal entries give equal bytes.
 *
 * @param name without the suffix; also that of the only folder inside
 */
export async function writeArchive(
  { seconds, work, out }: Build,
  name: string,
  kind: 'tar.gz' | 'zip',
  entries: readonly Entry[],
): Promise<void> {
  const target = join(out, `${name}.${kind}`);
  await writeTree(join(work, name), entries, seconds);
  if (kind === 'zip') {
    const names = entries.map(({ path }) => `${name}/${path}`).sort();
    // -X leaves out owners, -D folders.
    await runTool(['zip', '-qXD9@', target], { cwd: work, stdin: names.join('\n') });
  } else {
    const owner = ['--owner=0', '--group=0', '--numeric-owner'];
    const command = ['tar', '--create', '--format=ustar', '--sort=name', ...owner, name];
    const packed = await runTool(command, { cwd: work });
    await Bun.write(target, Bun.gzipSync(packed, { level: 6, library: 'libdeflate' }));
  }
  await rm(join(work, name), { recursive: true });
}
