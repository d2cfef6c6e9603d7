import { builtInList, operatorList } from '../../core/safety/flag.ts';
import type { Rule } from '../../core/safety/rule.ts';
import { hashOf } from '../url/expressions.ts';
import { testAddresses } from './built-in.ts';
import type { LoadedList } from './list-file.ts';

/** What a rule, an entry of a list or the program itself says about an expression. */
export interface LocalMatch {
  /** `operator`, `built-in`, or the name of a source. */
  readonly list: string;
  readonly decision: 'allow' | 'block';
  readonly expression: string;
  readonly threat: string | null;
  /** When the rule was added or its source imported; null for what is built in. */
  readonly sinceMs: number | null;
  readonly note: string;
}

interface NamedList {
  readonly source: string;
  readonly list: LoadedList | null;
}

/** The operator's rules, the most specific first: the longest host, then the longest path. */
export function operatorMatches(
  rules: ReadonlyMap<string, Rule>,
  expressions: readonly string[],
): LocalMatch[] {
  if (rules.size === 0) return [];
  return [...new Set(expressions)]
    .map((expression) => rules.get(expression))
    .filter((rule) => rule !== undefined)
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

/** What is built in and what is listed, in the order of the expressions. */
export function listMatches(
  loaded: readonly NamedList[],
  expressions: readonly string[],
): LocalMatch[] {
  const found = (list: string, expression: string, threat: string | null, sinceMs: number | null) =>
    ({ list, decision: 'block', expression, threat, sinceMs, note: '' }) as const;
  return expressions.flatMap((expression) => {
    const threat = testAddresses.get(expression);
    const hash = hashOf(expression);
    const lists = loaded.filter(({ list }) => list?.has(hash));
    return [
      ...(threat === undefined ? [] : [found(builtInList, expression, threat, null)]),
      ...lists.map(({ source, list }) =>
        found(source, expression, null, list?.header.importedAtMs ?? null),
      ),
    ];
  });
}

function hostLength({ expression }: Rule): number {
  return expression.indexOf('/');
}
