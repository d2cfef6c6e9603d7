import { entryExpression, isNetwork } from '../url/expressions.ts';

/** The expressions of a line, none for a comment or heading; or why it cannot be read. */
export type LineContent = readonly string[] | { readonly unreadable: string };
export type LineReader = (line: string) => LineContent;

/** Names that every hosts file maps. */
const localNames =
  /^(?:localhost(?:\.localdomain)?|local|broadcasthost|ip6-[a-z]+|0\.0\.0\.0|127\.0\.0\.1|::1)$/i;

// The common case, without parsing a URL. A last label that begins with a letter excludes addresses.
const plainDomain = /^(?:[a-z0-9_](?:[a-z0-9_-]{0,62})\.)+[a-z][a-z0-9-]{0,62}$/;
const noEntry = { unreadable: 'neither a domain nor a URL' } as const;

/**
 * Parses a line of a list: a domain or URL, a line of a hosts file, or an adblock rule. Each line is
 * detected on its own, because merged lists mix them.
 */
export function readLine(line: string): LineContent {
  if (plainDomain.test(line)) return [`${line}/`];
  if (/^(?:[#;!]|\/\/|\[adblock)/i.test(line)) return [];
  if (isAdblockRule(line)) return readAdblockRule(line);
  if (isHostsLine(line)) return readHostsLine(line);
  // A comment after the entry begins with a space.
  const comment = line.search(/\s[#;]/);
  return readEntry((comment < 0 ? line : line.slice(0, comment)).trimEnd());
}

/** Returns whether a line is `0.0.0.0 domain [domain …]`, as in /etc/hosts. */
export function isHostsLine(line: string): boolean {
  const end = line.search(/\s/);
  const isAddress = /^(?:[0-9]{1,3}(?:\.[0-9]{1,3}){3}|[0-9a-f]*:[0-9a-f:.]*)$/i;
  return end !== -1 && isAddress.test(line.slice(0, end)) && !/^\s+[#;]/.test(line.slice(end));
}

function readHostsLine(line: string): LineContent {
  const [, ...names] = (line.split('#', 1)[0] ?? '').trim().split(/\s+/);
  const expressions: string[] = [];
  for (const name of names.filter((name) => !localNames.test(name))) {
    const content = readEntry(name);
    if (!isEntries(content)) return content;
    expressions.push(...content);
  }
  return expressions;
}

/** Returns whether a line is a rule of an ad blocker: `||domain^`, `|http://…|`, `@@…`, `site##.ad`. */
export function isAdblockRule(line: string): boolean {
  return /^(?:\||@@)|^[^/]*#[@?$%]?#/.test(line);
}

/** Parses `||domain^`, `||domain/path` or `|http://…|`, with options that do not restrict it. */
function readAdblockRule(line: string): LineContent {
  if (line.startsWith('@@')) return { unreadable: 'an exception; add it as an allow rule instead' };
  if (!line.startsWith('|')) return { unreadable: 'hides parts of pages, blocks no address' };
  const [pattern = '', options] = line.split('$', 2);
  const isUnrestricted = /^(?:(?:all|document|doc|popup|third-party|3p|important),?)+$/;
  if (options !== undefined && !isUnrestricted.test(options))
    return { unreadable: `applies only under the options "${options.slice(0, 40)}"` };
  const text = pattern.replace(/^\|{1,2}(?:\*\.)?/, '');
  const end = text.search(/[*^|]/);
  if (end === -1) return readEntry(text);
  return /^[|^]{1,2}$/.test(text.slice(end))
    ? readEntry(text.slice(0, end))
    : { unreadable: 'a pattern, not an address' };
}

/** Parses one domain or URL. */
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
