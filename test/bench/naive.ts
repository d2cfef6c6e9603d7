import qrcode from 'qrcode-generator';
import type { Design } from '../../src/core/designs/design.ts';
import { svgOf } from '../../src/render/draw/svg.ts';
import { layoutOf } from '../../src/render/symbol/layout.ts';

/** What stands at the beginning of the naive pipeline: qrcode-generator as it comes, and an SVG of its symbol. */
export function naiveSvg(link: string, design: Design): string {
  const symbol = qrcode(0, 'H');
  symbol.addData(link);
  symbol.make();
  const side = symbol.getModuleCount();
  const isInside = (place: number) => place >= 0 && place < side;
  const isDark = (x: number, y: number) => isInside(x) && isInside(y) && symbol.isDark(y, x);
  return svgOf({ matrix: { side, isDark }, layout: layoutOf(side, design), design });
}
