import { InvalidLogo } from '../../core/ports.ts';
import type { Declarations, Style } from './svg-css.ts';

/** An allowed element with allowed attributes; its style is resolved into them. */
export interface SvgElement {
  readonly name: string;
  readonly attributes: Map<string, string>;
  readonly children: SvgElement[];
}

/** An element whose style is not resolved yet. */
export interface Draft extends SvgElement {
  readonly children: Draft[];
  /** Style properties that stood as attributes: the weakest. */
  readonly presentation: Style;
  /** The `style` attribute: the strongest. */
  readonly inline: Declarations;
}

/** A drawing that would take too long to paint. */
export function tooComplex(what: string): InvalidLogo {
  return new InvalidLogo(
    `This SVG is too complex for a logo: it has ${what}. Simplify it, or export it as PNG.`,
  );
}
