import { ApiError } from '../../errors.ts';
import { parseCode } from '../code.ts';
import type { DomainStore, LinkImportStore, Reputation } from '../ports.ts';
import { flagSource } from '../qr.ts';
import { parseDestination } from './destination.ts';
import { createOwnPaths } from './loops.ts';
import { allKeysOf, formsOf, splitScope } from './resolve.ts';
import type { ShortUrlSettings } from './short-url.ts';

/** A destination that may be stored. */
export interface CheckedDestination {
  readonly destination: string;
  /** Whether it could not be checked fully. */
  readonly needsRecheck: boolean;
}

/** Creates the check of destinations before they are stored. */
export function createDestinationCheck(deps: {
  linkImports: Pick<LinkImportStore, 'at'>;
  reputation: Reputation;
  /** Default: the main domain alone. */
  domains?: Pick<DomainStore, 'all'>;
  shortUrls: Pick<ShortUrlSettings, 'prefixes'>;
}) {
  const { linkImports, reputation, shortUrls, domains } = deps;

  const rejectUnsafe = async (destination: string): Promise<boolean> => {
    const pathsOf = await createOwnPaths({ prefixes: shortUrls.prefixes, domains });
    const paths = pathsOf(destination);
    // As `parseDestination` does for the main domain.
    if (paths.some((path) => parseCode(splitScope(path).path) !== null))
      throw new ApiError('invalid_url', { kind: 'short link of this server' });
    const keys = paths.flatMap(allKeysOf);
    if (keys.length > 0 && (await linkImports.at(formsOf(keys))).length > 0)
      throw new ApiError('invalid_url', { kind: 'imported link of this server' });
    const result = await reputation.check(destination);
    if (result.flagged)
      throw new ApiError('unsafe_url', {
        kind: 'flagged destination',
        source: flagSource(result.list),
        list: result.list,
        expression: result.expression,
      });
    return result.checked !== 'fully';
  };

  return {
    /**
     * Rejects a destination that is an imported link of this server, or flagged.
     *
     * @returns whether it could not be checked fully and needs a re-check
     * @throws ApiError invalid_url or unsafe_url, and what `reputation.check` throws
     */
    rejectUnsafe,

    /**
     * Checks a destination as a create or an edit does.
     *
     * @throws ApiError invalid_url or unsafe_url
     */
    checkDestination: async (url: unknown): Promise<CheckedDestination> => {
      const destination = parseDestination(url, shortUrls.prefixes);
      return { destination, needsRecheck: await rejectUnsafe(destination) };
    },
  };
}

/** Destinations of a preview that are checked fully. A remote check responds in about 50 ms. */
export const fullyCheckedInPreview = 100;

/**
 * Creates the check of the destinations of one preview, such as of a table.
 * The first are checked fully, the others not by the remote check, so that a preview never takes minutes. They are checked
 * fully before they are stored.
 */
export function createPreviewCheck(
  checkFully: (url: string) => Promise<CheckedDestination>,
  checkOthers: (url: string) => Promise<CheckedDestination>,
): (url: string) => Promise<CheckedDestination> {
  let checked = 0;
  return (url) => (checked++ < fullyCheckedInPreview ? checkFully(url) : checkOthers(url));
}
