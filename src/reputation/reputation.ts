import type { Reputation, ReputationResult } from '../core/codes/ports.ts';
import { ApiError } from '../core/errors.ts';
import type { Explanation, Match } from '../core/safety/admin.ts';
import type { RuleStore, ThreatListStore } from '../core/safety/ports.ts';
import type { RecheckSource } from '../core/safety/schedule.ts';
import { errorMessage } from '../lib/errors.ts';
import { yieldToEventLoop } from '../lib/event-loop.ts';
import { findBuiltIn, findListed, findRules } from './match.ts';
import { type Provider, ProviderFailure, type ProviderVerdict } from './providers/provider.ts';
import { canonicalize } from './url/canonicalize.ts';
import { expressionsOf } from './url/expressions.ts';

/** The reputation check, with what operators need to see of it. */
export interface SafetyCheck extends Reputation {
  /**
   * The check for stored destinations. It never rejects one because the provider fails, and yields to
   * the event loop before each.
   */
  readonly rechecks: RecheckSource;
  /**
   * Returns a text that differs after every change of rules and lists, with another provider or server
   * version, and while lists can't be read.
   */
  listVersion(): Promise<string>;
  /** Explains the verdict on a URL. Asks the provider also where rules or lists decide. */
  explain(url: string): Promise<Explanation>;
  status(): SafetyStatus;
}

interface SafetyStatus {
  /** Checks of new destinations since the start of the process. */
  readonly checks: {
    readonly total: number;
    readonly flagged: number;
    /** Allowed for now: the provider or the lists could not be asked. */
    readonly partly: number;
    /** Rejected because the provider failed. */
    readonly unavailable: number;
  };
  /** Name of the remote provider, or null. */
  readonly provider: string | null;
  /** Why the lists could not be read, or the provider failed, at the last check. */
  readonly warnings: string[];
}

export interface SafetyOptions {
  /** Another server version may parse URLs otherwise. */
  readonly serverVersion: string;
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
  const {
    serverVersion,
    rules,
    lists,
    provider,
    onFailure,
    onProviderFailure = () => {},
  } = options;
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

  type Ask = (asked: Provider, destination: string) => Promise<ProviderVerdict | null>;

  const ask: Ask = async (asked, destination) => {
    try {
      return await asked.check(destination);
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      onProviderFailure(error);
      return null;
    }
  };

  /** @throws ApiError unavailable when the provider fails and the operator chose `refuse` */
  const askForClient: Ask = async (asked, destination) => {
    const verdict = await ask(asked, destination);
    if (verdict !== null || onFailure === 'allow') return verdict;
    checks.unavailable += 1;
    throw new ApiError(
      'unavailable',
      { kind: 'destination cannot be checked' },
      { 'Retry-After': retryAfterSeconds },
    );
  };

  /** @param askProvider returns null when there is no verdict */
  const check = async (destination: string, askProvider: Ask): Promise<ReputationResult> => {
    const { matches, isComplete } = await matchLocally(expressionsOf(destination));
    const [match] = matches;
    if (match?.decision === 'allow') return { flagged: false, checked: 'fully' };
    if (match !== undefined)
      return { flagged: true, list: match.list, expression: match.expression };
    const checked = isComplete ? 'fully' : 'partly';
    if (provider === null) return { flagged: false, checked };
    const verdict = await askProvider(provider, destination);
    if (verdict === null) return { flagged: false, checked: isComplete ? 'locally' : 'partly' };
    if (!verdict.unsafe) return { flagged: false, checked };
    return { flagged: true, list: provider.name, expression: verdict.expression };
  };

  const recheckWith = (askProvider: Ask): Reputation => ({
    check: async (destination) => {
      await yieldToEventLoop();
      return check(destination, askProvider);
    },
  });

  return {
    check: async (destination) => {
      checks.total += 1;
      const result = await check(destination, askForClient);
      if (result.flagged) checks.flagged += 1;
      else if (result.checked !== 'fully') checks.partly += 1;
      return result;
    },
    rechecks: {
      withProvider: recheckWith(ask),
      listsOnly: recheckWith(async () => null),
      canAsk: () => provider?.canAsk() ?? true,
    },
    explain: async (url) => {
      const expressions = expressionsOf(url);
      const { matches } = await matchLocally(expressions);
      const asked = provider && (await askToExplain(provider, url));
      return {
        url,
        canonical: canonicalize(url),
        expressions,
        matches,
        provider: asked,
        ...decide(matches[0], asked),
      };
    },
    listVersion: async () => {
      const all = await readLists(() => lists.all());
      const imports = all?.map(({ source, entries, importedAtMs }) =>
        [source, entries, importedAtMs].join(':'),
      );
      return [
        serverVersion,
        provider?.name ?? 'no provider',
        await rules.revision(),
        ...(imports ?? ['unreadable']),
      ].join(' ');
    },
    status: () => ({
      checks: { ...checks },
      provider: provider?.name ?? null,
      warnings: [
        ...(listsProblem === null
          ? []
          : [`The threat lists cannot be read: ${listsProblem}. Import or update them again.`]),
        ...(provider?.problem()
          ? [
              `The safe-browsing provider fails: ${provider.problem()} ` +
                `${onFailure === 'allow' ? 'Destinations are accepted without it' : 'Creates and edits are refused'} ` +
                'until it answers. Check WAYMARK_SAFE_BROWSING, its key, and the network.',
            ]
          : []),
      ],
    }),
  };
}

async function askToExplain({ name, check }: Provider, url: string) {
  try {
    const { unsafe } = await check(url);
    return { name, unsafe, failure: null };
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    return { name, unsafe: null, failure: error.message };
  }
}

function decide(
  match: Match | undefined,
  provider: Explanation['provider'],
): Pick<Explanation, 'verdict' | 'decidedBy'> {
  if (match !== undefined)
    return { verdict: match.decision === 'allow' ? 'allowed' : 'flagged', decidedBy: match.list };
  if (provider?.unsafe) return { verdict: 'flagged', decidedBy: provider.name };
  return { verdict: 'not flagged', decidedBy: null };
}
