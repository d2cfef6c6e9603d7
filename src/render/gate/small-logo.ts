import type { Logo } from '../../core/design.ts';
import { decodeRgbaPng, encodeRgbaPng } from '../logo/pixels.ts';
import { reduce } from '../logo/scale.ts';
import type { Picture } from '../svg.ts';

/** Pixels of the small logo for each that is drawn: enough that drawing it loses nothing. */
const oversampling = 2;

/** By digest and size: an account uses one logo for thousands of codes. */
const known = new Map<string, Logo>();
const knownLimit = 64;

/**
 * The same picture with a logo no larger than a drawing of so many pixels a module can show. A
 * photograph of 512 pixels would take five times as long to decode as all the rest to draw.
 */
export function withSmallLogo(picture: Picture, pxPerModule: number): Picture {
  const { design, layout } = picture;
  if (design.logo === null || layout.logo === null) return picture;
  const longerModules = Math.max(layout.logo.width, layout.logo.height);
  const sidePx = Math.max(1, Math.ceil(longerModules * pxPerModule * oversampling));
  if (Math.max(design.logo.widthPx, design.logo.heightPx) <= sidePx) return picture;

  const digest = new Bun.CryptoHasher('sha256').update(design.logo.png).digest('hex');
  const key = `${digest} ${sidePx}`;
  const logo = known.get(key) ?? reduced(design.logo, sidePx);
  if (known.size >= knownLimit) known.clear();
  known.set(key, logo);
  return { ...picture, design: { ...design, logo } };
}

function reduced(logo: Logo, sidePx: number): Logo {
  const pixels = reduce(decodeRgbaPng(logo.png), sidePx);
  return { png: encodeRgbaPng(pixels), widthPx: pixels.widthPx, heightPx: pixels.heightPx };
}
