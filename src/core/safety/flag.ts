/** Value of `flag.list` when a rule of the operator decided. */
export const operatorList = 'operator';

/** Value of `flag.list` when the destination is one of the published test addresses. */
export const builtInList = 'built-in';

/** Values of `flag.list` when a remote check decided. Any other value names an imported list. */
export const remoteChecks = ['webrisk', 'v5', 'http'] as const;

/** Returns what kind of check a value of `flag.list` names. */
export function flagSource(
  list: string,
): 'operator' | 'built-in' | 'remote check' | 'imported list' {
  if (list === operatorList) return 'operator';
  if (list === builtInList) return 'built-in';
  return remoteChecks.some((name) => name === list) ? 'remote check' : 'imported list';
}
