import { isoTimestamp } from '../../core/codes/qr.ts';

/**
 * A value as `--json` writes it: names in snake_case, and what counts milliseconds since 1970
 * (`importedAtMs`) as an ISO 8601 instant under its name without the unit (`imported_at`).
 */
export function onWire(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(onWire);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) =>
      name.endsWith('Ms')
        ? [snakeCase(name.slice(0, -2)), typeof inner === 'number' ? isoTimestamp(inner) : null]
        : [snakeCase(name), onWire(inner)],
    ),
  );
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
