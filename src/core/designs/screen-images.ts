/** A picture that a page of the panel shows. */
export interface ScreenImage {
  /** About how wide it is: modules take whole pixels. Twice the width on the page, for dense screens. */
  readonly widthPx: number;
  /** The picture of a logo is made coarser until it fits. A data URL is a third larger. */
  readonly maxBytes: number;
  /** Whether the symbol has as few modules as possible, see `SheetForm`. */
  readonly isCompact?: boolean;
}

/** Sizes of pictures: in lists; on sheets, and of presets; of one code; of a logo alone. */
export const screenImages = {
  small: { widthPx: 80, maxBytes: 3_000 },
  medium: { widthPx: 160, maxBytes: 3_000 },
  large: { widthPx: 660, maxBytes: 19_000 },
  logo: { widthPx: 128, maxBytes: 8_000 },
} as const satisfies Readonly<Record<string, ScreenImage>>;

export type ScreenImageSize = keyof typeof screenImages;

/** Returns the media type of a picture for a page: a PNG, else a WebP. */
export function screenImageType(image: Uint8Array): 'image/png' | 'image/webp' {
  return image[0] === 0x89 ? 'image/png' : 'image/webp';
}
