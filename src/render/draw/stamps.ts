import type { Design } from '../../core/designs/design.ts';
import { createCache } from '../../lib/cache.ts';
import { finderPath, modulesPath } from './drawing.ts';
import { rasterize } from './rasterizer.ts';

/** A finder pattern and modules of every kind, drawn side by side in cells as large as a module. */
export interface Stamps {
  /** Row by row, red, green, blue and alpha in one number. */
  readonly pixels: Int32Array;
  /** Pixels from one row to the next. */
  readonly rowPx: number;
  /** The first pixel of a finder pattern's module, counted from its upper left corner. */
  finderAt(x: number, y: number): number;
  /** The first pixel of a module that looks like this one: light, or dark with such neighbours. */
  moduleAt(isDark: IsDark, x: number, y: number): number;
}

type IsDark = (x: number, y: number) => boolean;

/** What stands right of the finder pattern: light modules, and dark ones of each kind. */
const modules = [
  '###.', //
  '####',
  '##..',
  '.#.#',
  '#..#',
  '.###',
];
const finderSide = 7;
const columns = finderSide + 4;
const isStampDark: IsDark = (x, y) => modules[y]?.[x - finderSide] === '#';

/** In bytes: all codes of an account wear a few designs, in a few sizes, and large ones are seldom asked for. */
const knownStampsBytes = 2 ** 20;
const knownStamps = createCache<string, Stamps>(
  knownStampsBytes,
  ({ pixels }) => pixels.byteLength,
);

/** The stamps of a design, whose logo and quiet zone they do not show, with modules of whole pixels. */
export function stampsOf(design: Design, pxPerModule: number): Stamps {
  const { background, foreground, moduleShape, finderColor, finderShape } = design;
  const key = [background, foreground, moduleShape, finderColor, finderShape, pxPerModule].join();
  const known = knownStamps.get(key);
  if (known !== undefined) return known;
  const drawn = drawStamps(design, pxPerModule);
  knownStamps.set(key, drawn);
  return drawn;
}

/** Takes a tenth of the time of a whole picture: it is 77 modules. */
function drawStamps(design: Design, pxPerModule: number): Stamps {
  const [widthPx, heightPx] = [columns * pxPerModule, finderSide * pxPerModule];
  const { background, foreground, moduleShape, finderColor, finderShape } = design;
  const ground = `<path fill="${background}" d="M0 0h${widthPx}v${heightPx}h-${widthPx}z"/>`;
  const dark = `<path fill="${foreground}" d="${modulesPath(isStampDark, columns, moduleShape, 0)}"/>`;
  const finder = `<path fill="${finderColor ?? foreground}" d="${finderPath(0, 0, finderShape)}"/>`;
  const rgba = rasterize(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${widthPx}" height="${heightPx}">${ground}<g transform="scale(${pxPerModule})">${dark}${finder}</g></svg>`,
  );
  const start = (x: number, y: number) => (y * widthPx + x) * pxPerModule;
  return {
    // Copied out of the rasterizer's own memory, which is not to be held.
    pixels: new Int32Array(rgba.buffer, rgba.byteOffset, widthPx * heightPx).slice(),
    rowPx: widthPx,
    finderAt: start,
    moduleAt: (isDark, x, y) => {
      const cell = cellOfKind[kindOf(isDark, x, y)] ?? 0;
      return start(cell % columns, Math.floor(cell / columns));
    },
  };
}

/** The kind of all light modules. Dark ones have 0 to 15: each neighbour beside them is one bit. */
const lightKind = 16;

/** Which neighbours a dark module has beside it decides which of its corners are cut. */
function kindOf(isDark: IsDark, x: number, y: number): number {
  if (!isDark(x, y)) return lightKind;
  const bit = (dx: number, dy: number) => (isDark(x + dx, y + dy) ? 1 : 0);
  return bit(0, -1) | (bit(1, 0) << 1) | (bit(0, 1) << 2) | (bit(-1, 0) << 3);
}

const cellOfKind = new Uint8Array(lightKind + 1);
for (let y = 0; y < modules.length; y++)
  for (let x = finderSide; x < columns; x++)
    cellOfKind[kindOf(isStampDark, x, y)] = y * columns + x;
