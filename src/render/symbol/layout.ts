import {
  centeredLogo,
  type Design,
  type Logo,
  type LogoPlacement,
} from '../../core/designs/design.ts';
import { visibleRadiusPx } from '../logo/decoded.ts';

/** Position of everything in a picture, in modules from the upper left corner of the symbol. */
export interface Layout {
  /** Modules along one side of the symbol. */
  readonly side: number;
  readonly quietZoneModules: number;
  readonly logo: Box | null;
  /** Returns whether the patch behind the logo clears a module. */
  isCleared(x: number, y: number): boolean;
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Least distance of the logo from modules beside a square patch. */
const patchMarginModules = 0.5;

/** Distance from the logo within which a circular patch clears the centres of modules. Half a diagonal is 0.71. */
const circleMarginModules = 0.75;

export function layoutOf(side: number, design: Design): Layout {
  const { logo, quietZoneModules } = design;
  if (logo === null) return { side, quietZoneModules, logo: null, isCleared: () => false };
  const longer = Math.max(logo.widthPx, logo.heightPx);
  const scale = (side * design.logoSizePercent) / 100 / longer;
  const [width, height] = [logo.widthPx * scale, logo.heightPx * scale];
  const box = { x: (side - width) / 2, y: (side - height) / 2, width, height };
  const fitted = fittedTo(box, design.logoPlacement ?? centeredLogo);
  // A moved logo keeps its patch, and with it the number of modules that scanners have to correct.
  return { side, quietZoneModules, logo: fitted, isCleared: patchOf(side, box, logo, design) };
}

function fittedTo({ x, y, width, height }: Box, fit: LogoPlacement): Box {
  const scale = fit.sizePercent / 100;
  return {
    x: x + (width * (1 - scale)) / 2 + fit.rightModules,
    y: y + (height * (1 - scale)) / 2 + fit.downModules,
    width: width * scale,
    height: height * scale,
  };
}

function patchOf(side: number, box: Box, logo: Logo, design: Design) {
  const middle = (side - 1) / 2;
  if (design.logoPatch === 'none') return () => false;
  if (design.logoPatch === 'square') {
    const reachX = reachModules(box.width);
    const reachY = reachModules(box.height);
    return (x: number, y: number) =>
      Math.abs(x - middle) <= reachX && Math.abs(y - middle) <= reachY;
  }
  const pixel = box.width / logo.widthPx;
  const reach = visibleRadiusPx(logo) * pixel + circleMarginModules;
  return (x: number, y: number) => (x - middle) ** 2 + (y - middle) ** 2 < reach * reach;
}

/** Returns the modules cleared on either side of the centre, for a logo of a width in modules. */
function reachModules(width: number): number {
  return Math.ceil(width / 2 + patchMarginModules - 0.5);
}
