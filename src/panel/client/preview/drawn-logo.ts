import { maxLogoBytes } from '../../../core/designs/design.ts';
import { create } from '../dom.ts';
import { preview as t } from '../texts.ts';

/** Longer sides of the drawing, tried until the PNG is as small as the server takes. */
const sidesPx = [1024, 512, 256] as const;

/** A logo that this browser drew, or why it could not, for people. */
export type Drawing =
  | { readonly kind: 'drawn'; readonly png: File }
  | { readonly kind: 'refused'; readonly problem: string };

/**
 * Draws a file as a PNG in sRGB, named like the file.
 * It is drawn as this browser shows it. An image runs no scripts and loads nothing.
 */
export async function drawLogo(file: File): Promise<Drawing> {
  const image = new Image();
  const isSvg = file.type === 'image/svg+xml' || /\.svg$/i.test(file.name);
  try {
    // A browser guesses the format of all pictures but SVG.
    image.src = await dataUrlOf(isSvg ? new Blob([file], { type: 'image/svg+xml' }) : file);
    await image.decode();
  } catch {
    return refusal(t.logoNoPicture({ file: file.name }));
  }
  const longerPx = Math.max(image.naturalWidth, image.naturalHeight);
  if (Math.min(image.naturalWidth, image.naturalHeight) === 0)
    return refusal(t.logoWithoutSize({ file: file.name }));
  for (const sidePx of sidesPx) {
    const scale = isSvg ? sidePx / longerPx : Math.min(1, sidePx / longerPx);
    const png = await drawAt(image, scale);
    if (png === null) return refusal(t.logoWithHiddenParts({ file: file.name }));
    if (png.size <= maxLogoBytes)
      return { kind: 'drawn', png: new File([png], file.name, { type: png.type }) };
  }
  throw new Error('A drawing of 256 pixels is larger than its pixels');
}

function refusal(problem: string): Drawing {
  return { kind: 'refused', problem };
}

/** Draws an image on a canvas. Returns null when the browser does not give its pixels. */
async function drawAt(image: HTMLImageElement, scale: number): Promise<Blob | null> {
  const canvas = create('canvas', {
    width: Math.max(1, Math.round(image.naturalWidth * scale)),
    height: Math.max(1, Math.round(image.naturalHeight * scale)),
  });
  const context = canvas.getContext('2d', { colorSpace: 'srgb' });
  if (!context) return null;
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  try {
    return await new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
  } catch {
    // What an SVG embeds may make a canvas write-only.
    return null;
  }
}

/** Reads a file as a data URL: the page may show these, and no others of its own. */
function dataUrlOf(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
