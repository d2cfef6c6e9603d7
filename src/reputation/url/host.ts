import { domainToASCII } from 'node:url';

/** A host in Safe Browsing's canonical form, before escaping. */
export interface Host {
  readonly name: string;
  /** An IP address has no host suffixes. */
  readonly isAddress: boolean;
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Canonicalizes a host: punycode for IDN, no superfluous dots, dotted decimals for any spelling of an
 * IPv4 address, short IPv6, lower case. Null when it is no host.
 *
 * @param bytes the unescaped host without port
 * @see Safe Browsing, "URLs and Hashing", "To canonicalize the hostname"
 */
export function canonicalHost(bytes: string): Host | null {
  if (bytes.startsWith('[')) return canonicalIpv6(bytes);
  if (/[:[\]]/.test(bytes)) return null;
  const name = removeExtraDots(toAscii(removeExtraDots(bytes)));
  if (name === '') return null;
  const address = canonicalIpv4(name);
  if (address !== null) return { name: address, isAddress: true };
  return { name: name.replace(/[A-Z]+/g, (run) => run.toLowerCase()), isAddress: false };
}

function removeExtraDots(name: string): string {
  return name.replace(/\.{2,}/g, '.').replace(/^\.|\.$/g, '');
}

/** Converts an internationalized name to punycode; returns anything else unchanged. */
function toAscii(bytes: string): string {
  if (!/[\x80-\xff]/.test(bytes)) return bytes;
  try {
    const text = strictUtf8.decode(Buffer.from(bytes, 'latin1'));
    // The conversion parses its input as part of a URL: other ASCII would be parsed as syntax.
    if (/[\0-,/:-@[-^`{-\x7f]/.test(text)) return bytes;
    return domainToASCII(text) || bytes;
  } catch {
    return bytes;
  }
}

const ipv4Part = /^(?:0x[0-9a-f]*|[0-9]+)$/i;

/**
 * Converts any spelling of an IPv4 address that inet_aton accepts to dotted decimals.
 * One to four parts, each decimal, octal or hexadecimal, the last one filling the remaining bytes. A part that is too
 * large is truncated, as in Google's own client. Null when the name is no address.
 */
function canonicalIpv4(name: string): string | null {
  const parts = name.split('.');
  if (parts.length > 4 || !parts.every((part) => ipv4Part.test(part))) return null;
  const numbers = parts.map(numberOf);
  if (!numbers.every((number) => number <= 0xffffffff)) return null; // NaN included
  const last = numbers.pop() ?? 0;
  const bytes = numbers.map((number) => number % 256);
  for (let shift = 8 * (3 - bytes.length); shift >= 0; shift -= 8) {
    bytes.push(Math.floor(last / 2 ** shift) % 256);
  }
  return bytes.join('.');
}

/** Parses a part; NaN for an octal number with a digit 8 or 9. */
function numberOf(part: string): number {
  if (/^0x/i.test(part)) return part.length === 2 ? 0 : Number.parseInt(part.slice(2), 16);
  if (!part.startsWith('0')) return Number(part);
  return /^[0-7]+$/.test(part) ? Number.parseInt(part, 8) : Number.NaN;
}

// Eight groups, a zone and brackets are shorter.
const maxIpv6Length = 128;

function canonicalIpv6(bytes: string): Host | null {
  if (bytes.length > maxIpv6Length) return null;
  const withoutZone = bytes.replace(/^([^%\]]*)%[^\]]*\]$/, '$1]');
  const short = URL.parse(`http://${withoutZone}/`)?.hostname;
  if (!short?.startsWith('[') || !/^\[[0-9a-f:.]+\]$/i.test(withoutZone)) return null;
  const groups = groupsOf(short.slice(1, -1));
  const [, , , , , sixth, high = 0, low = 0] = groups;
  const ipv4 = [high >> 8, high & 255, low >> 8, low & 255].join('.');
  const leading = groups.slice(0, 5).join(':');
  const mapped = leading === '0:0:0:0:0' && sixth === 0xffff;
  // 64:ff9b::/96, the well-known prefix of NAT64 (RFC 6052).
  const nat64 = leading === `${0x64}:${0xff9b}:0:0:0` && sixth === 0;
  if (mapped || nat64) return { name: ipv4, isAddress: true };
  const compatible = leading === '0:0:0:0:0' && sixth === 0 && high !== 0;
  return { name: compatible ? `[::${ipv4}]` : short, isAddress: true };
}

/** Expands an address in the URL parser's short form to its eight numbers. */
function groupsOf(address: string): number[] {
  const [left = [], right = []] = address
    .split('::')
    .map((half) => (half === '' ? [] : half.split(':').map((group) => Number.parseInt(group, 16))));
  const zeros = new Array<number>(8 - left.length - right.length).fill(0);
  return [...left, ...zeros, ...right];
}
