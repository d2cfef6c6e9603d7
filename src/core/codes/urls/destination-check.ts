import { ApiError } from '../../errors.ts';
import type { DomainStore, LinkImportStore, Reputation } from '../ports.ts';
import { flagSource } from '../qr.ts';
import { parseDestination } from './destination.ts';
import { allKeysOf, formsOf, scopeOf } from './resolve.ts';
import { ownPaths, type ShortUrlSettings } from './short-url.ts';

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
  const { linkImports, reputation, shortUrls } = deps;

  /** Returns the paths at which a destination would lead back to this server under another domain. */
  const pathsOfDomains = async (destination: string): Promise<string[]> => {
    const host = URL.parse(destination)?.host;
    const domain = (await deps.domains?.all())?.find(({ url }) => new URL(url).host === host);
    return domain === undefined || host === undefined
      ? []
      : ownPaths(destination, [domain.url]).map((path) => scopeOf(host) + path);
  };

  const rejectUnsafe = async (destination: string): Promise<boolean> => {
    const keys = [
      ...ownPaths(destination, shortUrls.prefixes),
      ...(await pathsOfDomains(destination)),
    ].flatMap(allKeysOf);
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
const fullyCheckedInPreview = 100;

/**
 * Creates the check of the destinations of one preview, such as of a table.
 * The first are checked fully. The others are checked against rules and lists alone, so that a preview never takes
 * minutes: all of them are checked again before they are stored.
 */
export function createPreviewCheck(
  checkFully: (url: string) => Promise<CheckedDestination>,
  checkHere: (url: string) => Promise<CheckedDestination>,
): (url: string) => Promise<CheckedDestination> {
  let checked = 0;
  return (url) => (checked++ < fullyCheckedInPreview ? checkFully(url) : checkHere(url));
}
