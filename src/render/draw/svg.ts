import { type Design, type LogoPlacement, withLogoPlacement } from '../../core/designs/design.ts';
import { type Box, type Layout, layoutOf } from '../symbol/layout.ts';
import { type Matrix, matrixOf } from '../symbol/matrix.ts';
import { rounded } from '../symbol/outline.ts';
import { fillsOf } from './drawing.ts';

/** A symbol ready to be drawn. */
export interface Picture {
  readonly matrix: Matrix;
  readonly layout: Layout;
  readonly design: Design;
}

/** Width that viewers and word processors give the SVG at first: 10 pixels of 1/96 inch a module. */
const naturalPxPerModule = 10;

/** @throws RangeError when the link cannot be encoded */
export function pictureOf(shortLink: string, design: Design): Picture {
  const matrix = matrixOf(shortLink);
  return { matrix, layout: layoutOf(matrix.side, design), design };
}

/** The same symbol with its logo drawn in a certain way; null for as the design sets it. */
export function fittedPicture({ matrix, design }: Picture, fit: LogoPlacement | null): Picture {
  const fitted = withLogoPlacement(design, fit);
  return { matrix, design: fitted, layout: layoutOf(matrix.side, fitted) };
}

/**
 * The SVG of a picture, in modules: one path per colour, no clip paths, no styles, no identifiers,
 * so that design programs import it as it is. The same picture gives the same text for ever.
 */
export function svgOf(picture: Picture): string {
  const total = totalModules(picture.layout);
  const width = total * naturalPxPerModule;
  return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${width}" height="${width}" viewBox="0 0 ${total} ${total}">${ground(picture, 0, 0, total)}${drawn(picture, (uri) => `href="${uri}" xlink:href="${uri}"`)}</svg>\n`;
}

/**
 * The same picture for a canvas of whole pixels: every module `pxPerModule` wide, the first one of
 * the quiet zone beginning at `leftPx`, the ground over the whole canvas.
 */
export function pixelSvgOf(
  picture: Picture,
  canvas: { widthPx: number; pxPerModule: number; leftPx: number },
): string {
  const { widthPx, pxPerModule, leftPx } = canvas;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${widthPx}" height="${widthPx}">${ground(picture, 0, 0, widthPx)}<g transform="matrix(${pxPerModule} 0 0 ${pxPerModule} ${leftPx} ${leftPx})">${drawn(picture, (uri) => `href="${uri}"`)}</g></svg>`;
}

/** Modules along one side, quiet zone included. */
export function totalModules(layout: Layout): number {
  return layout.side + 2 * layout.quietZoneModules;
}

function ground({ design }: Picture, x: number, y: number, width: number): string {
  return `<path fill="${design.background}" d="M${x} ${y}h${width}v${width}h-${width}z"/>`;
}

/** Whether nothing but the logo has an edge that is not on a module's border. */
export function isFlat({ moduleShape, finderShape }: Design): boolean {
  return moduleShape === 'square' && finderShape === 'square';
}

function drawn({ matrix, layout, design }: Picture, reference: (uri: string) => string): string {
  // Square modules look sharp where they meet the pixel grid; round ones need smooth edges.
  const rendering = isFlat(design) ? ' shape-rendering="crispEdges"' : '';
  const paths = fillsOf(matrix, layout, design).map(
    ({ color, path }) => `<path fill="${color}"${rendering} d="${path}"/>`,
  );
  return paths.join('') + logoImage(layout, design, reference);
}

/** A box as the SVG says it: rounded, and in modules from the corner of the quiet zone. */
export function writtenBox({ x, y, width, height }: Box, quietZoneModules: number): Box {
  return {
    x: rounded(x + quietZoneModules),
    y: rounded(y + quietZoneModules),
    width: rounded(width),
    height: rounded(height),
  };
}

function logoImage(layout: Layout, design: Design, reference: (uri: string) => string): string {
  if (layout.logo === null || design.logo === null) return '';
  const uri = `data:image/png;base64,${Buffer.from(design.logo.png).toString('base64')}`;
  const { x, y, width, height } = writtenBox(layout.logo, layout.quietZoneModules);
  return `<image x="${x}" y="${y}" width="${width}" height="${height}" preserveAspectRatio="none" ${reference(uri)}/>`;
}
