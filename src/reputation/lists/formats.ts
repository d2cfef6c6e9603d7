import { entryExpression, isNetwork } from '../url/expressions.ts';

/** The public formats of block lists that can be read. */
export const listFormats = ['lines', 'hosts', 'csv', 'adblock'] as const;
export type ListFormat = (typeof listFormats)[number];

/** What a line holds: expressions, none (a comment, a heading), or something that was not read. */
export type LineContent = readonly string[] | { readonly unreadable: string };
export type LineReader = (line: string) => LineContent;

/** Names that every hosts file maps and no one wants to block. */
const localNames =
  /^(?:localhost(?:\.localdomain)?|local|broadcasthost|ip6-[a-z]+|0\.0\.0\.0|127\.0\.0\.1|::1)$/i;

// The common case, recognised without taking a URL apart. A last label that begins with a letter
// cannot belong to an address.
const plainDomain = /^(?:[a-z0-9_](?:[a-z0-9_-]{0,62})\.)+[a-z][a-z0-9-]{0,62}$/;
const noEntry = { unreadable: 'neither a domain nor a URL' } as const;

/** One domain or URL a line; `#`, `;`, `!` and `//` begin a comment. */
export function readPlainLine(line: string): LineContent {
  if (/^(?:[#;!]|\/\/)/.test(line)) return [];
  // A comment behind the entry begins with a space.
  const comment = line.search(/\s[#;]/);
  return readEntry((comment < 0 ? line : line.slice(0, comment)).trimEnd());
}

/** `0.0.0.0 domain [domain …]`, as in /etc/hosts; a line without an address is one domain. */
export function readHostsLine(line: string): LineContent {
  const [address = '', ...names] = (line.split('#', 1)[0] ?? '').trim().split(/\s+/);
  if (address === '') return [];
  if (names.length === 0) return readEntry(address);
  if (!looksLikeAddress(address)) return { unreadable: 'does not begin with an address' };
  const expressions: string[] = [];
  for (const name of names.filter((name) => !localNames.test(name))) {
    const content = readEntry(name);
    if (!isEntries(content)) return content;
    expressions.push(...content);
  }
  return expressions;
}

/** `||domain^`, `||domain/path`, `|http://…|`, options that narrow nothing down; or a bare domain. */
export function readAdblockLine(line: string): LineContent {
  if (/^(?:!|#(?!#)|\[)/.test(line)) return [];
  if (line.startsWith('@@'))
    return { unreadable: 'an exception; add it as an allow entry instead' };
  if (/#[@?$%]?#/.test(line)) return { unreadable: 'hides parts of pages, blocks no address' };
  const [pattern = '', options] = line.split('$', 2);
  if (
    options !== undefined &&
    !/^(?:(?:all|document|doc|popup|third-party|3p|important),?)+$/.test(options)
  ) {
    return { unreadable: `applies only under the options "${options.slice(0, 40)}"` };
  }
  const text = withoutEndMarks(pattern.replace(/^\|{1,2}/, ''));
  return /[*^|]/.test(text.replace(/^\*\./, ''))
    ? { unreadable: 'a pattern, not an address' }
    : readEntry(text);
}

function withoutEndMarks(pattern: string): string {
  let end = pattern.length;
  while (end > 0 && '|^'.includes(pattern.charAt(end - 1))) end--;
  return pattern.slice(0, end);
}

/** The expression of one domain or URL. */
export function readEntry(text: string): LineContent {
  if (plainDomain.test(text)) return [`${text}/`];
  if (text === '' || /\s/.test(text)) return noEntry;
  if (isNetwork(text)) return { unreadable: 'a network, not an address' };
  const expression = entryExpression(text);
  if (expression === null) return noEntry;
  const host = expression.slice(0, expression.indexOf('/'));
  // A lone number or word is no entry, though it could be read as an address or a host.
  const isNamed = host.includes('.') && !/^[0-9.]+$/.test(host);
  const spelledOut =
    /:\/\//.test(text) || /^\[|^(?:[0-9]{1,3}\.){3}[0-9]{1,3}(?:[:/]|$)/.test(text);
  return isNamed || spelledOut ? [expression] : noEntry;
}

export function isEntries(content: LineContent): content is readonly string[] {
  return Array.isArray(content);
}

export function looksLikeAddress(text: string): boolean {
  return /^(?:[0-9]{1,3}(?:\.[0-9]{1,3}){3}|[0-9a-f:]*:[0-9a-f:.]*)$/i.test(text);
}
