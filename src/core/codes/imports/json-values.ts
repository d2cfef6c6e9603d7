/** How deep the lists of an answer are: Shlink and YOURLS have theirs two levels deep. */
export const maxDepth = 3;

/** Returns a value as text: a list of texts in lines, and what is deeper as JSON. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (!isObject(value)) return String(value);
  if (Object.keys(value).length === 0) return '';
  return Array.isArray(value) && !value.some(isObject) ? value.join('\n') : JSON.stringify(value);
}

/** Returns whether a value is an object or a list. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Returns whether a value is an object and no list. */
export function isPlainObject(value: unknown): value is object {
  return isObject(value) && !Array.isArray(value);
}
