import { flagSource } from '../../core/codes/qr.ts';
import type { ThreatListStore } from '../../core/safety/ports.ts';
import {
  type FormatOptions,
  InvalidListRequest,
  type ListFormat,
  type ListOrigin,
  UnreadableList,
} from '../../core/safety/threat-lists.ts';
import { hashOf } from '../url/expressions.ts';
import { chooseReader } from './choose-format.ts';
import { isEntries, type LineReader } from './parse-line.ts';

/** Result of an import. */
export interface ImportReport {
  readonly source: string;
  readonly format: ListFormat;
  /** Distinct entries in the list. */
  readonly entries: number;
  readonly unreadable: { readonly count: number; readonly first: readonly UnreadableLine[] };
}

interface UnreadableLine {
  readonly line: number;
  /** At most 120 characters. */
  readonly text: string;
  readonly why: string;
}

export interface ImportOptions extends FormatOptions {
  readonly nowMs: number;
  /** Null or missing for a file. */
  readonly origin?: ListOrigin | null;
  /** Receives the number of lines that were read. */
  readonly onProgress?: (lines: number) => void;
}

const sampleLines = 50;
const batchEntries = 10_000;
const maxReportedLines = 10;
// More than an address, or a line of a hosts file with many names, has.
const maxLineLength = 10_000;
const tooLong = { unreadable: `is longer than ${maxLineLength} characters` } as const;

/**
 * Imports the content of a list, in place of an earlier import of the same name. Atomic: after an
 * interruption the earlier list stays (`ThreatListStore.replace`).
 *
 * @throws UnreadableList when it has no entry or is no text; the earlier list stays
 */
export async function importList(
  lists: ThreatListStore,
  content: Uint8Array,
  source: string,
  { nowMs, origin = null, onProgress = () => {}, ...formatOptions }: ImportOptions,
): Promise<ImportReport> {
  const name = parseSourceName(source);
  if (content.subarray(0, 4096).includes(0))
    throw new UnreadableList('This is not text in UTF-8. If it is compressed, unpack it.');
  const text = new TextDecoder().decode(content); // invalid bytes become U+FFFD
  const { format, read } = chooseReader(sampleOf(text), formatOptions);
  const counts: Counts = { lines: 0, entries: 0, unreadable: 0, firstUnreadable: [] };
  const entries = await lists.replace(
    { source: name, importedAtMs: nowMs, origin },
    hashBatches(text, read, counts, onProgress),
  );
  return {
    source: name,
    format,
    entries,
    unreadable: { count: counts.unreadable, first: counts.firstUnreadable },
  };
}

/** Returns the first lines that are neither empty nor a comment. */
function sampleOf(text: string): string[] {
  const sample: string[] = [];
  for (const line of linesOf(text)) {
    if (/^[^#!]/.test(line)) sample.push(line.slice(0, maxLineLength));
    if (sample.length === sampleLines) break;
  }
  return sample;
}

/** Yields the trimmed lines of a text. */
function* linesOf(text: string): Generator<string, void> {
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start);
    const next = end === -1 ? text.length : end + 1;
    yield text.slice(start, next).trim();
    start = next;
  }
}

interface Counts {
  lines: number;
  entries: number;
  unreadable: number;
  readonly firstUnreadable: UnreadableLine[];
}

/**
 * Yields the hashes of all entries in batches, and updates the counts.
 *
 * @throws UnreadableList at the end if there was no entry
 */
async function* hashBatches(
  text: string,
  read: LineReader,
  counts: Counts,
  onProgress: (lines: number) => void,
): AsyncGenerator<Uint8Array[], void> {
  let hashes: Uint8Array[] = [];
  for (const line of linesOf(text)) {
    counts.lines += 1;
    const content = line === '' ? [] : line.length > maxLineLength ? tooLong : read(line);
    if (isEntries(content)) {
      for (const expression of content) hashes.push(hashOf(expression));
      counts.entries += content.length;
    } else {
      counts.unreadable += 1;
      const reported = { line: counts.lines, text: line.slice(0, 120), why: content.unreadable };
      if (counts.unreadable <= maxReportedLines) counts.firstUnreadable.push(reported);
    }
    if (hashes.length < batchEntries) continue;
    onProgress(counts.lines);
    yield hashes;
    hashes = [];
  }
  yield hashes;
  if (counts.entries > 0) return;
  const [first] = counts.firstUnreadable;
  const example = first && ` Line ${first.line} (${JSON.stringify(first.text)}): ${first.why}.`;
  throw new UnreadableList(`No entry could be read, so nothing was changed.${example ?? ''}`);
}

/**
 * Parses the name of a list: 1 to 64 letters, digits, "-", "_" and ".", in lower case.
 *
 * @throws InvalidListRequest
 */
export function parseSourceName(text: string): string {
  const name = text.toLowerCase();
  if (flagSource(name) !== 'imported list') {
    throw new InvalidListRequest(
      `"${name}" is the name of another check. Choose another name for the list.`,
    );
  }
  if (/^[a-z0-9][a-z0-9._-]{0,63}$/.test(name)) return name;
  throw new InvalidListRequest(
    `${JSON.stringify(text)} can't be the name of a list. Use 1 to 64 letters, digits, "-", "_" and ".", beginning with a letter or digit.`,
  );
}
