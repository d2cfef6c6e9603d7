import { latin1, viewOf } from './picture.ts';

const orientationTag = 0x0112;
/** TIFF type 3: a 16-bit number. */
const shortType = 3;

/**
 * The orientation in EXIF data (a TIFF header and its first directory), 1 to 8 as in the tag
 * `Orientation`; 1, upright, when it is missing or unreadable, as every viewer takes it.
 */
export function readOrientation(tiff: Uint8Array): number {
  const littleEndian = latin1(tiff, 0, 4) === 'II*\0';
  if (!littleEndian && latin1(tiff, 0, 4) !== 'MM\0*') return 1;
  const view = viewOf(tiff);
  if (tiff.length < 8) return 1;
  const directory = view.getUint32(4, littleEndian);
  if (directory + 2 > tiff.length) return 1;
  const entries = view.getUint16(directory, littleEndian);
  for (let index = 0; index < entries; index++) {
    const entry = directory + 2 + index * 12;
    if (entry + 12 > tiff.length) return 1;
    if (view.getUint16(entry, littleEndian) !== orientationTag) continue;
    if (view.getUint16(entry + 2, littleEndian) !== shortType) return 1;
    const value = view.getUint16(entry + 8, littleEndian);
    return value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}
