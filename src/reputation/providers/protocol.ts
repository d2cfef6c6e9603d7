import type { remoteChecks } from '../../core/safety/flag.ts';
import { createCache } from '../../lib/cache.ts';
import { hashOf } from '../url/expressions.ts';

/** A remote provider's verdict on a destination. */
export type ProviderVerdict =
  | { readonly unsafe: false }
  | { readonly unsafe: true; readonly threat: string; readonly expression: string };

export const safe: ProviderVerdict = { unsafe: false };

/** The protocol of a remote provider, with the caching that its rules allow. */
export interface Protocol {
  readonly name: ProviderName;
  /** Returns the cached verdict, or null. */
  cached(destination: string, nowMs: number): ProviderVerdict | null;
  /**
   * Sends a request and caches the verdict.
   *
   * @throws ProviderFailure, and nothing else, when there is no valid response in time
   */
  ask(destination: string, nowMs: number): Promise<ProviderVerdict>;
}

export type ProviderName = (typeof remoteChecks)[number];

/**
 * Why a provider gave no verdict. `question`: it rejects this request, but works. `open`: the circuit
 * breaker is open, so no request was sent.
 */
export type FailureKind =
  | 'timeout'
  | 'connection'
  | 'redirect'
  | 'quota'
  | 'refused'
  | 'status'
  | 'question'
  | 'oversized'
  | 'malformed'
  | 'open';

/** A provider gave no valid verdict. The message has neither the key nor the destination. */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure';

  constructor(
    readonly kind: FailureKind,
    message: string,
  ) {
    super(message);
  }
}

/** Entries of a verdict cache: under ten megabytes. */
export const cacheCapacity = 20_000;
/** The longest that a verdict may be cached (Safe Browsing v5). */
export const maxCacheMs = 86_400_000;

/** Caches verdicts by URL. The keys are hashes, which bounds its size. */
export function createVerdictCache() {
  const cache = createCache<string, { verdict: ProviderVerdict; untilMs: number }>(cacheCapacity);
  const keyOf = (url: string) => Buffer.from(hashOf(url)).toString('latin1');
  return {
    get: (url: string, nowMs: number): ProviderVerdict | null => {
      const cached = cache.get(keyOf(url));
      return cached !== undefined && nowMs < cached.untilMs ? cached.verdict : null;
    },
    set: (url: string, verdict: ProviderVerdict, untilMs: number) =>
      cache.set(keyOf(url), { verdict, untilMs }),
  };
}

/** Returns a destination as a browser requests it: without the fragment. */
export function requestedUrl(destination: string): string {
  const url = URL.parse(destination);
  if (url === null) return destination;
  url.hash = '';
  return url.href;
}
