import type { Design, Logo } from '../../core/designs/design.ts';
import { type Picture, pictureOf, totalModules } from '../draw/picture.ts';
import { dotRadius } from '../draw/shapes.ts';
import { digestOf } from '../logo/decoded.ts';
import { decodeRgbaPng } from '../png/rgba.ts';
import { decimal } from '../symbol/outline.ts';
import { compress, points } from './pdf.ts';

/** A code on a page. */
export interface PlacedCode {
  readonly shortLink: string;
  /** With the logo placement of the code. */
  readonly design: Design;
  /** Lower left corner of the quiet zone, and side with it. The origin is the lower left corner of the page. */
  readonly leftMm: number;
  readonly bottomMm: number;
  readonly sideMm: number;
}

/** A page to draw. */
export interface SheetPage {
  readonly codes: readonly PlacedCode[];
  /** Operators drawn after the codes, such as captions. */
  readonly operators: string;
}

/** Returns the name of a logo in the resources of a sheet. */
export function logoName(logo: Logo): string {
  return `L${digestOf(logo).slice(0, 16)}`;
}

/** Draws a page: the compressed content stream of a PDF. */
export function drawPage({ codes, operators }: SheetPage): Uint8Array {
  return compress(codes.map(drawCode).join('') + operators);
}

function drawCode({ shortLink, design, leftMm, bottomMm, sideMm }: PlacedCode): string {
  const picture = pictureOf(shortLink, design);
  const total = totalModules(picture.layout);
  const perModule = points(sideMm / total);
  // The unit becomes the module, and y points down as in the paths.
  const place = `${perModule} 0 0 -${perModule} ${points(leftMm)} ${points(bottomMm + sideMm)} cm`;
  const background = `${fillColor(design.background)} 0 0 ${total} ${total} re f`;
  const fills = picture.fills.map(({ color, path }) => {
    const { dots, rest } = separateDots(path);
    return `${fillColor(color)} ${operatorsOf(rest)}f${dots === '' ? '' : drawDots(dots, color)}`;
  });
  return `q ${[place, background, ...fills, ...drawLogo(picture)].join('\n')} Q\n`;
}

function drawLogo({
  layout: { logo: box, quietZoneModules },
  design: { logo },
}: Picture): string[] {
  if (box === null || logo === null) return [];
  const [width, height] = [decimal(box.width), decimal(box.height)];
  const [x, bottom] = [box.x + quietZoneModules, box.y + quietZoneModules + box.height];
  // Images are one unit high, upwards.
  return [`${width} 0 0 -${height} ${decimal(x)} ${decimal(bottom)} cm /${logoName(logo)} Do`];
}

/** Formats a color `#rrggbb` as operator. */
export function fillColor(color: string): string {
  const channels = [...Uint8Array.fromHex(color.slice(1))];
  return `${channels.map((channel) => decimal(channel / 255)).join(' ')} rg`;
}

const radius = String(dotRadius);
// Matches the path that squarePath writes for a dot, from the end of its upper left corner.
const dotPath = new RegExp(
  `M(\\S+) (\\S+)a${radius} ${radius} 0 0 1 ${radius} -${radius}H[^a]+a${radius} [^z]+z`,
  'g',
);

/** Separates dots from other paths: drawn as strokes, they take a tenth of the space of curves. */
function separateDots(path: string): { dots: string; rest: string } {
  const core = decimal(1 - 2 * dotRadius);
  let dots = '';
  const rest = path.replace(dotPath, (_, left: string, top: string) => {
    dots += `${decimal(Number(left) + dotRadius)} ${top} ${core} ${core} re\n`;
    return '';
  });
  return { dots, rest };
}

/** Draws squares with a round stroke around them: exactly squares with rounded corners. */
function drawDots(squares: string, color: string): string {
  return `\nq ${2 * dotRadius} w 1 j ${fillColor(color).replace('rg', 'RG')} ${squares}B Q`;
}

// Distance of the control points of a cubic curve that approximates a quarter circle.
const kappa = 0.5523;

/**
 * Converts path data to operators.
 *
 * @param path with the commands that outline.ts writes: M H V a z, arcs being quarter circles
 */
function operatorsOf(path: string): string {
  const tokens = path.match(/[a-zA-Z]|-?[\d.]+/g) ?? [];
  let operators = '';
  let [at, x, y] = [0, 0, 0];
  const next = () => Number(tokens[at++]);
  while (at < tokens.length) {
    const command = tokens[at++];
    if (command === 'z') {
      operators += 'h\n';
      continue;
    }
    if (command === 'a') {
      // Skips radii, rotation and the large-arc flag; the sweep flag gives the direction.
      at += 4;
      const isClockwise = next() === 1;
      const [dx, dy] = [next(), next()];
      operators += quarterArc(x, y, isClockwise, dx, dy);
      x += dx;
      y += dy;
      continue;
    }
    if (command === 'V') y = next();
    else x = next();
    if (command === 'M') y = next();
    operators += `${decimal(x)} ${decimal(y)} ${command === 'M' ? 'm' : 'l'}\n`;
  }
  return operators;
}

function quarterArc(x: number, y: number, isClockwise: boolean, dx: number, dy: number): string {
  // Whether the arc starts parallel to the x axis.
  const isAlongX = (dx > 0 === dy > 0) === isClockwise;
  const [startX, startY] = isAlongX ? [dx * kappa, 0] : [0, dy * kappa];
  const [endX, endY] = isAlongX ? [0, dy * kappa] : [dx * kappa, 0];
  const pairs = [
    [x + startX, y + startY],
    [x + dx - endX, y + dy - endY],
    [x + dx, y + dy],
  ] as const;
  return `${pairs.map(([px, py]) => `${decimal(px)} ${decimal(py)}`).join(' ')} c\n`;
}

/** A logo as two compressed images of a PDF. */
export interface LogoImages {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly rgb: Uint8Array;
  readonly alpha: Uint8Array;
}

/** Separates the colours of a logo from its transparency, as PDF has them. */
export function logoImages(logo: Logo): LogoImages {
  const { widthPx, heightPx, rgba } = decodeRgbaPng(logo.png);
  const [rgb, alpha] = [new Uint8Array(widthPx * heightPx * 3), new Uint8Array(widthPx * heightPx)];
  for (let at = 0; at < alpha.length; at++) {
    rgb.set(rgba.subarray(4 * at, 4 * at + 3), 3 * at);
    alpha[at] = rgba[4 * at + 3] ?? 0;
  }
  return { widthPx, heightPx, rgb: compress(rgb), alpha: compress(alpha) };
}
