import { SvgRefused } from './refusal.ts';
import { isMarkup } from './source.ts';
import { descendants, type SvgElement } from './tree.ts';

/** All embedded pictures together: 64 MiB when decoded. */
const maxAreaPx = 4_096 * 4_096;

/** An SVG in an SVG in an SVG. */
const maxDepth = 2;

/**
 * Replaces each embedded picture by one under the name of its real format, and embedded SVGs by what `prepare`
 * makes of them.
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
      if (depth >= maxDepth) throw new SvgRefused('image', 'SVG in SVG');
      const svg = await prepare(bytes, depth + 1);
      attributes.set('href', dataUrl('svg+xml', new TextEncoder().encode(svg)));
      continue;
    }
    const { width, height, format } = await readSize(bytes);
    areaPx += width * height;
    if (areaPx > maxAreaPx) throw new SvgRefused('image', 'too large');
    attributes.set('href', dataUrl(format, bytes));
  }
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

async function readSize(bytes: Uint8Array) {
  try {
    return await new Bun.Image(bytes, { maxPixels: maxAreaPx }).metadata();
  } catch {
    throw new SvgRefused('image');
  }
}
