import { entryExpression, isNetwork } from '../url/expressions.ts';

/** Expressions of a line; none for a comment or heading; the cause when it cannot be read. */
export type LineContent = readonly string[] | { readonly unreadable: string };
export type LineReader = (line: string) => LineContent;

/** Names that every hosts file maps. */
const localNames =
  /^(?:localhost(?:\.localdomain)?|local|broadcasthost|ip6-[a-z]+|0\.0\.0\.0|127\.0\.0\.1|::1)$/i;

// The common case, without parsing a URL. A last label that begins with a letter excludes addresses.
const plainDomain = /^(?:[a-z0-9_](?:[a-z0-9_-]{0,62})\.)+[a-z][a-z0-9-]{0,62}$/;
const noEntry = { unreadable: 'neither a domain nor a URL' } as const;

/** Reads one domain or URL; `#`, `;`, `!` and `//` begin a comment. */
export function readPlainLine(line: string): LineContent {
  if (/^(?:[#;!]|\/\/)/.test(line)) return [];
  // A comment after the entry begins with a space.
  const comment = line.search(/\s[#;]/);
  return readEntry((comment < 0 ? line : line.slice(0, comment)).trimEnd());
}

/** Reads `0.0.0.0 domain [domain …]`, as in /etc/hosts; a line without an address is one domain. */
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

/** Reads `||domain^`, `||domain/path`, `|http://…|` with options that do not restrict it, or a domain. */
export function readAdblockLine(line: string): LineContent {
  if (/^(?:!|#(?!#)|\[)/.test(line)) return [];
  if (line.startsWith('@@')) return { unreadable: 'an exception; add it as an allow rule instead' };
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

/** Reads one domain or URL. */
export function readEntry(text: string): LineContent {
  if (plainDomain.test(text)) return [`${text}/`];
  if (text === '' || /\s/.test(text)) return noEntry;
  if (isNetwork(text)) return { unreadable: 'a network, not an address' };
  const expression = entryExpression(text);
  if (expression === null) return noEntry;
  const host = expression.slice(0, expression.indexOf('/'));
  // A single number or word is no entry, though it parses as an address or host.
  const isNamed = host.includes('.') && !/^[0-9.]+$/.test(host);
  const isExplicit =
    /:\/\//.test(text) || /^\[|^(?:[0-9]{1,3}\.){3}[0-9]{1,3}(?:[:/]|$)/.test(text);
  return isNamed || isExplicit ? [expression] : noEntry;
}

export function isEntries(content: LineContent): content is readonly string[] {
  return Array.isArray(content);
}

export function looksLikeAddress(text: string): boolean {
  return /^(?:[0-9]{1,3}(?:\.[0-9]{1,3}){3}|[0-9a-f:]*:[0-9a-f:.]*)$/i.test(text);
}
