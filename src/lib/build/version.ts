import manifest from '../../../package.json';

/** What build.ts writes into the executable. From source it is not defined. */
interface Build {
  readonly version: string;
  readonly commit: string;
}

declare const WAYMARK_BUILD: Build | undefined;

const build = typeof WAYMARK_BUILD === 'undefined' ? null : WAYMARK_BUILD;

/** The version by SemVer. `1.0.0+dirty` was built from a checkout with uncommitted changes. */
export const version: string = build?.version ?? manifest.version;

/**
 * Returns the commit that the program was built from, as 40 hexadecimal digits. From source, asks git.
 * Returns `unknown` outside of a git repository.
 */
export function readCommit(): string {
  if (build !== null) return build.commit;
  try {
    const command = ['git', '-C', import.meta.dir, 'rev-parse', '--verify', 'HEAD'];
    const { success, stdout } = Bun.spawnSync(command, { stderr: 'ignore' });
    return success ? stdout.toString().trim() : 'unknown';
  } catch {
    // There is no git.
    return 'unknown';
  }
}

/**
 * Describes the change to this version from the one that served before: `upgrade from 0.1.0 to 1.0.0`.
 *
 * @param before null if it is unknown, or no server had this database
 */
export function describeUpgrade(before: string | null): string {
  if (before === null) return `first start of ${version} on this database`;
  const isOlder = Bun.semver.order(version, before) < 0;
  return `${isOlder ? 'downgrade' : 'upgrade'} from ${before} to ${version}`;
}
