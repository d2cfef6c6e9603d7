/** Value of `flag.list` when a rule of the operator decided. */
export const operatorList = 'operator';

/** Value of `flag.list` when the destination is one of the addresses published for trying the check out. */
export const builtInList = 'built-in';

/** Values of `flag.list` when a remote check decided: its name. Any other value names an imported list. */
export const remoteChecks = ['webrisk', 'v5', 'http'] as const;

/** Who flags destinations. */
export type FlagSource = 'operator' | 'built-in' | 'remote check' | 'imported list';

/**
 * Who flagged a destination. Whoever tells it to somebody has words of their own for each kind: an operator,
 * an account holder, a program and a person with a phone are not told the same.
 *
 * @param list value of `flag.list`
 */
export function flagSource(list: string): FlagSource {
  if (list === operatorList) return 'operator';
  if (list === builtInList) return 'built-in';
  return remoteChecks.some((name) => name === list) ? 'remote check' : 'imported list';
}
