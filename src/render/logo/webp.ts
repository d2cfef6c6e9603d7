import { InvalidLogo } from '../../core/ports.ts';
import { checkSize } from './bounds.ts';
import { readOrientation } from './exif.ts';
import { join, latin1, type Picture, viewOf } from './picture.ts';
import { animated, cutShort } from './png.ts';

/** Flags of the VP8X chunk. */
const animationFlag = 0x02;
const alphaFlag = 0x10;

/**
 * Walks the chunks of a WebP (RFC 9649) and keeps those that paint the picture.
 *
 * @throws InvalidLogo when it is damaged, cut short, animated or of an unusable size
 */
export function readWebp(bytes: Uint8Array): Picture {
  const kept: Uint8Array[] = [];
  let transparent = false;
  let orientation = 1;
  let profile: Uint8Array | null = null;
  let painted = false;
  for (const { type, data, whole } of chunksOf(bytes)) {
    if (type === 'ANIM' || type === 'ANMF') throw animated('WebP');
    if (type === 'EXIF') orientation = readOrientation(withoutExifMarker(data));
    if (type === 'ICCP') profile = data;
    if (type === 'VP8X') {
      const flags = data[0] ?? 0;
      if ((flags & animationFlag) !== 0) throw animated('WebP');
      kept.push(withFlags(whole, flags & alphaFlag));
    }
    if (type === 'ALPH') kept.push(whole);
    if (type === 'VP8X' || type === 'VP8 ' || type === 'VP8L') checkHeader(type, data);
    if (type === 'ALPH' || type === 'VP8L') transparent = true;
    if (type === 'VP8 ' || type === 'VP8L') {
      if (painted) throw damaged();
      painted = true;
      kept.push(whole);
    }
  }
  if (!painted) throw damaged();
  return { bytes: wrap(kept), transparent, orientation, profile };
}

function* chunksOf(bytes: Uint8Array) {
  const view = viewOf(bytes);
  if (bytes.length < 20) throw cutShort('WebP');
  const end = 8 + view.getUint32(4, true);
  if (end > bytes.length) throw cutShort('WebP');
  let offset = 12;
  while (offset + 8 <= end) {
    const length = view.getUint32(offset + 4, true);
    const next = offset + 8 + length + (length % 2);
    if (next > end) throw cutShort('WebP');
    const type = latin1(bytes, offset, 4);
    yield {
      type,
      data: bytes.subarray(offset + 8, offset + 8 + length),
      whole: bytes.subarray(offset, next),
    };
    offset = next;
  }
}

/** Reads the size that a chunk states: 24-bit sides in VP8X, 14-bit sides in the others. */
function checkHeader(type: 'VP8X' | 'VP8 ' | 'VP8L', data: Uint8Array): void {
  if (data.length < 10) throw damaged();
  const header = viewOf(data);
  if (type === 'VP8X') {
    checkSize(1 + (header.getUint32(4, true) & 0xff_ffff), 1 + (header.getUint32(6, true) >>> 8));
  }
  if (type === 'VP8 ') {
    checkSize(header.getUint16(6, true) & 0x3fff, header.getUint16(8, true) & 0x3fff);
  }
  if (type === 'VP8L') {
    const packed = header.getUint32(1, true);
    checkSize(1 + (packed & 0x3fff), 1 + ((packed >>> 14) & 0x3fff));
  }
}

/** The VP8X chunk with other flags: what it announces must match what is kept. */
function withFlags(chunk: Uint8Array, flags: number): Uint8Array {
  const copy = chunk.slice();
  copy[8] = flags;
  return copy;
}

/** Some programs begin the chunk as a JPEG segment would. */
function withoutExifMarker(data: Uint8Array): Uint8Array {
  return latin1(data, 0, 4) === 'Exif' ? data.subarray(6) : data;
}

function wrap(chunks: readonly Uint8Array[]): Uint8Array {
  const header = new Uint8Array(12);
  header.set(new TextEncoder().encode('RIFF    WEBP'));
  const file = join([header, ...chunks]);
  viewOf(file).setUint32(4, file.length - 8, true);
  return file;
}

function damaged(): InvalidLogo {
  return new InvalidLogo('This WebP is damaged. Save it again, as WebP or PNG.');
}
