import type { Chance } from './chance.ts';

/** Conditions of one shot, between the printed code and the pixels that a decoder gets. */
export interface Shot {
  readonly scene: string;
  /** Reflectance of the page around the code, from 0 to 1. */
  readonly page: number;
  /** Pixels a module at the middle of the code. */
  readonly pxPerModule: number;
  readonly rollDegrees: number;
  readonly pitchDegrees: number;
  readonly yawDegrees: number;
  /** Standard deviation of the blur (focus, lens and hand together) in modules. */
  readonly blurModules: number;
  /** Darkest part of the picture relative to its lightest, by uneven light alone. */
  readonly unevenness: number;
  /** Exposure relative to the phone's metering; above 1.2 the highlights clip. */
  readonly exposure: number;
  /** Stray light on the lens, as a share of full white: lifts the blacks. */
  readonly glare: number;
  /** Standard deviation of the noise at mid grey, as a share of full white, in linear light. */
  readonly noise: number;
  /** Red over green and blue over green that the light and the white balance leave. */
  readonly warmth: number;
  /** Exponent of the phone's tone curve on top of sRGB. */
  readonly gamma: number;
  /** JPEG quality, or null when the decoder gets the frame as it is. */
  readonly jpegQuality: number | null;
}

type Range = readonly [low: number, high: number];
interface Scene {
  readonly page: number;
  readonly pxPerModule: Range;
  /** In degrees, to either side. */
  readonly roll: number;
  readonly tilt: Range;
  readonly blurModules: Range;
  readonly unevenness: Range;
  readonly exposure: Range;
  readonly glare: Range;
  readonly noise: Range;
  readonly jpeg: Range | null;
}

/** A code in good light, held roughly straight. The scenes below state their differences. */
const good: Scene = {
  page: 0.85,
  pxPerModule: [4, 6],
  roll: 8,
  tilt: [0, 4],
  blurModules: [0.12, 0.2],
  unevenness: [0.85, 1],
  exposure: [0.85, 1.05],
  glare: [0.005, 0.015],
  noise: [0.005, 0.01],
  jpeg: null,
};
const white = 0.85;
const grey = 0.3;
const black = 0.02;

/** Ordinary scans, from easy to awkward. */
const scenes: Readonly<Record<string, Scene>> = {
  frontal: good,
  close: { ...good, page: grey, pxPerModule: [6, 8], roll: 12, blurModules: [0.15, 0.25] },
  far: { ...good, page: white, pxPerModule: [2.6, 3.2], blurModules: [0.2, 0.26] },
  tilted: { ...good, page: grey, roll: 20, tilt: [10, 22] },
  turned: { ...good, page: black, pxPerModule: [3.5, 5], roll: 180, tilt: [3, 10] },
  shaded: { ...good, unevenness: [0.4, 0.6], roll: 15, noise: [0.008, 0.014] },
  defocused: { ...good, page: grey, pxPerModule: [4, 7], blurModules: [0.32, 0.42] },
  dim: {
    ...good,
    page: grey,
    exposure: [0.35, 0.55],
    noise: [0.01, 0.017],
    blurModules: [0.18, 0.26],
  },
  glaring: { ...good, exposure: [1.15, 1.4], glare: [0.04, 0.08], unevenness: [0.7, 0.9] },
  shared: {
    ...good,
    page: black,
    pxPerModule: [3, 4.5],
    jpeg: [45, 75],
    blurModules: [0.18, 0.26],
  },
};

export const sceneNames: readonly string[] = Object.keys(scenes);

/** One shot of each scene. */
export function shotsOf(chance: Chance): Shot[] {
  return Object.entries(scenes).map(([name, scene]) => shotOf(name, scene, chance));
}

function shotOf(name: string, scene: Scene, chance: Chance): Shot {
  const within = (range: Range) => chance.between(...range);
  const tilt = within(scene.tilt);
  const direction = chance.between(0, 2 * Math.PI);
  return {
    scene: name,
    page: scene.page,
    pxPerModule: within(scene.pxPerModule),
    rollDegrees: chance.between(-scene.roll, scene.roll),
    pitchDegrees: tilt * Math.cos(direction),
    yawDegrees: tilt * Math.sin(direction),
    blurModules: within(scene.blurModules),
    unevenness: within(scene.unevenness),
    exposure: within(scene.exposure),
    glare: within(scene.glare),
    noise: within(scene.noise),
    warmth: chance.between(0.9, 1.12),
    gamma: chance.between(0.92, 1.1),
    jpegQuality: scene.jpeg === null ? null : within(scene.jpeg),
  };
}
