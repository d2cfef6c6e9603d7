import { type Design, withLogoPlacement } from './design.ts';
import type { Renderer } from './ports.ts';

// Of no server, so that settings cannot change it.
const sampleLink = 'https://example.com/00000000';
// The default of downloads. Stored hashes depend on it.
const sampleWidthPx = 1024;

/**
 * Draws the PNG of a sample code and returns its SHA-256. Stored with the design, it shows later that
 * the renderer draws PNGs differently.
 */
export async function hashSamplePng(
  renderer: Pick<Renderer, 'png'>,
  design: Design,
): Promise<Uint8Array> {
  const png = await renderer.png(sampleLink, withLogoPlacement(design, null), sampleWidthPx);
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new Uint8Array(png)));
}
