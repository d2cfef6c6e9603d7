import type { Explanation } from '../core/safety/admin.ts';
import type { Match } from './lists/match.ts';
import { ProviderFailure, type ProviderVerdict } from './providers/protocol.ts';
import type { Provider } from './providers/provider.ts';
import { canonicalize, readingsOf, textOf } from './url/canonicalize.ts';

/** Everything that decides the verdict on a URL. */
export interface FullExplanation extends Explanation {
  readonly url: string;
  /** In Safe Browsing's canonical form; null when the URL has no host. */
  readonly canonical: string | null;
  /** As a browser parses it, where that differs from the canonical form. */
  readonly otherReadings: readonly string[];
  /** Every expression that was looked up. */
  readonly expressions: readonly string[];
  /** Every match, the deciding one first. */
  readonly matches: readonly Match[];
  readonly provider:
    | { readonly name: string; readonly verdict: ProviderVerdict; readonly failure: null }
    | { readonly name: string; readonly verdict: null; readonly failure: string }
    | null;
}

/** Explains the verdict on a URL by its matches, and asks the provider as well. */
export async function explain(
  url: string,
  expressions: readonly string[],
  matches: readonly Match[],
  provider: Provider | null,
): Promise<FullExplanation> {
  const canonical = canonicalize(url);
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
    ...decide(matches[0], asked),
  };
}

function decide(
  match: Match | undefined,
  provider: FullExplanation['provider'],
): Pick<Explanation, 'verdict' | 'decidedBy'> {
  if (match !== undefined)
    return { verdict: match.decision === 'allow' ? 'allowed' : 'flagged', decidedBy: match.list };
  if (provider?.verdict?.unsafe) return { verdict: 'flagged', decidedBy: provider.name };
  return { verdict: 'not flagged', decidedBy: null };
}

async function ask(
  provider: Provider,
  url: string,
): Promise<NonNullable<FullExplanation['provider']>> {
  const { name } = provider;
  try {
    return { name, verdict: await provider.check(url), failure: null };
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    return { name, verdict: null, failure: error.message };
  }
}
