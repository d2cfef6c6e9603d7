import { InvalidLogo } from '../../core/ports.ts';
import { maxAreaPx, maxStoredSidePx } from './bounds.ts';
import { toSrgb } from './icc.ts';
import type { Picture } from './picture.ts';
import { decodeRgbaPng, type Pixels } from './pixels.ts';
import { reduce } from './scale.ts';

/** Rotation clockwise in degrees, then mirrored left to right, per value of the EXIF orientation. */
const turns: Record<number, { degrees: number; mirror: boolean }> = {
  2: { degrees: 0, mirror: true },
  3: { degrees: 180, mirror: false },
  4: { degrees: 180, mirror: true },
  5: { degrees: 90, mirror: true },
  6: { degrees: 90, mirror: false },
  7: { degrees: 270, mirror: true },
  8: { degrees: 270, mirror: false },
};

/**
 * Decodes a picture whose container was found sound: upright, in sRGB, reduced to at most 512 pixels.
 *
 * @throws InvalidLogo when its compressed data is damaged
 */
export async function decodePicture(picture: Picture): Promise<Pixels> {
  const image = new Bun.Image(picture.bytes, { autoOrient: false, maxPixels: maxAreaPx });
  const turn = turns[picture.orientation];
  if (turn && turn.degrees !== 0) image.rotate(turn.degrees);
  if (turn?.mirror) image.flop();
  if (!picture.transparent) {
    image.resize(maxStoredSidePx, maxStoredSidePx, { fit: 'inside', withoutEnlargement: true });
  }
  const pixels = decodeRgbaPng(await paint(image));
  return toSrgb(reduce(pixels, maxStoredSidePx), picture.profile);
}

/** The picture as PNG, compressed just enough to keep a large plain one small in memory. */
async function paint(image: Bun.Image): Promise<Uint8Array> {
  try {
    return await image.png({ compressionLevel: 1 }).bytes();
  } catch {
    throw new InvalidLogo(
      'The picture data in this file is damaged. Save the logo again and upload the new file.',
    );
  }
}
