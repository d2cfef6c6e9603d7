import type { Logo } from '../core/design.ts';
import { LogoRefused } from '../core/ports.ts';

/** Longer side of a stored logo in pixels: 20 mm at 600 dpi, more than a printed code can show. */
const longerSidePx = 512;

/**
 * Makes a logo of whatever a person uploaded: PNG, JPEG, WebP or SVG, told apart by content.
 *
 * @throws LogoRefused with what is wrong and what would be right
 */
export async function normalizeLogo(bytes: Uint8Array): Promise<Logo> {
  try {
    const image = new Bun.Image(bytes, { maxPixels: 16e6 })
      .resize(longerSidePx, longerSidePx, { fit: 'inside', withoutEnlargement: true })
      .png();
    const png = await image.bytes();
    return { png, widthPx: image.width, heightPx: image.height };
  } catch {
    throw new LogoRefused('This file is not a picture that can be read. Upload a PNG.');
  }
}
