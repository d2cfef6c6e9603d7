// Host names of the Internet have letters, digits and hyphens (RFC 1123, 2.1). Many real ones have underscores too.
const label = /^[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?$/;
const [maxLabelLength, maxNameLength] = [63, 253];

const dots = /[\u3002\uff0e\uff61]/;

/**
 * Returns why a URL has no host or port that every client reads alike, in words, or null. The WHATWG parser of
 * browsers rewrites hosts; parsers of RFC 3986, such as curl's, do not.
 *
 * @param authority the URL's text between `//` and the next `/`, `?` or `#` (RFC 3986, 3.2)
 * @param parsed the host of the same URL by the WHATWG parser; null if it rejects the URL
 */
export function hostProblem(authority: string, parsed: string | null): string | null {
  if (authority.includes('@')) return 'The URL must not carry a user name or password.';
  const [, host = ''] = /^(\[.*\]|[^:]*)/.exec(authority) ?? [];
  if (host === '') return 'The URL has no host.';
  if (host.includes(',')) return 'There is a comma in the host.';
  if (host.includes('%') && !host.startsWith('['))
    return 'The host is percent-encoded. Write it in plain characters.';
  if (parsed === null || parsed === '') return 'The URL has no valid host or port.';
  if (/:0+$/.test(authority)) return 'The port is 0, at which nothing can be reached.';
  if (host.startsWith('[')) return null;
  const labels = parsed.replace(/\.$/, '').split('.');
  if (labels.includes('')) return 'The host has a dot too many.';
  if (!isWrittenAsParsed(host, parsed))
    return /^[\d.]+$/.test(parsed)
      ? 'The host is an unusual spelling of an IP address. Write four decimal numbers, such as 192.0.2.7.'
      : 'The host has characters that browsers replace or drop.';
  if (labels.some(({ length }) => length > maxLabelLength))
    return `A part of the host between two dots is longer than ${maxLabelLength} characters.`;
  if (labels.join('.').length > maxNameLength)
    return `The host is longer than ${maxNameLength} characters.`;
  if (!labels.every((one) => label.test(one)))
    return 'The host has a character or a hyphen where no host name can have one.';
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

/** Hosts that mean the machine itself, those of `/etc/hosts` on Debian included. It is at the unspecified address, too. */
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
