import type { Clock } from '../../core/ports.ts';
import { createBreaker } from '../../lib/breaker.ts';
import { errorMessage } from '../../lib/errors.ts';
import {
  type Protocol,
  ProviderFailure,
  type ProviderName,
  type ProviderVerdict,
} from './protocol.ts';

/** A remote provider with cache and circuit breaker. */
export interface Provider {
  readonly name: ProviderName;
  /** @throws ProviderFailure when neither the cache nor the provider has a verdict in time */
  check(destination: string): Promise<ProviderVerdict>;
  /** The same cache with a circuit breaker of its own: failing re-checks don't affect clients. */
  readonly inBackground: {
    check(destination: string): Promise<ProviderVerdict>;
    /** Returns false while the circuit breaker is open. */
    canAsk(): boolean;
  };
  /** Returns the message of the last request's failure; null when it succeeded. */
  problem(): string | null;
}

/** Adds circuit breakers to a protocol. */
export function createProvider(protocol: Protocol, clock: Clock): Provider {
  const forClients = createBreaker(clock.monotonicMs);
  const forRechecks = createBreaker(clock.monotonicMs);
  let problem: string | null = null;

  const checkWith = (breaker: typeof forClients) => async (destination: string) => {
    const cached = protocol.cached(destination, clock.nowMs());
    if (cached !== null) return cached;
    if (!breaker.admit())
      throw new ProviderFailure('open', 'The provider failed repeatedly and is not asked for now.');
    try {
      const verdict = await protocol.ask(destination, clock.nowMs());
      breaker.succeed();
      problem = null;
      return verdict;
    } catch (error) {
      // A provider that rejects one request works, and may accept the next.
      if (error instanceof ProviderFailure && error.kind === 'question') breaker.succeed();
      else breaker.fail();
      problem = errorMessage(error);
      throw error;
    }
  };

  return {
    name: protocol.name,
    check: checkWith(forClients),
    inBackground: {
      check: checkWith(forRechecks),
      canAsk: () => forRechecks.state() !== 'open',
    },
    problem: () => problem,
  };
}
