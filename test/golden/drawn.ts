import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { jobs } from '../../src/workers/job.ts';
import type { Golden } from './designs.ts';

/** An image as the current renderer draws it. */
export interface Drawn {
  readonly svg: Uint8Array;
  readonly png: Uint8Array;
}

/** Draws an image as a render worker does. */
export async function draw({ link, design, widthPx }: Golden): Promise<Drawn> {
  return { svg: await jobs.svg(link, design), png: await jobs.png(link, design, widthPx) };
}

/** Formats the digests of the SVG's and the PNG's bytes, and the name. */
export function lineOf({ name }: Golden, { svg, png }: Drawn): string {
  return [digest(svg), digest(png), name].join('  ');
}

/** Returns the line of `sealed.txt` for the folder of a version: its name and the SHA-256 of its digests. */
export function sealOf(folder: string): string {
  const digests = readFileSync(join(folder, 'digests.txt'));
  return `${basename(folder)}  ${createHash('sha256').update(digests).digest('hex')}`;
}

function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 16);
}
