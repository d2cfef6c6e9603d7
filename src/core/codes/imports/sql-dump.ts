const insert = /INSERT\s+INTO\s+[`"]?\w*url[`"]?\s*(?:\(([^)]*)\)\s*)?VALUES\s*/gi;

/** The columns of `yourls_url` since YOURLS 1.5. */
export const yourlsColumns = ['keyword', 'url', 'title', 'timestamp', 'ip', 'clicks'];

/** Returns whether a text is a dump with the table of links of YOURLS. */
export function isYourlsDump(text: string): boolean {
  insert.lastIndex = 0;
  return insert.test(text);
}

/**
 * Reads the table of links from a dump by mysqldump or phpMyAdmin.
 *
 * @param maxRows one row more than that is read at most
 * @returns rows with the values of `yourlsColumns`, or null when one is broken
 */
export function readYourlsDump(text: string, maxRows: number): string[][] | null {
  const rows: string[][] = [];
  insert.lastIndex = 0;
  for (let match = insert.exec(text); match !== null; match = insert.exec(text)) {
    const columns = match[1]?.split(',').map((column) => column.trim().replaceAll(/[`"]/g, ''));
    const places = yourlsColumns.map((name, index) => columns?.indexOf(name) ?? index);
    let at = insert.lastIndex;
    for (;;) {
      const row = readTuple(text, at);
      if (row === null) return null;
      rows.push(places.map((place) => row.values[place] ?? ''));
      if (rows.length > maxRows) return rows;
      at = skipSpaces(text, row.next);
      if (text[at] !== ',') break;
      at = skipSpaces(text, at + 1);
    }
    insert.lastIndex = at;
  }
  return rows;
}

/** Reads `('a', 2, NULL)`. */
function readTuple(text: string, from: number): { values: string[]; next: number } | null {
  if (text[from] !== '(') return null;
  const values: string[] = [];
  for (let at = from + 1; ; ) {
    at = skipSpaces(text, at);
    const value = text[at] === "'" ? readString(text, at + 1) : readPlain(text, at);
    if (value === null) return null;
    values.push(value.text);
    at = skipSpaces(text, value.next);
    if (text[at] === ')') return { values, next: at + 1 };
    if (text[at] !== ',') return null;
    at++;
  }
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', 0: '\0', Z: '\x1a' };

/** Reads a string to its closing quote, which is doubled or escaped within the string. */
function readString(text: string, from: number): { text: string; next: number } | null {
  const special = /['\\]/g;
  let value = '';
  for (let start = from; ; ) {
    special.lastIndex = start;
    const at = special.exec(text)?.index;
    if (at === undefined) return null;
    value += text.slice(start, at);
    const next = text[at + 1] ?? '';
    if (text[at] === "'" && next !== "'") return { text: value, next: at + 1 };
    value += text[at] === "'" ? "'" : (escapes[next] ?? next);
    start = at + 2;
  }
}

function readPlain(text: string, from: number): { text: string; next: number } | null {
  const plain = /[^,)\s']+/y;
  plain.lastIndex = from;
  const [value] = plain.exec(text) ?? [];
  if (value === undefined) return null;
  return { text: value.toUpperCase() === 'NULL' ? '' : value, next: plain.lastIndex };
}

function skipSpaces(text: string, from: number): number {
  let at = from;
  while (/\s/.test(text[at] ?? '')) at++;
  return at;
}
