import { readOrientation } from './exif.ts';
import { noMetadata, type RasterMetadata } from './metadata.ts';

/** Kinds of samples by the number of components. Others are colours (YCbCr or RGB). */
const samplesByComponents: Readonly<Record<number, RasterMetadata['samples']>> = {
  1: 'gray',
  4: 'cmyk',
};

const jpegMarkers = { end: 0xd9, scan: 0xda, app1: 0xe1, app2: 0xe2 } as const;

/** Reads the segments of a JPEG up to its end (ITU-T T.81, annex B): metadata is before its first scan. */
export function readJpeg(bytes: Buffer): RasterMetadata {
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
    if (isFrame(marker)) samples = samplesByComponents[segment[5] ?? 0] ?? 'rgb';
    if (!hasScan && marker === jpegMarkers.app1 && startsWith(segment, 'Exif\0'))
      // Browsers skip an empty one.
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
