import { type FileHandle, open, rm } from 'node:fs/promises';
import { putInPlace, removeStaleTemporaries } from '../../lib/atomic-write-async.ts';
import { errnoMessage, isMissing } from '../../lib/errors.ts';
import { type Pause, yieldToEventLoop } from '../../lib/event-loop.ts';
import { InvalidListRequest } from '../errors.ts';
import { hashOf } from '../url/expressions.ts';
import { chooseReader, type FormatOptions } from './detect-format.ts';
import { isEntries, type LineReader, type ListFormat } from './formats.ts';
import { announceChange, pathsOf } from './generation.ts';
import { createHashCollector, hashBytes } from './hash-collector.ts';
import { type LineBatch, lineBatches, longestLine } from './lines.ts';
import { writeListFile } from './list-file.ts';
import type { Origin } from './list-header.ts';
import { keepAsPrevious, listPaths, openBestList, parseSourceName } from './list-store.ts';

/** What became of a file. */
export interface ImportReport {
  readonly source: string;
  readonly format: ListFormat;
  /** Distinct entries in the list. */
  readonly entries: number;
  /** Entries that the file repeats. */
  readonly repeated: number;
  /** Lines in the file, comments and empty ones included. */
  readonly lines: number;
  readonly unreadable: { readonly count: number; readonly first: readonly UnreadableLine[] };
  /** The earlier import that this one replaced. */
  readonly replaced: { readonly entries: number; readonly importedAtMs: number } | null;
}

export interface UnreadableLine {
  readonly line: number;
  /** At most 120 characters of it. */
  readonly text: string;
  readonly why: string;
}

export interface ImportOptions extends FormatOptions {
  readonly nowMs: number;
  /** Called after every few milliseconds of work. */
  readonly pause?: Pause;
}

// Long licences stand above some lists, so that many lines may tell nothing.
const sampledLines = 500;
const enoughLines = 50;
const shownLines = 10;
const pieceBytes = 1 << 16;

/**
 * Imports a file as the list of a source, in the place of an earlier import of it. The new list is
 * either there as a whole or not at all, and running servers use it from their next check on.
 *
 * @param folder the safety folder
 * @throws InvalidListRequest when the file cannot be read or holds no entry; the earlier list stays
 */
export async function importList(
  folder: string,
  file: string,
  source: string,
  options: ImportOptions,
): Promise<ImportReport> {
  const name = parseSourceName(source);
  const handle = await open(file, 'r').catch((error: unknown) => {
    throw new InvalidListRequest(
      isMissing(error)
        ? `There is no such file: ${file}`
        : `${file} cannot be read: ${errnoMessage(error)}`,
    );
  });
  try {
    if ((await handle.stat()).isDirectory())
      throw new InvalidListRequest(`This is a folder: ${file}`);
    return await importPieces(folder, piecesOf(handle), name, { ...options, origin: null });
  } finally {
    await handle.close();
  }
}

