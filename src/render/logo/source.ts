import { crc32, inflateSync } from 'node:zlib';
import { isSrgbProfile } from './srgb-profile.ts';

/** What a file says before it is decoded. */
export type LogoSource =
  | { readonly kind: 'png' | 'jpeg' }
  /** Neither of them, or of a kind that programs show in different ways. */
  | { readonly kind: 'other' }
  /** Not in sRGB. */
  | { readonly kind: 'other colours' }
  | { readonly kind: 'incomplete' };

/** Reads the format of a file and what it says about its colours. */
export function readSource(file: Uint8Array): LogoSource {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  if (bytes.toString('latin1', 0, 8) === '\x89PNG\r\n\x1a\n') return readPng(bytes);
  return bytes.toString('latin1', 0, 3) === '\xff\xd8\xff' ? readJpeg(bytes) : { kind: 'other' };
}

/** Reads the chunks of a PNG (W3C PNG, third edition, clause 11). */
function readPng(bytes: Buffer): LogoSource {
  const chunks = new Map<string, Buffer>();
  let isSrgb = true;
  for (let at = 8; at + 12 <= bytes.length; ) {
    const end = at + 12 + bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (type === 'IEND') {
      if (isShownDifferently(bytes, chunks)) return { kind: 'other' };
      return { kind: isSrgb && hasSrgbNumbers(chunks) ? 'png' : 'other colours' };
    }
    const data = bytes.subarray(at + 8, end - 4);
    if (end > bytes.length) break;
    // What browsers ignore because of its checksum is not judged either way.
    if (type !== 'IDAT' && crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4))
      return { kind: 'incomplete' };
    if (type === 'iCCP') isSrgb &&= isSrgbProfile(inflateProfile(data));
    if (type === 'cICP') isSrgb &&= data.equals(srgbCodes);
    // Behind the pixels, it says nothing about them.
    const isLate = type === 'sRGB' && chunks.has('IDAT');
    if (!isLate && !chunks.has(type)) chunks.set(type, data);
    at = end;
  }
  return { kind: 'incomplete' };
}

/** Primaries, transfer function, matrix and full range of sRGB by ITU-T H.273. */
const srgbCodes = Buffer.of(1, 13, 0, 1);

/** A profile of sRGB by primaries and curves has up to 7 kB. */
const maxProfileBytes = 64_000;

/** Inflates a profile after its name, a zero, and the method. Returns an empty one that cannot be read. */
function inflateProfile(chunk: Buffer): Uint8Array {
  try {
    const start = chunk.indexOf(0) + 2;
    return inflateSync(chunk.subarray(start), { maxOutputLength: maxProfileBytes });
  } catch {
    return new Uint8Array();
  }
}

/** The exponent that programs write for sRGB, and its primaries after the white, in the units of PNG. */
const srgbGamma = 45_455;
const srgbChromaticities = [31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6_000] as const;

/** Browsers take a gamma for that of sRGB up to this difference. */
const gammaTolerance = 0.05 * srgbGamma;
const chromaticityTolerance = 300;

/** Browsers ignore a greater one. */
const lastRenderingIntent = 3;

/** Returns whether gamma and primaries of a PNG are those of sRGB. The chunk sRGB counts instead of them. */
function hasSrgbNumbers(chunks: ReadonlyMap<string, Buffer>): boolean {
  const intent = chunks.get('sRGB')?.[0];
  if (intent !== undefined && intent <= lastRenderingIntent) return true;
  const gamma = chunks.get('gAMA');
  const points = chunks.get('cHRM');
  const isGamma =
    gamma === undefined ||
    (gamma.length === 4 && Math.abs(gamma.readUInt32BE() - srgbGamma) < gammaTolerance);
  const isPoint = (value: number, index: number) =>
    Math.abs((points?.readUInt32BE(4 * index) ?? 0) - value) <= chromaticityTolerance;
  return (
    isGamma && (points === undefined || (points.length === 32 && srgbChromaticities.every(isPoint)))
  );
}

/** Returns whether programs differ in what they show: animations, turned ones, more alphas than colours. */
function isShownDifferently(bytes: Buffer, chunks: ReadonlyMap<string, Buffer>): boolean {
  const colorType = bytes[25] ?? 0;
  const alphas = chunks.get('tRNS')?.length ?? 0;
  const colors = (chunks.get('PLTE')?.length ?? 0) / 3;
  const exif = chunks.get('eXIf');
  return (
    chunks.has('acTL') ||
    chunks.has('CgBI') ||
    (colorType === 3 && alphas > colors) ||
    (exif !== undefined && orientationOf(exif) !== 1)
  );
}

/** Returns the orientation in EXIF data, a directory of a TIFF: 1 to 8, 1 without one, null for an odd one. */
function orientationOf(exif: Buffer): number | null {
  const isLittle = exif.toString('latin1', 0, 2) === 'II';
  const view = new DataView(exif.buffer, exif.byteOffset, exif.byteLength);
  try {
    const directory = view.getUint32(4, isLittle);
    const count = view.getUint16(directory, isLittle);
    for (let at = directory + 2; at < directory + 2 + 12 * count; at += 12) {
      if (view.getUint16(at, isLittle) !== orientationTag) continue;
      const isNumber =
        view.getUint16(at + 2, isLittle) === 3 && view.getUint32(at + 4, isLittle) === 1;
      const orientation = view.getUint16(at + 8, isLittle);
      return isNumber && orientation >= 1 && orientation <= 8 ? orientation : null;
    }
    return 1;
  } catch {
    // The directory ends behind the data.
    return null;
  }
}

const orientationTag = 0x0112;

const jpegMarkers = { end: 0xd9, scan: 0xda, app1: 0xe1, app2: 0xe2 } as const;

const exifStart = 'Exif\0\0';

/** A profile has a name, its number and the count of its parts before it. */
const profileStart = Buffer.from('ICC_PROFILE\0\x01\x01', 'latin1');

/** Reads the segments of a JPEG up to its end (ITU-T T.81, annex B): metadata is before its first scan. */
function readJpeg(bytes: Buffer): LogoSource {
  const exif: Buffer[] = [];
  let isSrgb = true;
  let hasScan = false;
  for (let at = nextMarker(bytes, 2); at + 2 <= bytes.length; ) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === jpegMarkers.end) {
      // The decoder turns it by the only orientation.
      const isClear = exif.length <= 1 && exif.every((one) => orientationOf(one) !== null);
      if (!isClear) return { kind: 'other' };
      return { kind: isSrgb ? 'jpeg' : 'other colours' };
    }
    if (at + 4 > bytes.length) break;
    const end = at + 2 + bytes.readUInt16BE(at + 2);
    const segment = bytes.subarray(at + 4, end);
    hasScan ||= marker === jpegMarkers.scan;
    // Grey or YCbCr: four are CMYK, which has no place in sRGB.
    if (isFrame(marker)) isSrgb &&= segment[5] === 1 || segment[5] === 3;
    if (marker === jpegMarkers.app1 && segment.toString('latin1', 0, 6) === exifStart)
      exif.push(segment.subarray(6));
    if (!hasScan && marker === jpegMarkers.app2 && segment.toString('latin1', 0, 3) === 'ICC')
      // One of sRGB has one part.
      isSrgb &&=
        segment.indexOf(profileStart) === 0 && isSrgbProfile(segment.subarray(profileStart.length));
    at = nextMarker(bytes, end);
  }
  return { kind: 'incomplete' };
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
