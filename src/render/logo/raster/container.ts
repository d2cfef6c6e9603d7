import { crc32, inflateSync } from 'node:zlib';

/** What a raster file says beside its pixels. */
export interface RasterMetadata {
  /** Kind of its samples: a profile of another kind does not apply. */
  readonly samples: 'gray' | 'rgb' | 'cmyk';
  readonly hasAlpha: boolean;
  readonly iccProfile: Uint8Array | null;
  /** Colour space of a PNG without a profile, or instead of one. */
  readonly png: PngColors | null;
  /** EXIF orientation: 1 to 8. */
  readonly orientation: number;
  /** Whether the file has its end. Bun.Image decodes a JPEG without one. */
  readonly isComplete: boolean;
  /** Whether decoders differ in what they show of it: in the first picture, or in its transparency. */
  readonly isAmbiguous: boolean;
}

/** Chunks of a PNG about its colours (W3C PNG, third edition, clause 11.3.2). */
export interface PngColors {
  /** Colour primaries, transfer function, matrix and full range, by ITU-T H.273. */
  readonly cicp: readonly number[] | null;
  readonly isSrgb: boolean;
  /** Exponent of encoding; 0 without one. */
  readonly gamma: number;
  /** x and y of white, red, green and blue. */
  readonly chromaticities: readonly number[] | null;
}

/** A profile of a printer has one or two megabytes. */
const maxProfileBytes = 8_000_000;

const noMetadata: RasterMetadata = {
  samples: 'rgb',
  hasAlpha: true,
  iccProfile: null,
  png: null,
  orientation: 1,
  isComplete: true,
  isAmbiguous: false,
};

/** Reads the metadata of a PNG, JPEG or WebP. Other files, and damaged ones, have none. */
export function readMetadata(file: Uint8Array): RasterMetadata {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  if (bytes.subarray(1, 4).toString('latin1') === 'PNG') return readPng(bytes);
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return readJpeg(bytes);
  if (bytes.subarray(8, 12).toString('latin1') === 'WEBP') return readWebp(bytes);
  return noMetadata;
}

