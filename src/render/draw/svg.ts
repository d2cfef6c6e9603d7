import type { Design } from '../../core/designs/design.ts';
import type { Layout } from '../symbol/layout.ts';
import { decimal } from '../symbol/outline.ts';
import { type Picture, totalModules } from './picture.ts';

/** Default size in viewers and word processors, in CSS pixels per module. */
const naturalPxPerModule = 10;

/**
 * Writes a picture as SVG, in modules: one path per colour, no clip paths, styles or ids, so that design
 * programs can import it. Equal pictures give equal text.
 */
export function svgOf({ design, layout, fills }: Picture): string {
  const total = totalModules(layout);
  const width = total * naturalPxPerModule;
  // Squares are drawn without antialiasing; round shapes need it.
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
