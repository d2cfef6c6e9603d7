import type { Clock } from '../core/ports.ts';
import { type BreakerState, makeBreaker } from './breaker.ts';
import type { Fetch } from './download.ts';
import { makeHttpProvider } from './http-provider.ts';
import {
  type FailureKind,
  failureKinds,
  type Opinion,
  type Protocol,
  ProviderFailure,
  type ProviderName,
} from './provider.ts';
import { SafetyRefused } from './refused.ts';
import { makeSafeBrowsingV5 } from './safe-browsing-v5.ts';
import { makeWebRisk } from './webrisk.ts';

/** A remote provider behind memory and circuit breaker. */
export interface Provider {
  readonly name: ProviderName;
  /** @throws ProviderFailure when neither memory nor provider have a valid answer in time */
  opinionOn(destination: string): Promise<Opinion>;
  status(): ProviderStatus;
}

/** Counts since the start of the process. */
export interface ProviderStatus {
  readonly name: ProviderName;
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
  readonly lastAnswerAtMs: number | null;
}

/** Puts memory before and the circuit breaker around a protocol. */
export function makeProvider(protocol: Protocol, clock: Clock): Provider {
  const breaker = makeBreaker(clock.monotonicMs);
  const failures = noFailures();
  let failing = false;
  let asked = 0;
  let recalled = 0;
  let lastFailure: ProviderStatus['lastFailure'] = null;
  let lastAnswerAtMs: number | null = null;

  const ask = async (destination: string) => {
    asked += 1;
    try {
      const opinion = await protocol.ask(destination, clock.nowMs());
      breaker.succeed();
      failing = false;
      lastAnswerAtMs = clock.nowMs();
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

  return {
    name: protocol.name,
    opinionOn: async (destination) => {
      const opinion = protocol.recall(destination, clock.nowMs());
      if (opinion !== null) {
        recalled += 1;
        return opinion;
      }
      if (breaker.admit()) return ask(destination);
      failures.open += 1;
      throw new ProviderFailure('open', 'The provider has failed repeatedly and is given a pause.');
    },
    status: () => ({
      name: protocol.name,
      breaker: breaker.state(),
      failing,
      asked,
      recalled,
      failures: { ...failures },
      lastFailure,
      lastAnswerAtMs,
    }),
  };
}

/**
 * The protocol by its name in the configuration.
 *
 * @throws SafetyRefused when the key or the address is missing
 */
export function makeProtocol(options: {
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
    if (url === undefined) throw new SafetyRefused('The provider "http" needs an address.');
    return makeHttpProvider({ ...connection, url, ...(key === undefined ? {} : { key }) });
  }
  if (key === undefined) throw new SafetyRefused(`The provider "${name}" needs a key.`);
  const google = { ...connection, ...address, key };
  return name === 'webrisk' ? makeWebRisk(google) : makeSafeBrowsingV5(google);
}

function noFailures(): Record<FailureKind, number> {
  // Exactly the kinds of the list become keys.
  return Object.fromEntries(failureKinds.map((kind) => [kind, 0])) as Record<FailureKind, number>;
}
