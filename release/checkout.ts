import { join } from 'node:path';
import manifest from '../package.json';

const root = join(import.meta.dir, '..');

/** The state of the checkout, as git tells it. */
export interface Checkout {
  /**
   * 40 hexadecimal digits. Outside of a git repository, as in the build of a container, that of the environment
   * variable WAYMARK_COMMIT, or `unknown`.
   */
  readonly commit: string;
  /** The version in package.json, with `+dirty` if files differ from the commit. */
  readonly version: string;
  readonly isDirty: boolean;
}

/** Reads the commit of the checkout, and whether files differ from it. */
export function readCheckout(): Checkout {
  const commit = git('rev-parse', '--verify', 'HEAD');
  const isDirty = commit !== null && git('status', '--porcelain') !== '';
  return {
    commit: commit ?? process.env['WAYMARK_COMMIT'] ?? 'unknown',
    version: isDirty ? `${manifest.version}+dirty` : manifest.version,
    isDirty,
  };
}

/** Runs git in the checkout. Returns what it prints, or null if it fails or is missing. */
export function git(...args: string[]): string | null {
  try {
    const { success, stdout } = Bun.spawnSync(['git', '-C', root, ...args], { stderr: 'ignore' });
    return success ? stdout.toString().trim() : null;
  } catch {
    return null;
  }
}
