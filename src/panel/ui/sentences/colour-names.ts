import type { Texts } from '../../../languages/generated/texts.ts';

type ColourName = Parameters<Texts['colours']['name']>[0]['colour'];

/** Hues in degrees up to which a colour has a name. */
const hues: readonly (readonly [upToDegrees: number, name: ColourName])[] = [
  [15, 'red'],
  [45, 'orange'],
  [70, 'yellow'],
  [165, 'green'],
  [195, 'turquoise'],
  [255, 'blue'],
  [290, 'purple'],
  [345, 'pink'],
  [360, 'red'],
];

/** Returns the everyday name of a colour `#rrggbb`: `orange`, `darkGrey`, `white`. */
export function colourName(colour: string): ColourName {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(
    (at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255,
  );
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  const lightness = (most + least) / 2;
  const range = most - least;
  if (lightness > 0.94) return 'white';
  if (lightness < 0.1) return 'black';
  if (range < 0.08) return lightness > 0.6 ? 'lightGrey' : lightness < 0.35 ? 'darkGrey' : 'grey';
  const sixths =
    most === red
      ? (green - blue) / range
      : most === green
        ? (blue - red) / range + 2
        : (red - green) / range + 4;
  const degrees = (sixths * 60 + 360) % 360;
  const name = hues.find(([upToDegrees]) => degrees <= upToDegrees)?.[1] ?? 'red';
  return name === 'orange' && lightness < 0.35 ? 'brown' : name;
}
