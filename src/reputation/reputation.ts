import { ApiError } from '../core/errors.ts';
import type { Reputation, ReputationResult } from '../core/ports.ts';
import type { RuleStore, ThreatListStore } from '../core/safety/threat-lists.ts';
import { errorMessage } from '../lib/errors.ts';
import { yieldToEventLoop } from '../lib/event-loop.ts';
import { explain, type FullExplanation } from './explain.ts';
import { findBuiltIn, findListed, findRules, type Match } from './lists/match.ts';
import { ProviderFailure, type ProviderVerdict } from './providers/protocol.ts';
import type { Provider } from './providers/provider.ts';
import { localExpressions } from './url/expressions.ts';

/** The reputation check, with what operators need to see of it. */
export interface SafetyCheck extends Reputation {
  readonly rechecks: Rechecks;
  /** Explains the verdict on a URL. Asks the provider also where rules or lists decide. */
  explain(url: string): Promise<FullExplanation>;
  /** Returns a text that differs after every change of rules and lists, and while lists can't be read. */
  listVersion(): Promise<string>;
  status(): SafetyStatus;
}

/**
 * The check for stored destinations. It never rejects one because the provider fails, and yields to the
 * event loop before each.
 */
export interface Rechecks {
  readonly whole: Reputation;
  /** Checks against rules and lists only. */
  readonly locally: Reputation;
  /** Returns false while the provider's circuit breaker is open. */
  canAsk(): boolean;
}

/** Counts since the start of the process. */
export interface SafetyStatus {
  readonly checks: {
    readonly total: number;
    readonly flagged: number;
    /** Allowed for now: the provider or the lists could not be asked. */
    readonly partly: number;
    /** Rejected because the provider failed. */
    readonly unavailable: number;
  };
  /** Why the lists could not be read at the last check; null when they could. */
  readonly listsProblem: string | null;
  readonly provider: {
    readonly name: string;
    /** Why the last request failed; null when it succeeded. */
    readonly problem: string | null;
  } | null;
}

export interface SafetyOptions {
  readonly rules: RuleStore;
  readonly lists: ThreatListStore;
  readonly provider: Provider | null;
  /**
   * When the provider fails: `allow` accepts the destination for now, `refuse` rejects the request
   * with `unavailable`. Rules and lists decide before either.
   */
  readonly onFailure: 'allow' | 'refuse';
  /** Called for every failure; its message has no secrets. */
  readonly onProviderFailure?: (failure: ProviderFailure) => void;
}

// As long as an open circuit breaker stays open.
const retryAfterSeconds = '30';

/** Creates the reputation check: the operator's rules first, then lists, then the provider. */
export function createReputation(options: SafetyOptions): SafetyCheck {
  const { rules, lists, provider, onFailure, onProviderFailure = () => {} } = options;
  const checks = { total: 0, flagged: 0, partly: 0, unavailable: 0 };
  let listsProblem: string | null = null;

  /** Reads the lists. When they can't be read, rules, built-in entries and the provider decide. */
  const readLists = async <T>(read: () => Promise<T>): Promise<T | null> => {
    try {
      const result = await read();
      listsProblem = null;
      return result;
    } catch (error) {
      listsProblem = errorMessage(error);
      return null;
    }
  };

  /** Returns every match, the deciding one first, and whether the lists could be read. */
  const matchLocally = async (expressions: readonly string[]) => {
    const ruled = await findRules(rules, expressions);
    const listed = await readLists(() => findListed(lists, expressions));
    const matches: readonly Match[] = [...ruled, ...findBuiltIn(expressions), ...(listed ?? [])];
    return { matches, isComplete: listed !== null };
  };

  /** Asks the provider; null when it fails. */
  const ask = async (
    asked: Pick<Provider, 'check'>,
    destination: string,
  ): Promise<ProviderVerdict | null> => {
    try {
      return await asked.check(destination);
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      onProviderFailure(error);
      return null;
    }
  };

  /** @throws ApiError unavailable when the provider fails and the operator chose `refuse` */
  const askForClient = async (asked: Provider, destination: string) => {
    const verdict = await ask(asked, destination);
    if (verdict !== null || onFailure === 'allow') return verdict;
    checks.unavailable += 1;
    throw new ApiError(
      'unavailable',
      'The destination cannot be checked right now; nothing was changed. Try again shortly.',
      { 'Retry-After': retryAfterSeconds },
    );
  };

  const check = async (
    destination: string,
    askProvider: (asked: Provider, destination: string) => Promise<ProviderVerdict | null>,
  ): Promise<ReputationResult> => {
    const { matches, isComplete } = await matchLocally(localExpressions(destination));
    const [match] = matches;
    if (match !== undefined) return resultOf(match);
    const checked = isComplete ? 'fully' : 'partly';
    if (provider === null) return { flagged: false, checked };
    const verdict = await askProvider(provider, destination);
    if (verdict === null) return { flagged: false, checked: isComplete ? 'locally' : 'partly' };
    if (!verdict.unsafe) return { flagged: false, checked };
    const { threat, expression } = verdict;
    return { flagged: true, list: provider.name, expression, threat };
  };

  const counted = async (answering: Promise<ReputationResult>) => {
    checks.total += 1;
    const answer = await answering;
    if (answer.flagged) checks.flagged += 1;
    else if (answer.checked !== 'fully') checks.partly += 1;
    return answer;
  };

  return {
    check: (destination) => counted(check(destination, askForClient)),
    rechecks: {
      whole: {
        check: async (destination) => {
          await yieldToEventLoop();
          return counted(check(destination, ({ inBackground }) => ask(inBackground, destination)));
        },
      },
      locally: {
        check: async (destination) => {
          await yieldToEventLoop();
          return check(destination, async () => null);
        },
      },
      canAsk: () => provider?.inBackground.canAsk() ?? true,
    },
    explain: async (url) => {
      const expressions = localExpressions(url);
      const { matches } = await matchLocally(expressions);
      return explain(url, expressions, matches, provider);
    },
    listVersion: async () => {
      const all = await readLists(() => lists.all());
      const imports = all?.map(({ source, entries, importedAtMs }) =>
        [source, entries, importedAtMs].join(':'),
      );
      return [await rules.revision(), ...(imports ?? ['unreadable'])].join(' ');
    },
    status: () => ({
      checks: { ...checks },
      listsProblem,
      provider: provider && { name: provider.name, problem: provider.problem() },
    }),
  };
}

function resultOf(match: Match): ReputationResult {
  if (match.decision === 'allow') return { flagged: false, checked: 'fully' };
  const { list, expression, threat, sinceMs } = match;
  return {
    flagged: true,
    list,
    expression,
    ...(threat !== null && { threat }),
    ...(sinceMs !== null && { sinceMs }),
  };
}
