import { type Logo, maxLogoBytes } from '../../core/designs/design.ts';
import { InvalidLogo } from '../../core/ports.ts';
import { thousands } from './bounds.ts';
import { identify } from './format.ts';
import { readJpeg } from './jpeg.ts';
import { encodeRgbaPng, type Pixels } from './pixels.ts';
import { readPng } from './png.ts';
import { decodePicture } from './raster.ts';
import { reduce } from './scale.ts';
import { rasterizeSvg } from './svg.ts';
import { readWebp } from './webp.ts';

/**
 * Longer sides at which a logo is stored, the first that stays below the bound. A drawing stays at
 * 512; a photograph, which a symbol of a few centimetres cannot show so finely, becomes smaller.
 * 256 × 256 pixels are below the bound even as noise.
 */
const storedSidesPx = [512, 384, 256] as const;

/** The logo is part of every SVG that is downloaded. */
const maxStoredBytes = 300_000;

/** Less than this share of 255 in every pixel, and nobody sees anything. */
const visibleAlpha = 16;

/**
 * Makes a logo of whatever a person uploaded: PNG, JPEG, WebP or SVG, told apart by content. The
 * result is a PNG (8-bit RGBA, sRGB, upright, no metadata) of at most 512 pixels and 300 kB, the
 * same for the same bytes.
 *
 * @throws InvalidLogo with what is wrong and what would be right; nothing else
 */
export async function normalizeLogo(bytes: Uint8Array): Promise<Logo> {
  if (bytes.length > maxLogoBytes) {
    throw new InvalidLogo(
      `The file has ${thousands(bytes.length)} bytes; a logo may have ${thousands(maxLogoBytes)}. Reduce it to 512 × 512 pixels, or export it as SVG.`,
    );
  }
  const pixels = clearHidden(await decode(bytes));
  return encode(pixels);
}

async function decode(bytes: Uint8Array): Promise<Pixels> {
  switch (identify(bytes)) {
    case 'png':
      return decodePicture(readPng(bytes));
    case 'jpeg':
      return decodePicture(readJpeg(bytes));
    case 'webp':
      return decodePicture(readWebp(bytes));
    case 'svg':
      return rasterizeSvg(bytes);
  }
}

/**
 * Blackens the colour of pixels that are fully transparent: it may hide something, and it costs bytes.
 *
 * @throws InvalidLogo when nothing can be seen at all
 */
function clearHidden(pixels: Pixels): Pixels {
  const rgba = pixels.rgba.slice();
  let strongest = 0;
  for (let at = 0; at < rgba.length; at += 4) {
    const alpha = rgba[at + 3] ?? 0;
    strongest = Math.max(strongest, alpha);
    if (alpha === 0) rgba.fill(0, at, at + 3);
  }
  if (strongest < visibleAlpha) {
    throw new InvalidLogo(
      'The logo is fully transparent: there is nothing to see. Check that the right layers were exported.',
    );
  }
  return { ...pixels, rgba };
}

async function encode(pixels: Pixels): Promise<Logo> {
  let logo: Logo | null = null;
  for (const sidePx of storedSidesPx) {
    const { widthPx, heightPx, rgba } = reduce(pixels, sidePx);
    const plain = encodeRgbaPng({ widthPx, heightPx, rgba });
    logo = { png: await new Bun.Image(plain).png().bytes(), widthPx, heightPx };
    if (logo.png.length <= maxStoredBytes) return logo;
  }
  throw new Error('A logo of 256 pixels is larger than its pixels');
}
