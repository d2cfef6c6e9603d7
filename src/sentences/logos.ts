import type { LogoReason } from '../core/designs/logo-reasons.ts';
import type { Sentences } from '../core/reasons.ts';
import type { Texts } from '../languages/generated/texts.ts';
import { formatNumber } from '../lib/numbers.ts';

/** Why a file cannot be the logo of a design: problem, cause, and what to do. */
export const logoSentences = (_: Texts): Sentences<LogoReason> => ({
  'logo file empty': () => 'The file is empty. Choose a PNG or JPEG.',
  'logo file too large': ({ bytes, maxBytes }) =>
    `The file has ${formatNumber(bytes)} bytes; a logo may have ${formatNumber(maxBytes)}. Reduce it to 512 × 512 pixels and save it as PNG.`,
  'logo takes too long': () =>
    'The picture takes too long to read. Reduce it to 512 × 512 pixels and save it as PNG.',
  'logo too long': ({ maxAspectRatio }) =>
    `The logo is more than ${maxAspectRatio} times as long as it is wide. Crop it to a more compact shape.`,
  'logo transparent': () =>
    'The logo is fully transparent. Check that the right layers were exported.',
  'logo too small': ({ widthPx, heightPx, minSidePx }) =>
    `The logo is only ${widthPx} × ${heightPx} pixels. Choose one of at least ${minSidePx} pixels a side; 256 or more look good.`,
  'logo of another kind': () =>
    'The file is not a plain PNG or JPEG. Choose it in the panel with JavaScript on, where your browser draws SVG, WebP, AVIF, GIF and others, or save it as PNG.',
  'logo of other colours': () =>
    'The colours of the picture are not sRGB. Choose it in the panel with JavaScript on, where your browser converts them, or save it as PNG in sRGB.',
  'logo of too many pixels': () =>
    'The logo is too large. Reduce it to at most 4,096 × 4,096 pixels; 512 × 512 are enough.',
  'logo damaged': () =>
    'The picture is damaged or incomplete. Save the logo again as PNG and choose the new file.',
});
