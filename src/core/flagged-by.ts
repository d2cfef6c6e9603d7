/** What a flag bears in place of the name of an imported list where the operator's own rules decide. */
export const operatorList = 'operator';

/** The same where a destination is one of the addresses that are published for trying the check out. */
export const builtInList = 'built-in';

/** The same where a remote check decides: its name. */
export const remoteChecks = ['webrisk', 'v5', 'http'] as const;

/** Who flags destinations. */
export type FlaggedBy = 'operator' | 'built-in' | 'remote check' | 'imported list';

/**
 * Who flagged a destination. Whoever tells it to somebody has words of their own for each kind: an operator,
 * an account holder, a program and a person with a phone are not told the same.
 *
 * @param list what the flag bears as its list
 */
export function flaggedBy(list: string): FlaggedBy {
  if (list === operatorList) return 'operator';
  if (list === builtInList) return 'built-in';
  return remoteChecks.some((name) => name === list) ? 'remote check' : 'imported list';
}
