import type { FileReaders } from '../core/batches/ports.ts';
import type { TableReading } from '../core/batches/table.ts';
import type { LinkFile } from '../core/codes/imports/link-file.ts';
import { isZip } from '../core/codes/tables/text-file.ts';
import { type Logo, maxLogoBytes } from '../core/designs/design.ts';
import { Refused } from '../core/errors.ts';
import { createFairQueue, type Requester } from '../core/fair-queue.ts';
import { createCache } from '../lib/cache.ts';
import { pngSize } from '../render/png/rgba.ts';
import { decodeAnswer, type FileJobs } from './file-jobs.ts';
import { type FileOutcome, readInProcess } from './file-process.ts';

/**
 * Two files are read at the same time, and one of each account.
 * Those of another never wait for one that takes all of its time.
 */
const queueOptions = { slots: 2, slotsPerOwner: 1, maxWaiting: 32, maxWaitingPerOwner: 8 } as const;

/** Converted logos, which every preview of an unsaved design sends again. */
const cacheBytes = 4_000_000;

type ReadRows = Extract<TableReading, { readonly kind: 'read' }>['rows'];
type ReadingWithoutRows =
  | Exclude<TableReading, { readonly kind: 'read' }>
  | Omit<Extract<TableReading, { readonly kind: 'read' }>, 'rows'>;

/** Reads files of users in processes that are killed at their limits. */
export interface ProcessFileReaders extends FileReaders {
  /** @throws Refused, or ServerBusy when too many files are waiting or no process starts */
  convertLogo(bytes: Uint8Array, requester: Requester): Promise<Logo>;
}

/** Creates readers of files that share a queue. */
export function createFileReaders(): ProcessFileReaders {
  const queue = createFairQueue(queueOptions);
  const logos = createCache<string, Logo>(cacheBytes, ({ png }) => png.length);

  const read = (job: keyof FileJobs, bytes: Uint8Array, options: object, requester: Requester) =>
    queue.run(requester, () => readInProcess(job, bytes, options, requester));

  return {
    convertLogo: async (bytes, requester) => {
      checkLogoSize(bytes);
      const known = logos.get(digestOf(bytes));
      if (known !== undefined) return known;
      const logo = toLogo(await read('logoFile', bytes, {}, requester));
      logos.set(digestOf(logo.png), logo);
      return logo;
    },
    readTable: async (file, options, requester) => {
      const isText = typeof file === 'string';
      const bytes = isText ? new TextEncoder().encode(file) : file;
      const outcome = await read('tableFile', bytes, { ...options, isText }, requester);
      const { value, list } = await decodeAnswer(requireAnswer(outcome, bytes));
      // The casts are safe: the job `tableFile` answers these values.
      const reading = value as ReadingWithoutRows;
      return reading.kind === 'open' ? reading : { ...reading, rows: list as ReadRows };
    },
    readLinks: async (bytes, options, requester) => {
      const outcome = await read('linkFile', bytes, options, requester);
      const { value, list } = await decodeAnswer(requireAnswer(outcome, bytes));
      // The casts are safe: the job `linkFile` answers these values.
      const file = value as Omit<LinkFile, 'links'>;
      return { ...file, links: list as LinkFile['links'] };
    },
  };
}

/** @throws Refused when a file of a table was refused, or took too long */
function requireAnswer(outcome: FileOutcome, bytes: Uint8Array): Uint8Array {
  if (outcome.kind === 'answer') return outcome.bytes;
  if (outcome.kind === 'refused') throw new Refused(outcome.reason);
  throw new Refused({ kind: 'file takes too long', isSpreadsheet: isZip(bytes) });
}

function digestOf(bytes: Uint8Array): string {
  return Bun.CryptoHasher.hash('sha256', bytes, 'base64');
}

function checkLogoSize({ length }: Uint8Array): void {
  if (length === 0) throw new Refused({ kind: 'logo file empty' });
  if (length > maxLogoBytes)
    throw new Refused({ kind: 'logo file too large', bytes: length, maxBytes: maxLogoBytes });
}

function toLogo(outcome: FileOutcome): Logo {
  if (outcome.kind === 'refused') throw new Refused(outcome.reason);
  if (outcome.kind === 'stopped') throw new Refused({ kind: 'logo takes too long' });
  return { png: outcome.bytes, ...pngSize(outcome.bytes) };
}
