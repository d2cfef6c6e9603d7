import type { Design } from '../../core/designs/design.ts';
import type { Layout } from '../symbol/layout.ts';
import { type Curve, decimal, type Path } from './path.ts';
import { type Picture, totalModules } from './picture.ts';
import { pathOf } from './shapes.ts';

/** Default size in viewers and word processors, in CSS pixels per module. */
const naturalPxPerModule = 10;

/**
 * Writes a picture as SVG, in modules.
 * One path per colour, no clip paths, styles or ids, so that design programs can import it. Equal pictures give equal
 * text.
 */
export function svgOf({ design, layout, fills, caption }: Picture): string {
  const total = totalModules(layout);
  const width = total * naturalPxPerModule;
  // Squares are drawn without antialiasing; round shapes need it.
  const isSquare = design.moduleShape === 'square' && design.finderShape === 'square';
  const rendering = isSquare ? ' shape-rendering="crispEdges"' : '';
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${width}" height="${width}" viewBox="0 0 ${total} ${total}">`,
    `<path fill="${design.background}" d="M0 0h${total}v${total}h-${total}z"/>`,
    ...(caption === undefined
      ? []
      : [`<g transform="translate(${layout.origin.x} ${layout.origin.y})">`]),
    ...fills.map((fill) => `<path fill="${fill.color}"${rendering} d="${dataOf(pathOf(fill))}"/>`),
    logoImage(layout, design),
    ...(caption === undefined
      ? []
      : [`<path fill="${design.foreground}" d="${dataOf(caption)}"/></g>`]),
    '</svg>\n',
  ].join('');
}

/** Writes path data. */
function dataOf(path: Path): string {
  let data = '';
  for (const command of path) {
    if (command.kind === 'line') data += `${command.axis === 'x' ? 'H' : 'V'}${command.to}`;
    else if (command.kind === 'curve') data += arcOf(command);
    else if (command.kind === 'point') data += `L${command.x} ${command.y}`;
    else if (command.kind === 'quadratic')
      data += `Q${command.controlX} ${command.controlY} ${command.x} ${command.y}`;
    else data += command.kind === 'move' ? `M${command.x} ${command.y}` : 'z';
  }
  return data;
}

function arcOf({ axis, dx, dy }: Curve): string {
  const radius = Math.abs(dx);
  const isClockwise = (dx > 0 === dy > 0) === (axis === 'x');
  return `a${radius} ${radius} 0 0 ${isClockwise ? 1 : 0} ${dx} ${dy}`;
}

function logoImage({ logo: box, quietZoneModules }: Layout, { logo }: Design): string {
  if (box === null || logo === null) return '';
  const uri = `data:image/png;base64,${Buffer.from(logo.png).toString('base64')}`;
  const x = decimal(box.x + quietZoneModules);
  const y = decimal(box.y + quietZoneModules);
  const [width, height] = [decimal(box.width), decimal(box.height)];
  return `<image x="${x}" y="${y}" width="${width}" height="${height}" preserveAspectRatio="none" href="${uri}" xlink:href="${uri}"/>`;
}
