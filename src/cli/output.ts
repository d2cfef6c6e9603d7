import { writeSync } from 'node:fs';
import { isoTimestamp } from '../core/codes/qr.ts';
import { FileError } from '../lib/errors.ts';

/**
 * Writes a line to standard output and waits until it is written. `console.log` ignores a full disk.
 *
 * @throws FileError when standard output cannot be written
 */
export async function print(line: string): Promise<void> {
  await writeToStdout(() => Bun.write(Bun.stdout, `${line}\n`));
}

/**
 * Runs a function that writes to standard output.
 * Ignores the error when the reader closes the pipe, as `head` does.
 *
 * @throws FileError when standard output cannot be written
 */
export async function writeToStdout(write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    ignoreClosedPipe(error);
  }
}

/** Writes a line to standard output, as {@link print} does, where nothing can wait. */
export function printAtOnce(line: string): void {
  try {
    writeSync(1, `${line}\n`);
  } catch (error) {
    ignoreClosedPipe(error);
  }
}

/** @throws FileError for another error of standard output */
function ignoreClosedPipe(error: unknown): void {
  if (!(error instanceof Error && 'syscall' in error && error.syscall === 'write')) throw error;
  if ('code' in error && error.code === 'EPIPE') return;
  throw new FileError(`standard output cannot be written: ${error.message}`);
}

/**
 * Replaces what could change a terminal's display, but for line breaks and tabs.
 * A backup or a list can contain it.
 */
export function forTerminal(text: string): string {
  return text.replace(/(?![\n\t])\p{Cc}|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, '?');
}

/** Formats a file size: `1.5 MB`. */
export function formatMegabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** Formats rows in columns, two spaces apart. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows)
    for (const [column, text] of row.entries())
      widths[column] = Math.max(widths[column] ?? 0, Bun.stringWidth(text));
  const pad = (text: string, column: number) =>
    text + ' '.repeat((widths[column] ?? 0) - Bun.stringWidth(text));
  return rows.map((row) => row.map(pad).join('  ').trimEnd()).join('\n');
}

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
