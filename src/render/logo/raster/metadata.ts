/** What a raster file says beside its pixels. */
export interface RasterMetadata {
  /** Kind of its samples: a profile of another kind does not apply. */
  readonly samples: 'gray' | 'rgb' | 'cmyk';
  readonly hasAlpha: boolean;
  readonly iccProfile: Uint8Array | null;
  /** Colour space of a PNG without a profile, or instead of one. */
  readonly png: PngColors | null;
  /** EXIF orientation: 1 to 8. */
  readonly orientation: number;
  /** Whether the file has its end. Bun.Image decodes a JPEG without one. */
  readonly isComplete: boolean;
  /** Whether decoders differ in what they show of it: in the first picture, or in its transparency. */
  readonly isAmbiguous: boolean;
}

/** Chunks of a PNG about its colours (W3C PNG, third edition, clause 11.3.2). */
export interface PngColors {
  /** Colour primaries, transfer function, matrix and full range, by ITU-T H.273. */
  readonly cicp: readonly number[] | null;
  readonly isSrgb: boolean;
  /** Exponent of encoding; 0 without one. */
  readonly gamma: number;
  /** x and y of white, red, green and blue. */
  readonly chromaticities: readonly number[] | null;
}

/** What a file has that says nothing. */
export const noMetadata: RasterMetadata = {
  samples: 'rgb',
  hasAlpha: true,
  iccProfile: null,
  png: null,
  orientation: 1,
  isComplete: true,
  isAmbiguous: false,
};
