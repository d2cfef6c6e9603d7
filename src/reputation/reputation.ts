import { ApiError } from '../core/errors.ts';
import type { Reputation, ReputationResult } from '../core/ports.ts';
import { errorMessage } from '../lib/errors.ts';
import { explain, type FullExplanation } from './explain.ts';
import type { LocalList, LocalListStatus } from './lists/local-list.ts';
import type { LocalMatch } from './lists/local-match.ts';
import type { Provider, ProviderStatus } from './providers/guarded-provider.ts';
import { type Opinion, ProviderFailure } from './providers/provider.ts';
import { localExpressions } from './url/expressions.ts';

/** The check with what operators want to know about it. */
export interface SafetyCheck extends Reputation {
  readonly rechecks: Rechecks;
  /** Why a URL is flagged or not. Asks the provider too, also where the lists have decided. */
  explain(url: string): Promise<FullExplanation>;
  /** Reads the lists, so that the first check need not, and status is up to date. Never rejects. */
  refresh(): Promise<void>;
  /**
   * Changes whenever lists or rules change, or which of them can be read: the sign to look at
   * destinations again.
   */
  generation(): string;
  status(): SafetyStatus;
  close(): void;
}

/** The check for destinations that are stored already: it never refuses, whatever cannot answer. */
export interface Rechecks {
  readonly whole: Reputation;
  /** Decides by rules and lists alone. */
  readonly locally: Reputation;
  /** False while the provider, if there is one, is given a pause. */
  canAsk(): boolean;
}

/** Counts since the start of the process. */
export interface SafetyStatus {
  readonly checks: {
    readonly total: number;
    readonly flagged: number;
    /** Allowed for now: the provider or a list could not answer. */
    readonly partly: number;
    /** Refused because the provider could not answer. */
    readonly unavailable: number;
  };
  readonly local: LocalListStatus;
  /** Why the folder of the lists could not be read at the last check; null when it could. */
  readonly localProblem: string | null;
  readonly provider: ProviderStatus | null;
}

export interface SafetyOptions {
  readonly local: LocalList;
  readonly provider: Provider | null;
  /**
   * When the provider gives no answer to a client's question: `allow` lets the destination pass for now,
   * `refuse` turns the request away with `unavailable`. The local list decides before either.
   */
  readonly onFailure: 'allow' | 'refuse';
  /** Told of every failure; its message carries no secret. */
  readonly onProviderFailure?: (failure: ProviderFailure) => void;
}

// As long as the circuit breaker keeps questions back.
const retryAfterSeconds = '30';

/** The safe-browsing check: the operator's rules, then the lists, then the provider. */
export function createReputation(options: SafetyOptions): SafetyCheck {
  const { local, provider, onFailure, onProviderFailure = () => {} } = options;
  const checks = { total: 0, flagged: 0, partly: 0, unavailable: 0 };
  let localProblem: string | null = null;

  /** Lists that cannot be read now are no reason to fail: what is in memory goes on to decide. */
  const refresh = async () => {
    try {
      await local.refresh();
      localProblem = null;
    } catch (error) {
      localProblem = errorMessage(error);
    }
  };

  /** False when a list, a rule or all of them could not be read, so that "no match" is no answer. */
  const isWhole = () => local.isWhole() && localProblem === null;

  /** Null when there is no answer. */
  const opinionOf = async (
    asked: Pick<Provider, 'opinionOn'> | null,
    destination: string,
  ): Promise<Opinion | null> => {
    try {
      return asked === null ? null : await asked.opinionOn(destination);
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      onProviderFailure(error);
      return null;
    }
  };

  /** @throws ApiError unavailable when there is no answer and the operator chose to refuse then */
  const opinionForClient = async (destination: string): Promise<Opinion | null> => {
    const opinion = await opinionOf(provider, destination);
    if (opinion !== null || onFailure === 'allow') return opinion;
    checks.unavailable += 1;
    throw new ApiError(
      'unavailable',
      'The destination cannot be checked right now; nothing was changed. Try again shortly.',
      { 'Retry-After': retryAfterSeconds },
    );
  };

  /** Rules and lists decide first, then the provider by way of `ask`. */
  const answerTo = async (
    destination: string,
    ask: (destination: string) => Promise<Opinion | null>,
  ): Promise<ReputationResult> => {
    await refresh();
    const [match] = local.match(localExpressions(destination));
    if (match !== undefined) return answerOf(match);
    const checked = isWhole() ? 'fully' : 'partly';
    if (provider === null) return { flagged: false, checked };
    const opinion = await ask(destination);
    if (opinion === null)
      return { flagged: false, checked: checked === 'fully' ? 'locally' : 'partly' };
    if (!opinion.unsafe) return { flagged: false, checked };
    const { threat, expression } = opinion;
    return { flagged: true, list: provider.name, expression, threat };
  };

  const counting =
    (ask: (destination: string) => Promise<Opinion | null>) => async (destination: string) => {
      checks.total += 1;
      const answer = await answerTo(destination, ask);
      if (answer.flagged) checks.flagged += 1;
      else if (answer.checked !== 'fully') checks.partly += 1;
      return answer;
    };

  return {
    check: counting(opinionForClient),
    rechecks: {
      whole: {
        check: counting((destination) => opinionOf(provider?.inBackground ?? null, destination)),
      },
      locally: { check: (destination) => answerTo(destination, async () => null) },
      canAsk: () => provider?.inBackground.canAsk() ?? true,
    },
    explain: async (url) => {
      await refresh();
      return explain(url, local, provider);
    },
    refresh,
    generation: () => {
      try {
        return [local.generation(), ...(localProblem === null ? [] : ['unreadable'])].join(' ');
      } catch {
        return 'unreadable'; // the next check finds out why
      }
    },
    status: () => ({
      checks: { ...checks },
      local: local.status(),
      localProblem,
      provider: provider?.status() ?? null,
    }),
    close: local.close,
  };
}

/** What the match that decides comes to. */
function answerOf(match: LocalMatch): ReputationResult {
  if (match.decision === 'allow') return { flagged: false, checked: 'fully' };
  const { list, expression, threat, sinceMs } = match;
  return {
    flagged: true,
    list,
    expression,
    ...(threat === null ? {} : { threat }),
    ...(sinceMs === null ? {} : { sinceMs }),
  };
}
