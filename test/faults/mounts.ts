import { afterAll } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Whether this process may mount file systems, as root outside most containers. */
export const canMount = process.platform === 'linux' && mayMount();

function mayMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'waymark-mount-'));
  try {
    if (mount(folder, 'size=64k') !== 0) return false;
    return spawnSync('umount', [folder]).status === 0;
  } finally {
    rmdirSync(folder);
  }
}

function mount(folder: string, options: string): number | null {
  return spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]).status;
}

/** Creates file systems in memory that are removed after the tests of a file. */
export function createMounts() {
  const root = mkdtempSync(join(tmpdir(), 'waymark-mounts-'));
  const mounted: string[] = [];

  afterAll(() => {
    for (const folder of mounted) spawnSync('umount', ['-l', folder]);
    rmSync(root, { recursive: true, force: true });
  });

  return {
    /**
     * Mounts a file system on a new folder and returns the folder.
     *
     * @param options of mount(8), such as `size=4m` or `ro`
     */
    mountWith: (options: string): string => {
      const folder = join(root, String(mounted.length));
      mkdirSync(folder);
      if (mount(folder, options) !== 0) throw new Error(`cannot mount ${folder}`);
      mounted.push(folder);
      return folder;
    },
  };
}

/**
 * Fills the file system of a folder to the last byte.
 *
 * @returns makes room again
 */
export function fill(folder: string): () => void {
  const file = join(folder, 'filler');
  for (const bytes of [64 * 1024, 4096, 1])
    try {
      for (;;) appendFileSync(file, Buffer.alloc(bytes));
    } catch {
      // No space for another chunk of this size.
    }
  return () => rmSync(file);
}
