import { Refused } from '../../errors.ts';
import type { Acting } from '../../ports.ts';
import type { DomainStore } from '../ports.ts';

/** The domains that new codes of an account can be printed with. */
export interface DomainChoices {
  /** The main one first. */
  readonly urls: readonly string[];
  /** That of codes for which none is chosen. */
  readonly preset: string;
}

/** Says which domains new codes are printed with. */
export type NewDomains = ReturnType<typeof createNewDomains>;

/**
 * Creates what says which domains an account prints new codes with.
 *
 * @param deps.shortUrl the main domain, which all accounts may use
 */
export function createNewDomains({
  domains,
  shortUrl,
}: {
  /** Default: the main domain alone. */
  readonly domains?:
    | Pick<
        DomainStore,
        'usable' | 'defaultOf' | 'setDefault' | 'folderDefault' | 'setFolderDefault'
      >
    | undefined;
  readonly shortUrl: string;
}) {
  /** Returns the domains that an account may use, the main one first. */
  const usable = async (accountId: number): Promise<string[]> => [
    shortUrl,
    ...((await domains?.usable(accountId)) ?? []),
  ];
  const defaultOf = async (accountId: number, folder: string | null): Promise<string> =>
    (await domains?.defaultOf(accountId, folder)) ?? shortUrl;
  const require = async (accountId: number, url: string): Promise<string> => {
    if (!(await usable(accountId)).includes(url))
      throw new Refused({ kind: 'no domain of the account', url });
    return url;
  };
  /** Returns a domain as it is stored. */
  const stored = async (accountId: number, url: string): Promise<string | null> =>
    (await require(accountId, url)) === shortUrl ? null : url;
  return {
    shortUrl,
    usable,

    /** Returns the domain of new codes for which nobody names one: that of their folder, else that of the account. */
    defaultOf,

    /** Returns what a form of a new code offers. */
    choicesOf: async (accountId: number, folder: string | null): Promise<DomainChoices> => ({
      urls: await usable(accountId),
      preset: await defaultOf(accountId, folder),
    }),

    /** Sets the domain of new codes of an account. @throws Refused when the account may not use it */
    setDefault: async (acting: Acting, url: string, atMs: number): Promise<void> =>
      domains?.setDefault(acting, await stored(acting.accountId, url), atMs),

    /** Returns the domain of new codes in a folder; undefined if it has none of its own. */
    folderDefault: async (accountId: number, folder: string): Promise<string | undefined> => {
      const own = await domains?.folderDefault(accountId, folder);
      return own === null ? shortUrl : own;
    },

    /**
     * Sets the domain of new codes in a folder.
     *
     * @param url undefined for that of the account
     * @throws Refused when the account may not use it
     */
    setFolderDefault: async (
      acting: Acting,
      folder: string,
      url: string | undefined,
      atMs: number,
    ): Promise<void> => {
      const own = url === undefined ? undefined : await stored(acting.accountId, url);
      await domains?.setFolderDefault(acting, folder, own, atMs);
    },

    /** Returns a domain as it is. @throws Refused when the account may not use it */
    require,
  };
}

/**
 * Returns the domain that a text names, or null.
 * The scheme and a slash at the end may be missing, and capitals are ignored.
 */
export function findDomain(text: string, domains: readonly string[]): string | null {
  return domains.find((url) => namesDomain(text, url)) ?? null;
}

function namesDomain(text: string, domain: string): boolean {
  // What the parser of URLs would drop or change.
  if (/^\/|[\s\p{Cc}\\?#@]/u.test(text)) return false;
  const home = new URL(domain);
  const named = URL.parse(/^https?:\/\//i.test(text) ? text : `${home.protocol}//${text}`);
  return named !== null && plain(named) === plain(home);
}

/** Returns a domain as people write it, without the scheme, a slash at the end, and capitals. */
export function plainDomain(text: string): string {
  return text
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/\/$/, '');
}

const plain = ({ origin, pathname }: URL) =>
  `${origin}${pathname.replace(/\/$/, '')}`.toLowerCase();
