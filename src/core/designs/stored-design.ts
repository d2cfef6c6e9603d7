import { Refused } from '../errors.ts';
import { maxCaptionCharacters, parseCaption } from './caption.ts';
import {
  captionPlaces,
  type Design,
  designBounds,
  finderShapes,
  type Logo,
  logoPatches,
  moduleShapes,
  parseColor,
  storedLogoBounds,
} from './design.ts';

/** A design in JSON, without the logo's PNG, which is stored beside it. */
export type DesignSettings = Omit<Design, 'logo'> & { readonly logo: Omit<Logo, 'png'> | null };

/** A design as databases store it. */
export interface StoredDesign {
  readonly settings: DesignSettings;
  readonly logoPng: Uint8Array | null;
}

/** Converts a design to its stored form, without a logo placement, which belongs to a code. */
export function toStoredDesign({ logo, logoPlacement: _, ...settings }: Design): StoredDesign {
  return {
    settings: { ...settings, logo: logo && { widthPx: logo.widthPx, heightPx: logo.heightPx } },
    logoPng: logo?.png ?? null,
  };
}

/** Reverts {@link toStoredDesign}. */
export function fromStoredDesign({ settings, logoPng }: StoredDesign): Design {
  const { logo } = settings;
  return { ...settings, logo: logo && logoPng && { ...logo, png: new Uint8Array(logoPng) } };
}

/** Returns whether JSON and bytes of another database are a design that Waymark can have stored. */
export function isStoredDesign(settings: unknown, logoPng: Uint8Array | null): boolean {
  if (typeof settings !== 'object' || settings === null) return false;
  const value: Readonly<Record<string, unknown>> = { ...settings };
  const isColor = (color: unknown) => typeof color === 'string' && parseColor(color) === color;
  const isOneOf = (known: readonly string[], name: unknown) => known.some((one) => one === name);
  const { logoSizePercent, quietZoneModules } = designBounds;
  return (
    isColor(value['foreground']) &&
    isColor(value['background']) &&
    isOneOf(moduleShapes, value['moduleShape']) &&
    isOneOf(finderShapes, value['finderShape']) &&
    (value['finderColor'] === null || isColor(value['finderColor'])) &&
    isBetween(value['logoSizePercent'], logoSizePercent) &&
    isOneOf(logoPatches, value['logoPatch']) &&
    Number.isInteger(value['quietZoneModules']) &&
    isBetween(value['quietZoneModules'], quietZoneModules) &&
    isStoredCaption(value['caption'], value['captionPlace']) &&
    isStoredLogo(value['logo'], logoPng)
  );
}

/** Returns whether values are a caption as `parseCaption` returns it, and its place; or both are missing. */
function isStoredCaption(caption: unknown, place: unknown): boolean {
  if (caption === undefined) return place === undefined;
  if (typeof caption !== 'string' || caption.length > maxCaptionCharacters) return false;
  if (!captionPlaces.some((known) => known === place)) return false;
  try {
    return parseCaption(caption) === caption;
  } catch (error) {
    if (error instanceof Refused) return false;
    throw error;
  }
}

/** Returns whether a PNG is within the bounds of a logo and has the size that the settings say. */
function isStoredLogo(logo: unknown, png: Uint8Array | null): boolean {
  if (logo === null || png === null) return logo === png;
  if (typeof logo !== 'object' || png.length > storedLogoBounds.bytes || png.length < 24)
    return false;
  const { widthPx, heightPx }: { widthPx?: unknown; heightPx?: unknown } = logo ?? {};
  const side = { min: 1, max: storedLogoBounds.sidePx };
  const header = new DataView(png.buffer, png.byteOffset, png.length);
  return (
    // The signature, then the chunk IHDR (PNG, 5.2 and 11.2.1).
    png.slice(0, 16).toHex() === '89504e470d0a1a0a0000000d49484452' &&
    isBetween(widthPx, side) &&
    isBetween(heightPx, side) &&
    header.getUint32(16) === widthPx &&
    header.getUint32(20) === heightPx
  );
}

/** Returns whether JSON of another database is the placement of a logo, within a symbol. */
export function isLogoPlacement(value: Readonly<Record<string, unknown>>): boolean {
  const modules = { min: -177, max: 177 };
  return (
    isBetween(value['sizePercent'], { min: 1, max: 100 }) &&
    isBetween(value['rightModules'], modules) &&
    isBetween(value['downModules'], modules)
  );
}

function isBetween(value: unknown, { min, max }: { min: number; max: number }): boolean {
  return typeof value === 'number' && value >= min && value <= max;
}
