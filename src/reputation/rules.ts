import type { RuleStore } from '../core/safety/ports.ts';
import { InvalidListRequest, type Rule } from '../core/safety/threat-lists.ts';
import { isEntries, readEntry } from './lists/parse-line.ts';
import { entryExpression, isNetwork } from './url/expressions.ts';

/**
 * Adds an allow or block rule, in place of an earlier one for the same target: a domain with its
 * subdomains, a folder (a URL that ends in a slash), a URL, or a top-level domain such as `*.zip`.
 *
 * @throws InvalidListRequest when the target is none of these
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
 * @throws InvalidListRequest when the target is neither a domain nor a URL
 */
export async function removeRule(rules: RuleStore, target: string): Promise<boolean> {
  return rules.remove(parseExpression(target));
}

function parseTarget(text: string): string {
  if (isNetwork(text))
    throw new InvalidListRequest(`${quoted(text)} is a network. Give single addresses.`);
  if (text.replace(/^\*\./, '').includes('*'))
    throw new InvalidListRequest(
      `${quoted(text)} is a pattern. A star is possible only in front, as in *.zip. A domain stands for its ` +
        'subdomains too, and a URL that ends in a slash for everything below it: write evil.example or ' +
        'evil.example/shop/.',
    );
  const expression = parseExpression(text);
  const topLevel = topLevelOf(expression);
  if (topLevel !== undefined && !text.startsWith('*.'))
    throw new InvalidListRequest(
      `${quoted(text)} alone would match every address that ends in .${topLevel}. ` +
        `Give a domain, such as evil.${topLevel}, or write *.${topLevel} if you mean them all.`,
    );
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

function invalidTarget(text: string): InvalidListRequest {
  return new InvalidListRequest(
    `${quoted(text)} is neither a domain nor a URL. Write evil.example or https://evil.example/shop/.`,
  );
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 120 ? `${text.slice(0, 120)}…` : text);
}