/** Reads the chunks of a PNG: those about colours are before its pixels. */
function readPng(bytes: Buffer): RasterMetadata {
  const { chunks, isComplete } = readChunks(bytes);
  const chromaticities = chunks.get('cHRM');
  const cicp = chunks.get('cICP');
  const colorType = bytes[25] ?? 0;
  return {
    ...noMetadata,
    samples: (colorType & 2) === 0 ? 'gray' : 'rgb',
    iccProfile: inflateProfile(chunks.get('iCCP')),
    png: {
      cicp: cicp === undefined ? null : [...cicp],
      isSrgb: (chunks.get('sRGB')?.[0] ?? renderingIntents) < renderingIntents,
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

/** Their numbers are smaller. */
const renderingIntents = 4;

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

/**
 * Returns the orientation in EXIF data, or 1.
 * It is an entry of the first directory of a TIFF: one number of 16 bits.
 */
function readOrientation(exif: Buffer | undefined): number {
  const isLittle = exif?.toString('latin1', 0, 4) === 'II*\0';
  if (exif === undefined || !(isLittle || exif.toString('latin1', 0, 4) === 'MM\0*')) return 1;
  const view = new DataView(exif.buffer, exif.byteOffset, exif.byteLength);
  try {
    const directory = view.getUint32(4, isLittle);
    const count = view.getUint16(directory, isLittle);
    for (let entry = 0; entry < count; entry++) {
      const at = directory + 2 + entry * 12;
      const [tag, type] = [view.getUint16(at, isLittle), view.getUint16(at + 2, isLittle)];
      if (tag !== 0x0112 || type !== 3 || view.getUint32(at + 4, isLittle) !== 1) continue;
      const orientation = view.getUint16(at + 8, isLittle);
      return orientation >= 1 && orientation <= 8 ? orientation : 1;
    }
  } catch {
    // The directory ends behind the data.
  }
  return 1;
}

const jpegMarkers = { end: 0xd9, scan: 0xda, app1: 0xe1, app2: 0xe2 } as const;

/** Reads the segments of a JPEG up to its end (ITU-T T.81, annex B): metadata is before its first scan. */
function readJpeg(bytes: Buffer): RasterMetadata {
  const profileParts: Buffer[] = [];
  let exif: Buffer | undefined;
  let samples: RasterMetadata['samples'] = 'rgb';
  let hasScan = false;
  let at = 2;
  for (;;) {
    at = nextMarker(bytes, at);
    const marker = bytes[at + 1] ?? 0;
    const isComplete = marker === jpegMarkers.end;
    if (isComplete || at + 4 > bytes.length) {
      const iccProfile = joinProfile(profileParts);
      const orientation = readOrientation(exif);
      return { ...noMetadata, samples, hasAlpha: false, iccProfile, orientation, isComplete };
    }
    const end = at + 2 + bytes.readUInt16BE(at + 2);
    const segment = bytes.subarray(at + 4, end);
    hasScan ||= marker === jpegMarkers.scan;
    if (isFrame(marker)) samples = ({ 1: 'gray', 4: 'cmyk' } as const)[segment[5] ?? 3] ?? 'rgb';
    if (!hasScan && marker === jpegMarkers.app1 && startsWith(segment, 'Exif\0'))
      exif ??= segment.length > 6 ? segment.subarray(6) : undefined;
    if (!hasScan && marker === jpegMarkers.app2 && startsWith(segment, 'ICC_PROFILE\0'))
      profileParts.push(segment.subarray(12));
    at = end;
  }
}

function startsWith(bytes: Buffer, text: string): boolean {
  return bytes.toString('latin1', 0, text.length) === text;
}

/** Returns the place of the next marker that is no restart, no filler and no escaped byte of a scan. */
function nextMarker(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const marker = bytes[at + 1] ?? 0;
    if (marker >= 0xc0 && marker < 0xff && !(marker >= 0xd0 && marker <= 0xd7)) return at;
  }
  return bytes.length;
}

/** Returns whether a marker is a start of frame: C0 to CF without the tables among them. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

/**
 * Joins the parts of a profile, each of which begins with its number, from 1, and their count.
 * Returns null when one is missing or comes twice: browsers ignore them all.
 */
function joinProfile(parts: readonly Buffer[]): Uint8Array | null {
  const [, count = 0] = parts[0] ?? [];
  const byNumber = new Map<number, Buffer>();
  for (const part of parts) {
    const [number = 0, total] = part;
    if (total !== count || number < 1 || number > count || byNumber.has(number)) return null;
    byNumber.set(number, part.subarray(2));
    if (byNumber.size < count) continue;
    const numbers = [...byNumber.keys()].toSorted((a, b) => a - b);
    return Buffer.concat(numbers.map((one) => byNumber.get(one) ?? Buffer.of()));
  }
  return null;
}

/** Flags in the first chunk of an extended WebP (RFC 9649, clause 2.7.1). */
const webpFlags = { alpha: 0x10, icc: 0x20 } as const;

/** Flag in the fifth byte of a lossless picture (clause 3.4). */
const losslessAlpha = 0x10;

/** Reads the profile of a WebP, which only extended ones have. */
function readWebp(bytes: Buffer): RasterMetadata {
  const isExtended = bytes.toString('latin1', 12, 16) === 'VP8X';
  const flags = isExtended ? (bytes[20] ?? 0) : webpFlags.alpha;
  let iccProfile: Uint8Array | null = null;
  let hasAlpha = false;
  for (let at = 12; at + 8 <= bytes.length; ) {
    const length = bytes.readUInt32LE(at + 4);
    const type = bytes.toString('latin1', at, at + 4);
    if (type === 'ICCP' && (flags & webpFlags.icc) !== 0)
      iccProfile ??= bytes.subarray(at + 8, at + 8 + length);
    hasAlpha ||=
      type === 'ALPH' || (type === 'VP8L' && ((bytes[at + 12] ?? 0) & losslessAlpha) !== 0);
    at += 8 + length + (length % 2);
  }
  const isAmbiguous = hasAlpha && (flags & webpFlags.alpha) === 0;
  return { ...noMetadata, hasAlpha, iccProfile, isAmbiguous };
}
