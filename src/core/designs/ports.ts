import type { Requester } from '../fair-queue.ts';
import type { Acting } from '../ports.ts';
import type { Design, Logo, ReadabilityResult } from './design.ts';
import type { ScreenImage } from './screen-images.ts';

/** The interfaces that adapters implement for designs, see `core/ports.ts`. */

/** A design that an account named, to choose it for new codes. */
export interface SavedDesign {
  readonly name: string;
  readonly designId: number;
  readonly savedAtMs: number;
}

export interface SavedDesignStore {
  /** Returns the saved designs in the order of their names. */
  list(accountId: number): Promise<SavedDesign[]>;
  find(accountId: number, name: string): Promise<SavedDesign | null>;
  /**
   * Adds a design and saves it under a name, in place of an earlier one of that name. The default design
   * stays. Returns the design's id.
   */
  save(acting: Acting, name: string, design: Design, atMs: number): Promise<number>;
  /** Changes a name. Nothing changes when the new name is `taken` or the former one `missing`. */
  rename(
    acting: Acting,
    from: string,
    to: string,
    atMs: number,
  ): Promise<'renamed' | 'taken' | 'missing'>;
  /** Forgets a name. Codes keep the design. Resolves false when there is no such name. */
  remove(acting: Acting, name: string, atMs: number): Promise<boolean>;
}

export interface DesignStore {
  /** Adds a design as the account's default and returns its id. Existing codes keep theirs. */
  add(acting: Acting, design: Design, atMs: number): Promise<number>;
  /** Makes an existing design of the account its default. Resolves false when it is not the account's. */
  setDefault(acting: Acting, designId: number, atMs: number): Promise<boolean>;
  /** Returns the design of the account's new codes. */
  findDefault(accountId: number): Promise<{ id: number; design: Design }>;
  find(designId: number): Promise<Design>;
  /** Returns the SHA-256 of the design's sample PNG, see `hashSamplePng`. Null before its first code. */
  pngHash(designId: number): Promise<Uint8Array | null>;
  /** Records the hash of the sample PNG unless the design has one. */
  recordPngHash(designId: number, pngHash: Uint8Array): Promise<void>;
}

/** The PNG of a logo that is not saved yet. */
interface KeptPicture {
  readonly accountId: number;
  /** SHA-256 in hexadecimal digits. */
  readonly digest: string;
  readonly content: Uint8Array;
  readonly keptAtMs: number;
}

export interface PictureStore {
  /**
   * Adds a picture, or sets the time of one that is there.
   * Deletes some that were kept until `expiredMs`, and the oldest ones of an account that has more than `maxPictures`.
   */
  keep(
    picture: KeptPicture,
    limits: { readonly expiredMs: number; readonly maxPictures: number },
  ): Promise<void>;
  /** Returns a picture of the account that was kept after `expiredMs`, or null. */
  find(accountId: number, digest: string, expiredMs: number): Promise<Uint8Array | null>;
}

/** Returns the renderer that works in the turns of a requester. */
export type RendererFor<Method extends keyof Renderer = keyof Renderer> = (
  requester: Requester,
) => Pick<Renderer, Method>;

/** An image for print. */
export interface PrintImage {
  readonly format: 'svg' | 'png';
  /** Of PNG. */
  readonly widthPx: number;
  readonly widthMm: number;
  /** Whether the symbol has as few modules as possible, see `SheetForm`. */
  readonly isCompact?: boolean;
}

export interface Renderer {
  /**
   * Renders a short link in a design and checks that phones can read it. Chooses the logo placement
   * unless the design sets one.
   *
   * @throws ServerBusy when too many wait, the client has gone or no worker starts
   */
  checkReadability(shortLink: string, design: Design): Promise<ReadabilityResult>;
  /** Does the same, and returns the SHA-256 of the SVG with that placement. */
  checkImage(
    shortLink: string,
    design: Design,
  ): Promise<ReadabilityResult & { readonly svgHash: Uint8Array }>;
  /** Returns the SVG in UTF-8. Equal arguments give equal bytes. */
  svg(shortLink: string, design: Design): Promise<Uint8Array>;
  /** Returns a square PNG, modules on whole pixels. Equal arguments give equal bytes. */
  png(shortLink: string, design: Design, widthPx: number): Promise<Uint8Array>;
  /** Returns an image as `svg` and `png` do that carries its width in print. */
  printImage(shortLink: string, design: Design, print: PrintImage): Promise<Uint8Array>;
  /** Returns a small picture for a page, as PNG or WebP. */
  screenImage(shortLink: string, design: Design, screen: ScreenImage): Promise<Uint8Array>;
  /** Does the same for a logo alone. */
  logoThumbnail(logo: Logo, screen: ScreenImage): Promise<Uint8Array>;
  /**
   * Converts an uploaded PNG or JPEG in sRGB, detected by content, to a logo.
   *
   * @throws Refused with a LogoReason
   * @throws ServerBusy when too many wait, or the client has gone
   */
  normalizeLogo(bytes: Uint8Array): Promise<Logo>;
}
