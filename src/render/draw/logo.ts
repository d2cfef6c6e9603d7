import type { Logo } from '../../core/designs/design.ts';
import { reducedLogo } from '../logo/decoded.ts';
import { boxFilter, resample } from '../logo/resample.ts';
import type { Box } from '../symbol/layout.ts';

/**
 * Resamples a logo to a box and composites it onto a raster.
 *
 * @param rgba opaque pixels, `widthPx` a row; changed in place
 * @param box position of the logo in pixels, not necessarily whole ones
 */
export function compositeLogo(rgba: Uint8Array, widthPx: number, logo: Logo, box: Box): void {
  const heightPx = rgba.length / 4 / widthPx;
  const source = reducedLogo(logo, Math.max(box.width, box.height));
  const columns = boxFilter(source.widthPx, box.x, box.width, widthPx);
  const rows = boxFilter(source.heightPx, box.y, box.height, heightPx);
  const drawn = resample(source, columns, rows);
  let from = 0;
  for (let y = rows.first; y < rows.first + drawn.heightPx; y++) {
    const start = (y * widthPx + columns.first) * 4;
    for (let at = start; at < start + drawn.widthPx * 4; at += 4, from += 4) {
      const behind = 1 - (drawn.values[from + 3] ?? 0) / 255;
      for (let channel = 0; channel < 3; channel++)
        rgba[at + channel] = Math.round(
          (drawn.values[from + channel] ?? 0) + (rgba[at + channel] ?? 0) * behind,
        );
    }
  }
}
