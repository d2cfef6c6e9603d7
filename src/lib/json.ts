/** What came out of JSON.parse, looked at with care. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function optionalText(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** The value that a JSON text stands for, or undefined when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
