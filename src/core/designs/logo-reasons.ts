/** Drawing programs that leave their name in files. */
export type DrawingProgram =
  | 'Inkscape'
  | 'Illustrator'
  | 'CorelDRAW'
  | 'Affinity'
  | 'Sketch'
  | 'Figma';

/** What an SVG has that is not drawn. */
export type SvgProblem =
  | 'text'
  | 'color'
  | 'variable'
  | 'script'
  | 'html'
  | 'external'
  | 'image'
  | 'profile'
  | 'filter'
  | 'feature'
  | 'animation'
  | 'sizes'
  | 'stylesheet'
  | 'doctype'
  | 'size'
  | 'xml'
  | 'encoding'
  | 'otherXml'
  | 'undrawable';

/** Formats of pictures that are not drawn. */
export type UndrawnFormat =
  | 'AVIF'
  | 'BMP'
  | 'EPS'
  | 'GIF'
  | 'HEIC'
  | 'ICO'
  | 'JPEG 2000'
  | 'JPEG XL'
  | 'PDF'
  | 'PNG for iOS'
  | 'Photoshop'
  | 'TIFF';

/** Colours that are not converted to sRGB. */
export type UnconvertedColors =
  /** Of a profile, whose name is empty if it has none. Its samples are such as `RGB`. */
  | { readonly kind: 'profile'; readonly name: string; readonly samples: string }
  /** Codes of ITU-T H.273. */
  | { readonly kind: 'HDR' | 'video'; readonly codes: string };

/** Where in an SVG the problem is. */
export type SvgDetail =
  /** As the file has it, such as a value. */
  | { readonly kind: 'written'; readonly text: string }
  | { readonly kind: 'attribute'; readonly name: string }
  | { readonly kind: 'length'; readonly text: string }
  | { readonly kind: 'property of a transform'; readonly text: string }
  | { readonly kind: 'transform of an element'; readonly element: string }
  | { readonly kind: 'tiny scale'; readonly element: string }
  | { readonly kind: 'linear colours'; readonly element: string }
  | { readonly kind: 'nested rule'; readonly selector: string }
  | { readonly kind: 'focal radius' }
  | { readonly kind: 'marker reference in words' }
  | { readonly kind: 'marker on a curve' }
  | { readonly kind: 'reversed marker' }
  | { readonly kind: 'dashes with pathLength' }
  | { readonly kind: 'symbol with a position' }
  | { readonly kind: 'rotated shadow' }
  | { readonly kind: 'effects'; readonly count: number }
  | { readonly kind: 'SVG in SVG' }
  | { readonly kind: 'picture too large' }
  | { readonly kind: 'picture incomplete' }
  | { readonly kind: 'format'; readonly format: UndrawnFormat }
  | { readonly kind: 'colours'; readonly colors: UnconvertedColors };

/** Why a file cannot be the logo of a design. */
export type LogoReason =
  | { readonly kind: 'logo file empty' }
  | { readonly kind: 'logo file too large'; readonly bytes: number; readonly maxBytes: number }
  | { readonly kind: 'logo takes too long'; readonly program: DrawingProgram | null }
  | { readonly kind: 'compressed logo damaged' }
  | { readonly kind: 'logo too long'; readonly maxAspectRatio: number }
  | { readonly kind: 'logo transparent' }
  | {
      readonly kind: 'logo too small';
      readonly widthPx: number;
      readonly heightPx: number;
      readonly minSidePx: number;
    }
  | { readonly kind: 'logo of another format'; readonly format: UndrawnFormat }
  | { readonly kind: 'logo of other colours'; readonly colors: UnconvertedColors }
  | { readonly kind: 'logo of too many pixels' }
  | { readonly kind: 'logo is no picture' }
  | { readonly kind: 'logo damaged' }
  | {
      readonly kind: 'SVG refused';
      readonly problem: SvgProblem;
      /** Null if nothing names it. */
      readonly detail: SvgDetail | null;
      /** That made the file, if it is known. */
      readonly program: DrawingProgram | null;
    };
