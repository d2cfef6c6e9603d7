import { captionStripModules } from '../../core/designs/caption.ts';
import type { CaptionPlace } from '../../core/designs/design.ts';
import type { Layout } from '../symbol/layout.ts';
import { type Command, type Path, thousandths } from './path.ts';

/** The letters of a caption, in thousandths of the font size from the start of the baseline, y downwards. */
export interface CaptionOutline {
  readonly path: Path;
  readonly width: number;
}

/** Largest font size, in modules: marks, capitals and depths fit into the strip. */
const maxFontModules = 3.8;

/** Least distance of the letters from the sides of the picture, in modules. */
const marginModules = 2;

/** Distance of the baseline from the inner edge of the strip, as a share of the font size. */
const baselineShares = {
  // Marks above capitals stay out of the quiet zone.
  below: 1.15,
  // So do letters with a depth.
  above: -0.28,
} as const;

/** Places a caption in the strip, as large as fits, in modules from the corner of the quiet zone. */
export function placeCaption(
  { path, width }: CaptionOutline,
  { side, quietZoneModules }: Layout,
  place: CaptionPlace,
): Path {
  const symbol = side + 2 * quietZoneModules;
  const free = symbol + captionStripModules - 2 * marginModules;
  const fontModules = Math.min(maxFontModules, (free * 1000) / width);
  const left = (symbol - (width * fontModules) / 1000) / 2;
  const edge = place === 'below' ? symbol : 0;
  const baseline = edge + baselineShares[place] * fontModules;
  const toX = (x: number) => thousandths(left + (x * fontModules) / 1000);
  const toY = (y: number) => thousandths(baseline + (y * fontModules) / 1000);
  const scaled = (command: Command): Command => {
    switch (command.kind) {
      case 'move':
      case 'point':
        return { ...command, x: toX(command.x), y: toY(command.y) };
      case 'quadratic':
        return {
          kind: 'quadratic',
          controlX: toX(command.controlX),
          controlY: toY(command.controlY),
          x: toX(command.x),
          y: toY(command.y),
        };
      case 'close':
        return command;
      case 'line':
      case 'curve':
        throw new Error('Letters have no lines and circles along an axis');
    }
  };
  return path.map(scaled);
}
