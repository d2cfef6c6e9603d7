import { SvgRefused } from '../refusal.ts';
import type { SvgElement } from '../tree.ts';
import type { Declaration } from './cascade.ts';

/** Longer chains of custom properties are attacks. */
const maxSubstitutions = 100;
const maxLength = 10_000;

/** The last var() of a value, whose fallback therefore has none. */
const lastVariable =
  /var\(\s*(--[^\s,()]+)\s*(?:,((?:[^()]|\((?:[^()]|\([^()]*\))*\))*))?\)(?!.*var\()/is;

/**
 * Replaces var() in a value of an element by custom properties, which elements inherit, or by its fallback.
 *
 * @param declarations returns the declarations of an element, the one that wins last
 * @returns null when a variable has neither
 */
export function substituteVariables(
  element: SvgElement,
  value: string,
  declarations: (element: SvgElement) => readonly Declaration[],
): string | null {
  let text = value;
  for (let steps = 0; /var\(/i.test(text); steps++) {
    if (steps > maxSubstitutions || text.length > maxLength)
      throw new SvgRefused('variable', value);
    const [whole, name = '', fallback] = lastVariable.exec(text) ?? [];
    const replacement = customProperty(element, name, declarations) ?? fallback;
    if (whole === undefined || replacement === undefined) return null;
    text = text.replace(lastVariable, () => replacement.trim());
  }
  return text;
}

/** Returns the value of a custom property of an element, inherited or its own. */
export function customProperty(
  element: SvgElement | null,
  name: string,
  declarations: (element: SvgElement) => readonly Declaration[],
): string | undefined {
  if (element === null) return undefined;
  const own = declarations(element).findLast(({ property }) => property === name)?.value;
  const isInherited = own === undefined || /^(inherit|unset|revert)$/i.test(own);
  return isInherited ? customProperty(element.parent, name, declarations) : own;
}
