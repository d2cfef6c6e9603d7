import type { Design, FinderShape, ModuleShape } from '../../core/designs/design.ts';

/**
 * Module sizes in pixels at which the rasterizer draws a shape with another shade here and there. It cuts
 * the points of a curve to 256ths of a pixel; where one falls on such a step, how far right and down it
 * lies decides to which side it is rounded. `bun test/bench/uneven.ts` tries all places that a shape can
 * have in a picture and prints the sizes.
 */
const unevenModules: Record<ModuleShape, readonly number[]> = {
  square: [],
  rounded: [52, 65, 78, 91, 104, 130],
  dots: [7, 21, 26, 28, 49, 56, 75, 81, 95, 100, 102, 112, 116, 123, 130, 137],
};
const unevenFinders: Record<FinderShape, readonly number[]> = {
  square: [],
  rounded: [
    13, 15, 25, 26, 30, 39, 45, 47, 50, 52, 55, 60, 65, 73, 78, 85, 86, 90, 91, 95, 99, 100, 104,
    105, 117, 130, 138,
  ],
  circle: [
    13, 15, 26, 37, 39, 41, 52, 56, 65, 67, 74, 78, 82, 87, 91, 93, 100, 104, 113, 117, 119, 123,
    126, 130, 139,
  ],
};

/** Whether the shapes of a design are drawn alike wherever they lie. */
export function isEven({ moduleShape, finderShape }: Design, pxPerModule: number): boolean {
  return (
    !unevenModules[moduleShape].includes(pxPerModule) &&
    !unevenFinders[finderShape].includes(pxPerModule)
  );
}
