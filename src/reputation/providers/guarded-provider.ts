import type { Clock } from '../../core/ports.ts';
import { type Breaker, type BreakerState, createBreaker } from '../../lib/breaker.ts';
import { InvalidListRequest } from '../errors.ts';
import type { Fetch } from '../lists/download.ts';
import { createHttpProvider } from './http.ts';
import {
  type FailureKind,
  failureKinds,
  type Opinion,
  type Protocol,
  ProviderFailure,
  type ProviderName,
} from './provider.ts';
import { createSafeBrowsingV5 } from './safe-browsing-v5.ts';
import { createWebRisk } from './web-risk.ts';

/** A remote provider behind memory and circuit breaker. */
export interface Provider {
  readonly name: ProviderName;
  /** @throws ProviderFailure when neither memory nor provider have a valid answer in time */
  opinionOn(destination: string): Promise<Opinion>;
  /** For whoever looks at stored destinations again. */
  readonly inBackground: BackgroundProvider;
  status(): ProviderStatus;
}

/**
 * The same memory behind a circuit breaker of its own: destinations that fail whenever they are looked at
 * again keep no client's question back.
 */
export interface BackgroundProvider {
  /** @throws ProviderFailure as `Provider.opinionOn` does */
  opinionOn(destination: string): Promise<Opinion>;
  /** False while the breaker keeps questions back. */
  canAsk(): boolean;
}

/** Counts since the start of the process. */
export interface ProviderStatus {
  readonly name: ProviderName;
  /** What becomes of the questions of clients. */
  readonly breaker: BreakerState;
  /** The latest question that went out was not answered. */
  readonly failing: boolean;
  /** Questions that went out. */
  readonly asked: number;
  /** Questions that memory answered. */
  readonly recalled: number;
  readonly failures: Readonly<Record<FailureKind, number>>;
  /** The latest failure of a question that went out. */
  readonly lastFailure: {
    readonly kind: FailureKind;
    readonly message: string;
    readonly atMs: number;
  } | null;
}

/** Puts memory before and circuit breakers around a protocol. */
export function createProvider(protocol: Protocol, clock: Clock): Provider {
  const forClients = createBreaker(clock.monotonicMs);
  const inBackground = createBreaker(clock.monotonicMs);
  const failures = noFailures();
  let failing = false;
  let asked = 0;
  let recalled = 0;
  let lastFailure: ProviderStatus['lastFailure'] = null;

  const ask = async (destination: string, breaker: Breaker) => {
    asked += 1;
    try {
      const opinion = await protocol.ask(destination, clock.nowMs());
      breaker.succeed();
      failing = false;
      return opinion;
    } catch (error) {
      // Whoever finds fault with a question is there, and would answer another one.
      if (error instanceof ProviderFailure && error.kind === 'question') breaker.succeed();
      else breaker.fail();
      failing = true;
      if (error instanceof ProviderFailure) {
        failures[error.kind] += 1;
        lastFailure = { kind: error.kind, message: error.message, atMs: clock.nowMs() };
      }
      throw error;
    }
  };

  const opinionBehind = (breaker: Breaker) => async (destination: string) => {
    const opinion = protocol.recall(destination, clock.nowMs());
    if (opinion !== null) {
      recalled += 1;
      return opinion;
    }
    if (breaker.admit()) return ask(destination, breaker);
    failures.open += 1;
    throw new ProviderFailure('open', 'The provider has failed repeatedly and is given a pause.');
  };

  return {
    name: protocol.name,
    opinionOn: opinionBehind(forClients),
    inBackground: {
      opinionOn: opinionBehind(inBackground),
      canAsk: () => inBackground.state() !== 'open',
    },
    status: () => ({
      name: protocol.name,
      breaker: forClients.state(),
      failing,
      asked,
      recalled,
      failures: { ...failures },
      lastFailure,
    }),
  };
}

/**
 * The protocol by its name in the configuration.
 *
 * @throws InvalidListRequest when the key or the address is missing
 */
export function createProtocol(options: {
  readonly name: ProviderName;
  readonly fetch: Fetch;
  readonly key?: string;
  /** Base address; the documented one when left out. The generic provider has none. */
  readonly url?: string;
  readonly deadlineMs?: number;
}): Protocol {
  const { name, key, url, fetch, deadlineMs } = options;
  const connection = { fetch, ...(deadlineMs === undefined ? {} : { deadlineMs }) };
  const address = url === undefined ? {} : { url };
  if (name === 'http') {
    if (url === undefined) throw new InvalidListRequest('The provider "http" needs an address.');
    return createHttpProvider({ ...connection, url, ...(key === undefined ? {} : { key }) });
  }
  if (key === undefined) throw new InvalidListRequest(`The provider "${name}" needs a key.`);
  const google = { ...connection, ...address, key };
  return name === 'webrisk' ? createWebRisk(google) : createSafeBrowsingV5(google);
}

function noFailures(): Record<FailureKind, number> {
  // Exactly the kinds of the list become keys.
  return Object.fromEntries(failureKinds.map((kind) => [kind, 0])) as Record<FailureKind, number>;
}
