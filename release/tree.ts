import { chmod, copyFile, mkdir, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** A file of an archive or a package. */
export interface Entry {
  /** Relative to the root of the archive or of the file system. */
  readonly path: string;
  /** The content, or the path of a file to copy. */
  readonly content: string | Uint8Array | { readonly file: string };
  /** Default: 0644. */
  readonly mode?: number;
}

/**
 * Writes files into a folder, with the same modes and times on every machine.
 *
 * @param seconds the time of all files and folders, since 1970
 */
export async function writeTree(folder: string, entries: readonly Entry[], seconds: number) {
  const folders = new Set([folder]);
  for (const { path, content, mode = 0o644 } of entries) {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    for (let parent = dirname(target); parent !== folder; parent = dirname(parent))
      folders.add(parent);
    if (typeof content === 'object' && 'file' in content) await copyFile(content.file, target);
    else await Bun.write(target, content);
    await chmod(target, mode);
    await utimes(target, seconds, seconds);
  }
  for (const one of folders) {
    await chmod(one, 0o755);
    await utimes(one, seconds, seconds);
  }
}
