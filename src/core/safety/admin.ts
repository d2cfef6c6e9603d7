import { parseCode } from '../codes/code.ts';
import type { QrStatus } from '../codes/qr.ts';
import { codeInShortLink } from '../codes/short-url.ts';
import type { CheckedCode, FlagStore } from './recheck.ts';
import type { Rule, RuleStore, ThreatList } from './threat-lists.ts';

/** A code as operators see it. */
export type ReviewedCode = CheckedCode & { readonly status: QrStatus };

/** Codes of all accounts. */
export interface ReviewedCodeStore {
  find(code: string): Promise<ReviewedCode | null>;
  /** Returns flagged codes, the latest flag first. */
  flagged(limit: number): Promise<ReviewedCode[]>;
  /** Returns codes that an operator has blocked, the newest first. */
  blocked(limit: number): Promise<ReviewedCode[]>;
  /** Returns how many codes are queued for a re-check. */
  queueLength(): Promise<number>;
}

export interface ReputationStatus {
  readonly lists: readonly ThreatList[];
  /** Name of the remote provider, or null. */
  readonly provider: string | null;
  /** Whether rules or lists have changed since all codes were last checked. */
  readonly isRecheckDue: boolean;
  /** What an operator should fix. */
  readonly warnings: readonly string[];
}

/** The verdict on a URL, and what decided it. */
export interface Explanation {
  readonly verdict: 'flagged' | 'allowed' | 'not flagged';
  /** A list, `operator`, `built-in` or the provider; null when nothing matches. */
  readonly decidedBy: string | null;
  /** Every matching rule and list entry, the deciding one first. */
  readonly matches: readonly {
    readonly list: string;
    readonly decision: 'allow' | 'block';
    readonly expression: string;
    /** When the rule was added or the list imported; null for built-in entries. */
    readonly sinceMs: number | null;
  }[];
  readonly provider: { readonly name: string; readonly failure: string | null } | null;
}

/** The reputation check, for operators. */
export interface ReputationAdmin {
  status(): Promise<ReputationStatus>;
  rules: RuleStore['all'];
  /** Returns null when the rule was added, or else why the text is invalid. */
  addRule(decision: Rule['decision'], text: string, note: string): Promise<string | null>;
  removeRule: RuleStore['remove'];
  explain(url: string): Promise<Explanation>;
}

export type LookupResult =
  | { readonly kind: 'code'; readonly code: ReviewedCode }
  | { readonly kind: 'address'; readonly explanation: Explanation }
  | { readonly kind: 'nothing' };

export type SafetyAdmin = ReturnType<typeof createSafetyAdmin>;

// One page shows this many. Others are found by code, or by the command line.
const shownCodes = 100;

/** Creates what operators see and decide about dangerous destinations. */
export function createSafetyAdmin(deps: {
  codes: ReviewedCodeStore;
  check: ReputationAdmin;
  store: Pick<FlagStore, 'setBlocked'>;
  /** Short-URL prefixes, without a trailing slash. */
  shortBases: readonly string[];
}) {
  const { codes, check, store, shortBases } = deps;
  return {
    overview: async () => {
      const [state, rules, flagged, blocked, waiting] = await Promise.all([
        check.status(),
        check.rules(),
        codes.flagged(shownCodes),
        codes.blocked(shownCodes),
        codes.queueLength(),
      ]);
      return { state, rules, flagged, blocked, waiting };
    },

    /** @param text a code, a short link of this server, or any other address */
    lookUp: async (text: string): Promise<LookupResult> => {
      const named = codeInShortLink(text, shortBases) ?? parseCode(text);
      if (named === null) return { kind: 'address', explanation: await check.explain(text) };
      const code = await codes.find(named);
      return code === null ? { kind: 'nothing' } : { kind: 'code', code };
    },

    /** Returns false when there is no such code. */
    setBlocked: async (text: string | undefined, blocked: boolean): Promise<boolean> => {
      const code = parseCode(text);
      return code !== null && (await store.setBlocked(code, blocked));
    },

    addRule: check.addRule,
    withdrawRule: check.removeRule,
  };
}
