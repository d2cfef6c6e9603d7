import { SvgRefused } from './refusal.ts';
import { viewBoxOf } from './style.ts';
import { descendants, type SvgElement } from './tree.ts';

/** Effects of shadows, glows and blurs. Others take long, or programs draw them differently. */
const drawnEffects =
  /^fe(Blend|ColorMatrix|ComponentTransfer|Composite|DropShadow|Flood|Func[RGBA]|GaussianBlur|Merge|MergeNode|Morphology|Offset)$/;

/** These take 50 ms each for a whole picture, of the 4 s that worker/logo-process.ts gives. */
const slowEffects = /^fe(DropShadow|GaussianBlur|Morphology)$/;

const maxSlowEffects = 30;
const maxEffects = 300;

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
    for (const effect of own) checkEffect(effect, longerSide);
    effects.set(`url(#${filter.attributes.get('id')})`, own);
  }
  const used = [...descendants(root)].flatMap(({ attributes }) => {
    return effects.get(attributes.get('filter') ?? '') ?? [];
  });
  const slow = used.filter(({ name }) => slowEffects.test(name));
  if (used.length > maxEffects || slow.length > maxSlowEffects) {
    throw new SvgRefused('filter', `${used.length} effects`);
  }
}

function checkEffect({ name, attributes }: SvgElement, longerSide: number): void {
  if (!drawnEffects.test(name)) throw new SvgRefused('filter', name);
  for (const [attribute, share] of [
    ['stdDeviation', maxDeviation],
    ['radius', maxRadius],
  ] as const) {
    const values = (attributes.get(attribute) ?? '0').trim().split(/[\s,]+/);
    const largest = Math.max(...values.map(Number));
    if (largest > share * longerSide) throw new SvgRefused('filter', `${attribute} ${largest}`);
  }
}
