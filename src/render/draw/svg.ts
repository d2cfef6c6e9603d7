import { type Design, type LogoPlacement, withLogoPlacement } from '../../core/designs/design.ts';
import { type Box, type Layout, layoutOf } from '../symbol/layout.ts';
import { type Matrix, matrixOf } from '../symbol/matrix.ts';
import { rounded } from '../symbol/outline.ts';
import { fillsOf } from './shapes.ts';

/** A symbol with its layout and design. */
export interface Picture {
  readonly matrix: Matrix;
  readonly layout: Layout;
  readonly design: Design;
}

/** Default size of the SVG in viewers and word processors, in CSS pixels per module. */
const naturalPxPerModule = 10;

/** Encodes a link and lays it out. @throws RangeError when the link cannot be encoded */
export function pictureOf(shortLink: string, design: Design): Picture {
  const matrix = matrixOf(shortLink);
  return { matrix, layout: layoutOf(matrix.side, design), design };
}

/** Returns the picture with another placement of the logo; null means as the design sets it. */
export function fittedPicture({ matrix, design }: Picture, fit: LogoPlacement | null): Picture {
  const fitted = withLogoPlacement(design, fit);
  return { matrix, design: fitted, layout: layoutOf(matrix.side, fitted) };
}

/**
 * Writes a picture as SVG, in modules: one path per colour, no clip paths, styles or ids, so that design
 * programs can import it. The same picture always gives the same text.
 */
export function svgOf(picture: Picture): string {
  const total = totalModules(picture.layout);
  const width = total * naturalPxPerModule;
  return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${width}" height="${width}" viewBox="0 0 ${total} ${total}">${ground(picture, 0, 0, total)}${drawn(picture)}</svg>\n`;
}

/** Returns the modules along one side, quiet zones included. */
export function totalModules(layout: Layout): number {
  return layout.side + 2 * layout.quietZoneModules;
}

function ground({ design }: Picture, x: number, y: number, width: number): string {
  return `<path fill="${design.background}" d="M${x} ${y}h${width}v${width}h-${width}z"/>`;
}

/** Returns whether all edges but the logo's lie on module borders. */
function isFlat({ moduleShape, finderShape }: Design): boolean {
  return moduleShape === 'square' && finderShape === 'square';
}

function drawn({ matrix, layout, design }: Picture): string {
  // Square modules look sharp on the pixel grid; round ones need smooth edges.
  const rendering = isFlat(design) ? ' shape-rendering="crispEdges"' : '';
  const paths = fillsOf(matrix, layout, design).map(
    ({ color, path }) => `<path fill="${color}"${rendering} d="${path}"/>`,
  );
  return paths.join('') + logoImage(layout, design);
}

/** Rounds a box and moves its origin to the corner of the quiet zone. */
function roundedBox({ x, y, width, height }: Box, quietZoneModules: number): Box {
  return {
    x: rounded(x + quietZoneModules),
    y: rounded(y + quietZoneModules),
    width: rounded(width),
    height: rounded(height),
  };
}

function logoImage(layout: Layout, design: Design): string {
  if (layout.logo === null || design.logo === null) return '';
  const uri = `data:image/png;base64,${Buffer.from(design.logo.png).toString('base64')}`;
  const { x, y, width, height } = roundedBox(layout.logo, layout.quietZoneModules);
  return `<image x="${x}" y="${y}" width="${width}" height="${height}" preserveAspectRatio="none" href="${uri}" xlink:href="${uri}"/>`;
}
