/**
 * Returns the orientation in EXIF data, or 1.
 * It is an entry of the first directory of a TIFF: one number of 16 bits.
 */
export function readOrientation(exif: Buffer | undefined): number {
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
