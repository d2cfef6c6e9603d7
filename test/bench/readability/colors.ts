import { lumaOfColor } from '../../../src/core/designs/black-and-white.ts';
import type { Chance } from './chance.ts';

/** Kinds of palettes with their weights. Reports group errors by them. */
export const paletteKinds = {
  darkOnLight: 34,
  brand: 16,
  midTone: 15,
  lowContrast: 10,
  pastel: 8,
  inverted: 7,
  likeLuminance: 6,
  grey: 4,
} as const;
export type PaletteKind = keyof typeof paletteKinds;

export interface Palette {
  readonly foreground: string;
  readonly background: string;
}

/** Brand colours, from loud to pale. */
const brandColors: readonly [string, ...string[]] = [
  '#1877f2', '#e60023', '#1db954', '#ff5a00', '#ffd400', '#0a66c2', '#6f2da8', '#00a1e0',
  '#bd081c', '#ff9900', '#25d366', '#5865f2', '#003087', '#e4002b', '#00754a', '#ff4500',
  '#96bf48', '#0f9d58', '#f4b400', '#4a154b', '#ee0979', '#00c4cc', '#8d6e63', '#607d8b',
  '#b5121b', '#006a4e', '#c0a16b', '#2d2926', '#ff6f61', '#009688',
]; // biome-ignore format: a palette reads better as a block

const paper: readonly [string, ...string[]] = [
  '#ffffff', '#ffffff', '#ffffff', '#ffffff', '#fffdf5', '#f5f5f0', '#f0f4ff', '#fff3e0', '#e8f5e9',
]; // biome-ignore format: a palette reads better as a block

export function paletteOf(kind: PaletteKind, chance: Chance): Palette {
  const hue = chance.between(0, 360);
  const other = (hue + chance.between(20, 340)) % 360;
  const saturation = chance.between(0, 1);
  switch (kind) {
    case 'darkOnLight':
      return {
        foreground: hsl(hue, saturation, chance.between(0, 0.36)),
        background: chance.true(0.5)
          ? '#ffffff'
          : hsl(other, chance.unit(), chance.between(0.86, 1)),
      };
    case 'brand':
      return { foreground: chance.one(brandColors), background: chance.one(paper) };
    case 'midTone':
      return {
        foreground: hsl(hue, saturation, chance.between(0.15, 0.48)),
        background: hsl(other, chance.unit(), chance.between(0.52, 0.85)),
      };
    case 'lowContrast': {
      const lightness = chance.between(0.25, 1);
      const step = chance.between(0.06, 0.24);
      return {
        foreground: hsl(hue, saturation, Math.max(0, lightness - step)),
        background: hsl(hue, saturation, lightness),
      };
    }
    case 'pastel':
      return chance.true(0.5)
        ? { foreground: hsl(hue, saturation, chance.between(0.6, 0.85)), background: '#ffffff' }
        : {
            foreground: hsl(hue, saturation, chance.between(0.2, 0.55)),
            background: hsl(other, chance.unit(), chance.between(0.78, 0.92)),
          };
    case 'inverted':
      return {
        foreground: hsl(hue, saturation, chance.between(0.65, 1)),
        background: hsl(other, chance.unit(), chance.between(0, 0.4)),
      };
    case 'likeLuminance':
      return likeLuminance(hue, other, chance);
    case 'grey': {
      const step = chance.whole(0x40, 0xd8);
      return { foreground: rgbHex(step, step, step), background: '#ffffff' };
    }
  }
}

/** Two saturated hues that a camera sees as nearly the same grey: red on green and its relatives. */
function likeLuminance(hue: number, other: number, chance: Chance): Palette {
  const foreground = hsl(hue, chance.between(0.8, 1), chance.between(0.3, 0.6));
  const wanted = lumaOfColor(foreground) + chance.between(0, 0.18);
  // Luma rises with lightness, so twenty halvings find the lightness that gives the wanted one.
  let [low, high] = [0, 1];
  for (let round = 0; round < 20; round++) {
    const middle = (low + high) / 2;
    if (lumaOfColor(hsl(other, 0.9, middle)) < wanted) low = middle;
    if (lumaOfColor(hsl(other, 0.9, middle)) >= wanted) high = middle;
  }
  return { foreground, background: hsl(other, 0.9, high) };
}

/** A colour for the finder patterns when they have one of their own. */
export function finderColorOf(palette: Palette, chance: Chance): string | null {
  const kind = chance.weighted({ same: 60, dark: 18, brand: 14, any: 8 });
  if (kind === 'same') return null;
  if (kind === 'dark') return hsl(chance.between(0, 360), chance.unit(), chance.between(0, 0.32));
  if (kind === 'brand') return chance.one(brandColors);
  return chance.true(0.3)
    ? palette.foreground
    : hsl(chance.between(0, 360), chance.unit(), chance.unit());
}

/** Hue in degrees, saturation and lightness from 0 to 1, as CSS `hsl()`. */
export function hsl(hue: number, saturation: number, lightness: number): string {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const channel = (offset: number) => {
    const place = (offset + hue / 30) % 12;
    return 255 * (lightness - reach * Math.max(-1, Math.min(place - 3, 9 - place, 1)));
  };
  return rgbHex(channel(0), channel(8), channel(4));
}

function rgbHex(red: number, green: number, blue: number): string {
  const pair = (value: number) => Math.round(value).toString(16).padStart(2, '0');
  return `#${pair(red)}${pair(green)}${pair(blue)}`;
}
