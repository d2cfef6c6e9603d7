import { type Design, type LogoPlacement, withLogoPlacement } from '../../core/designs/design.ts';
import { type Layout, layoutOf } from '../symbol/layout.ts';
import { type Matrix, matrixOf } from '../symbol/matrix.ts';
import { decimal } from '../symbol/outline.ts';
import { type Fill, fillsOf } from './shapes.ts';

/** A symbol with its layout and design, and the shapes that SVG, PNG and gate draw. */
export interface Picture {
  readonly matrix: Matrix;
  readonly layout: Layout;
  readonly design: Design;
  readonly fills: readonly Fill[];
}

/** Default size of the SVG in viewers and word processors, in CSS pixels per module. */
const naturalPxPerModule = 10;

/** Encodes a link and lays it out. @throws RangeError when the link cannot be encoded */
export function pictureOf(shortLink: string, design: Design): Picture {
  const matrix = matrixOf(shortLink);
  return compose(matrix, layoutOf(matrix.side, design), design);
}

/** Returns the picture with another placement of the logo; null means as the design sets it. */
export function fittedPicture(picture: Picture, fit: LogoPlacement | null): Picture {
  const { matrix, design } = picture;
  if (design.logo === null) return picture;
  const fitted = withLogoPlacement(design, fit);
  return compose(matrix, layoutOf(matrix.side, fitted), fitted);
}

/** Composes a picture of a symbol. */
export function compose(matrix: Matrix, layout: Layout, design: Design): Picture {
  return { matrix, layout, design, fills: fillsOf(matrix, layout, design) };
}

/** Returns the modules along one side, quiet zones included. */
export function totalModules(layout: Layout): number {
  return layout.side + 2 * layout.quietZoneModules;
}

/**
 * Writes a picture as SVG, in modules: one path per colour, no clip paths, styles or ids, so that design
 * programs can import it. Equal pictures give equal text.
 */
export function svgOf({ layout, design, fills }: Picture): string {
  const total = totalModules(layout);
  const width = total * naturalPxPerModule;
  // Square modules look sharp on the pixel grid; round ones need smooth edges.
  const isSquare = design.moduleShape === 'square' && design.finderShape === 'square';
  const rendering = isSquare ? ' shape-rendering="crispEdges"' : '';
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${width}" height="${width}" viewBox="0 0 ${total} ${total}">`,
    `<path fill="${design.background}" d="M0 0h${total}v${total}h-${total}z"/>`,
    ...fills.map(({ color, path }) => `<path fill="${color}"${rendering} d="${path}"/>`),
    logoImage(layout, design),
    '</svg>\n',
  ].join('');
}

function logoImage({ logo: box, quietZoneModules }: Layout, { logo }: Design): string {
  if (box === null || logo === null) return '';
  const uri = `data:image/png;base64,${Buffer.from(logo.png).toString('base64')}`;
  const x = decimal(box.x + quietZoneModules);
  const y = decimal(box.y + quietZoneModules);
  const [width, height] = [decimal(box.width), decimal(box.height)];
  return `<image x="${x}" y="${y}" width="${width}" height="${height}" preserveAspectRatio="none" href="${uri}" xlink:href="${uri}"/>`;
}
