import { rasterizeRgba } from '../draw/raster.ts';
import type { Picture } from '../draw/svg.ts';
import { type Measures, measuresOf } from './contrast.ts';
import { readBack, textInLogo } from './decode.ts';
import {
  codeLogoFault,
  type Finding,
  faultsOf,
  lookalikeFault,
  readbackFaults,
} from './reasons.ts';
import { type LightMap, lightOf, linearOfTone } from './reflectance.ts';
import { cautionsOf, scoreOf } from './score.ts';

/** What the instrument found out about one picture. */
export interface Examination {
  readonly faults: readonly Finding[];
  readonly cautions: readonly string[];
  /** 0 to 100; 50 and more where there is no fault, less where there is one. */
  readonly score: number;
  readonly measures: Measures;
}

/** Enough for every measure and every scan below, and a fiftieth of the work of a large picture. */
const pxPerModule = 4;

/** What the measures say of a picture: quickly found, while a scan takes most of the time. */
export interface Measured {
  readonly faults: readonly Finding[];
  readonly measures: Measures;
  /**
   * All that is to be found out. A picture with faults is not scanned.
   *
   * @param isSteady whether the logo misleads no scanner (steady.ts)
   */
  scanned(isSteady: boolean): Examination;
}

/** Measures a picture and looks for a code in its logo. The same picture always gives the same answer. */
export function measured(picture: Picture, shortLink: string): Measured {
  const { design, layout } = picture;
  const map = lightOf(rasterizeRgba(picture, pxPerModule), pxPerModule);
  const measures = measuresOf(picture, map);
  const found = faultsOf(measures, layout.quietZoneModules);
  if (design.logo !== null && textInLogo(design.logo) !== null) found.push(codeLogoFault);
  if (found.length > 0) {
    return { faults: found, measures, scanned: () => refused(measures, found) };
  }

  const tones = { ground: measures.ground, dark: Math.max(measures.modules, measures.finders) };
  const scanned = (isSteady: boolean) => {
    if (!isSteady) return refused(measures, [lookalikeFault]);
    const bare = () => withoutLogo(map, picture, tones.ground);
    const faults = readbackFaults(readBack(map, bare, shortLink, tones));
    if (faults.length > 0) return refused(measures, faults);
    const score = Math.max(50, scoreOf(measures));
    return { faults, cautions: cautionsOf(measures), score, measures };
  };
  return { faults: [], measures, scanned };
}

function refused(measures: Measures, faults: readonly Finding[]): Examination {
  return { faults, cautions: [], score: Math.min(49, scoreOf(measures)), measures };
}

/** The picture with ground where the logo is. */
function withoutLogo(map: LightMap, { layout }: Picture, ground: number): LightMap {
  if (layout.logo === null) return map;
  const light = map.light.slice();
  const { x, y, width, height } = layout.logo;
  const at = (modules: number) => (modules + layout.quietZoneModules) * pxPerModule;
  for (let row = Math.floor(at(y)); row < at(y + height); row++) {
    const start = row * map.widthPx;
    light.fill(linearOfTone(ground), start + Math.floor(at(x)), start + Math.ceil(at(x + width)));
  }
  return { ...map, light };
}
