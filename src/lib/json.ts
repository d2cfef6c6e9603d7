/** Returns whether a parsed JSON value is an object, not an array or null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a value if it is a string, or null. */
export function optionalText(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** Parses JSON, or returns undefined when the text is invalid. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
