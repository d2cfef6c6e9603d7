import { type FileHandle, open } from 'node:fs/promises';
import type { ListFormat, ListOrigin, ThreatListStore } from '../../core/safety/threat-lists.ts';
import { errnoMessage } from '../../lib/errors.ts';
import { InvalidListRequest } from '../errors.ts';
import { hashOf } from '../url/expressions.ts';
import { chooseReader, type FormatOptions } from './detect-format.ts';
import { isEntries, type LineReader } from './formats.ts';
import { type LineBatch, lineBatches, maxLineLength } from './lines.ts';
import { parseSourceName } from './sources.ts';

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

// Some lists begin with a long license, so a sample needs enough lines that are not comments.
const maxSampleLines = 500;
const enoughSampleLines = 50;
const maxReportedLines = 10;
const chunkBytes = 1 << 16;

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
  const name = parseSourceName(source);
  const handle = await open(file, 'r').catch((error: unknown) => {
    throw new InvalidListRequest(`${file} can't be read: ${errnoMessage(error)}.`);
  });
  try {
    if ((await handle.stat()).isDirectory())
      throw new InvalidListRequest(`${file} is a folder. Name a file.`);
    return await importList(lists, chunksOf(handle), name, options);
  } finally {
    await handle.close();
  }
}

async function* chunksOf(handle: FileHandle): AsyncGenerator<Uint8Array, void> {
  for (;;) {
    const { bytesRead, buffer } = await handle.read(new Uint8Array(chunkBytes), 0, chunkBytes);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
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
  const tally: Tally = { lines: 0, taken: 0, unreadable: 0, firstUnreadable: [] };
  const batches = lineBatches(chunks);
  const { format, read, sampled } = await detectReader(batches, formatOptions);
  const { entries, replaced } = await lists.replace(
    { source: name, importedAtMs: nowMs, format, origin },
    hashBatches(sampled, batches, read, tally),
  );
  return {
    source: name,
    format,
    entries,
    repeated: tally.taken - entries,
    lines: tally.lines,
    unreadable: { count: tally.unreadable, first: tally.firstUnreadable },
    replaced: replaced && { entries: replaced.entries, importedAtMs: replaced.importedAtMs },
  };
}

interface Tally {
  lines: number;
  taken: number;
  unreadable: number;
  readonly firstUnreadable: UnreadableLine[];
}

/** Chooses the format by the first lines, however small the chunks. */
async function detectReader(batches: AsyncGenerator<LineBatch, void>, options: FormatOptions) {
  const sampled: LineBatch[] = [];
  const sample: string[] = [];
  for (;;) {
    const { done, value } = await batches.next();
    if (done) break;
    sampled.push(value);
    for (const line of value.lines) {
      if (line !== null && line !== '' && sample.length < maxSampleLines) sample.push(line);
    }
    const content = sample.filter((line) => !/^[#!]/.test(line)).length;
    if (content >= enoughSampleLines || sample.length === maxSampleLines) break;
  }
  return { ...chooseReader(sample, options), sampled };
}

/** Yields the hashes of the entries of each batch of lines. Throws at the end if there was none. */
async function* hashBatches(
  sampled: readonly LineBatch[],
  rest: AsyncIterable<LineBatch>,
  read: LineReader,
  tally: Tally,
): AsyncGenerator<Uint8Array[], void> {
  for (const batch of sampled) yield readBatch(batch, read, tally);
  for await (const batch of rest) yield readBatch(batch, read, tally);
  if (tally.taken === 0) throw new InvalidListRequest(emptyMessage(tally));
}

const tooLong = { unreadable: `longer than ${maxLineLength.toLocaleString('en')} characters` };

function readBatch({ first, lines }: LineBatch, read: LineReader, tally: Tally): Uint8Array[] {
  const hashes: Uint8Array[] = [];
  for (const [index, line] of lines.entries()) {
    if (line === '') continue;
    const content = line === null ? tooLong : read(line);
    if (isEntries(content)) {
      for (const expression of content) hashes.push(hashOf(expression));
      continue;
    }
    tally.unreadable += 1;
    if (tally.firstUnreadable.length >= maxReportedLines) continue;
    const text = line?.slice(0, 120).toWellFormed() ?? '';
    tally.firstUnreadable.push({ line: first + index, text, why: content.unreadable });
  }
  tally.lines = first + lines.length - 1;
  tally.taken += hashes.length;
  return hashes;
}

function emptyMessage({ firstUnreadable: [first] }: Tally): string {
  const example =
    first === undefined
      ? ''
      : ` Line ${first.line}${first.text === '' ? '' : ` (${JSON.stringify(first.text)})`}: ${first.why}.`;
  return `No entry could be read, so nothing was changed.${example}`;
}
