import type { remoteChecks } from '../../core/safety/flag.ts';

/** What a remote provider says about a destination. */
export type Opinion =
  | { readonly unsafe: false }
  | { readonly unsafe: true; readonly threat: string; readonly expression: string };

export const clean: Opinion = { unsafe: false };

/** One way of asking a remote provider, without the care that createProvider adds. */
export interface Protocol {
  readonly name: ProviderName;
  /** What earlier answers still say, without asking; null when they say nothing. */
  recall(destination: string, nowMs: number): Opinion | null;
  /**
   * Asks the provider, and remembers the answer as long as the provider's rules allow.
   *
   * @throws ProviderFailure, and nothing else, when there is no valid answer in time
   */
  ask(destination: string, nowMs: number): Promise<Opinion>;
}

export type ProviderName = (typeof remoteChecks)[number];

export const failureKinds = [
  'timeout',
  'connection',
  'redirect',
  'quota',
  'refused',
  'status',
  'question',
  'oversized',
  'malformed',
  'open',
] as const;
/**
 * `question`: the provider takes what it was asked for wrong, which says nothing of how it is itself.
 * `open`: the circuit breaker kept the question back.
 */
export type FailureKind = (typeof failureKinds)[number];

/** The provider gave no valid answer. The message names neither the key nor the destination. */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure';

  constructor(
    readonly kind: FailureKind,
    message: string,
  ) {
    super(message);
  }
}

/** Opinions that are remembered, in one generation of the cache: under ten megabytes. */
export const rememberedOpinions = 20_000;
/** No answer is remembered longer, whatever a provider says (Safe Browsing v5 sets this bound). */
export const longestMemoryMs = 86_400_000;

/** What is asked about: the destination as a browser requests it, so without the fragment. */
export function requestedUrl(destination: string): string {
  const url = URL.parse(destination);
  if (url === null) return destination;
  url.hash = '';
  return url.href;
}
