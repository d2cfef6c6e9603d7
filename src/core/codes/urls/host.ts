import type { DestinationProblem } from '../../reasons.ts';

// Host names of the Internet have letters, digits and hyphens (RFC 1123, 2.1). Many real ones have underscores too.
const label = /^[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?$/;
/** Maximum length of a part of a host between two dots (RFC 1035, 2.3.4). */
export const maxHostLabelLength = 63;
/** Maximum length of a host. */
export const maxHostLength = 253;

const dots = /[\u3002\uff0e\uff61]/;

/**
 * Returns why a URL has no host or port that every client reads alike, or null. The WHATWG parser of
 * browsers rewrites hosts; parsers of RFC 3986, such as curl's, do not.
 *
 * @param authority the URL's text between `//` and the next `/`, `?` or `#` (RFC 3986, 3.2)
 * @param parsed the host of the same URL by the WHATWG parser; null if it rejects the URL
 */
export function hostProblem(authority: string, parsed: string | null): DestinationProblem | null {
  if (authority.includes('@')) return 'user name';
  const [, host = ''] = /^(\[.*\]|[^:]*)/.exec(authority) ?? [];
  if (host === '') return 'no host';
  if (host.includes(',')) return 'comma in the host';
  if (host.includes('%') && !host.startsWith('[')) return 'percent-encoded host';
  if (parsed === null || parsed === '') return 'no valid host or port';
  if (/:0+$/.test(authority)) return 'port 0';
  if (host.startsWith('[')) return null;
  const labels = parsed.replace(/\.$/, '').split('.');
  if (labels.includes('')) return 'dot too many';
  if (!isWrittenAsParsed(host, parsed))
    return /^[\d.]+$/.test(parsed) ? 'unusual IP address' : 'replaced characters';
  if (labels.some(({ length }) => length > maxHostLabelLength)) return 'long label';
  if (labels.join('.').length > maxHostLength) return 'long host';
  if (!labels.every((one) => label.test(one))) return 'no host name';
  return null;
}

/** Returns whether a parser that only ignores case and converts to punycode finds the same host. */
function isWrittenAsParsed(host: string, parsed: string): boolean {
  const ascii = parsed.split('.');
  const labels = host.split('.');
  return (
    labels.length === ascii.length &&
    labels.every((text, index) =>
      /^[\0-\x7f]*$/.test(text) ? text.toLowerCase() === ascii[index] : isPlainUnicode(text),
    )
  );
}

/** Returns whether IDNA (UTS 46) keeps all characters of a label, but for case. */
function isPlainUnicode(text: string): boolean {
  // Zero-width joiners mean something in some scripts, where IDNA checks them.
  const withoutJoiners = text.replace(/[\u200c\u200d]/g, '');
  if (dots.test(text) || /\p{Default_Ignorable_Code_Point}/u.test(withoutJoiners)) return false;
  return text.normalize('NFKC').toLowerCase() === text.normalize('NFC').toLowerCase();
}

/**
 * Hosts that mean the machine itself, those of `/etc/hosts` on Debian included.
 * It is at the unspecified address, too.
 */
export const thisMachine =
  /^(?:(?:.*\.)?localhost(?:\.localdomain)?|ip6-(?:localhost|loopback)|127\.[\d.]+|0\.0\.0\.0|\[::1?\])$/;
const privateHosts = [
  /^(?:10|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01]))\./,
  /^\[f(?:[cd]|e[89ab])/,
  /\.(?:local|lan|home|internal|home\.arpa)$/,
  // A name without a domain.
  /^[^.:]+$/,
];

/** Returns who can open a URL, as far as its host tells. */
export function reachOf({ hostname }: URL): 'this machine' | 'private network' | 'anyone' {
  if (thisMachine.test(hostname)) return 'this machine';
  return privateHosts.some((pattern) => pattern.test(hostname)) ? 'private network' : 'anyone';
}
