import { createHash } from 'node:crypto';
import type { Design, Logo, ReadabilityResult } from '../../core/designs/design.ts';
import type { PrintImage } from '../../core/designs/ports.ts';
import { pictureOf, withPlacement } from '../path/picture.ts';
import { pngOf } from '../path/png.ts';
import { svgOf } from '../path/svg.ts';
import { printImageOf } from '../print-image.ts';
import { checkReadability, checkReadabilityWithResvg } from '../readability/check.ts';
import type { LogoImages, SheetPage } from '../sheet/page.ts';
import { compactMatrixOf, matrixOf } from '../symbol/matrix.ts';

/** A request to a worker. */
export type Job =
  /** Checks a design: the SVG as resvg draws it as well. */
  | ({ readonly kind: 'checkReadability' } & Subject)
  | ({ readonly kind: 'svg' } & Subject)
  /** Checks readability, and draws the SVG in the chosen logo placement. */
  | ({ readonly kind: 'checkImage' } & Subject)
  | ({ readonly kind: 'png'; readonly widthPx: number } & Subject)
  | ({ readonly kind: 'printImage'; readonly print: PrintImage } & Subject)
  | { readonly kind: 'logo'; readonly bytes: Uint8Array }
  | { readonly kind: 'page'; readonly page: SheetPage }
  | { readonly kind: 'logoImages'; readonly logo: Logo };

interface Subject {
  readonly shortLink: string;
  readonly design: Design;
}

/** Results by kind of job. */
export interface Outcomes {
  checkReadability: ReadabilityResult;
  checkImage: ReadabilityResult & { readonly svgHash: Uint8Array };
  svg: Uint8Array;
  png: Uint8Array;
  printImage: Uint8Array;
  logo: Logo;
  /** A compressed content stream. */
  page: Uint8Array;
  logoImages: LogoImages;
}

/** A worker's message at the end of a job. */
export type Reply = {
  /** CPU time of the job, in milliseconds. */
  readonly cpuMs: number;
} & (
  | { readonly ok: true; readonly value: unknown }
  /** `isRejected`: the job threw InvalidLogo, whose message is for the person who sent the file. */
  | { readonly ok: false; readonly message: string; readonly isRejected: boolean }
);

/** Runs one job on the calling thread. */
export async function doJob(job: Job): Promise<Outcomes[Job['kind']]> {
  if (job.kind === 'logo') {
    const { convertLogo } = await import('../logo/logo.ts');
    return convertLogo(job.bytes);
  }
  if (job.kind === 'page' || job.kind === 'logoImages') {
    const { drawPage, logoImages } = await import('../sheet/page.ts');
    return job.kind === 'page' ? drawPage(job.page) : logoImages(job.logo);
  }
  const isCompact = job.kind === 'printImage' && job.print.isCompact === true;
  const matrix = (isCompact ? compactMatrixOf : matrixOf)(job.shortLink);
  const picture = pictureOf(job.shortLink, job.design, matrix);
  if (job.kind === 'png') return pngOf(picture, job.widthPx);
  if (job.kind === 'printImage') return printImageOf(picture, job.print);
  if (job.kind === 'svg') return new TextEncoder().encode(svgOf(picture));
  if (job.kind === 'checkReadability') return checkReadabilityWithResvg(picture, job.shortLink);
  const verdict = checkReadability(picture, job.shortLink);
  const svg = svgOf(withPlacement(picture, verdict.logoPlacement));
  return { ...verdict, svgHash: new Uint8Array(createHash('sha256').update(svg).digest()) };
}
