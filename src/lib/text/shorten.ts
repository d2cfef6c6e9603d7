/** Returns a text, of a longer one the beginning with `…`. A surrogate pair is not split. */
export function shorten(text: string, maxLength = 60): string {
  if (text.length <= maxLength) return text;
  return `${text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '')}…`;
}
