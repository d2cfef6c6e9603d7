import { shorten } from '../../../lib/text/shorten.ts';
import { pngSize } from '../../png/rgba.ts';
import { IncompletePicture, maxAreaPx, openRaster } from '../raster/decode.ts';
import { undrawnFormat } from '../raster/formats.ts';
import { UnconvertibleColors } from '../raster/picture-colors.ts';
import { SvgRefused } from './refusal.ts';
import { isMarkup } from './source.ts';
import { descendants, type SvgElement } from './tree.ts';

/** An SVG in an SVG in an SVG. */
const maxDepth = 2;

/**
 * Converts embedded pictures to PNG, whatever their type is said to be.
 * Embedded SVGs go through `prepare`.
 *
 * @throws SvgRefused for pictures outside the file, damaged and too large ones
 */
export async function embedImages(
  root: SvgElement,
  depth: number,
  prepare: (bytes: Uint8Array, depth: number) => Promise<string>,
): Promise<void> {
  let areaPx = 0;
  for (const { name, attributes } of descendants(root)) {
    const href = attributes.get('href')?.trim();
    if (name !== 'image' || href === undefined || href === '') continue;
    const bytes = readDataUrl(href);
    if (isMarkup(bytes)) {
      if (depth >= maxDepth) throw new SvgRefused('image', { kind: 'SVG in SVG' });
      const svg = await prepare(bytes, depth + 1);
      attributes.set('href', dataUrl('svg+xml', new TextEncoder().encode(svg)));
      continue;
    }
    const { png, width, height } = await convertToPng(bytes);
    areaPx += width * height;
    keepRatio(attributes, width / height);
    // All pictures together.
    if (areaPx > maxAreaPx) throw new SvgRefused('image', { kind: 'picture too large' });
    attributes.set('href', dataUrl('png', png));
  }
}

/** Adds the side of a picture that is not given beside the other. */
function keepRatio(attributes: Map<string, string>, ratio: number): void {
  const { width, height } = Object.fromEntries(attributes);
  if (width !== undefined && height === undefined)
    attributes.set('height', scaled(width, 1 / ratio));
  else if (height !== undefined && width === undefined)
    attributes.set('width', scaled(height, ratio));
}

/** Multiplies a length, which keeps its unit. */
function scaled(length: string, factor: number): string {
  const unit = length.replace(/^[-+.\d]*(?:e[-+]?\d+)?/i, '').trim();
  if (unit === '%') throw new SvgRefused('feature', { kind: 'length', text: shorten(length) });
  return `${Number.parseFloat(length) * factor}${unit}`;
}

function dataUrl(format: string, bytes: Uint8Array): string {
  return `data:image/${format};base64,${Buffer.from(bytes).toString('base64')}`;
}

/** Decodes a data URL, whatever type it names. */
function readDataUrl(url: string): Uint8Array {
  const [, parameters, data] = /^data:([^,]*),(.*)$/is.exec(url) ?? [];
  if (parameters === undefined || data === undefined) throw new SvgRefused('external', url);
  try {
    const text = decodeURIComponent(data);
    return Buffer.from(text, /;\s*base64\s*$/i.test(parameters) ? 'base64' : 'utf8');
  } catch {
    throw new SvgRefused('image');
  }
}

/** Converts a picture to a PNG (upright, sRGB). */
async function convertToPng(
  bytes: Uint8Array,
): Promise<{ png: Uint8Array; width: number; height: number }> {
  const undrawn = undrawnFormat(bytes);
  if (undrawn !== null) throw new SvgRefused('image', { kind: 'format', format: undrawn });
  try {
    const png = await (await openRaster(bytes)).toPng();
    const { widthPx, heightPx } = pngSize(png);
    return { png, width: widthPx, height: heightPx };
  } catch (error) {
    if (error instanceof UnconvertibleColors)
      throw new SvgRefused('profile', { kind: 'colours', colors: error.colors });
    if (error instanceof IncompletePicture)
      throw new SvgRefused('image', { kind: 'picture incomplete' });
    throw new SvgRefused('image');
  }
}
