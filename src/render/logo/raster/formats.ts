import type { UndrawnFormat } from '../../../core/designs/logo-reasons.ts';

/** Pictures that are not drawn, by their first bytes as Latin-1. */
const starts: Partial<Readonly<Record<UndrawnFormat, readonly string[]>>> = {
  TIFF: ['II*\0', 'MM\0*', 'II+\0', 'MM\0+'],
  ICO: ['\0\0\x01\0', '\0\0\x02\0'],
  BMP: ['BM'],
  GIF: ['GIF8'],
  'JPEG XL': ['\xff\x0a', '\0\0\0\x0cJXL '],
  'JPEG 2000': ['\0\0\0\x0cjP  ', '\xff\x4f\xff\x51'],
  Photoshop: ['8BPS'],
  // Xcode changes the pictures of apps so that other programs cannot read them.
  'PNG for iOS': ['\x89PNG\r\n\x1a\n\0\0\0\x04CgBI'],
  PDF: ['%PDF'],
  EPS: ['%!PS', '\xc5\xd0\xd3\xc6'],
};

/** Brands of ISO media files with pictures; an AVIF has those of HEIC too. */
const brands = [
  { name: 'AVIF', pattern: /avi[fs]/ },
  { name: 'HEIC', pattern: /hei[cxms]|hev[cxms]|mif1|msf1/ },
] as const;

/** Bytes that are looked at: an ISO media file names its brands in the first ones. */
const startBytes = 64;

/** Returns the known format of a picture that is not drawn, or null. */
export function undrawnFormat(file: Uint8Array): UndrawnFormat | null {
  const start = Buffer.from(file.subarray(0, startBytes)).toString('latin1');
  if (start.slice(4, 8) === 'ftyp')
    return brands.find(({ pattern }) => pattern.test(start))?.name ?? null;
  // The cast is safe: these are the keys of the constant.
  const formats = Object.keys(starts) as UndrawnFormat[];
  return formats.find((format) => starts[format]?.some((text) => start.startsWith(text))) ?? null;
}
