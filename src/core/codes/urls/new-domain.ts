import { Refused } from '../../errors.ts';
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
  readonly domains?: Pick<DomainStore, 'usable' | 'defaultOf'> | undefined;
  readonly shortUrl: string;
}) {
  /** Returns the domains that an account may use, the main one first. */
  const usable = async (accountId: number): Promise<string[]> => [
    shortUrl,
    ...((await domains?.usable(accountId)) ?? []),
  ];
  const defaultOf = async (accountId: number): Promise<string> =>
    (await domains?.defaultOf(accountId)) ?? shortUrl;
  return {
    shortUrl,
    usable,

    /** Returns the domain of new codes for which nobody names one: that of the account. */
    defaultOf,

    /** Returns what a form of a new code offers. */
    choicesOf: async (accountId: number): Promise<DomainChoices> => ({
      urls: await usable(accountId),
      preset: await defaultOf(accountId),
    }),

    /** Returns a domain as it is. @throws Refused when the account may not use it */
    require: async (accountId: number, url: string): Promise<string> => {
      if (!(await usable(accountId)).includes(url))
        throw new Refused({ kind: 'no domain of the account', url });
      return url;
    },
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
