import type { Design } from '../../core/designs/design.ts';
import type { ReadabilityReason } from '../../core/designs/readability.ts';
import { type Picture, totalModules } from '../path/picture.ts';
import { rasterize } from '../path/raster.ts';
import type { Layout } from '../symbol/layout.ts';
import { decodeCaptures, textInLogo } from './decode.ts';
import { cautionsOf, codeLogoFault, decodeFaults, type Fault, faultsOf } from './faults.ts';
import { type LightMap, lightOf, linearOfTone } from './light.ts';
import { scoreOf } from './limits.ts';
import { colorMeasuresOf, type Measures, measuresOf } from './measures.ts';

/** A measured picture, before the slower decoding. */
export interface Measured {
  readonly picture: Picture;
  readonly map: LightMap;
  readonly measures: Measures;
  readonly faults: readonly Fault[];
}

/** Result for a picture. */
export interface Assessment {
  readonly design: Design;
  readonly faults: readonly Fault[];
  readonly cautions: readonly ReadabilityReason[];
  /** 0 to 100; at least 50 without a fault, less than 50 with one. */
  readonly score: number;
}

/** Enough for every measure and capture. */
export const pxPerModule = 4;

/** Measures a picture and looks for a code in its logo. Deterministic. */
export function measure(picture: Picture): Measured {
  const { design, layout } = picture;
  const map = lightMapOf(picture);
  const measures = measuresOf(picture, map);
  const faults = faultsOf(measures, layout.quietZoneModules);
  if (design.logo !== null && textInLogo(design.logo) !== null) faults.push(codeLogoFault);
  return { picture, map, measures, faults };
}

/** Draws a picture for measures and captures. */
export function lightMapOf(picture: Picture): LightMap {
  const widthPx = totalModules(picture.layout) * pxPerModule;
  return lightOf(rasterize(picture, { widthPx, pxPerModule, leftPx: 0 }), pxPerModule);
}

/** Completes an assessment: decodes simulated captures, unless the measures show a fault. */
export function assess(measured: Measured, shortLink: string): Assessment {
  const { picture, map, measures } = measured;
  const faults = measured.faults.length > 0 ? measured.faults : readBack(picture, map, shortLink);
  const { design } = picture;
  const score = scoreOf(measures);
  return faults.length > 0
    ? { design, faults, cautions: [], score: Math.min(49, score) }
    : { design, faults, cautions: cautionsOf(measures), score: Math.max(50, score) };
}

/** Decodes simulated captures of a drawn picture. Returns what is wrong with it. */
export function readBack({ design, layout }: Picture, map: LightMap, shortLink: string): Fault[] {
  const { background, modules, finders } = colorMeasuresOf(design);
  const tones = { background, dark: Math.max(modules, finders) };
  const bare = () => withoutLogo(map, layout, background);
  return decodeFaults(decodeCaptures(map, bare, tones), shortLink);
}

/** Returns the picture with background in place of the logo. */
function withoutLogo(map: LightMap, layout: Layout, background: number): LightMap {
  if (layout.logo === null) return map;
  const light = map.light.slice();
  const { x, y, width, height } = layout.logo;
  const { quietZoneModules, origin } = layout;
  const toX = (modules: number) => (modules + quietZoneModules + origin.x) * pxPerModule;
  const toY = (modules: number) => (modules + quietZoneModules + origin.y) * pxPerModule;
  const [left, right] = [Math.floor(toX(x)), Math.ceil(toX(x + width))];
  for (let row = Math.floor(toY(y)); row < toY(y + height); row++) {
    const start = row * map.widthPx;
    light.fill(linearOfTone(background), start + left, start + right);
  }
  return { ...map, light };
}
