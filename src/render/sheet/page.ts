import type { Design, Logo } from '../../core/designs/design.ts';
import { type Picture, pictureOf, totalModules } from '../draw/picture.ts';
import { dotRadius } from '../draw/shapes.ts';
import { digestOf } from '../logo/decoded.ts';
import { decodeRgbaPng } from '../png/rgba.ts';
import { decimal } from '../symbol/outline.ts';
import { compress, compressFast, points } from './pdf.ts';

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
  return compressFast(codes.map(drawCode).join('') + operators);
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
  let operators = '';
  let [x, y] = [0, 0];
  for (const [, command, values = ''] of path.matchAll(/([MHVaz])([^MHVaz]*)/g)) {
    if (command === 'z') {
      operators += 'h\n';
    } else if (command === 'a') {
      const arc = arcOf(values);
      operators += `${text(x + arc.startX)} ${text(y + arc.startY)} ${text(x + arc.endX)} ${text(y + arc.endY)} `;
      x += arc.dx;
      y += arc.dy;
      operators += `${text(x)} ${text(y)} c\n`;
    } else {
      if (command === 'V') y = Number(values);
      else if (command === 'H') x = Number(values);
      else [x = 0, y = 0] = values.split(' ').map(Number);
      operators += `${text(x)} ${text(y)} ${command === 'M' ? 'm' : 'l'}\n`;
    }
  }
  return operators;
}

/** A quarter circle as a cubic curve: its control points and its end, from its start. */
interface Arc {
  readonly startX: number;
  readonly startY: number;
  readonly endX: number;
  readonly endY: number;
  readonly dx: number;
  readonly dy: number;
}

// A symbol has hundreds of arcs of a few kinds.
const arcs = new Map<string, Arc>();

function arcOf(values: string): Arc {
  const known = arcs.get(values);
  if (known !== undefined) return known;
  // Radii, rotation and the large-arc flag come first.
  const [, , , , sweep, dx = 0, dy = 0] = values.split(' ').map(Number);
  // Whether the arc starts parallel to the x axis.
  const isAlongX = (dx > 0 === dy > 0) === (sweep === 1);
  const arc = {
    startX: isAlongX ? dx * kappa : 0,
    startY: isAlongX ? 0 : dy * kappa,
    endX: isAlongX ? dx : dx * (1 - kappa),
    endY: isAlongX ? dy * (1 - kappa) : dy,
    dx,
    dy,
  };
  arcs.set(values, arc);
  return arc;
}

/** Texts of numbers, by thousandths: formatting one takes longer than all else. */
const texts: string[] = [];

/** Formats a coordinate with at most three decimals. */
function text(value: number): string {
  const thousandths = Math.round(value * 1000);
  const known = texts[thousandths];
  if (known !== undefined) return known;
  const formatted = decimal(value);
  texts[thousandths] = formatted;
  return formatted;
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
