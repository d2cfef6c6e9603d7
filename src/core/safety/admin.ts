import { parseCode } from '../codes/code.ts';
import type { QrStatus } from '../codes/qr.ts';
import { codeInShortLink } from '../codes/short-url.ts';
import type { CheckedCode, FlagStore } from './recheck.ts';
import type { Rule } from './rule.ts';
import type { ThreatList } from './threat-lists.ts';

/** A code as an operator sees it: whose it is, where it leads, and what stops it. */
export type ReviewedCode = CheckedCode & { readonly status: QrStatus };

/** Where operators find codes, whoever owns them. */
export interface ReviewedCodeStore {
  find(code: string): Promise<ReviewedCode | null>;
  /** Codes whose destination is flagged, the latest first. */
  flagged(limit: number): Promise<ReviewedCode[]>;
  /** Codes that an operator has blocked, the newest first. */
  blocked(limit: number): Promise<ReviewedCode[]>;
  /** How many wait to be looked at again, because they could not be checked fully. */
  queueLength(): Promise<number>;
}

/** How the check is. */
export interface ReputationStatus {
  readonly lists: readonly ThreatList[];
  /** Name of the remote provider, or null where none is set. */
  readonly provider: string | null;
  /** Whether all codes are still to be looked at, because rules or lists have changed. */
  readonly isRecheckDue: boolean;
  /** What an operator should mend. */
  readonly warnings: readonly string[];
}

/** Why an address is flagged or not. */
export interface Explanation {
  readonly verdict: 'flagged' | 'allowed' | 'not flagged';
  /** The list, `operator`, `built-in` or the provider that decided; null when nothing spoke up. */
  readonly decidedBy: string | null;
  readonly matches: readonly {
    readonly list: string;
    readonly decision: 'allow' | 'block';
    readonly expression: string;
    readonly sinceMs: number | null;
  }[];
  readonly provider: { readonly name: string; readonly failure: string | null } | null;
}

/** The check as operators see and steer it. */
export interface ReputationAdmin {
  status(): Promise<ReputationStatus>;
  rules(): Promise<readonly Rule[]>;
  /** Null when that worked, else what is wrong with the text. */
  addRule(decision: Rule['decision'], text: string, note: string): Promise<string | null>;
  /** Takes a rule back; nothing happens where there is none. */
  removeRule(expression: string): Promise<void>;
  explain(url: string): Promise<Explanation>;
}

/** What someone asked about: a code, an address, or a code that nobody has. */
export type LookupResult =
  | { readonly kind: 'code'; readonly code: ReviewedCode }
  | { readonly kind: 'address'; readonly explanation: Explanation }
  | { readonly kind: 'nothing' };

export type SafetyAdmin = ReturnType<typeof createSafetyAdmin>;

// What one page shows well; whoever has more of them asks by code or uses the command line.
const shownCodes = 100;

/** What operators see and decide about dangerous destinations. */
export function createSafetyAdmin(world: {
  codes: ReviewedCodeStore;
  check: ReputationAdmin;
  store: Pick<FlagStore, 'setBlocked'>;
  /** Where short links live, without a trailing slash. */
  shortBases: readonly string[];
}) {
  const { codes, check, store, shortBases } = world;
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

    /** False when there is no such code. */
    setBlocked: async (text: string | undefined, blocked: boolean): Promise<boolean> => {
      const code = parseCode(text);
      return code !== null && (await store.setBlocked(code, blocked));
    },

    addRule: check.addRule,
    withdrawRule: check.removeRule,
  };
}
