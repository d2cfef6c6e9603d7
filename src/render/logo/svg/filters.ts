import { toLinearHex } from './css/color.ts';
import { SvgRefused } from './refusal.ts';
import { matrixToRoot } from './rewrite.ts';
import { descendants, inherited, type SvgElement, viewBoxOf } from './tree.ts';

/** Effects of shadows, glows and blurs. Others take long, or programs draw them differently. */
const drawnEffects =
  /^fe(Blend|ColorMatrix|ComponentTransfer|Composite|DropShadow|Flood|Func[RGBA]|GaussianBlur|Merge|MergeNode|Morphology|Offset)$/;

/** These take 50 ms each for a whole picture, of the 4 s that worker/file-process.ts gives. */
const slowEffects = /^fe(DropShadow|GaussianBlur|Morphology)$/;

const maxSlowEffects = 30;
const maxEffects = 300;

/** These have a direction, and the rasterizer takes that of the picture for that of the element. */
const directedEffects = /^fe(DropShadow|Morphology|Offset)$/;

/** Of the longer side of the picture. The time of a morphology grows with the square of its radius. */
const maxDeviation = 0.25;
const maxRadius = 0.03;

/**
 * Checks the filters of a picture.
 *
 * @throws SvgRefused for effects that are not drawn, large ones, or too many
 */
export function checkFilters(root: SvgElement): void {
  const [, , width = 0, height = 0] = viewBoxOf(root);
  const longerSide = Math.max(width, height);
  const effects = new Map<string, SvgElement[]>();
  for (const filter of descendants(root)) {
    if (filter.name !== 'filter') continue;
    const own = [...descendants(filter)].filter(({ name }) => name.startsWith('fe'));
    for (const effect of own) {
      checkEffect(effect, longerSide);
      if (effect.name === 'feDropShadow') correctColor(effect);
    }
    effects.set(`url(#${filter.attributes.get('id')})`, own);
  }
  const used = [...descendants(root)].flatMap((element) => {
    const filter = element.attributes.get('filter') ?? '';
    const own = effects.get(filter) ?? [];
    if (own.some(isDirected) && !isUpright(element)) {
      throw new SvgRefused('filter', { kind: 'rotated shadow' });
    }
    return own;
  });
  const slow = used.filter(({ name }) => slowEffects.test(name));
  if (used.length > maxEffects || slow.length > maxSlowEffects) {
    throw new SvgRefused('filter', { kind: 'effects', count: used.length });
  }
}

/** Writes the colour of a shadow as the rasterizer reads it. */
function correctColor(shadow: SvgElement): void {
  const own = shadow.attributes.get('flood-color') ?? '#000';
  const color = own === 'currentColor' ? (inherited(shadow, 'color') ?? '#000') : own;
  const isSrgb = inherited(shadow, 'color-interpolation-filters') === 'sRGB';
  shadow.attributes.set('flood-color', isSrgb ? toLinearHex(color) : color);
}

/** Returns whether transforms only move and scale an element. */
function isUpright(element: SvgElement): boolean {
  const [a, b, c, d] = matrixToRoot(element);
  const isStraight = Math.abs(b) + Math.abs(c) < 1e-3 * (Math.abs(a) + Math.abs(d));
  return isStraight && a > 0 && d > 0;
}

function isDirected({ name, attributes }: SvgElement): boolean {
  const [x, y = x] = (attributes.get('stdDeviation') ?? '').trim().split(/[\s,]+/);
  const isZero = ['dx', 'dy'].every((axis) => Number(attributes.get(axis) ?? 0) === 0);
  return (directedEffects.test(name) && (name !== 'feOffset' || !isZero)) || x !== y;
}

function checkEffect({ name, attributes }: SvgElement, longerSide: number): void {
  if (!drawnEffects.test(name)) throw new SvgRefused('filter', name);
  const inputs = [attributes.get('in'), attributes.get('in2')].join(' ');
  if (/FillPaint|StrokePaint/.test(inputs) || attributes.get('operator') === 'lighter') {
    throw new SvgRefused('filter', `${name} ${inputs}`.trim());
  }
  for (const [attribute, share] of [
    ['stdDeviation', maxDeviation],
    ['radius', maxRadius],
  ] as const) {
    const values = (attributes.get(attribute) ?? '0').trim().split(/[\s,]+/);
    const largest = Math.max(...values.map(Number));
    if (largest > share * longerSide) throw new SvgRefused('filter', `${attribute} ${largest}`);
  }
}
