import { createHash } from 'node:crypto';
import type { Renderer } from '../../core/designs/ports.ts';
import type { Reason } from '../../core/reasons.ts';
import { pictureOf, withPlacement } from '../path/picture.ts';
import { pngOf } from '../path/png.ts';
import { svgOf } from '../path/svg.ts';
import { printImageOf, printMatrixOf } from '../print-image.ts';
import { checkReadability, checkReadabilityWithResvg } from '../readability/check.ts';
import { logoThumbnail, screenImageOf } from '../screen-image.ts';
import type { SheetWorkers } from '../sheet/sheet.ts';
import { type FileJobs, fileJobs } from './file-jobs.ts';

/** What workers do, by name. */
export type Jobs = Omit<Renderer, 'normalizeLogo'> & SheetWorkers & FileJobs;

/** A request to a worker. */
export type Job = {
  [Name in keyof Jobs]: { readonly name: Name; readonly args: Parameters<Jobs[Name]> };
}[keyof Jobs];

/** A worker's message at the end of a job. */
export type Reply = {
  /** CPU time of the job, in milliseconds. */
  readonly cpuMs: number;
} & (
  | { readonly ok: true; readonly value: unknown }
  /** `reason`: of the job, which threw Refused; null for a failure. */
  | { readonly ok: false; readonly message: string; readonly reason: Reason | null }
);

/** Runs jobs on the calling thread. */
export const jobs: Jobs = {
  // Of a design, which is checked once: resvg draws the SVG as well.
  checkReadability: async (shortLink, design) =>
    checkReadabilityWithResvg(pictureOf(shortLink, design), shortLink),
  checkImage: async (shortLink, design) => {
    const picture = pictureOf(shortLink, design);
    const verdict = checkReadability(picture, shortLink);
    const svg = svgOf(withPlacement(picture, verdict.logoPlacement));
    return { ...verdict, svgHash: new Uint8Array(createHash('sha256').update(svg).digest()) };
  },
  svg: async (shortLink, design) => new TextEncoder().encode(svgOf(pictureOf(shortLink, design))),
  png: async (shortLink, design, widthPx) => pngOf(pictureOf(shortLink, design), widthPx),
  printImage: async (shortLink, design, print) => {
    const matrix = printMatrixOf(shortLink, print.isCompact === true);
    return printImageOf(pictureOf(shortLink, design, matrix), print);
  },
  screenImage: async (shortLink, design, screen) => {
    const matrix = printMatrixOf(shortLink, screen.isCompact === true);
    return screenImageOf(pictureOf(shortLink, design, matrix), screen);
  },
  logoThumbnail,
  page: async (page) => (await import('../sheet/page.ts')).drawPage(page),
  ...fileJobs,
  logo: async (logo) => (await import('../sheet/page.ts')).logoImages(logo),
};
