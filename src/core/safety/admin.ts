import { parseCode, storedForms } from '../codes/code.ts';
import type { DomainStore } from '../codes/ports.ts';
import { codeInShortLink, formsAtAnyPrefix, formsInText } from '../codes/urls/short-url.ts';
import { parseLine } from '../labels.ts';
import type { Actor } from '../ports.ts';
import type { CheckedCode, FlagStore, RuleStore } from './ports.ts';
import type { Rule, ThreatList } from './threat-lists.ts';

export interface ReputationStatus {
  readonly lists: readonly ThreatList[];
  /** Name of the remote provider, or null. */
  readonly provider: string | null;
  /** Whether rules or lists have changed since all codes were last checked. */
  readonly isRecheckDue: boolean;
  /** What an operator should fix. */
  readonly warnings: readonly string[];
}

/** A rule or list entry that matches an expression of a URL. */
export interface Match {
  /** `operator`, `built-in`, or the name of a list. */
  readonly list: string;
  readonly decision: 'allow' | 'block';
  readonly expression: string;
  /** When the rule was added or the list imported; null for built-in entries. */
  readonly sinceMs: number | null;
}

/** The verdict on a URL, and everything that decides it. */
export interface Explanation {
  readonly url: string;
  /** In Safe Browsing's canonical form; null when the URL has no host. */
  readonly canonical: string | null;
  /** Every expression that was looked up. */
  readonly expressions: readonly string[];
  readonly verdict: 'flagged' | 'allowed' | 'not flagged';
  /** A list, `operator`, `built-in` or the provider; null when nothing matches. */
  readonly decidedBy: string | null;
  /** Every matching rule and list entry, the deciding one first. */
  readonly matches: readonly Match[];
  /** The provider's verdict; `unsafe` is null after a failure. */
  readonly provider: {
    readonly name: string;
    readonly unsafe: boolean | null;
    readonly failure: string | null;
  } | null;
}

export type LookupResult =
  | { readonly kind: 'code'; readonly code: CheckedCode }
  | { readonly kind: 'address'; readonly explanation: Explanation }
  | { readonly kind: 'nothing' };

/** Validates why a code is blocked. Returns null for an empty text. @throws Refused */
export function parseBlockReason(text: string): string | null {
  return parseLine(text, 'reason');
}

export type SafetyAdmin = ReturnType<typeof createSafetyAdmin>;

// One page shows this many. Others are found by code, or by the command line.
const shownCodes = 100;

/** Creates what operators see and decide about dangerous destinations. */
export function createSafetyAdmin(deps: {
  flags: FlagStore;
  rules: RuleStore;
  status: () => Promise<ReputationStatus>;
  explain: (url: string) => Promise<Explanation>;
  /** @throws Refused */
  addRule: (decision: Rule['decision'], text: string, note: string) => Promise<unknown>;
  /** Short-URL prefixes of the main domain, without a trailing slash. */
  servedPrefixes: readonly string[];
  /** The other domains. */
  domains: Pick<DomainStore, 'all'>;
}) {
  const { flags, rules, status, explain, addRule, servedPrefixes, domains } = deps;
  return {
    overview: async () => {
      const [state, allRules, flagged, blocked, waiting] = await Promise.all([
        status(),
        rules.all(),
        flags.flagged(shownCodes),
        flags.blocked(shownCodes),
        flags.queueLength(),
      ]);
      return { state, rules: allRules, flagged, blocked, waiting };
    },

    summary: flags.summary,
    flaggedCount: flags.flaggedCount,

    /** Returns why a code is blocked, or null. */
    blockReason: async (code: string): Promise<string | null> =>
      (await flags.find(code))?.blockReason ?? null,

    /** @param text a code, a short link of this server, or any other address */
    lookUp: async (text: string): Promise<LookupResult> => {
      const link = formsAtAnyPrefix(text);
      const others = (await domains.all()).map(({ url }) => url);
      const isOfDomain = others.some((url) => new URL(url).host === link?.host);
      const forms = isOfDomain ? (link?.forms ?? []) : formsInText(text, servedPrefixes);
      for (const form of forms) {
        const code = await flags.find(form);
        if (code !== null) return { kind: 'code', code };
      }
      const isCode =
        (codeInShortLink(text, [...servedPrefixes, ...others]) ?? parseCode(text)) !== null;
      return isCode ? { kind: 'nothing' } : { kind: 'address', explanation: await explain(text) };
    },

    /** Returns false when there is no such code. */
    setBlocked: async (
      by: Actor,
      text: string | undefined,
      blocked: boolean,
      atMs: number,
      reason?: string | null,
    ): Promise<boolean> => {
      for (const form of storedForms(text ?? ''))
        if (await flags.setBlocked(by, form, blocked, atMs, reason)) return true;
      return false;
    },

    /** @throws Refused when it is neither a domain nor a URL */
    addRule,

    withdrawRule: rules.remove,
  };
}
