import { flagSource, isoTimestamp } from '../../core/codes/qr.ts';

/**
 * Converts a value to the form of `--json`: names in snake_case, and times in milliseconds
 * (`importedAtMs`) as ISO 8601 instants under the name without the unit (`imported_at`).
 */
export function toJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) =>
      name.endsWith('Ms')
        ? [snakeCase(name.slice(0, -2)), typeof inner === 'number' ? isoTimestamp(inner) : null]
        : [snakeCase(name), toJson(inner)],
    ),
  );
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Returns the name that people read for the value of `flag.list`. */
export function listName(list: string): string {
  return {
    operator: "the operator's rules",
    'built-in': 'the built-in test addresses',
    'remote check': list,
    'imported list': list,
  }[flagSource(list)];
}
