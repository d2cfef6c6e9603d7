import { InvalidLogo } from '../../core/ports.ts';
import { checkSize } from './bounds.ts';
import { readOrientation } from './exif.ts';
import { join, latin1, type Picture, viewOf } from './picture.ts';
import { cutShort } from './png.ts';

/** Marker codes of ITU-T T.81, table B.1. */
const startOfImage = 0xd8;
const endOfImage = 0xd9;
const startOfScan = 0xda;
const jfif = 0xe0;
const exif = 0xe1;
const iccProfile = 0xe2;
const adobe = 0xee;

/** Baseline, extended sequential and progressive Huffman coding: what cameras and programs write. */
const usualFrames = new Set([0xc0, 0xc1, 0xc2]);

/** Other frames: lossless, hierarchical, arithmetic coding. */
const unusualFrames = new Set([0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf]);

/** Programs write about ten scans; each costs a pass over the picture, so a thousand are a bomb. */
const maxScans = 32;

/**
 * Walks the segments of a JPEG and keeps those that paint the picture. The walk matters: the decoder
 * paints a file that was cut short in part and says nothing.
 *
 * @throws InvalidLogo when it is damaged, cut short, in print colours or of an unusable size
 */
export function readJpeg(bytes: Uint8Array): Picture {
  const kept: Uint8Array[] = [Uint8Array.of(0xff, startOfImage)];
  const profileParts: Uint8Array[] = [];
  let orientation = 1;
  let scans = 0;
  let framed = false;
  for (const { marker, data, whole } of segmentsOf(bytes)) {
    if (unusualFrames.has(marker)) throw unusual();
    if (usualFrames.has(marker)) {
      if (framed) throw damaged();
      framed = true;
      checkFrame(data);
    }
    if (marker === startOfScan) {
      scans++;
      if (!framed || scans > maxScans) throw damaged();
    }
    if (marker === exif && latin1(data, 0, 4) === 'Exif') {
      orientation = readOrientation(data.subarray(6));
    }
    if (marker === iccProfile && latin1(data, 0, 11) === 'ICC_PROFILE') {
      profileParts.push(data.subarray(14));
    }
    if (paints(marker, data)) kept.push(whole);
  }
  if (scans === 0) throw damaged();
  const profile = profileParts.length > 0 ? join(profileParts) : null;
  return { bytes: join(kept), transparent: false, orientation, profile };
}

/** The segments up to and with the end of the image; a scan's data belongs to its header. */
function* segmentsOf(bytes: Uint8Array) {
  const view = viewOf(bytes);
  let offset = 2;
  while (true) {
    if (offset + 2 > bytes.length) throw cutShort('JPEG');
    if (bytes[offset] !== 0xff) throw damaged();
    const marker = view.getUint8(offset + 1);
    if (marker === 0xff) {
      offset++;
      continue;
    }
    if (marker === endOfImage) {
      yield { marker, data: new Uint8Array(), whole: bytes.subarray(offset, offset + 2) };
      return;
    }
    if (offset + 4 > bytes.length) throw cutShort('JPEG');
    const length = view.getUint16(offset + 2);
    if (marker < 0xc0 || (marker >= 0xd0 && marker <= 0xd7) || length < 2) throw damaged();
    const headerEnd = offset + 2 + length;
    if (headerEnd > bytes.length) throw cutShort('JPEG');
    const end = marker === startOfScan ? scanEnd(bytes, headerEnd) : headerEnd;
    yield {
      marker,
      data: bytes.subarray(offset + 4, headerEnd),
      whole: bytes.subarray(offset, end),
    };
    offset = end;
  }
}

/** The next marker that is neither a stuffed zero nor a restart marker. */
function scanEnd(bytes: Uint8Array, start: number): number {
  let offset = bytes.indexOf(0xff, start);
  while (offset >= 0 && offset + 1 < bytes.length) {
    const next = bytes[offset + 1] ?? 0;
    const inside = next === 0 || next === 0xff || (next >= 0xd0 && next <= 0xd7);
    if (!inside) return offset;
    offset = bytes.indexOf(0xff, offset + (next === 0xff ? 1 : 2));
  }
  throw cutShort('JPEG');
}

/** SOF: precision, height, width, number of components. */
function checkFrame(data: Uint8Array): void {
  if (data.length < 6) throw damaged();
  const frame = viewOf(data);
  if (frame.getUint8(0) !== 8) throw unusual();
  checkSize(frame.getUint16(3), frame.getUint16(1));
  if (frame.getUint8(5) === 4) {
    throw new InvalidLogo(
      'This JPEG is in print colours (CMYK), which no screen shows as they are meant. Save it as RGB, or upload a PNG.',
    );
  }
}

/** All that is not an application segment or a comment; JFIF and Adobe say how colours are coded. */
function paints(marker: number, data: Uint8Array): boolean {
  if (marker === jfif) return latin1(data, 0, 4) === 'JFIF';
  if (marker === adobe) return latin1(data, 0, 5) === 'Adobe';
  return marker < 0xe0;
}

function unusual(): InvalidLogo {
  return new InvalidLogo(
    'This JPEG is coded in a way that few programs can read. Save it as an ordinary JPEG or as PNG.',
  );
}

function damaged(): InvalidLogo {
  return new InvalidLogo('This JPEG is damaged. Save it again and upload the new file.');
}
