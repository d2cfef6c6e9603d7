/** Removes from both ends of a text the UTF-16 code units that a predicate accepts. Takes linear time. */
export function trimWhere(text: string, isRemoved: (unit: string) => boolean): string {
  let start = 0;
  while (start < text.length && isRemoved(text.charAt(start))) start++;
  return trimEndWhere(text.slice(start), isRemoved);
}

/** Removes from the end of a text the UTF-16 code units that a predicate accepts. Takes linear time. */
export function trimEndWhere(text: string, isRemoved: (unit: string) => boolean): string {
  let end = text.length;
  while (end > 0 && isRemoved(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/**
 * Replaces each part of a text from `open` to the next `close`.
 * An `open` that is not closed stays. Takes linear time, unlike a regular expression.
 */
export function replaceSpans(
  text: string,
  open: string,
  close: string,
  replacement: string,
): string {
  let replaced = '';
  let at = 0;
  for (;;) {
    const start = text.indexOf(open, at);
    const end = start === -1 ? -1 : text.indexOf(close, start + open.length);
    if (end === -1) return replaced + text.slice(at);
    replaced += text.slice(at, start) + replacement;
    at = end + close.length;
  }
}

/** Characters of no width, which are invisible at the ends of a text. */
export const invisible =
  /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/;
const isBlank = (unit: string) => /\s/.test(unit) || invisible.test(unit);

/**
 * Removes spaces and characters of no width at both ends.
 * They come along when people copy from tables.
 */
export function trimInvisible(text: string): string {
  return trimWhere(text, isBlank);
}
