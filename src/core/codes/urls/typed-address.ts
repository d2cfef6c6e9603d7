import { isBelowTopLevelDomain } from '../../../lib/text/top-level-domains.ts';
import { trimInvisible } from '../../../lib/trim.ts';

// Top-level domains that are endings of files as well, and hardly any printed address has.
const fileEnding = /\.(?:zip|mov|pub|cab|md|sh|py|ps)$/i;

// Initials or a title before a name that is a top-level domain as well, such as `J.Kim`.
const personName = /^\p{Lu}\p{L}{0,2}\.\p{Lu}\p{Ll}+$/u;

// Reserved names, which the public list lacks (RFC 2606, RFC 6762, and ICANN for `internal`).
const reservedEnding = /\.(?:example|test|local|internal)$/i;

/**
 * Returns the host at the start of a text without a scheme, such as `example.com/menu`.
 * Null when there is none.
 */
function hostAtStart(text: string): string | null {
  const [, host = null] =
    /^([^\s/?#:@.]+(?:\.[^\s/?#:@.]+)+)(?::\d+)?(?:[/?#]|$)/.exec(trimInvisible(text)) ?? [];
  return host;
}

/**
 * Returns whether a URL begins with a domain, as people type it.
 * File names, versions and initials are none: their ending is no top-level domain.
 */
export function beginsWithDomain(text: string): boolean {
  const host = hostAtStart(text);
  const isOther = host === trimInvisible(text) && (fileEnding.test(host) || personName.test(host));
  return host !== null && !isOther && (isBelowTopLevelDomain(host) || reservedEnding.test(host));
}

/** Adds `https://` to a URL that begins with a domain. */
export function withScheme(text: string): string {
  const typed = trimInvisible(text);
  return beginsWithDomain(typed) ? `https://${typed}` : typed;
}

/**
 * Returns the addresses of a text in which one follows the other.
 * A paste that replaced nothing leaves such a text. Null when there is one address. An address that is the value of a
 * parameter belongs to the one before it.
 */
export function splitAddresses(text: string): readonly [first: string, second: string] | null {
  for (const { index } of text.matchAll(/https?:\/\//gi)) {
    const first = text.slice(0, index);
    const isValue = /[?#]/.test(first) && /[=?&#]$/.test(first);
    if (index > 0 && !isValue) return [first, text.slice(index)];
  }
  return null;
}

/** Returns whether a text has the form of a domain without being one, such as `menu.pdf` and `v1.beta`. */
export function resemblesDomain(text: string): boolean {
  return hostAtStart(text) !== null && !beginsWithDomain(text);
}
