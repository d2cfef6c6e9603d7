import { decodeRgbaPng, type Pixels } from '../../src/render/png/rgba.ts';

/** Decodes a picture of a page: PNG or WebP. */
export async function decodePicture(image: Uint8Array): Promise<Pixels> {
  return decodeRgbaPng(await new Bun.Image(image).png().bytes());
}

/** Returns the colours of a picture, as `#rrggbb`. */
export function colorsOf({ rgba }: Pixels): Set<string> {
  const colors = new Set<string>();
  for (let at = 0; at < rgba.length; at += 4) colors.add(`#${rgba.slice(at, at + 3).toHex()}`);
  return colors;
}
