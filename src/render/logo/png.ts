import { crc32, inflateSync } from 'node:zlib';
import { InvalidLogo } from '../../core/ports.ts';
import { pngSignature } from '../png/file.ts';
import { checkSize } from './bounds.ts';
import { readOrientation } from './exif.ts';
import { join, latin1, type Picture, viewOf } from './picture.ts';

/** The chunks that paint the picture; all others describe it, or hide something. */
const paintingChunks = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']);

/** Profiles are a few hundred bytes to some ten kilobytes; more is a decompression bomb. */
const maxProfileBytes = 1_000_000;

/**
 * Walks the chunks of a PNG (W3C PNG, third edition) and keeps those that paint the picture.
 *
 * @throws InvalidLogo when it is damaged, cut short, animated or of an unusable size
 */
export function readPng(bytes: Uint8Array): Picture {
  const kept: Uint8Array[] = [pngSignature];
  let transparent = false;
  let orientation = 1;
  let profile: Uint8Array | null = null;
  for (const { type, data, whole } of chunksOf(bytes)) {
    if (kept.length === 1 && (type !== 'IHDR' || data.length !== 13)) throw damaged();
    if (type === 'IHDR') {
      const header = viewOf(data);
      checkSize(header.getUint32(0), header.getUint32(4));
      transparent = (header.getUint8(9) & 4) !== 0;
    }
    if (type === 'acTL') throw animated('PNG');
    if (type === 'tRNS') transparent = true;
    if (type === 'eXIf') orientation = readOrientation(data);
    if (type === 'iCCP') profile = inflateProfile(data);
    if (paintingChunks.has(type)) kept.push(whole);
    else if (isCritical(type)) throw damaged();
  }
  return { bytes: join(kept), transparent, orientation, profile };
}

/** The chunks up to and with IEND; what stands behind it is not part of the picture. */
function* chunksOf(bytes: Uint8Array) {
  const view = viewOf(bytes);
  let offset = pngSignature.length;
  let type = '';
  while (type !== 'IEND') {
    if (offset + 12 > bytes.length) throw cutShort('PNG');
    const end = offset + 12 + view.getUint32(offset);
    if (end > bytes.length) throw cutShort('PNG');
    if (crc32(bytes.subarray(offset + 4, end - 4)) !== view.getUint32(end - 4)) throw damaged();
    type = latin1(bytes, offset + 4, 4);
    yield { type, data: bytes.subarray(offset + 8, end - 4), whole: bytes.subarray(offset, end) };
    offset = end;
  }
}

/** A chunk that no reader may ignore has a capital first letter. */
function isCritical(type: string): boolean {
  return /^[A-Z]/.test(type);
}

/** iCCP: a name, a zero byte, the compression method, the compressed profile. */
function inflateProfile(data: Uint8Array): Uint8Array | null {
  const nameEnd = data.indexOf(0);
  if (nameEnd < 0) return null;
  try {
    return inflateSync(data.subarray(nameEnd + 2), { maxOutputLength: maxProfileBytes });
  } catch {
    throw new InvalidLogo(
      'The colour profile in this PNG is damaged or far too large. Save the logo again without a colour profile (as sRGB).',
    );
  }
}

/** A picture that moves; paper does not. */
export function animated(format: string): InvalidLogo {
  return new InvalidLogo(
    `This ${format} is animated, but a printed code shows one picture only. Save the frame you want as a still picture.`,
  );
}

/** A file that ends before its picture does. */
export function cutShort(format: string): InvalidLogo {
  return new InvalidLogo(
    `This ${format} ends in the middle: it was cut short on its way. Upload the whole file, or save it again.`,
  );
}

function damaged(): InvalidLogo {
  return new InvalidLogo('This PNG is damaged. Save it again and upload the new file.');
}
