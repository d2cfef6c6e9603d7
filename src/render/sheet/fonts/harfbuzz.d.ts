/** The part of HarfBuzz's bindings that captions use. The package has no types. */
declare module 'harfbuzzjs/hb.js' {
  export default function createHarfBuzz(options: { wasmBinary: Uint8Array }): Promise<object>;
}

declare module 'harfbuzzjs/hbjs.js' {
  /** A command of an SVG path. */
  export interface GlyphCommand {
    type: 'M' | 'L' | 'Q' | 'C' | 'Z';
    values: number[];
  }
  export interface HarfBuzzFont {
    /** Returns the outline of a glyph in font units, y upwards. */
    glyphToJson(glyph: number): GlyphCommand[];
  }
  export interface HarfBuzzBuffer {
    addText(text: string): void;
    guessSegmentProperties(): void;
    setDirection(direction: 'ltr' | 'rtl'): void;
    setLanguage(language: string): void;
    json(): { g: number; ax: number; dx: number; dy: number }[];
    destroy(): void;
  }
  export interface HarfBuzz {
    createBlob(bytes: Uint8Array): object;
    createFace(blob: object, index: number): { readonly upem: number };
    createFont(face: object): HarfBuzzFont;
    createBuffer(): HarfBuzzBuffer;
    shape(font: HarfBuzzFont, buffer: HarfBuzzBuffer): void;
  }
  export default function bind(module: object): HarfBuzz;
}
