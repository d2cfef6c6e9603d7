import { flagSource } from '../../core/safety/flag.ts';
import {
  InvalidListRequest,
  type ListFormat,
  type ListOrigin,
  type ThreatListStore,
} from '../../core/safety/threat-lists.ts';
import { errnoMessage, errnoOf } from '../../lib/errors.ts';
import { hashOf } from '../url/expressions.ts';
import { isEntries, type LineReader } from './entries.ts';
import { chooseReader, type FormatOptions } from './formats.ts';

/** Result of an import. */
export interface ImportReport {
  readonly source: string;
  readonly format: ListFormat;
  /** Distinct entries in the list. */
  readonly entries: number;
  /** Entries that the file repeats. */
  readonly repeated: number;
  /** Lines in the file, with comments and empty ones. */
  readonly lines: number;
  readonly unreadable: { readonly count: number; readonly first: readonly UnreadableLine[] };
  /** The earlier import that this one replaced. */
  readonly replaced: { readonly entries: number; readonly importedAtMs: number } | null;
}

interface UnreadableLine {
  readonly line: number;
  /** At most 120 characters. */
  readonly text: string;
  readonly why: string;
}

export interface ImportOptions extends FormatOptions {
  readonly nowMs: number;
  /** Where the list was downloaded; null or missing for a file. */
  readonly origin?: ListOrigin | null;
}

// The longest accepted URL has 2,048 characters, and rows of tables hold several.
const maxLineLength = 65_536;
const sampleLines = 50;
const maxReportedLines = 10;

/**
 * Imports a file as a list, in place of an earlier import of the same name.
 *
 * @throws InvalidListRequest when the file cannot be read or has no entry; the earlier list stays
 */
export async function importFile(
  lists: ThreatListStore,
  file: string,
  source: string,
  options: ImportOptions,
): Promise<ImportReport> {
  try {
    return await importList(lists, Bun.file(file).stream(), source, options);
  } catch (error) {
    if (!/^E[A-Z]+$/.test(errnoOf(error))) throw error;
    throw new InvalidListRequest(`${file} can't be read: ${errnoMessage(error)}.`);
  }
}

/** Imports a list from a stream, as {@link importFile} does. */
export async function importList(
  lists: ThreatListStore,
  chunks: AsyncIterable<Uint8Array>,
  source: string,
  { nowMs, origin = null, ...formatOptions }: ImportOptions,
): Promise<ImportReport> {
  const name = parseSourceName(source);
  const batches = lineBatches(chunks);
  const { first, sample } = await readSample(batches);
  const { format, read } = chooseReader(sample, formatOptions);
  const counts: Counts = { lines: 0, taken: 0, unreadable: 0, firstUnreadable: [] };
  const { entries, replaced } = await lists.replace(
    { source: name, importedAtMs: nowMs, format, origin },
    hashBatches(first, batches, read, counts),
  );
  return {
    source: name,
    format,
    entries,
    repeated: counts.taken - entries,
    lines: counts.lines,
    unreadable: { count: counts.unreadable, first: counts.firstUnreadable },
    replaced: replaced && { entries: replaced.entries, importedAtMs: replaced.importedAtMs },
  };
}

/**
 * Splits a stream of UTF-8 into trimmed lines, one batch per chunk.
 *
 * @throws InvalidListRequest when the stream is no text
 */
async function* lineBatches(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string[], void> {
  const decoder = new TextDecoder(); // drops a byte order mark; invalid bytes become U+FFFD
  let rest = '';
  for await (const chunk of chunks) {
    if (chunk.subarray(0, 4096).includes(0))
      throw new InvalidListRequest('This is not text in UTF-8. If it is compressed, unpack it.');
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > maxLineLength)
      throw new InvalidListRequest(`A line is longer than ${maxLineLength} characters.`);
    yield lines.map((line) => line.trim());
  }
  yield [(rest + decoder.decode()).trim()];
}

interface Counts {
  lines: number;
  taken: number;
  unreadable: number;
  readonly firstUnreadable: UnreadableLine[];
}

/** Reads the first batches, until they have enough lines to detect the format. */
async function readSample(batches: AsyncGenerator<string[], void>) {
  const first: string[][] = [];
  const sample: string[] = [];
  while (sample.length < sampleLines) {
    const { done, value } = await batches.next();
    if (done) break;
    first.push(value);
    const content = value.filter((line) => /^[^#!]/.test(line));
    sample.push(...content.slice(0, sampleLines));
  }
  return { first, sample };
}

/** Yields the hashes of the entries of each batch of lines. Throws at the end if there was none. */
async function* hashBatches(
  first: readonly string[][],
  rest: AsyncIterable<string[]>,
  read: LineReader,
  counts: Counts,
): AsyncGenerator<Uint8Array[], void> {
  for (const batch of first) yield readBatch(batch, read, counts);
  for await (const batch of rest) yield readBatch(batch, read, counts);
  if (counts.taken === 0) throw new InvalidListRequest(emptyMessage(counts));
}

function readBatch(batch: readonly string[], read: LineReader, counts: Counts): Uint8Array[] {
  const hashes: Uint8Array[] = [];
  for (const line of batch) {
    counts.lines += 1;
    const content = line === '' ? [] : read(line);
    if (isEntries(content)) {
      for (const expression of content) hashes.push(hashOf(expression));
      continue;
    }
    counts.unreadable += 1;
    if (counts.firstUnreadable.length >= maxReportedLines) continue;
    const text = line.slice(0, 120).toWellFormed();
    counts.firstUnreadable.push({ line: counts.lines, text, why: content.unreadable });
  }
  counts.taken += hashes.length;
  return hashes;
}

function emptyMessage({ firstUnreadable: [first] }: Counts): string {
  const example =
    first === undefined ? '' : ` Line ${first.line} (${JSON.stringify(first.text)}): ${first.why}.`;
  return `No entry could be read, so nothing was changed.${example}`;
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
