import { type Design, type FinderShape, plainDesign } from '../../src/core/designs/design.ts';
import {
  dotRadius,
  finderPath,
  finderRadii,
  roundedRadius,
} from '../../src/render/draw/drawing.ts';
import { rasterize } from '../../src/render/draw/rasterizer.ts';
import { type Stamps, stampsOf } from '../../src/render/draw/stamps.ts';
import { blockPath } from '../../src/render/symbol/outline.ts';

/**
 * Finds the module sizes at which a shape is drawn with other shades from place to place (src/render/draw/uneven.ts),
 * by drawing it wherever it can lie in a picture of up to 4096 pixels: bun test/bench/uneven.ts. The
 * rasterizer cuts points to 256ths of a pixel; of the places where all points of a shape are cut
 * alike one is tried, across and down with each other. Takes some ten seconds.
 */
const widestPx = 4096;

/** A quarter circle is drawn as a cubic curve, whose inner points lie this part of the radius from its ends. */
const arm = (4 / 3) * Math.tan(Math.PI / 8);

/** Where the points of round corners lie across a shape, the corners `inset` from its edge, in modules. */
function pointsOf(inset: number, side: number, radius: number): number[] {
  const near = [inset + radius, inset + radius * (1 - arm)];
  return [...near, ...near.map((point) => side - point)];
}

interface Shape {
  readonly name: string;
  readonly side: number;
  readonly points: readonly number[];
  readonly design: Design;
  path(x: number, y: number): string;
  /** Where it lies among the stamps. */
  starts(stamps: Stamps): number[];
}

/** A module by itself. With neighbours a rounded one has some of the same corners, a dot has all. */
function moduleOf(moduleShape: 'rounded' | 'dots', radius: number): Shape {
  const kinds = moduleShape === 'dots' ? 16 : 1;
  return {
    name: `${moduleShape} modules`,
    side: 1,
    points: pointsOf(0, 1, radius),
    design: { ...plainDesign, moduleShape },
    path: (x, y) => blockPath(x, y, 1, radius),
    starts: ({ moduleAt }) =>
      Array.from({ length: kinds }, (_, kind) =>
        moduleAt(
          (x, y) => (x === 0 && y === 0) || (kind & (neighbourBits.get(`${x},${y}`) ?? 0)) > 0,
          0,
          0,
        ),
      ),
  };
}

const neighbourBits = new Map([
  ['0,-1', 1],
  ['1,0', 2],
  ['0,1', 4],
  ['-1,0', 8],
]);

function finderOf(finderShape: FinderShape): Shape {
  return {
    name: `${finderShape} finders`,
    side: 7,
    points: finderRadii[finderShape].flatMap((radius, ring) => pointsOf(ring, 7, radius)),
    design: { ...plainDesign, finderShape },
    path: (x, y) => finderPath(x, y, finderShape),
    starts: ({ finderAt }) => [finderAt(0, 0)],
  };
}

const shapes = [
  moduleOf('rounded', roundedRadius),
  moduleOf('dots', dotRadius),
  finderOf('rounded'),
  finderOf('circle'),
];

/** A module of the picture, quiet zone counted, and where its canvas begins. */
interface Place {
  readonly module: number;
  readonly leftPx: number;
}

/** One place for each way in which a shape's points are cut off. */
function placesOf({ side, points }: Shape, pxPerModule: number): Place[] {
  const places = new Map<string, Place>();
  const add = (module: number, leftPx: number) => {
    const firstPx = module * pxPerModule + leftPx;
    const cut = points.map((point) => cutOff(module + point, pxPerModule, leftPx) - firstPx * 256);
    const known = places.get(cut.join());
    // The nearest one is on the smallest canvas.
    if (known === undefined || known.module * pxPerModule + known.leftPx > firstPx)
      places.set(cut.join(), { module, leftPx });
  };
  for (let symbol = 21; symbol <= 177; symbol += 4) {
    for (let quiet = 4; quiet <= 8; quiet++) {
      const total = symbol + 2 * quiet;
      const mostLeft = Math.min(total - 1, widestPx - total * pxPerModule) >> 1;
      const last = quiet + symbol - side;
      for (let leftPx = 0; leftPx <= mostLeft; leftPx++)
        for (let module = quiet; module <= last; module += side === 1 ? 1 : last - quiet)
          add(module, leftPx);
    }
  }
  return [...places.values()];
}

/** A coordinate as the rasterizer has it: numbers of 32 bits on the way, whole 256ths in the end. */
function cutOff(modules: number, pxPerModule: number, leftPx: number): number {
  const px = Math.fround(Math.fround(Math.fround(modules) * pxPerModule) + leftPx);
  return Math.trunc(Math.fround(px * 256));
}

/** The pixels of a shape by itself, drawn where it lies in a picture. */
function drawnAt({ side, path }: Shape, pxPerModule: number, across: Place, down: Place) {
  const [x, y] = [across, down].map(({ module, leftPx }) => module * pxPerModule + leftPx);
  const sidePx = side * pxPerModule;
  // A module more, so that the canvas cuts nothing.
  const [width, height] = [x, y].map((first = 0) => first + sidePx + pxPerModule);
  const rgba = rasterize(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><path fill="#ffffff" d="M0 0h${width}v${height}h-${width}z"/><g transform="matrix(${pxPerModule} 0 0 ${pxPerModule} ${across.leftPx} ${down.leftPx})"><path fill="#000000" d="${path(across.module, down.module)}"/></g></svg>`,
  );
  return cropped(rgba, width ?? 0, x ?? 0, y ?? 0, sidePx);
}

function cropped(rgba: Uint8Array, rowPx: number, x: number, y: number, sidePx: number): Buffer {
  const row = (index: number) => ((y + index) * rowPx + x) * 4;
  return Buffer.concat(
    Array.from({ length: sidePx }, (_, y) => rgba.subarray(row(y), row(y) + sidePx * 4)),
  );
}

async function isEverywhereAlike(shape: Shape, pxPerModule: number): Promise<boolean> {
  const stamps = stampsOf(shape.design, pxPerModule);
  const { rowPx, pixels } = stamps;
  const rgba = new Uint8Array(pixels.buffer, pixels.byteOffset, pixels.byteLength);
  const wanted = shape
    .starts(stamps)
    .map((at) =>
      cropped(rgba, rowPx, at % rowPx, Math.floor(at / rowPx), shape.side * pxPerModule),
    );
  const places = placesOf(shape, pxPerModule);
  for (const across of places) {
    for (const down of places) {
      const drawn = drawnAt(shape, pxPerModule, across, down);
      if (!wanted.every((stamp) => stamp.equals(drawn))) return false;
      // The native rasterizer lets go of its pixels between turns of the event loop.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  return true;
}

for (const shape of shapes) {
  const uneven: number[] = [];
  for (let pxPerModule = 1; pxPerModule <= Math.floor(widestPx / 29); pxPerModule++)
    if (!(await isEverywhereAlike(shape, pxPerModule))) uneven.push(pxPerModule);
  console.log(`${shape.name}: ${uneven.join(', ')}`);
}
