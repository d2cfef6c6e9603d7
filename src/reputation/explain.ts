import type { Explanation } from '../core/safety/admin.ts';
import type { LocalList } from './lists/local-list.ts';
import type { LocalMatch } from './lists/local-match.ts';
import type { Provider } from './providers/guarded-provider.ts';
import { type Opinion, ProviderFailure } from './providers/provider.ts';
import { canonicalize, readingsOf, textOf } from './url/canonicalize.ts';
import { localExpressions } from './url/expressions.ts';

/** Everything that goes into the verdict on a URL. */
export interface FullExplanation extends Explanation {
  readonly url: string;
  /** As Safe Browsing writes it; null when it has no host. */
  readonly canonical: string | null;
  /** As a browser reads it, where that differs from the canonical form. */
  readonly otherReadings: readonly string[];
  /** Every expression that was looked up. */
  readonly expressions: readonly string[];
  /** Every match, the one that decides first. */
  readonly matches: readonly LocalMatch[];
  readonly provider:
    | { readonly name: string; readonly opinion: Opinion; readonly failure: null }
    | { readonly name: string; readonly opinion: null; readonly failure: string }
    | null;
}

/** Explains a URL by what is loaded now. */
export async function explain(
  url: string,
  local: LocalList,
  provider: Provider | null,
): Promise<FullExplanation> {
  const canonical = canonicalize(url);
  const expressions = localExpressions(url);
  const matches = local.match(expressions);
  const asked = provider === null ? null : await ask(provider, url);
  return {
    url,
    canonical,
    otherReadings: readingsOf(url)
      .map(textOf)
      .filter((text) => text !== canonical),
    expressions,
    matches,
    provider: asked,
    ...verdictOf(matches[0], asked),
  };
}

function verdictOf(
  match: LocalMatch | undefined,
  provider: FullExplanation['provider'],
): Pick<Explanation, 'verdict' | 'decidedBy'> {
  if (match !== undefined) {
    return { verdict: match.decision === 'allow' ? 'allowed' : 'flagged', decidedBy: match.list };
  }
  if (provider?.opinion?.unsafe) return { verdict: 'flagged', decidedBy: provider.name };
  return { verdict: 'not flagged', decidedBy: null };
}

async function ask(
  provider: Provider,
  url: string,
): Promise<NonNullable<FullExplanation['provider']>> {
  try {
    return { name: provider.name, opinion: await provider.opinionOn(url), failure: null };
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    return { name: provider.name, opinion: null, failure: error.message };
  }
}
