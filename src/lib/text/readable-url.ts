/** Writing systems of host names, each with those that one language writes beside it (UTS 39, 5.2). */
const scriptSets = [
  'Latn Hani Hira Kana',
  'Latn Hani Bopo',
  'Latn Hani Hang',
  ...'Cyrl Grek Armn Hebr Arab Geor Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Thai Laoo Tibt Mymr Khmr Ethi Thaa Mong'.split(
    ' ',
  ),
];

// Compiled when a host is not ASCII: that takes milliseconds.
let writingSystems: readonly RegExp[] | undefined;

function compileWritingSystems(): readonly RegExp[] {
  return scriptSets.map((scripts) => {
    const sets = `${scripts} Zyyy Zinh`.split(' ').map((script) => `\\p{scx=${script}}`);
    return new RegExp(`^[${sets.join('')}]*$`, 'u');
  });
}

/** Returns whether a label of a host has letters of several scripts, as `pаypal` with a Cyrillic а. */
function mixesScripts(label: string): boolean {
  if (/^[\0-\x7f]*$/.test(label)) return false;
  writingSystems ??= compileWritingSystems();
  return !writingSystems.some((system) => system.test(label));
}

// Invisible formatting characters of the bidirectional algorithm (UAX 9, section 2).
const bidiMarks = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Percent-encodes bidirectional marks, which would reorder a text on the screen. */
export function escapeBidiMarks(text: string): string {
  return text.replace(bidiMarks, encodeURIComponent);
}

/**
 * Returns a URL for people, so that it reads as what it is.
 * No marks that reorder it, and the punycode of a host in several scripts.
 */
export function readableUrl(url: string): string {
  return escapeBidiMarks(showMixedScripts(url));
}

/**
 * Adds the punycode of a URL's host in parentheses, if one of its labels mixes scripts.
 * The scheme may be missing.
 */
function showMixedScripts(url: string): string {
  const [beginning = '', scheme = '', authority = ''] = /^(https?:\/\/)?([^/?#]*)/i.exec(url) ?? [];
  if (!authority.replace(/:\d*$/, '').split('.').some(mixesScripts)) return url;
  const ascii = URL.parse(scheme === '' ? `https://${url}` : url)?.hostname;
  return ascii === undefined ? url : `${beginning} (${ascii})${url.slice(beginning.length)}`;
}

// Four lines on a phone.
export const maxShownLength = 160;

/**
 * Returns the beginning of a long address for display, at least up to the end of its host.
 * Returns null when the address is short enough to be shown in full.
 */
export function truncateUrl(address: string): string | null {
  if (address.length <= maxShownLength) return null;
  const [host = ''] = /^(?:https?:[/\\]+)?[^/?#\\]*/i.exec(address) ?? [];
  // A surrogate pair is not split.
  return address.slice(0, Math.max(maxShownLength, host.length)).replace(/[\ud800-\udbff]$/, '');
}
