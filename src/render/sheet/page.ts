import { placeCode, type SheetLayout } from '../../core/codes/print/sheet-layout.ts';
import type { Design, Logo } from '../../core/designs/design.ts';
import { logoDigest } from '../logo/decoded.ts';
import type { CaptionOutline } from '../path/caption.ts';
import { type Curve, decimal, type Path, type Quadratic } from '../path/path.ts';
import { type Picture, pictureOf, totalModules } from '../path/picture.ts';
import { dotRadius, type Fill } from '../path/shapes.ts';
import { decodeRgbaPng } from '../png/rgba.ts';
import { printMatrixOf } from '../print-image.ts';
import { loadCaption } from './fonts/outline.ts';
import { compress, fillColor, points } from './pdf.ts';

/** A code on a page. */
export interface PlacedCode {
  readonly shortLink: string;
  /** With the logo placement of the code. */
  readonly design: Design;
  /** Upper left corner of its label. */
  readonly leftMm: number;
  readonly topMm: number;
}

/** A page to draw. */
export interface SheetPage {
  readonly codes: readonly PlacedCode[];
  readonly layout: Pick<SheetLayout, 'pageHeightMm' | 'code' | 'dotMm' | 'form'>;
  /** Operators drawn after the codes, such as captions. */
  readonly operators: string;
}

/** Returns the name of a logo in the resources of a sheet. */
export function logoName(logo: Logo): string {
  return `L${logoDigest(logo).slice(0, 16)}`;
}

/** Draws a page: the compressed content stream of a PDF. */
export function drawPage(
  { codes, layout, operators }: SheetPage,
  outlines: CaptionOutlines = new Map(),
): Uint8Array {
  const drawn = codes.map((code) =>
    drawCode(code, layout, outlines.get(code.design.caption ?? '')),
  );
  return compress(drawn.join('') + operators, 3);
}

/** The outlines of captions by their texts. */
type CaptionOutlines = ReadonlyMap<string, CaptionOutline>;

/** Loads the outlines of all captions on a page. */
export async function loadCaptions({ codes }: SheetPage): Promise<CaptionOutlines> {
  const outlines = new Map<string, CaptionOutline>();
  for (const { design } of codes)
    if (design.caption !== undefined && !outlines.has(design.caption))
      outlines.set(design.caption, await loadCaption(design.caption));
  return outlines;
}

function drawCode(
  { shortLink, design, ...corner }: PlacedCode,
  layout: SheetPage['layout'],
  outline: CaptionOutline | undefined,
): string {
  const matrix = printMatrixOf(shortLink, layout.form === 'compact');
  const picture = pictureOf(shortLink, design, matrix, outline);
  const total = totalModules(picture.layout);
  const { leftMm, topMm, sideMm } = placeCode(layout, corner, total);
  const perModule = points(sideMm / total);
  // The unit becomes the module, and y points down as in the paths.
  const place = `${perModule} 0 0 -${perModule} ${points(leftMm)} ${points(layout.pageHeightMm - topMm)} cm`;
  const background = `${fillColor(design.background)} 0 0 ${total} ${total} re f`;
  const fills = picture.fills.map(
    ({ color, dots, path }) => `${fillColor(color)} ${operatorsOf(path)}f${drawDots(dots, color)}`,
  );
  const symbol = [...fills, ...drawLogo(picture)];
  if (picture.caption === undefined) return `q ${[place, background, ...symbol].join('\n')} Q\n`;
  const { x, y } = picture.layout.origin;
  const letters = `${fillColor(design.foreground)} ${operatorsOf(picture.caption)}f`;
  // The logo changes the unit: it comes last.
  return `q ${[place, background, `1 0 0 1 ${x} ${y} cm`, letters, ...symbol].join('\n')} Q\n`;
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

/**
 * Draws dots as squares with a round stroke around them.
 * Exactly squares with rounded corners, in a tenth of the space of curves.
 */
function drawDots(dots: Fill['dots'], color: string): string {
  if (dots.length === 0) return '';
  const core = decimal(1 - 2 * dotRadius);
  const squares = dots.map(
    ([x, y]) => `${decimal(x + dotRadius)} ${decimal(y + dotRadius)} ${core} ${core} re\n`,
  );
  return `\nq ${2 * dotRadius} w 1 j ${fillColor(color).toUpperCase()} ${squares.join('')}B Q`;
}

/** Converts a path to operators. */
function operatorsOf(path: Path): string {
  let operators = '';
  let [x, y] = [0, 0];
  for (const command of path) {
    if (command.kind === 'close') {
      operators += 'h\n';
      continue;
    }
    if (command.kind === 'curve') {
      operators += controlPoints(x, y, command);
      x += command.dx;
      y += command.dy;
    } else if (command.kind === 'quadratic') {
      operators += cubicPoints(x, y, command);
      [x, y] = [command.x, command.y];
    } else if (command.kind === 'move' || command.kind === 'point') [x, y] = [command.x, command.y];
    else if (command.axis === 'x') x = command.to;
    else y = command.to;
    operators += `${decimal(x)} ${decimal(y)} ${operatorNames[command.kind]}\n`;
  }
  return operators;
}

const operatorNames = { move: 'm', line: 'l', point: 'l', curve: 'c', quadratic: 'c' } as const;

// Distance of the control points of a cubic curve that approximates a quarter circle.
const kappa = 0.5523;

/** Returns the control points of a cubic curve that starts at a point. */
function controlPoints(x: number, y: number, { axis, dx, dy }: Curve): string {
  return axis === 'x'
    ? `${decimal(x + dx * kappa)} ${decimal(y)} ${decimal(x + dx)} ${decimal(y + dy * (1 - kappa))} `
    : `${decimal(x)} ${decimal(y + dy * kappa)} ${decimal(x + dx * (1 - kappa))} ${decimal(y + dy)} `;
}

/** Returns the control points of a quadratic curve that starts at a point, as those of a cubic one. */
function cubicPoints(x: number, y: number, { controlX, controlY, ...end }: Quadratic): string {
  const third = (from: number, control: number) => decimal((from + 2 * control) / 3);
  return `${third(x, controlX)} ${third(y, controlY)} ${third(end.x, controlX)} ${third(end.y, controlY)} `;
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
  const rgb = new Uint8Array(widthPx * heightPx * 3);
  const alpha = new Uint8Array(widthPx * heightPx);
  for (let at = 0; at < alpha.length; at++) {
    rgb.set(rgba.subarray(4 * at, 4 * at + 3), 3 * at);
    alpha[at] = rgba[4 * at + 3] ?? 0;
  }
  return { widthPx, heightPx, rgb: compress(rgb), alpha: compress(alpha) };
}
