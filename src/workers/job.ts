import { createHash } from 'node:crypto';
import type { Design } from '../core/designs/design.ts';
import type { Renderer } from '../core/designs/ports.ts';
import type { Reason } from '../core/reasons.ts';
import { type Picture, pictureOf, withPlacement } from '../render/path/picture.ts';
import { pngOf } from '../render/path/png.ts';
import { svgOf } from '../render/path/svg.ts';
import { printImageOf, printMatrixOf } from '../render/print-image.ts';
import { checkReadability, checkReadabilityWithResvg } from '../render/readability/check.ts';
import { logoThumbnail, screenImageOf } from '../render/screen-image.ts';
import type { SheetWorkers } from '../render/sheet/sheet.ts';
import type { Matrix } from '../render/symbol/matrix.ts';
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

/** Lays out a link, and loads the face of a caption where the design has one. */
async function pictureFor(shortLink: string, design: Design, matrix?: Matrix): Promise<Picture> {
  if (design.caption === undefined) return pictureOf(shortLink, design, matrix);
  const { loadCaption } = await import('../render/sheet/fonts/outline.ts');
  return pictureOf(shortLink, design, matrix, await loadCaption(design.caption));
}

/** Runs jobs on the calling thread. */
export const jobs: Jobs = {
  // Of a design, which is checked once: resvg draws the SVG as well.
  checkReadability: async (shortLink, design) =>
    checkReadabilityWithResvg(await pictureFor(shortLink, design), shortLink),
  checkImage: async (shortLink, design) => {
    const picture = await pictureFor(shortLink, design);
    const verdict = checkReadability(picture, shortLink);
    const svg = svgOf(withPlacement(picture, verdict.logoPlacement));
    return { ...verdict, svgHash: new Uint8Array(createHash('sha256').update(svg).digest()) };
  },
  svg: async (shortLink, design) =>
    new TextEncoder().encode(svgOf(await pictureFor(shortLink, design))),
  png: async (shortLink, design, widthPx) => pngOf(await pictureFor(shortLink, design), widthPx),
  printImage: async (shortLink, design, print) => {
    const matrix = printMatrixOf(shortLink, print.isCompact === true);
    return printImageOf(await pictureFor(shortLink, design, matrix), print);
  },
  screenImage: async (shortLink, design, screen) => {
    const matrix = printMatrixOf(shortLink, screen.isCompact === true);
    return screenImageOf(await pictureFor(shortLink, design, matrix), screen);
  },
  logoThumbnail,
  page: async (page) => {
    const { drawPage, loadCaptions } = await import('../render/sheet/page.ts');
    return drawPage(page, await loadCaptions(page));
  },
  ...fileJobs,
  logo: async (logo) => (await import('../render/sheet/page.ts')).logoImages(logo),
};
