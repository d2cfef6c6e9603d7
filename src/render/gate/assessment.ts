import { rasterizeRgba } from '../draw/raster.ts';
import type { Picture } from '../draw/svg.ts';
import { decodeCaptures, textInLogo } from './decode.ts';
import { type LightMap, lightOf, linearOfTone } from './light.ts';
import { scoreOf } from './limits.ts';
import { type Measures, measuresOf } from './measures.ts';
import { cautionsOf, codeLogoFault, decodeFaults, type Fault, faultsOf } from './reasons.ts';

/** Everything found out about one picture. */
export interface Assessment {
  readonly faults: readonly Fault[];
  readonly cautions: readonly string[];
  /** 0 to 100; at least 50 without a fault, less than 50 with one. */
  readonly score: number;
  readonly measures: Measures;
}

/** Enough for every measure and capture, at a fiftieth of the work of a large picture. */
const pxPerModule = 4;

/** The measured part of an assessment. Decoding takes most of the time and comes on demand. */
export interface Measured {
  readonly faults: readonly Fault[];
  readonly measures: Measures;
  /** Completes the assessment by decoding simulated captures. A picture with faults is not decoded. */
  decode(): Assessment;
}

/** Measures a picture and looks for a code in its logo. Deterministic. */
export function measure(picture: Picture, shortLink: string): Measured {
  const { design, layout } = picture;
  const map = lightOf(rasterizeRgba(picture, pxPerModule), pxPerModule);
  const measures = measuresOf(picture, map);
  const found = faultsOf(measures, layout.quietZoneModules);
  if (design.logo !== null && textInLogo(design.logo) !== null) found.push(codeLogoFault);
  if (found.length > 0) {
    return { faults: found, measures, decode: () => rejected(measures, found) };
  }
  const tones = {
    background: measures.background,
    dark: Math.max(measures.modules, measures.finders),
  };
  const decode = () => {
    const bare = () => withoutLogo(map, picture, tones.background);
    const faults = decodeFaults(decodeCaptures(map, bare, shortLink, tones));
    if (faults.length > 0) return rejected(measures, faults);
    const score = Math.max(50, scoreOf(measures));
    return { faults, cautions: cautionsOf(measures), score, measures };
  };
  return { faults: [], measures, decode };
}

/** Returns the assessment of a picture with faults. */
export function rejected(measures: Measures, faults: readonly Fault[]): Assessment {
  return { faults, cautions: [], score: Math.min(49, scoreOf(measures)), measures };
}

/** Returns the picture with background in place of the logo. */
function withoutLogo(map: LightMap, { layout }: Picture, background: number): LightMap {
  if (layout.logo === null) return map;
  const light = map.light.slice();
  const { x, y, width, height } = layout.logo;
  const at = (modules: number) => (modules + layout.quietZoneModules) * pxPerModule;
  for (let row = Math.floor(at(y)); row < at(y + height); row++) {
    const start = row * map.widthPx;
    light.fill(
      linearOfTone(background),
      start + Math.floor(at(x)),
      start + Math.ceil(at(x + width)),
    );
  }
  return { ...map, light };
}
