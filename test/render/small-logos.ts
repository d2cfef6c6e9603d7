import { smallLogo } from '../../src/render/draw/small-logo.ts';
import type { Picture } from '../../src/render/draw/svg.ts';
import { rgbaPng } from './logo-fixtures.ts';

/** A picture whose logo has no more pixels than a drawing shows: the rasterizer draws it as we do. */
export function withSmallLogo(picture: Picture, pxPerModule: number): Picture {
  const { design, layout } = picture;
  if (design.logo === null || layout.logo === null) return picture;
  const { widthPx, heightPx, rgba } = smallLogo(design.logo, layout.logo, pxPerModule);
  const png = rgbaPng(widthPx, heightPx, (x, y) => {
    const [red = 0, green = 0, blue = 0, alpha = 0] = rgba.subarray((y * widthPx + x) * 4);
    return [red, green, blue, alpha];
  });
  return { ...picture, design: { ...design, logo: { png, widthPx, heightPx } } };
}
