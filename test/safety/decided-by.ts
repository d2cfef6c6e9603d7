import { localExpressions } from '../../src/safety/expressions.ts';
import type { LocalList } from '../../src/safety/local-list.ts';

/** Which list decides about a URL now, or null. */
export async function decidedBy(local: LocalList, url: string): Promise<string | null> {
  await local.refresh();
  const [match] = local.match(localExpressions(url));
  return match === undefined ? null : `${match.decision} by ${match.list}: ${match.expression}`;
}
