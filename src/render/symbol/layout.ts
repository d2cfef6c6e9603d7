import { captionModulesOf } from '../../core/designs/caption.ts';
import {
  centeredLogo,
  type Design,
  type Logo,
  type LogoPatch,
  type LogoPlacement,
} from '../../core/designs/design.ts';
import { decodeLogo } from '../logo/decoded.ts';

/** Position of everything in a picture, in modules from the upper left corner of the symbol. */
export interface Layout {
  /** Modules along one side of the symbol. */
  readonly side: number;
  readonly quietZoneModules: number;
  /** What a caption adds to both sides of the picture. */
  readonly captionModules: number;
  /** Corner of the quiet zone in the picture: 0, 0 without a caption. */
  readonly origin: { readonly x: number; readonly y: number };
  readonly logo: Box | null;
  /** Returns whether the patch behind the logo clears a module. */
  isCleared(x: number, y: number): boolean;
}

/** Rectangle by its upper left corner and size. The context gives the unit. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Minimum distance of the logo from modules around a square patch. */
const patchMarginModules = 0.5;

/**
 * Distance from the logo within which a circular patch clears modules by their centre.
 * Half a diagonal is 0.71.
 */
const circleMarginModules = 0.75;

/** Lays out a symbol of `side` modules. */
export function layoutOf(side: number, design: Design): Layout {
  const { logo, quietZoneModules, captionPlace } = design;
  const captionModules = captionModulesOf(design);
  const origin = { x: captionModules / 2, y: captionPlace === 'above' ? captionModules : 0 };
  const frame = { side, quietZoneModules, captionModules, origin };
  if (logo === null) return { ...frame, logo: null, isCleared: () => false };
  const longer = Math.max(logo.widthPx, logo.heightPx);
  const modulesPerPx = (side * design.logoSizePercent) / 100 / longer;
  const [width, height] = [logo.widthPx * modulesPerPx, logo.heightPx * modulesPerPx];
  const box = { x: (side - width) / 2, y: (side - height) / 2, width, height };
  return {
    ...frame,
    logo: placed(box, design.logoPlacement ?? centeredLogo),
    // A placement leaves the patch alone, and with it the modules that scanners have to correct.
    isCleared: patchOf(side, box, logo, design.logoPatch),
  };
}

function placed({ x, y, width, height }: Box, placement: LogoPlacement): Box {
  const scale = placement.sizePercent / 100;
  return {
    x: x + (width * (1 - scale)) / 2 + placement.rightModules,
    y: y + (height * (1 - scale)) / 2 + placement.downModules,
    width: width * scale,
    height: height * scale,
  };
}

/** Returns a function that tells whether the patch clears a module. */
function patchOf(side: number, box: Box, logo: Logo, patch: LogoPatch): Layout['isCleared'] {
  const center = (side - 1) / 2;
  if (patch === 'none') return () => false;
  if (patch === 'square') {
    const [reachX, reachY] = [reachModules(box.width), reachModules(box.height)];
    return (x, y) => Math.abs(x - center) <= reachX && Math.abs(y - center) <= reachY;
  }
  const radius =
    decodeLogo(logo).visibleRadiusPx * (box.width / logo.widthPx) + circleMarginModules;
  return (x, y) => (x - center) ** 2 + (y - center) ** 2 < radius * radius;
}

/** Returns the modules cleared on either side of the centre, for a logo of a width in modules. */
function reachModules(width: number): number {
  return Math.ceil(width / 2 + patchMarginModules - 0.5);
}
