import { builtInList, operatorList } from '../../core/safety/flag.ts';
import type { Rule } from '../../core/safety/rule.ts';
import type { RuleStore, ThreatListStore } from '../../core/safety/threat-lists.ts';
import { hashOf, topLevelExpressions } from '../url/expressions.ts';

/** A rule or list entry that matches an expression. */
export interface Match {
  /** `operator`, `built-in`, or the name of a list. */
  readonly list: string;
  readonly decision: 'allow' | 'block';
  readonly expression: string;
  readonly threat: string | null;
  /** When the rule was added or the list imported; null for built-in entries. */
  readonly sinceMs: number | null;
  readonly note: string;
}

/**
 * Google's published test addresses for Safe Browsing. They are harmless, and show the check at work
 * without any list.
 *
 * @see https://testsafebrowsing.appspot.com
 */
const testAddresses: ReadonlyMap<string, string> = new Map([
  ['testsafebrowsing.appspot.com/s/', 'TEST'],
  ['testsafebrowsing.appspot.com/apiv4/', 'TEST'],
  ['malware.testing.google.test/', 'MALWARE'],
  ['phishing.testing.google.test/', 'SOCIAL_ENGINEERING'],
  ['unwanted.testing.google.test/', 'UNWANTED_SOFTWARE'],
]);

/** Finds the operator's rules for expressions, the most specific first: longest host, then path. */
export async function findRules(
  rules: RuleStore,
  expressions: readonly string[],
): Promise<Match[]> {
  const found = await rules.find([...expressions, ...topLevelExpressions(expressions)]);
  return found
    .sort((a, b) => hostLength(b) - hostLength(a) || b.expression.length - a.expression.length)
    .map(({ decision, expression, addedAtMs, note }) => ({
      list: operatorList,
      decision,
      expression,
      threat: null,
      sinceMs: addedAtMs,
      note,
    }));
}

/** Finds built-in test addresses, in the order of the expressions. */
export function findBuiltIn(expressions: readonly string[]): Match[] {
  return expressions.flatMap((expression) => {
    const threat = testAddresses.get(expression);
    return threat === undefined
      ? []
      : [{ list: builtInList, decision: 'block', expression, threat, sinceMs: null, note: '' }];
  });
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
    threat: null,
    sinceMs: importedAtMs,
    note: '',
  }));
}

function hostLength({ expression }: Rule): number {
  return expression.indexOf('/');
}
