import svgpath from 'svgpath';
import { SvgRefused } from './refusal.ts';
import { descendants, inherited, paintOf, type SvgElement } from './tree.ts';

const shapes = /^(path|line|polyline|polygon)$/;
const paints = ['fill', 'stroke'] as const;
const properties = ['marker-start', 'marker-mid', 'marker-end'] as const;

/**
 * Rewrites what the rasterizer does not know of markers.
 * Those of shapes without fill and stroke, the paints of their shape, and the orientation `auto-start-reverse`.
 *
 * @throws SvgRefused for markers that it would put or turn otherwise than browsers
 */
export function rewriteMarkers(root: SvgElement): void {
  const markers = new Map<string, SvgElement>();
  for (const element of descendants(root))
    if (element.name === 'marker') markers.set(`url(#${element.attributes.get('id')})`, element);
  /** Shapes whose paints markers have. */
  const painters = new Map<SvgElement, SvgElement>();
  for (const shape of descendants(root)) {
    if (!shapes.test(shape.name)) continue;
    const [start, ...others] = properties.map((name) => markers.get(inherited(shape, name) ?? ''));
    const used = [start, ...others].filter((marker) => marker !== undefined);
    if (used.length === 0) continue;
    const isTurned = used.some((marker) => orientOf(marker).startsWith('auto'));
    if (!isFollowed(pathDataOf(shape), isTurned))
      throw new SvgRefused('feature', { kind: 'marker on a curve' });
    if (start !== undefined && orientOf(start) === 'auto-start-reverse')
      throw new SvgRefused('feature', { kind: 'reversed marker' });
    for (const marker of used) {
      const painter = painters.get(marker) ?? shape;
      if (paints.some((paint) => paintOf(painter, paint) !== paintOf(shape, paint)))
        throw new SvgRefused('color', 'context-fill, context-stroke');
      if (takePaints(marker, shape)) painters.set(marker, shape);
    }
    if (paints.some((paint) => paintOf(shape, paint) !== 'none')) continue;
    shape.attributes.set('stroke', '#000');
    shape.attributes.set('stroke-opacity', '0');
  }
  for (const marker of markers.values())
    if (orientOf(marker) === 'auto-start-reverse') marker.attributes.set('orient', 'auto');
}

function orientOf({ attributes }: SvgElement): string {
  return (attributes.get('orient') ?? '0').toLowerCase();
}

/** Gives a marker the paints of its shape. Returns whether it has any. */
function takePaints(marker: SvgElement, shape: SvgElement): boolean {
  let isPainted = false;
  for (const { attributes } of descendants(marker))
    for (const [name, value] of attributes) {
      if (value !== 'context-fill' && value !== 'context-stroke') continue;
      const paint = paintOf(shape, value === 'context-fill' ? 'fill' : 'stroke');
      // Gradients would lie in the coordinates of the marker.
      if (paint.startsWith('url(')) throw new SvgRefused('color', value);
      attributes.set(name, paint);
      isPainted = true;
    }
  return isPainted;
}

function pathDataOf({ name, attributes }: SvgElement): string {
  if (name === 'path') return attributes.get('d') ?? '';
  const [x1, y1, x2, y2] = ['x1', 'y1', 'x2', 'y2'].map((side) => attributes.get(side) ?? '0');
  return name === 'line'
    ? `M${x1} ${y1}L${x2} ${y2}`
    : `M${attributes.get('points') ?? ''}${name === 'polygon' ? 'z' : ''}`;
}

/**
 * Returns whether the rasterizer puts markers on a path as browsers do. It puts too many on arcs.
 *
 * @param isTurned whether markers follow its direction, of which it knows none where a path is closed, or a segment
 *   begins or ends without one
 */
function isFollowed(data: string, isTurned: boolean): boolean {
  let segments = 0;
  let isPlain = true;
  svgpath(data)
    .abs()
    .unshort()
    .iterate(([command, ...values], _, x, y) => {
      if (command === 'M') return;
      segments++;
      const [nextX = x, nextY = y] =
        command === 'V' ? [x, values[0]] : command === 'H' ? [values[0], y] : values;
      const isEmpty = nextX === x && nextY === y;
      if (command === 'A' || (isTurned && (command === 'Z' || isEmpty))) isPlain = false;
    });
  return segments > 0 && isPlain;
}
