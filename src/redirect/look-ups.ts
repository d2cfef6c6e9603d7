import { parseCode, parseCodeNumber } from '../core/codes/code.ts';

/** A step of the redirects that the database keeps. */
export interface RedirectStep {
  readonly version: number;
  /** The codes whose redirect changed; null for all. */
  readonly codes: readonly string[] | null;
}

/**
 * Returns the codes whose redirect may have changed since a version; null for all.
 *
 * @param since the version that the targets in memory belong to; null when there are none
 * @param steps the kept steps from that version on, which is the first if it is still kept
 * @param version the current one
 */
export function changedCodes(
  since: number | null,
  steps: readonly RedirectStep[],
  version: number,
): readonly string[] | null {
  // Otherwise the version is too old, was lost in a failover, or was changed by hand.
  if (steps[0]?.version !== since || steps.at(-1)?.version !== version) return null;
  const changed: string[] = [];
  for (const { codes } of steps.slice(1)) {
    if (codes === null) return null;
    changed.push(...codes);
  }
  return changed;
}

/**
 * Returns the keys under which a target may be cached.
 * The path of an imported link may look like a code.
 */
export function keysOfCode(code: string): (number | string)[] {
  const number = parseCodeNumber(code, 0, code.length);
  return number === null ? [code] : [number, code];
}

/** Returns the key under which the short link of a stored code is looked up. */
export function keyOfCode(code: string): number | string {
  return parseCode(code) === code ? (parseCodeNumber(code, 0, code.length) ?? code) : code;
}

/** A domain beside the main one: it has short links, and neither API nor panel. */
export interface LinkDomain {
  /** Where `/` leads; null means to the front page of the server. */
  readonly frontUrl: string | null;
  /** Where unknown paths lead; null means to a page that says so. */
  readonly notFoundUrl: string | null;
}

/** Selects the domains beside the main one. The schema of an earlier version has none. */
export const selectDomains =
  'SELECT url, front_url AS "frontUrl", not_found_url AS "notFoundUrl" FROM domains';

/** Returns domains by their hosts. */
export function domainsByHost(
  rows: readonly (LinkDomain & { readonly url: string })[],
): ReadonlyMap<string, LinkDomain> {
  return new Map(rows.map(({ url, ...domain }) => [new URL(url).host, domain]));
}

/** Returns whether a step changes a domain, which it names as `//host`. */
export function isDomainStep(code: string): boolean {
  return code.startsWith('//') && !code.includes('/', 2);
}

/** What the page of a paused code shows of its account. */
export interface PausedPage {
  readonly businessName: string | null;
  /** The code's own message, otherwise the account's. */
  readonly message: string | null;
  /** Null if it has been flagged since it was set. */
  readonly link: string | null;
  /** PNG of the account's logo, at most {@link maxPageLogoBytes} large. */
  readonly logo: Uint8Array | null;
}

/** The largest logo that a page has inlined, in bytes. Instead of a larger one, a letter is shown. */
const maxPageLogoBytes = 20_000;

/** A row of {@link selectPausedPage}. */
export interface PausedPageRow {
  readonly business: string | null;
  readonly message: string | null;
  readonly link: string | null;
  readonly logo: Uint8Array | null;
}

/**
 * Returns the query of what the page of a paused code shows of its account.
 * It fails on schemas of earlier versions, which lack the columns: then there is nothing to show.
 *
 * @param id placeholder of the code's id
 */
export function selectPausedPage(id: string): string {
  return `SELECT accounts.business_name AS business,
    coalesce(qrs.paused_message, accounts.paused_message) AS message,
    CASE WHEN accounts.paused_link_flagged THEN NULL ELSE accounts.paused_link END AS link,
    CASE WHEN length(designs.logo_png) <= ${maxPageLogoBytes} THEN designs.logo_png END AS logo
    FROM qrs JOIN accounts ON accounts.id = qrs.account_id
    LEFT JOIN designs ON designs.id = accounts.default_design_id
    WHERE qrs.id = ${id}`;
}

/** Returns what a row of {@link selectPausedPage} says. */
export function toPausedPage({ business, ...rest }: PausedPageRow): PausedPage {
  return { businessName: business, ...rest };
}
