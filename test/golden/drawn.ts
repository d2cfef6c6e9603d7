import { createHash } from 'node:crypto';
import { doJob } from '../../src/render/worker/job.ts';
import { decodePng } from '../support/png.ts';
import type { Golden } from './designs.ts';

/** An image as it is drawn today. */
export interface Drawn {
  readonly svg: Uint8Array;
  readonly png: Uint8Array;
}

/** Draws it as a render worker does. */
export async function draw({ link, design, widthPx }: Golden): Promise<Drawn> {
  const what = { shortLink: link, design };
  // Pictures are answered with bytes; the other kinds of job are not asked for here.
  return {
    svg: (await doJob({ kind: 'svg', ...what })) as Uint8Array,
    png: (await doJob({ kind: 'png', ...what, widthPx })) as Uint8Array,
  };
}

/**
 * The line by which an image is remembered: digests of the SVG's bytes, the PNG's pixels and the PNG's
 * bytes, and its name. Pixels and bytes apart, so that it shows which of them has changed.
 */
export function lineOf({ name }: Golden, { svg, png }: Drawn): string {
  return [digest(svg), digest(decodePng(png).rgba), digest(png), name].join('  ');
}

function digest(bytes: Uint8Array | Uint8ClampedArray): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 16);
}
