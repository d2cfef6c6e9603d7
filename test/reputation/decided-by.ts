import type { LocalList } from '../../src/reputation/lists/local-list.ts';
import { localExpressions } from '../../src/reputation/url/expressions.ts';

/** Which list decides about a URL now, or null. */
export async function decidedBy(local: LocalList, url: string): Promise<string | null> {
  await local.refresh();
  const [match] = local.match(localExpressions(url));
  return match === undefined ? null : `${match.decision} by ${match.list}: ${match.expression}`;
}
