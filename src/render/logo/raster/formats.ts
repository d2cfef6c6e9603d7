/** Pictures that are not drawn, by their first bytes as Latin-1. */
const starts: Readonly<Record<string, readonly string[]>> = {
  'a TIFF': ['II*\0', 'MM\0*', 'II+\0', 'MM\0+'],
  'an ICO': ['\0\0\x01\0', '\0\0\x02\0'],
  'a BMP': ['BM'],
  'a GIF': ['GIF8'],
  'a JPEG XL': ['\xff\x0a', '\0\0\0\x0cJXL '],
  'a JPEG 2000': ['\0\0\0\x0cjP  ', '\xff\x4f\xff\x51'],
  'a Photoshop file': ['8BPS'],
  'a PDF': ['%PDF'],
  'an EPS': ['%!PS', '\xc5\xd0\xd3\xc6'],
};

/** Brands of ISO media files with pictures; an AVIF has those of HEIC too. */
const brands = [
  { name: 'an AVIF', pattern: /avi[fs]/ },
  { name: 'a HEIC', pattern: /hei[cxms]|hev[cxms]|mif1|msf1/ },
] as const;

/** Bytes that are looked at: an ISO media file names its brands in the first ones. */
const startBytes = 64;

/** Returns the name of a known format that is not drawn, with its article, or null. */
export function undrawnFormat(file: Uint8Array): string | null {
  const start = Buffer.from(file.subarray(0, startBytes)).toString('latin1');
  if (start.slice(4, 8) === 'ftyp')
    return brands.find(({ pattern }) => pattern.test(start))?.name ?? null;
  const known = Object.entries(starts).find(([, texts]) =>
    texts.some((text) => start.startsWith(text)),
  );
  return known?.[0] ?? null;
}
