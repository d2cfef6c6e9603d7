import { decode } from './page.ts';

/** Attributes that people read or hear. */
const readAttributes = [
  'aria-label',
  'placeholder',
  'title',
  'alt',
  'data-too-large',
  'data-texts',
];
// A text goes on over these elements.
const inline = new Set(['a', 'abbr', 'b', 'bdi', 'code', 'em', 'i', 'kbd', 'span', 'time']);

/** Returns what a page says, in its order: its texts, and the attributes that people read. */
export function visibleTexts(html: string): string[] {
  const found: string[] = [];
  let text = '';
  const add = (said: string) => {
    const plain = said.replaceAll(/\s+/g, ' ').trim();
    if (/\p{Letter}/u.test(plain)) found.push(decode(plain));
  };
  const end = () => {
    add(text);
    text = '';
  };
  const element = (read: HTMLRewriterTypes.Element) => {
    if (!inline.has(read.tagName)) end();
    for (const name of readAttributes) {
      const value = read.getAttribute(name);
      if (value !== null) add(`${name}: ${value}`);
    }
    if (!inline.has(read.tagName) && read.canHaveContent) read.onEndTag(end);
  };
  new HTMLRewriter()
    .on('script, style', { element: (read) => void read.setInnerContent('') })
    .on('*', {
      element,
      text: (read) => {
        text += read.text;
      },
    })
    .transform(html);
  return found;
}

const month = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)[a-z]*';
// Two days of a month name it once.
const dates = new RegExp(
  `(?:\\b[A-Z][a-z]{2},? )?(?<!\\d)(?:\\d{1,2} – )?\\d{1,2} ${month}\\b(?: \\d{4}\\b)?`,
  'g',
);

/**
 * Replaces what differs between two runs: ids, tokens, addresses of this server, dates and times. Returns null for a
 * text that changes with the season, or with what runs in the background.
 *
 * @param codes of the run
 */
export function withoutRun(text: string, codes: ReadonlySet<string>): string | null {
  if (/\(UTC[^)]*\)$|^all, because /.test(text)) return null;
  return text
    .replaceAll(/127\.0\.0\.1(?::|%3A)\d+/g, 'HOST')
    .replaceAll(/(?<![0-9a-f])[0-9a-f]{64}\b/g, 'TOKEN')
    .replaceAll(/[0-9a-z]{8}/g, (word) => (codes.has(word) ? 'CODE' : word))
    .replaceAll(/\b\d{4}-\d\d-\d\d\b/g, 'DAY')
    .replaceAll(dates, 'DATE')
    .replaceAll('DATE – DATE', 'DATE')
    .replaceAll(/\b\d{1,2}:\d\d\b/g, 'TIME')
    .replaceAll(/\b(?:[A-Z2-7]{4} ){7}[A-Z2-7]{4}\b/g, 'SECRET')
    .replaceAll(/(?<=…|(?:ending|ends) in )[0-9a-f]{4}\b/g, 'KEY')
    .replaceAll(/just now|\d+ (?:min|minutes?) ago/g, 'AGO')
    .replaceAll(/(.)\1{20,}/g, '$1…');
}

/** Returns the codes that a page names in its links. */
export function codesIn(html: string): string[] {
  return Array.from(html.matchAll(/\/account\/codes\/([0-9a-z]{8})\b/g), ([, code = '']) => code);
}