async function* piecesOf(handle: FileHandle): AsyncGenerator<Uint8Array, void> {
  for (;;) {
    const { bytesRead, buffer } = await handle.read(new Uint8Array(pieceBytes), 0, pieceBytes);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

/**
 * Imports what streams in, as importList does. Whatever fails leaves the earlier list in its place.
 *
 * @param source a name that parseSourceName has passed
 */
export async function importPieces(
  folder: string,
  pieces: AsyncIterable<Uint8Array>,
  source: string,
  options: ImportOptions & { readonly origin: Origin | null },
): Promise<ImportReport> {
  const { pause = yieldToEventLoop } = options;
  const tally = createTally();
  const format = await readAll(pieces, { ...options, pause }, tally);
  const hashes = await tally.hashes.sorted(pause);
  if (hashes.count === 0) throw new InvalidListRequest(emptyMessage(tally));
  await removeStaleTemporaries(pathsOf(folder).lists, options.nowMs);
  const { nowMs: importedAtMs, origin } = options;
  const header = { source, entries: hashes.count, importedAtMs, format, origin };
  const { current } = listPaths(folder, source);
  const temporary = await writeListFile(current, header, hashes, pause);
  const { list: earlier, problem } = await openBestList(folder, source);
  earlier?.close();
  if (earlier !== null && problem === null) await keepAsPrevious(folder, source);
  await putInPlace(temporary, current);
  await announceChange(folder);
  return {
    source,
    format,
    entries: hashes.count,
    repeated: tally.taken - hashes.count,
    lines: tally.lines,
    unreadable: { count: tally.unreadable, first: tally.firstUnreadable },
    replaced: earlier && {
      entries: earlier.header.entries,
      importedAtMs: earlier.header.importedAtMs,
    },
  };
}

/** Removes the list of a source, and the copy of the one before. False when there was none. */
export async function removeList(folder: string, source: string): Promise<boolean> {
  const { current, previous } = listPaths(folder, parseSourceName(source));
  const { list, problem } = await openBestList(folder, parseSourceName(source));
  list?.close();
  await rm(current, { force: true });
  await rm(previous, { force: true });
  if (list === null && problem === null) return false;
  await announceChange(folder);
  return true;
}

function createTally() {
  return {
    hashes: createHashCollector(),
    /** For one hash at a time; the collector copies it. */
    scratch: new Uint8Array(hashBytes),
    lines: 0,
    taken: 0,
    unreadable: 0,
    firstUnreadable: [] as UnreadableLine[], // the element type cannot be seen from an empty array
  };
}

type Tally = ReturnType<typeof createTally>;

/** Reads every line. How to read them, the first ones decide, however small the pieces come in. */
async function readAll(
  pieces: AsyncIterable<Uint8Array>,
  options: FormatOptions & { readonly pause: Pause },
  tally: Tally,
): Promise<ListFormat> {
  const waiting: LineBatch[] = [];
  const sample: string[] = [];
  let chosen: { format: ListFormat; read: LineReader } | null = null;
  const choose = () => {
    const reader = chooseReader(sample, options);
    for (const batch of waiting.splice(0)) takeAll(batch, reader.read, tally);
    return reader;
  };
  for await (const batch of lineBatches(pieces)) {
    await options.pause();
    if (chosen !== null) {
      takeAll(batch, chosen.read, tally);
      continue;
    }
    waiting.push(batch);
    for (const line of batch.lines) {
      if (line !== null && line !== '' && sample.length < sampledLines) sample.push(line);
    }
    const telling = sample.filter((line) => !/^[#!]/.test(line)).length;
    if (telling >= enoughLines || sample.length === sampledLines) chosen = choose();
  }
  return (chosen ?? choose()).format;
}

function takeAll({ first, lines }: LineBatch, read: LineReader, tally: Tally): void {
  lines.forEach((line, index) => {
    take(line, first + index, read, tally);
  });
  tally.lines = first + lines.length - 1;
}

const tooLong = { unreadable: `longer than ${longestLine.toLocaleString('en')} characters` };

function take(line: string | null, number: number, read: LineReader, tally: Tally): void {
  if (line === '') return;
  const content = line === null ? tooLong : read(line);
  if (isEntries(content)) {
    for (const expression of content) tally.hashes.add(hashOf(expression, tally.scratch));
    tally.taken += content.length;
    return;
  }
  tally.unreadable += 1;
  if (tally.firstUnreadable.length >= shownLines) return;
  const text = line?.slice(0, 120).toWellFormed() ?? '';
  tally.firstUnreadable.push({ line: number, text, why: content.unreadable });
}

function emptyMessage(tally: Tally): string {
  const [first] = tally.firstUnreadable;
  const example =
    first === undefined
      ? ''
      : ` Line ${first.line}${first.text === '' ? '' : ` (${JSON.stringify(first.text)})`}: ${first.why}.`;
  return `There is no entry in it that could be read; nothing was changed.${example}`;
}
