/** Why codes in a design cannot be read, or what is weak about one that can. */
export type ReadabilityReason =
  | { readonly kind: 'inverted' }
  | { readonly kind: 'finder patterns lighter than the background' }
  | { readonly kind: 'finder patterns paler than modules' }
  | { readonly kind: 'modules paler than finder patterns' }
  | {
      readonly kind: 'too close to the background';
      readonly tone: 'finder patterns' | 'modules';
      readonly measure: 'symbol contrast' | 'print contrast signal';
      readonly percent: number;
      readonly neededPercent: number;
    }
  | {
      readonly kind: 'quiet zone too narrow';
      readonly modules: number;
      readonly neededModules: number;
    }
  | {
      readonly kind: 'logo hides too much';
      readonly hiddenPercent: number;
      readonly errorCorrectionPercent: number;
    }
  | { readonly kind: 'logo reaches function patterns' }
  | { readonly kind: 'logo hides the alignment pattern' }
  | { readonly kind: 'logo looks like an alignment pattern' }
  | { readonly kind: 'logo is a code' }
  | { readonly kind: 'no scan read it'; readonly scans: number }
  | { readonly kind: 'not read as SVG' }
  | {
      readonly kind: 'logo placed elsewhere';
      readonly sizePercent: number;
      readonly isMoved: boolean;
    }
  | { readonly kind: 'low contrast' }
  | { readonly kind: 'some colours pale' }
  | { readonly kind: 'much error correction used'; readonly errorCorrectionPercent: number }
  | BlackAndWhiteCaution;

/** A colour that printers of black only do not print as it is meant. */
export interface BlackAndWhiteCaution {
  readonly kind: 'not for black and white';
  readonly color: string;
  readonly becomes: 'white' | 'black';
}
