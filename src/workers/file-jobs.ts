import type { TableOptions } from '../core/batches/table.ts';
import type { LinkFileOptions } from '../core/codes/imports/link-file.ts';
import { Refused } from '../core/errors.ts';
import { yieldToEventLoop } from '../lib/event-loop.ts';

/** How a table is read, in JSON. */
interface TableJobOptions extends TableOptions {
  /** Whether the bytes are text in UTF-8 that somebody pasted, and no file. */
  readonly isText: boolean;
}

/** What processes for files do. They answer bytes. */
export interface FileJobs {
  /** Returns the PNG of a logo. */
  logoFile(bytes: Uint8Array, options: Readonly<Record<string, never>>): Promise<Uint8Array>;
  /** Returns a table, see `encodeAnswer`. */
  tableFile(bytes: Uint8Array, options: TableJobOptions): Promise<Uint8Array>;
  /** Returns an export of links, see `encodeAnswer`. */
  linkFile(bytes: Uint8Array, options: LinkFileOptions): Promise<Uint8Array>;
}

/**
 * More than files of text have in JSON: tables of 10 MB, exports of 20 MB.
 * In a spreadsheet, one text may be that of all cells.
 */
export const maxAnswerBytes: Readonly<Record<keyof FileJobs, number>> = {
  logoFile: 4_000_000,
  tableFile: 25_000_000,
  linkFile: 45_000_000,
};

/** Runs jobs on the calling thread. Few processes run more than one of them. */
export const fileJobs: FileJobs = {
  logoFile: async (bytes) =>
    (await (await import('../render/logo/logo.ts')).convertLogo(bytes)).png,
  tableFile: async (bytes, { isText, ...options }) => {
    const { readTable } = await import('../core/batches/table.ts');
    const file = isText ? new TextDecoder().decode(bytes) : bytes;
    const reading = await readTable(file, options);
    if (reading.kind === 'open') return encodeAnswer(reading, [], maxAnswerBytes.tableFile);
    const { rows, ...table } = reading;
    return encodeAnswer(table, rows, maxAnswerBytes.tableFile);
  },
  linkFile: async (bytes, options) => {
    const { readLinkFile } = await import('../core/codes/imports/parse-file.ts');
    const { links, ...file } = await readLinkFile(bytes, options);
    return encodeAnswer(file, links, maxAnswerBytes.linkFile);
  },
};

/**
 * Encodes a value and a list as lines of JSON, which the server decodes in parts.
 *
 * @throws Refused when they are longer than `maxBytes`
 */
function encodeAnswer(value: object, list: readonly object[], maxBytes: number): Uint8Array {
  const lines: Uint8Array[] = [];
  let length = 0;
  for (const one of [value, ...list]) {
    const line = new TextEncoder().encode(`${JSON.stringify(one)}\n`);
    length += line.length;
    if (length > maxBytes) throw new Refused({ kind: 'too much text in the file' });
    lines.push(line);
  }
  return Buffer.concat(lines);
}

// Of work between two turns of the event loop.
const sliceMs = 3;

/** Decodes an answer in parts, between which the event loop turns. */
export async function decodeAnswer(
  bytes: Uint8Array,
): Promise<{ readonly value: unknown; readonly list: unknown[] }> {
  const list: unknown[] = [];
  const decoder = new TextDecoder();
  let endMs = performance.now() + sliceMs;
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(newline, at);
    list.push(JSON.parse(decoder.decode(bytes.subarray(at, end))));
    at = end + 1;
    if (performance.now() < endMs) continue;
    await yieldToEventLoop();
    endMs = performance.now() + sliceMs;
  }
  return { value: list.shift(), list };
}

const newline = 10;
