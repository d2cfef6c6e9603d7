import type { Design, DesignChanges } from './design.ts';

/** A design to start from, which phones read. It keeps the logo and the quiet zone. */
export interface DesignPreset {
  readonly name: 'Ink' | 'Navy' | 'Forest' | 'Brick' | 'Plum' | 'Sea';
  readonly changes: DesignChanges &
    Pick<Design, 'foreground' | 'background' | 'finderColor' | 'moduleShape' | 'finderShape'>;
}

function preset(
  name: DesignPreset['name'],
  [foreground, background]: readonly [string, string],
  [moduleShape, finderShape]: readonly [Design['moduleShape'], Design['finderShape']],
): DesignPreset {
  return { name, changes: { foreground, background, finderColor: null, moduleShape, finderShape } };
}

/** The designs to start from. */
export const designPresets: readonly DesignPreset[] = [
  preset('Ink', ['#161a17', '#ffffff'], ['square', 'square']),
  preset('Navy', ['#1e3a5f', '#ffffff'], ['rounded', 'rounded']),
  preset('Forest', ['#14532d', '#ffffff'], ['dots', 'rounded']),
  preset('Brick', ['#9a3412', '#ffffff'], ['rounded', 'rounded']),
  preset('Plum', ['#6b1d5c', '#ffffff'], ['dots', 'circle']),
  preset('Sea', ['#0b4f6c', '#eef6f8'], ['rounded', 'circle']),
];
