/** Why a file cannot be the logo of a design. */
export type LogoReason =
  | { readonly kind: 'logo file empty' }
  | { readonly kind: 'logo file too large'; readonly bytes: number; readonly maxBytes: number }
  | { readonly kind: 'logo takes too long' }
  | { readonly kind: 'logo too long'; readonly maxAspectRatio: number }
  | { readonly kind: 'logo transparent' }
  | {
      readonly kind: 'logo too small';
      readonly widthPx: number;
      readonly heightPx: number;
      readonly minSidePx: number;
    }
  /** No PNG or JPEG, or one that programs show in different ways. */
  | { readonly kind: 'logo of another kind' }
  | { readonly kind: 'logo of other colours' }
  | { readonly kind: 'logo of too many pixels' }
  | { readonly kind: 'logo damaged' };
