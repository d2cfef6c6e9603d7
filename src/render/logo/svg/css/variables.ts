import { SvgRefused } from '../refusal.ts';
import type { SvgElement } from '../tree.ts';
import type { Declaration } from './cascade.ts';

/** Longer chains of custom properties are attacks. */
const maxSubstitutions = 100;
const maxLength = 10_000;

/** A var() whose fallback has none. */
const variable = /^var\(\s*(--[^\s,()]+)\s*(?:,((?:[^()]|\((?:[^()]|\([^()]*\))*\))*))?\)/is;

/** Custom properties that the root declares; null for one that another element declares. */
type Variables = ReadonlyMap<string, string | null>;

/** @param declared the declarations of each element in document order, the one that wins last */
export function variablesOf(
  root: SvgElement,
  declared: ReadonlyMap<SvgElement, readonly Declaration[]>,
): Variables {
  const variables = new Map<string, string | null>();
  for (const [element, declarations] of declared)
    for (const { property, value } of declarations)
      if (property.startsWith('--')) variables.set(property, element === root ? value : null);
  return variables;
}

/**
 * Replaces var() in a value by custom properties of the root, or by its fallback.
 *
 * @returns null when a variable has neither
 * @throws SvgRefused for a variable that is not the same everywhere
 */
export function substituteVariables(value: string, variables: Variables): string | null {
  let text = value;
  for (let steps = 0; ; steps++) {
    const last = text.toLowerCase().lastIndexOf('var(');
    if (last === -1) return text;
    if (steps > maxSubstitutions || text.length > maxLength)
      throw new SvgRefused('variable', value);
    const [whole, name = '', fallback] = variable.exec(text.slice(last)) ?? [];
    const declared = variables.get(name);
    if (declared === null) throw new SvgRefused('variable', value);
    const replacement = declared ?? fallback;
    if (whole === undefined || replacement === undefined) return null;
    text = text.slice(0, last) + replacement.trim() + text.slice(last + whole.length);
  }
}
