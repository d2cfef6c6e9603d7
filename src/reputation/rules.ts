import { Refused } from '../core/errors.ts';
import type { RuleStore } from '../core/safety/ports.ts';
import type { Rule } from '../core/safety/threat-lists.ts';
import { shorten } from '../lib/text/shorten.ts';
import { isEntries, readEntry } from './lists/parse-line.ts';
import { entryExpression, isNetwork } from './url/expressions.ts';

/**
 * Adds an allow or block rule, in place of an earlier one for the same target: a domain with its
 * subdomains, a folder (a URL that ends in a slash), a URL, or a top-level domain such as `*.zip`.
 *
 * @throws Refused when the target is none of these
 */
export async function addRule(
  rules: RuleStore,
  decision: Rule['decision'],
  target: string,
  { nowMs: addedAtMs, note = '' }: { readonly nowMs: number; readonly note?: string },
): Promise<Rule> {
  const rule = { decision, expression: parseTarget(target.trim()), addedAtMs, note };
  await rules.put(rule);
  return rule;
}

/**
 * Removes the rule for a target. Returns false when there is none.
 *
 * @throws Refused when the target is neither a domain nor a URL
 */
export async function removeRule(rules: RuleStore, target: string): Promise<boolean> {
  return rules.remove(parseExpression(target));
}

function parseTarget(text: string): string {
  const shown = shorten(text, maxShownLength);
  if (isNetwork(text)) throw new Refused({ kind: 'rule for a network', text: shown });
  if (text.replace(/^\*\./, '').includes('*'))
    throw new Refused({ kind: 'rule for a pattern', text: shown });
  const expression = parseExpression(text);
  const topLevel = topLevelOf(expression);
  if (topLevel !== undefined && !text.startsWith('*.'))
    throw new Refused({ kind: 'rule for a top-level domain', text: shown, topLevel });
  if (topLevel === undefined && !isEntries(readEntry(text))) throw invalidTarget(text);
  return expression;
}

/** Returns what a rule for an expression matches, in words. */
export function describeScope(expression: string): string {
  const topLevel = topLevelOf(expression);
  if (topLevel !== undefined) return `every host that ends in .${topLevel}`;
  const host = expression.slice(0, expression.indexOf('/'));
  if (!expression.endsWith('/')) return 'this URL alone';
  if (expression !== `${host}/`) return 'everything below this folder';
  return /^\[|^[\d.]+$/.test(host) ? 'this address' : `${host} and all its subdomains`;
}

/** Returns the top-level domain that an expression is for; undefined for all others. */
function topLevelOf(expression: string): string | undefined {
  const label = /^([^.:/[]+)\/$/.exec(expression)?.[1];
  return label !== undefined && /[a-z]/.test(label) ? label : undefined;
}

function parseExpression(text: string): string {
  const expression = entryExpression(text.trim());
  if (expression === null) throw invalidTarget(text);
  return expression;
}

const maxShownLength = 120;

function invalidTarget(text: string): Refused {
  return new Refused({ kind: 'rule for no domain or URL', text: shorten(text, maxShownLength) });
}
