import { inflateSync } from 'node:zlib';

/** What a raster file says beside its pixels. */
export interface RasterMetadata {
  /** Kind of its samples: a profile of another kind does not apply. */
  readonly samples: 'gray' | 'rgb' | 'cmyk';
  readonly iccProfile: Uint8Array | null;
  /** Colour space of a PNG without a profile, or instead of one. */
  readonly png: PngColors | null;
  /** EXIF orientation that Bun.Image does not apply: 1 to 8. */
  readonly orientation: number;
  /** Whether the file has its end. Bun.Image decodes a JPEG without one. */
  readonly isComplete: boolean;
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
  iccProfile: null,
  png: null,
  orientation: 1,
  isComplete: true,
};

/** Reads the metadata of a PNG, JPEG or WebP. Other files, and damaged ones, have none. */
export function readMetadata(file: Uint8Array): RasterMetadata {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  if (bytes.subarray(1, 4).toString('latin1') === 'PNG') return readPng(bytes);
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return readJpeg(bytes);
  if (bytes.subarray(8, 12).toString('latin1') === 'WEBP') return readWebp(bytes);
  return noMetadata;
}

/** Reads the chunks of a PNG before its pixels, where those about colours must be. */
function readPng(bytes: Buffer): RasterMetadata {
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (type === 'IDAT') break;
    if (!chunks.has(type)) chunks.set(type, bytes.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  const cicp = chunks.get('cICP');
  const gamma = chunks.get('gAMA');
  const chromaticities = chunks.get('cHRM');
  const colorType = bytes[25] ?? 0;
  return {
    ...noMetadata,
    samples: (colorType & 2) === 0 ? 'gray' : 'rgb',
    iccProfile: inflateProfile(chunks.get('iCCP')),
    png: {
      cicp: cicp?.length === 4 ? [...cicp] : null,
      isSrgb: chunks.has('sRGB'),
      gamma: gamma?.length === 4 ? gamma.readUInt32BE() / 100_000 : 0,
      chromaticities:
        chromaticities?.length === 32
          ? Array.from({ length: 8 }, (_, at) => chromaticities.readUInt32BE(at * 4) / 100_000)
          : null,
    },
    orientation: readOrientation(chunks.get('eXIf')),
  };
}

/** Inflates a profile after its name, which ends with a zero, and the byte of the method. */
function inflateProfile(chunk: Buffer | undefined): Uint8Array | null {
  if (chunk === undefined) return null;
  try {
    const compressed = chunk.subarray(chunk.indexOf(0) + 2);
    return inflateSync(compressed, { maxOutputLength: maxProfileBytes });
  } catch {
    return null;
  }
}

/** Returns the orientation in EXIF data, or 1. It is an entry of the first directory of a TIFF. */
function readOrientation(exif: Buffer | undefined): number {
  if (exif === undefined) return 1;
  const isLittle = exif[0] === 0x49;
  const view = new DataView(exif.buffer, exif.byteOffset, exif.byteLength);
  try {
    const directory = view.getUint32(4, isLittle);
    const count = view.getUint16(directory, isLittle);
    for (let entry = 0; entry < count; entry++) {
      const at = directory + 2 + entry * 12;
      if (view.getUint16(at, isLittle) !== 0x0112) continue;
      const orientation = view.getUint16(at + 8, isLittle);
      return orientation >= 1 && orientation <= 8 ? orientation : 1;
    }
  } catch {
    // The directory ends behind the data.
  }
  return 1;
}

const jpegMarkers = { end: 0xd9, scan: 0xda, app2: 0xe2 } as const;

/** Reads the segments of a JPEG up to its end (ITU-T T.81, annex B). */
function readJpeg(bytes: Buffer): RasterMetadata {
  const profile: Buffer[] = [];
  let samples: RasterMetadata['samples'] = 'rgb';
  let at = 2;
  for (;;) {
    at = nextMarker(bytes, at);
    const marker = bytes[at + 1];
    const isComplete = marker === jpegMarkers.end;
    if (isComplete || at + 4 > bytes.length)
      return { ...noMetadata, samples, iccProfile: joined(profile), isComplete };
    const segment = bytes.subarray(at + 4, at + 2 + bytes.readUInt16BE(at + 2));
    if (isFrame(marker ?? 0))
      samples = ({ 1: 'gray', 4: 'cmyk' } as const)[segment[5] ?? 3] ?? 'rgb';
    if (marker === jpegMarkers.app2 && segment.toString('latin1', 0, 12) === 'ICC_PROFILE\0')
      profile[segment[12] ?? 0] = segment.subarray(14);
    at += 2 + bytes.readUInt16BE(at + 2);
  }
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

/** Joins the parts of a profile, which are numbered from 1. */
function joined(parts: readonly Buffer[]): Uint8Array | null {
  return parts.length === 0
    ? null
    : Buffer.concat(Array.from(parts, (part) => part ?? Buffer.of()));
}

/** Reads the profile in the first chunks of a WebP, an extended one. */
function readWebp(bytes: Buffer): RasterMetadata {
  for (let at = 12; at + 8 <= bytes.length; ) {
    const length = bytes.readUInt32LE(at + 4);
    const content = bytes.subarray(at + 8, at + 8 + length);
    if (bytes.toString('latin1', at, at + 4) === 'ICCP')
      return { ...noMetadata, iccProfile: content };
    at += 8 + length + (length % 2);
  }
  return noMetadata;
}
