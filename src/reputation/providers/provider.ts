import type { remoteChecks } from '../../core/codes/qr.ts';
import type { Clock } from '../../core/ports.ts';
import { createCache } from '../../lib/cache.ts';
import { errorMessage } from '../../lib/errors.ts';
import { hashOf } from '../url/expressions.ts';
import { createBreaker } from './breaker.ts';

export type ProviderName = (typeof remoteChecks)[number];

/** A remote provider's verdict on a URL. */
export type ProviderVerdict =
  | { readonly unsafe: false }
  | { readonly unsafe: true; readonly expression: string };

export const safe: ProviderVerdict = { unsafe: false };

/** How to ask a remote provider. */
export interface Protocol {
  readonly name: ProviderName;
  /**
   * Asks for the verdict on a URL without a fragment, and how long it may be cached.
   *
   * @throws ProviderFailure, and nothing else, when there is no valid response in time
   */
  ask(url: string, nowMs: number): Promise<{ verdict: ProviderVerdict; cacheMs: number }>;
}

/** A provider gave no verdict. The message has neither the key nor the URL. */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure';

  /** @param rejectsUrl whether the provider works, but rejects this URL */
  constructor(
    message: string,
    readonly rejectsUrl = false,
  ) {
    super(message);
  }
}

export function malformed(): ProviderFailure {
  return new ProviderFailure('The response is not of the documented form.');
}

/** @throws ProviderFailure when a parsed JSON value is not an object */
export function objectOf(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw malformed();
  return { ...value };
}

/** A remote provider with a verdict cache and a circuit breaker. */
export interface Provider {
  readonly name: ProviderName;
  /** @throws ProviderFailure when neither the cache nor the provider has a verdict */
  check(destination: string): Promise<ProviderVerdict>;
  /** Returns false while the circuit breaker is open. */
  canAsk(): boolean;
  /** Returns the message of the last request's failure; null when it succeeded. */
  problem(): string | null;
}

// Under ten megabytes, because the keys are hashes.
const cacheCapacity = 20_000;
// The longest that Safe Browsing v5 allows.
const maxCacheMs = 86_400_000;

/** Adds a verdict cache and a circuit breaker to a protocol. */
export function createProvider(protocol: Protocol, clock: Clock): Provider {
  const cache = createCache<string, { verdict: ProviderVerdict; untilMs: number }>(cacheCapacity);
  const breaker = createBreaker(clock.monotonicMs);
  let problem: string | null = null;

  const ask = async (url: string, nowMs: number) => {
    if (!breaker.admit())
      throw new ProviderFailure('The provider failed repeatedly and is not asked for now.');
    try {
      const result = await protocol.ask(url, nowMs);
      breaker.succeed();
      problem = null;
      return result;
    } catch (error) {
      if (error instanceof ProviderFailure && error.rejectsUrl) breaker.succeed();
      else breaker.fail();
      problem = errorMessage(error);
      throw error;
    }
  };

  return {
    name: protocol.name,
    check: async (destination) => {
      const url = withoutFragment(destination);
      const key = hashOf(url).toHex();
      const nowMs = clock.nowMs();
      const cached = cache.get(key);
      if (cached !== undefined && nowMs < cached.untilMs) return cached.verdict;
      const { verdict, cacheMs } = await ask(url, nowMs);
      cache.set(key, { verdict, untilMs: nowMs + Math.min(cacheMs, maxCacheMs) });
      return verdict;
    },
    canAsk: () => !breaker.isOpen(),
    problem: () => problem,
  };
}

function withoutFragment(destination: string): string {
  const url = URL.parse(destination);
  if (url === null) return destination;
  url.hash = '';
  return url.href;
}
