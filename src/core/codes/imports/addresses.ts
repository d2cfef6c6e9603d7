import { isBelowTopLevelDomain } from '../../../lib/text/top-level-domains.ts';
import { decodedPath } from '../path.ts';

/**
 * Returns all printed addresses of a link, each once.
 *
 * @param path of the link, or a second one, with the domain where that is known
 * @param more further addresses, or paths under the same host
 */
export function addressesOf(link: string, path: string, more: readonly string[]): string[] {
  const host = /^https?:\/\/[^/]+/i.exec(link || path)?.[0] ?? '';
  const under = (text: string) =>
    host === '' || /^https?:/i.test(text) ? text : `${host}/${text.replace(/^\//, '')}`;
  const isWhole = link !== '' && path !== '' && !isAddressOf(link, path);
  const all = [link || path, ...(isWhole ? [under(path)] : []), ...more.map(withScheme).map(under)];
  return [...new Map(all.map((one) => [one.replace(/^https?:\/\//i, ''), one])).values()];
}

/** What programs write in place of a missing value. */
const none = /^(?:[-–—]|n\/a|none|null|nil|nan|undefined|false)$/i;

/** Returns whether a cell has objects of JSON, in which an address may have any name. */
export function isUnknownForm(text: string): boolean {
  return text.includes('{');
}

/** Returns the addresses of a cell: one, several, or a list as programs write it. */
export function furtherAddresses(text: string): string[] {
  if (isUnknownForm(text) || none.test(text)) return [];
  return text.split(/[\s,;|"'[\]]+/).filter(Boolean);
}

/** Returns whether a printed address ends with a path, encoded or not. */
function isAddressOf(link: string, path: string): boolean {
  const segments = (text: string) => (decodedPath(text) ?? text).replace(/^\/|\/$/g, '');
  const end = segments(path.replace(/^https?:\/\/[^/]*/i, ''));
  return `/${segments(URL.parse(link)?.pathname ?? link)}`.endsWith(`/${end}`);
}

/** Adds `https://` to a printed address that begins with a host, as Bitly and Rebrandly write it. */
function withScheme(link: string): string {
  return /^[^\s/:.]+(?:\.[^\s/:.]+)+(?::\d+)?\/./.test(link) ? `https://${link}` : link;
}

/** Adds `https://` also to a host alone. There is no link without a path. */
export function printedAddress(link: string): string {
  return isBelowTopLevelDomain(link.replace(/\/$/, '')) ? `https://${link}` : withScheme(link);
}

/**
 * Returns the printed address of a domain, which may be an address too, and a path.
 * Without a domain, returns the path, as an address if it begins with a host (`qr.example.com/menu`).
 */
export function withDomain(domain: string, path: string): string {
  const host = domain.replace(/^https?:\/\//i, '').replace(/\/$/, '');
  const [first = ''] = path.split('/', 1);
  if (host === '' && path.length > first.length + 1 && isBelowTopLevelDomain(first))
    return `https://${path}`;
  return host === '' || path === '' || /^https?:/i.test(path)
    ? path
    : `https://${host}/${path.replace(/^\//, '')}`;
}
