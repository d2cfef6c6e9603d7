import { builtInList, operatorList } from '../core/codes/qr.ts';
import type { Match } from '../core/safety/admin.ts';
import type { RuleStore, ThreatListStore } from '../core/safety/ports.ts';
import type { Rule } from '../core/safety/threat-lists.ts';
import { hashOf, topLevelExpressions } from './url/expressions.ts';

/**
 * Google's published test addresses for Safe Browsing. They are harmless, and show the check at work
 * without any list.
 *
 * @see https://testsafebrowsing.appspot.com
 */
const testAddresses: ReadonlySet<string> = new Set([
  'testsafebrowsing.appspot.com/s/',
  'testsafebrowsing.appspot.com/apiv4/',
  'malware.testing.google.test/',
  'phishing.testing.google.test/',
  'unwanted.testing.google.test/',
]);

/** Finds the operator's rules for expressions, the most specific first: longest host, then path. */
export async function findRules(
  rules: RuleStore,
  expressions: readonly string[],
): Promise<Match[]> {
  const found = await rules.find([...expressions, ...topLevelExpressions(expressions)]);
  return found
    .sort((a, b) => hostLength(b) - hostLength(a) || b.expression.length - a.expression.length)
    .map(({ decision, expression, addedAtMs: sinceMs }) => {
      return { list: operatorList, decision, expression, sinceMs };
    });
}

/** Finds built-in test addresses, in the order of the expressions. */
export function findBuiltIn(expressions: readonly string[]): Match[] {
  return expressions
    .filter((expression) => testAddresses.has(expression))
    .map((expression) => ({ list: builtInList, decision: 'block', expression, sinceMs: null }));
}

/** Finds entries of imported lists, in the order of the expressions. */
export async function findListed(
  lists: ThreatListStore,
  expressions: readonly string[],
): Promise<Match[]> {
  const found = await lists.find(expressions.map((expression) => hashOf(expression)));
  return found.map(({ source, importedAtMs, index }) => ({
    list: source,
    decision: 'block',
    expression: expressions[index] ?? '',
    sinceMs: importedAtMs,
  }));
}

function hostLength({ expression }: Rule): number {
  return expression.indexOf('/');
}
