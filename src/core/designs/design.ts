import type { ReadabilityReason } from './readability.ts';

/** The look of an account's codes. Designs are immutable: a code keeps the one it was created with. */
export interface Design {
  /** Color of the dark modules, `#rrggbb` in lower case. */
  readonly foreground: string;
  /** Color of the light modules and the quiet zone, `#rrggbb` in lower case. */
  readonly background: string;
  readonly moduleShape: ModuleShape;
  readonly finderShape: FinderShape;
  /** Color of the three finder patterns; null for the foreground. */
  readonly finderColor: string | null;
  readonly logo: Logo | null;
  /** Longer side of the logo in percent of the symbol's side, without quiet zone. */
  readonly logoSizePercent: number;
  /** The cleared area behind the logo. */
  readonly logoPatch: LogoPatch;
  /** Width of the quiet zone in modules. ISO/IEC 18004 requires four. */
  readonly quietZoneModules: number;
  /** A line of text at the code, see `parseCaption`, and where it is. Designs without one lack both. */
  readonly caption?: string;
  readonly captionPlace?: CaptionPlace;
  /** Set per code at creation by the readability check, not by the account holder. */
  readonly logoPlacement?: LogoPlacement;
}

/**
 * Adjusted logo size and offset. Scanners mistake parts of some logos for a finder pattern; a slightly
 * smaller or moved logo avoids that.
 */
export interface LogoPlacement {
  /** Percent of the size that the design sets. */
  readonly sizePercent: number;
  /** Offset of the logo's center from the symbol's, in modules. */
  readonly rightModules: number;
  readonly downModules: number;
}

/** The logo in the center, in the size that the design sets. */
export const centeredLogo: LogoPlacement = { sizePercent: 100, rightModules: 0, downModules: 0 };

/** Returns a design with the logo placement of a code. Null means centered. */
export function withLogoPlacement(design: Design, placement: LogoPlacement | null): Design {
  return { ...design, logoPlacement: placement ?? centeredLogo };
}

export const moduleShapes = ['square', 'rounded', 'dots'] as const;
export const finderShapes = ['square', 'rounded', 'circle'] as const;
export const logoPatches = ['none', 'square', 'circle'] as const;
/** Where the caption is, beside the code. */
export const captionPlaces = ['below', 'above'] as const;
export type ModuleShape = (typeof moduleShapes)[number];
export type FinderShape = (typeof finderShapes)[number];
export type LogoPatch = (typeof logoPatches)[number];
export type CaptionPlace = (typeof captionPlaces)[number];

/** A stored logo, re-encoded at upload. The uploaded bytes are not kept. */
export interface Logo {
  readonly png: Uint8Array;
  readonly widthPx: number;
  readonly heightPx: number;
}

/** Bounds of design settings. The readability check can still reject a combination. */
export const designBounds = {
  logoSizePercent: { min: 5, max: 40 },
  quietZoneModules: { min: 4, max: 8 },
} as const;

/** Maximum size of an uploaded logo file in bytes. */
export const maxLogoBytes = 1_000_000;

/** Maximum size of a file that a browser draws as a logo, in bytes. It is not uploaded. */
export const maxDrawnFileBytes = 20_000_000;

/** Bounds of a stored logo. */
export const storedLogoBounds = {
  /** Longer side: 20 mm at 600 dpi. */
  sidePx: 512,
  /** The logo is part of every SVG that is downloaded. */
  bytes: 300_000,
} as const;

/** The design of a new account. */
export const plainDesign: Design = {
  foreground: '#000000',
  background: '#ffffff',
  moduleShape: 'square',
  finderShape: 'square',
  finderColor: null,
  logo: null,
  logoSizePercent: 22,
  logoPatch: 'square',
  quietZoneModules: 4,
};

/** Returns the stored form of a color such as `#1A2B3C` or `#1ab`, or null when it is invalid. */
export function parseColor(text: string): string | null {
  const long = /^#[0-9a-f]{6}$/i.test(text) ? text : null;
  const short = /^#[0-9a-f]{3}$/i.test(text) ? text.replace(/[0-9a-f]/gi, '$&$&') : null;
  return (long ?? short)?.toLowerCase() ?? null;
}

/** Result of the readability check of a design and a short link. */
export interface ReadabilityResult {
  readonly isReadable: boolean;
  /** 0 to 100; black on white scores 100. */
  readonly score: number;
  /** Why the design was rejected, or its weaknesses when it was accepted. */
  readonly reasons: readonly ReadabilityReason[];
  /** The nearest design that passes; null when accepted or when there is none. */
  readonly advice: Advice | null;
  /** The placement with which codes must draw the logo; null for centered. */
  readonly logoPlacement: LogoPlacement | null;
  /** Side of the symbol in modules, without quiet zone. */
  readonly modules: number;
  readonly quietZoneModules: number;
  /** What a caption adds to both sides, see `captionStripModules`; left out without one. */
  readonly captionModules?: number;
}

/** Changes to the settings of a design, except the logo itself. */
export type DesignChanges = Partial<Omit<Design, 'logo' | 'logoPlacement'>>;

/** Changes that make a rejected design pass. */
export interface Advice {
  readonly changes: DesignChanges;
  /** What the settings are now. */
  readonly instead: DesignChanges;
}

/** Names of design settings in panel forms, CLI flags (with hyphens) and JSON output. */
const externalNames: Readonly<Record<keyof DesignChanges, string>> = {
  foreground: 'foreground',
  background: 'background',
  moduleShape: 'module_shape',
  finderShape: 'finder_shape',
  finderColor: 'finder_color',
  logoSizePercent: 'logo_size',
  logoPatch: 'logo_patch',
  quietZoneModules: 'quiet_zone',
  caption: 'caption',
  captionPlace: 'caption_place',
};

/** Returns design settings under their external names. Other properties are left out. */
export function toExternalNames(
  changes: DesignChanges,
): Record<string, DesignChanges[keyof DesignChanges]> {
  // The cast is safe: the keys of the table are those of its type.
  const keys = Object.keys(externalNames) as (keyof DesignChanges)[];
  return Object.fromEntries(
    keys.filter((key) => key in changes).map((key) => [externalNames[key], changes[key]]),
  );
}
