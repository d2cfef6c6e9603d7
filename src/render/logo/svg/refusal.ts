import type { DrawingProgram, SvgDetail, SvgProblem } from '../../../core/designs/logo-reasons.ts';
import { Refused } from '../../../core/errors.ts';
import { shorten } from '../../../lib/text/shorten.ts';

/** What drawing programs leave in their files. A file that several have saved names the first. */
const marks: Readonly<Record<DrawingProgram, RegExp>> = {
  Inkscape: /inkscape/i,
  Illustrator: /Adobe[ _]Illustrator|ns\.adobe\.com/,
  CorelDRAW: /CorelDRAW|corel\.com/i,
  Affinity: /serif\.com|Affinity/,
  Sketch: /bohemiancoding|Created with Sketch/i,
  // Figma names itself nowhere.
  Figma:
    /figma|color\(display-p3|\bid="(?:paint|filter|clip|mask|image|pattern)\d+_|<svg width="\d+" height="\d+" viewBox="[^"]*" fill="none" xmlns/i,
};

/** A reason not to accept an SVG, thrown while it is read. */
export class SvgRefused extends Error {
  readonly detail: SvgDetail | null;

  /** @param detail where; a text is what the file has there */
  constructor(
    readonly problem: SvgProblem,
    detail: SvgDetail | string = '',
  ) {
    super(problem);
    this.detail =
      typeof detail !== 'string'
        ? detail
        : detail === ''
          ? null
          : { kind: 'written', text: shorten(detail, maxDetailLength) };
  }
}

const maxDetailLength = 80;

/** Returns the error for the person who uploaded the file. */
export function svgRefused({ problem, detail }: SvgRefused, source: string): Refused {
  return new Refused({ kind: 'SVG refused', problem, detail, program: programOf(source) });
}

/** Returns the program that made a file, or null if nothing names it. */
export function programOf(source: string): DrawingProgram | null {
  // The cast is safe: these are the keys of the constant.
  const programs = Object.keys(marks) as DrawingProgram[];
  return programs.find((program) => marks[program].test(source)) ?? null;
}
