import { alignmentCenters } from './placement.ts';
import { type LightMap, toneOf } from './reflectance.ts';

/**
 * From version 7 on an alignment pattern lies under the logo. That it is gone does no harm, but
 * scanners that look for it near its place (ZBar does) may take a piece of the logo for it and bend
 * their grid to that. Measured: the codes that ZBar cannot read from a clean picture have such a piece
 * one to two modules off, with at most six of the pattern's 25 modules wrong.
 */
const searchModules = 1.9;
const harmlessModules = 1;
const wrongModules = 6;

/** Side of the square whose mean tone is the threshold, in modules: an eighth of most pictures. */
const windowModules = 8;

/** Below this difference from the mean, in tones of 0 to 1, a pixel counts as light. */
const darkBy = 3 / 255;

/** Whether the logo holds something that passes for the alignment pattern it hides. */
export function hasDecoy(map: LightMap, quietZoneModules: number, side: number): boolean {
  const isDark = binarized(map);
  const { pxPerModule } = map;
  const centers = alignmentCenters(side, (side - 17) / 4).slice(1, -1);
  const toPx = (module: number) => (module + quietZoneModules + 0.5) * pxPerModule;
  return centers.some((x) => centers.some((y) => misleads(isDark, toPx(x), toPx(y), pxPerModule)));
}

/** Looks around one pattern's place for whatever is most like it. */
function misleads(
  isDark: (x: number, y: number) => boolean,
  centerX: number,
  centerY: number,
  pxPerModule: number,
): boolean {
  const reach = Math.floor(searchModules * pxPerModule);
  let best = { wrong: 25, distance: 0 };
  for (let dy = -reach; dy <= reach; dy++) {
    for (let dx = -reach; dx <= reach; dx++) {
      const wrong = unlike(isDark, centerX + dx, centerY + dy, pxPerModule);
      const distance = Math.sqrt(dx * dx + dy * dy) / pxPerModule;
      const nearer = wrong === best.wrong && distance < best.distance;
      if (wrong < best.wrong || nearer) best = { wrong, distance };
    }
  }
  return best.wrong <= wrongModules && best.distance >= harmlessModules;
}

/** Modules of the 5 × 5 around a point that are not as in an alignment pattern. */
function unlike(
  isDark: (x: number, y: number) => boolean,
  centerX: number,
  centerY: number,
  pxPerModule: number,
): number {
  let wrong = 0;
  for (let v = -2; v <= 2; v++) {
    for (let u = -2; u <= 2; u++) {
      const dark = Math.max(Math.abs(u), Math.abs(v)) !== 1;
      if (isDark(centerX + u * pxPerModule, centerY + v * pxPerModule) !== dark) wrong++;
    }
  }
  return wrong;
}

/** Dark is what is darker than its surroundings on average. */
function binarized({ light, widthPx, pxPerModule }: LightMap) {
  const tones = light.map(toneOf);
  const stride = widthPx + 1;
  const sums = new Float64Array(stride * stride);
  for (let y = 0; y < widthPx; y++) {
    let row = 0;
    for (let x = 0; x < widthPx; x++) {
      row += tones[y * widthPx + x] ?? 0;
      sums[(y + 1) * stride + x + 1] = (sums[y * stride + x + 1] ?? 0) + row;
    }
  }
  const half = (windowModules * pxPerModule) / 2;
  return (x: number, y: number) => {
    const [column, row] = [Math.floor(x), Math.floor(y)];
    const [left, right] = [Math.max(0, column - half), Math.min(widthPx, column + half)];
    const [top, bottom] = [Math.max(0, row - half), Math.min(widthPx, row + half)];
    const lower = (sums[bottom * stride + right] ?? 0) - (sums[bottom * stride + left] ?? 0);
    const upper = (sums[top * stride + right] ?? 0) - (sums[top * stride + left] ?? 0);
    const mean = (lower - upper) / ((right - left) * (bottom - top));
    return (tones[row * widthPx + column] ?? 1) + darkBy < mean;
  };
}
