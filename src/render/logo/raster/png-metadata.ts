import { crc32, inflateSync } from 'node:zlib';
import { readOrientation } from './exif.ts';
import { noMetadata, type RasterMetadata } from './metadata.ts';

/** A profile of a printer has one or two megabytes. */
const maxProfileBytes = 8_000_000;

/** Reads the chunks of a PNG: those about colours are before its pixels. */
export function readPng(bytes: Buffer): RasterMetadata {
  const { chunks, isComplete } = readChunks(bytes);
  const chromaticities = chunks.get('cHRM');
  const cicp = chunks.get('cICP');
  const intent = chunks.get('sRGB')?.[0];
  const colorType = bytes[25] ?? 0;
  return {
    ...noMetadata,
    samples: (colorType & 2) === 0 ? 'gray' : 'rgb',
    iccProfile: inflateProfile(chunks.get('iCCP')),
    png: {
      cicp: cicp === undefined ? null : [...cicp],
      isSrgb: intent !== undefined && intent <= lastRenderingIntent,
      gamma: (chunks.get('gAMA')?.readUInt32BE() ?? 0) / 100_000,
      chromaticities:
        chromaticities === undefined
          ? null
          : Array.from({ length: 8 }, (_, at) => chromaticities.readInt32BE(at * 4) / 100_000),
    },
    orientation: readOrientation(chunks.get('eXIf')),
    isComplete,
    isAmbiguous: isHiddenStill(chunks) || (colorType === 3 && hasTooManyAlphas(chunks)),
  };
}

/** Browsers ignore a greater one. */
const lastRenderingIntent = 3;

type Chunks = ReadonlyMap<string, Buffer>;

/** Bytes of the chunks that have one length only. */
const chunkBytes: Readonly<Record<string, number>> = { cHRM: 32, cICP: 4, gAMA: 4, sRGB: 1 };

/** Returns the first chunk of each type up to the pixels, without those that browsers ignore. */
function readChunks(bytes: Buffer): { readonly chunks: Chunks; readonly isComplete: boolean } {
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const end = at + 12 + length;
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (type === 'IEND') return { chunks, isComplete: true };
    const isLate = chunks.has('IDAT') || (type === 'cICP' && chunks.has('PLTE'));
    const isSound =
      length === (chunkBytes[type] ?? length) && hasChecksum(bytes.subarray(at + 4, end));
    if (!isLate && isSound && !chunks.has(type)) chunks.set(type, bytes.subarray(at + 8, end - 4));
    at = end;
  }
  return { chunks, isComplete: false };
}

/** Returns whether the last four bytes of a chunk are the checksum of those before them. */
function hasChecksum(chunk: Buffer): boolean {
  const end = chunk.length - 4;
  return crc32(chunk.subarray(0, end)) === chunk.readUInt32BE(end);
}

/** Returns whether the still picture is no frame of the animation that browsers show instead. */
function isHiddenStill(chunks: Chunks): boolean {
  return chunks.has('acTL') && !chunks.has('fcTL');
}

/** Returns whether a palette has more values of transparency than colours. */
function hasTooManyAlphas(chunks: Chunks): boolean {
  return (chunks.get('tRNS')?.length ?? 0) > (chunks.get('PLTE')?.length ?? 0) / 3;
}

/** Browsers take one more than the 79 bytes of the specification. */
const maxProfileName = 80;

/** Inflates a profile after its name, a zero, and the method, which is 0. */
function inflateProfile(chunk: Buffer | undefined): Uint8Array | null {
  const nameLength = chunk?.indexOf(0) ?? 0;
  if (
    chunk === undefined ||
    nameLength < 1 ||
    nameLength > maxProfileName ||
    chunk[nameLength + 1] !== 0
  )
    return null;
  try {
    return inflateSync(chunk.subarray(nameLength + 2), { maxOutputLength: maxProfileBytes });
  } catch {
    return null;
  }
}
