import { drawnModules, isFinder } from './drawing.ts';
import { type IndexedRaster, repeating } from './folded.ts';
import { mostColors } from './palette.ts';
import { firstModulePx, type PixelGrid } from './pixel-grid.ts';
import { type Stamps, stampsOf } from './stamps.ts';
import type { Picture } from './svg.ts';

/**
 * Paints a picture without its logo from one drawing of each kind of module: the same pixels as those
 * that the rasterizer makes of the whole.
 *
 * @returns null where there are more colours than indexes
 */
export function stamped(picture: Picture, grid: PixelGrid): IndexedRaster | null {
  const { widthPx, pxPerModule } = grid;
  const { side } = picture.layout;
  const stamps = stampsOf(picture.design, pxPerModule);
  const starts = startsOf(picture, stamps);
  const firstPx = firstModulePx(picture.layout, grid);
  const { numbers, colors, number } = createNumbers(stamps, pxPerModule);
  // The ground is the colour that is seen first, so that it is 0, as all is to begin with.
  const light = stamps.moduleAt(() => false, 0, 0);
  number(light);
  const indexes = new Uint8Array(widthPx * widthPx);
  for (let row = 0; row < side * pxPerModule; row++) {
    const inModule = row % pxPerModule;
    const firstStart = ((row - inModule) / pxPerModule) * side;
    const firstTo = (firstPx + row) * widthPx + firstPx;
    for (let x = 0; x < side; x++) {
      const stamp = starts[firstStart + x] ?? 0;
      if (stamp === light) continue;
      const start = stamp + inModule * stamps.rowPx;
      number(start);
      const to = firstTo + x * pxPerModule;
      for (let px = 0; px < pxPerModule; px++) indexes[to + px] = numbers[start + px] ?? 0;
    }
  }
  if (colors.size > mostColors) return null;
  const rows = repeating(indexes, widthPx);
  return { widthPx, rows, indexes, colors: Int32Array.from(colors.keys()) };
}

/** For each module of the symbol the first pixel of the stamp that it looks like. */
function startsOf({ matrix, layout }: Picture, stamps: Stamps): Int32Array {
  const { side } = layout;
  const isDrawn = drawnModules(matrix, layout);
  const far = side - 7;
  return Int32Array.from({ length: side * side }, (_, at) => {
    const [x, y] = [at % side, Math.floor(at / side)];
    if (!isFinder(side, x, y)) return stamps.moduleAt(isDrawn, x, y);
    return stamps.finderAt(x < 7 ? x : x - far, y < 7 ? y : y - far);
  });
}

/** Numbers the colours of stamps as they are first seen. */
function createNumbers({ pixels }: Stamps, pxPerModule: number) {
  const numbers = new Uint8Array(pixels.length);
  const isNumbered = new Uint8Array(pixels.length);
  const colors = new Map<number, number>();
  const numberOf = (color: number) => {
    const known = colors.get(color);
    if (known === undefined) colors.set(color, colors.size);
    return known ?? colors.size - 1;
  };
  /** Numbers one row of a stamp that begins here. */
  const number = (start: number) => {
    if (isNumbered[start] === 1) return;
    isNumbered[start] = 1;
    let [before, index] = [pixels[start] ?? 0, numberOf(pixels[start] ?? 0)];
    for (let at = start; at < start + pxPerModule; at++) {
      const color = pixels[at] ?? 0;
      if (color !== before) index = numberOf(color);
      before = color;
      numbers[at] = index;
    }
  };
  return { numbers, colors, number };
}
