/** How an account's codes look. Designs are immutable: a code keeps the one it was created with. */
export interface Design {
  /** Colour of the dark modules, `#rrggbb` in lower case. */
  readonly foreground: string;
  /** Colour of the light modules and the quiet zone, `#rrggbb` in lower case. */
  readonly background: string;
  readonly moduleShape: ModuleShape;
  readonly finderShape: FinderShape;
  /** Colour of the three finder patterns; null follows the foreground. */
  readonly finderColor: string | null;
  readonly logo: Logo | null;
  /** Longer side of the logo in percent of the symbol's side (quiet zone not counted). */
  readonly logoSizePercent: number;
  /** What is cleared behind the logo. */
  readonly logoPatch: LogoPatch;
  /** Width of the quiet zone in modules. ISO/IEC 18004 asks for four. */
  readonly quietZoneModules: number;
  /** How a code draws the logo. Not part of what a person sets: the gate chooses it at creation. */
  readonly logoPlacement?: LogoPlacement;
}

/**
 * A drawing of the logo that differs a little from what the design sets. Some logos hold a piece that
 * scanners take for a pattern of the code where it lies, and no longer where it is a little smaller or
 * lies a module or two beside it.
 */
export interface LogoPlacement {
  /** Of the size that the design sets. */
  readonly sizePercent: number;
  /** How far the logo's middle lies to the right of the symbol's and below it, in modules. */
  readonly rightModules: number;
  readonly downModules: number;
}

/** The logo in the middle and in the size that the design sets. */
export const centeredLogo: LogoPlacement = { sizePercent: 100, rightModules: 0, downModules: 0 };

/** A design as a code wears it. Null stands for the logo as set, as codes of earlier releases have it. */
export function withLogoPlacement(design: Design, fit: LogoPlacement | null): Design {
  return { ...design, logoPlacement: fit ?? centeredLogo };
}

export const moduleShapes = ['square', 'rounded', 'dots'] as const;
export const finderShapes = ['square', 'rounded', 'circle'] as const;
export const logoPatches = ['none', 'square', 'circle'] as const;
export type ModuleShape = (typeof moduleShapes)[number];
export type FinderShape = (typeof finderShapes)[number];
export type LogoPatch = (typeof logoPatches)[number];

/** A logo as it is stored: re-encoded by us when it was set, never the bytes that were sent. */
export interface Logo {
  readonly png: Uint8Array;
  readonly widthPx: number;
  readonly heightPx: number;
}

/** Bounds of what a person can choose; the readability gate may still refuse a combination. */
export const designBounds = {
  logoSizePercent: { min: 5, max: 40 },
  quietZoneModules: { min: 4, max: 8 },
} as const;

/** Largest file that may be uploaded as a logo, in bytes. */
export const maxLogoBytes = 1_000_000;

/** What an account wears until its holder chooses. */
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

/** The stored spelling of a colour such as `#1A2B3C` or `#1ab`, or null when it is none. */
export function parseColor(text: string): string | null {
  const long = /^#[0-9a-f]{6}$/i.test(text) ? text : null;
  const short = /^#[0-9a-f]{3}$/i.test(text) ? text.replace(/[0-9a-f]/gi, '$&$&') : null;
  return (long ?? short)?.toLowerCase() ?? null;
}

/** What the readability gate found out about a design on one short link. */
export interface ReadabilityResult {
  readonly isReadable: boolean;
  /** 0 (hopeless) to 100 (as good as black on white). */
  readonly score: number;
  /** In plain words: what is wrong when refused, what is weak when accepted. */
  readonly reasons: readonly string[];
  /** For a refused design the nearest one that passes; null when accepted or when there is none. */
  readonly advice: Advice | null;
  /** How a code has to draw the logo to be read as judged; null for as the design sets it. */
  readonly logoPlacement: LogoPlacement | null;
  /** Side of the symbol in modules, quiet zone not counted. */
  readonly modules: number;
  readonly quietZoneModules: number;
}

/** Changes to a design. The logo itself is the person's own, and how it is fitted the gate's. */
export type DesignChanges = Partial<Omit<Design, 'logo' | 'logoPlacement'>>;

/** Changes that make a refused design pass, with a sentence that says them. */
export interface Advice {
  readonly changes: DesignChanges;
  readonly message: string;
}
