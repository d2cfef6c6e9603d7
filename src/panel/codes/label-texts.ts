import type { LabelName } from '../../core/codes/fields.ts';
import type { Said } from '../../languages/texts.ts';

/** Returns what the field of a label says. */
export function labelTexts(name: LabelName): { readonly label: Said; readonly hint: Said } {
  return { label: (t) => t.labels[name], hint: (t) => t.labels[`${name}Hint`] };
}
