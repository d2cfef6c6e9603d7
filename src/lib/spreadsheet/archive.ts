import type { Readable } from 'node:stream';
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { SpreadsheetError } from './cells.ts';

/** The ZIP file that a spreadsheet is. */
export interface Archive {
  readonly paths: ReadonlySet<string>;
  /**
   * Parses an XML file. A missing file is empty.
   *
   * @throws SpreadsheetError for a broken or encrypted file, and when all that was unpacked is too large
   */
  parseXml(path: string, handler: XmlHandler): Promise<void>;
}

/** Handles what is in an XML file. Names have no namespace prefix. */
export interface XmlHandler {
  open(name: string, attributes: ReadonlyMap<string, string>): void;
  text?(text: string): void;
  close?(name: string): void;
  /** Whether nothing more is needed. */
  isDone?(): boolean;
}

// A table of 5,000 rows takes 5 MB. Work books have other sheets beside it.
const maxUnpackedBytes = 60_000_000;
// A work book with hundreds of sheets and pictures has fewer.
const maxEntries = 5000;
// Of an element, and of elements in each other. Spreadsheets have about ten of both.
const maxAttributes = 100;
const maxDepth = 100;

/** Opens a ZIP file. @throws SpreadsheetError when it is broken */
export async function openArchive(bytes: Uint8Array): Promise<Archive> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const entries = new Map<string, Entry>();
  const options = { lazyEntries: true, autoClose: false, strictFileNames: false };
  let zip: ZipFile;
  try {
    zip = await fromBufferPromise(buffer, options);
    for await (const entry of zip.eachEntry()) {
      if (entries.size === maxEntries) throw tooLarge();
      entries.set(entry.fileName.replaceAll('\\', '/'), entry);
    }
  } catch (error) {
    throw error instanceof SpreadsheetError ? error : broken();
  }
  let unpackedBytes = 0;
  return {
    paths: new Set(entries.keys()),
    parseXml: async (path, handler) => {
      const entry = entries.get(path);
      if (entry === undefined) return;
      if (entry.isEncrypted()) throw encrypted();
      unpackedBytes += entry.uncompressedSize;
      if (unpackedBytes > maxUnpackedBytes) throw tooLarge();
      try {
        // The stream fails when the entry unpacks to another size than it says.
        await parse(await zip.openReadStreamPromise(entry), handler);
      } catch (error) {
        throw error instanceof SpreadsheetError ? error : broken();
      }
    },
  };
}

async function parse(stream: Readable, handler: XmlHandler): Promise<void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  let depth = 0;
  let attributeCount = 0;
  parser.on('attribute', () => {
    if (++attributeCount > maxAttributes) throw broken();
  });
  parser.on('opentag', ({ name, attributes }: SaxesTagPlain) => {
    if (++depth > maxDepth) throw broken();
    attributeCount = 0;
    const named = Object.entries(attributes).map(
      ([key, value]) => [localName(key), value] as const,
    );
    handler.open(localName(name), new Map(named));
  });
  parser.on('text', (text) => handler.text?.(text));
  parser.on('cdata', (text) => handler.text?.(text));
  parser.on('closetag', ({ name }) => {
    depth--;
    handler.close?.(localName(name));
  });
  for await (const chunk of stream) {
    parser.write(decoder.decode(chunk, { stream: true }));
    if (handler.isDone?.() === true) return;
  }
  parser.write(decoder.decode()).close();
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

function broken(): SpreadsheetError {
  return new SpreadsheetError({ kind: 'broken spreadsheet' });
}

/** Returns the error for a spreadsheet that is not read because of its size. */
export function tooLarge(): SpreadsheetError {
  return new SpreadsheetError({ kind: 'spreadsheet too large', maxBytes: maxUnpackedBytes });
}

/** Returns the error for a spreadsheet with a password. */
export function encrypted(): SpreadsheetError {
  return new SpreadsheetError({ kind: 'spreadsheet with a password' });
}
