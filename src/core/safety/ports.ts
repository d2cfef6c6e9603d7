import type { Flag, QrStatus } from '../codes/qr.ts';
import type { Actor } from '../ports.ts';
import type { ListSource, Rule, ThreatList, UpdateRecord } from './threat-lists.ts';

/** The interfaces that adapters implement for safe browsing, see `core/ports.ts`. */

/** A code of any account, as re-checks and operators see it. */
export interface CheckedCode {
  readonly qrId: number;
  readonly accountId: number;
  readonly code: string;
  readonly name: string | null;
  /** False for an imported link. */
  readonly hasImage: boolean;
  /** E-mail address of the account. */
  readonly owner: string;
  readonly destination: string;
  readonly status: QrStatus;
  /** Why an operator has blocked it. */
  readonly blockReason: string | null;
  readonly flag: Flag | null;
}

/** Flagged and blocked codes. */
export interface SafetySummary {
  readonly flagged: number;
  /** Lists that flagged them. */
  readonly lists: readonly string[];
  /** The first of the flagged codes, the latest flag first. */
  readonly flaggedCodes: readonly NamedCode[];
  readonly blocked: number;
  /** One of the blocked codes, and why it is blocked. */
  readonly blockedCode: (NamedCode & { readonly reason: string | null }) | null;
}

interface NamedCode {
  readonly code: string;
  readonly name: string | null;
}

/**
 * Flags and blocks of codes, and the queue of those that could not be checked fully. A change for a
 * checked code is ignored if its destination has changed since.
 */
/** The link on the page of an account's paused codes. */
export interface PausedLink {
  readonly accountId: number;
  readonly link: string;
  readonly isFlagged: boolean;
}

export interface FlagStore {
  /** Finds a code, also by the path that its owner chose. */
  find(code: string): Promise<CheckedCode | null>;
  /** Returns flagged codes, the latest flag first. */
  flagged(limit: number): Promise<CheckedCode[]>;
  /** Returns blocked codes, the newest code first. */
  blocked(limit: number): Promise<CheckedCode[]>;
  /** Returns the number of flagged codes. */
  flaggedCount(): Promise<number>;
  /** Returns what stands between the codes of an account, or of all, and their visitors. */
  summary(accountId: number | null): Promise<SafetySummary>;
  /** Returns codes with a larger id, in order of their ids. */
  after(qrId: number, limit: number): Promise<CheckedCode[]>;
  /** Returns links of accounts with a larger id, in order of their ids. */
  pausedLinks(afterAccountId: number, limit: number): Promise<PausedLink[]>;
  /** Sets or removes the flag of a link, if it is still the account's. */
  setPausedLinkFlagged(link: PausedLink, isFlagged: boolean): Promise<void>;
  /** Sets or removes the flag. */
  setFlag(code: CheckedCode, flag: Flag | null): Promise<void>;
  /** Returns the number of queued codes. */
  queueLength(): Promise<number>;
  /** Returns queued codes, the longest queued first. */
  queued(limit: number): Promise<CheckedCode[]>;
  /** Puts a code at the end of the queue, also if it is queued already. */
  enqueue(code: CheckedCode): Promise<void>;
  /** Removes a code from the queue. */
  dequeue(code: CheckedCode): Promise<void>;
  /**
   * Blocks a code of any account, or lifts the block. Its owner can do neither.
   *
   * @param reason for the owner. A later one replaces it
   * @returns false when there is no such code
   */
  setBlocked(
    by: Actor,
    code: string,
    blocked: boolean,
    atMs: number,
    reason?: string | null,
  ): Promise<boolean>;
}

/** A re-check of all codes that ran to its end. */
interface RecheckRun {
  /** Version of the rules and lists that were used. */
  readonly listVersion: string;
  /** In milliseconds since 1970, UTC. */
  readonly startedMs: number;
}

/** `lists`: against rules and lists only. `provider`: the provider was asked as well. */
export type RecheckKind = 'lists' | 'provider';

/** The last run of each kind. */
export interface RecheckRunStore {
  last(kind: RecheckKind): Promise<RecheckRun | null>;
  record(kind: RecheckKind, run: RecheckRun): Promise<void>;
}

/** An entry of a threat list, found by its hash. */
interface ListedHash {
  readonly source: string;
  readonly importedAtMs: number;
  /** Index into the hashes that were looked up. */
  readonly index: number;
}

/** Threat lists and their entries: SHA-256 hashes of expressions, 32 bytes each. */
export interface ThreatListStore {
  /** Returns all lists by name. */
  all(): Promise<ThreatList[]>;
  /** Returns every list that holds one of the hashes, in the order of the hashes. */
  find(hashes: readonly Uint8Array[]): Promise<ListedHash[]>;
  /**
   * Replaces a list, atomically: until this resolves, and after a failure, the earlier one is in force.
   *
   * @param batches hashes in any order, with repetitions; what it throws is thrown
   * @returns the number of distinct hashes
   */
  replace(
    list: Omit<ThreatList, 'entries'>,
    batches: AsyncIterable<readonly Uint8Array[]>,
  ): Promise<number>;
  /** Returns false when there is no such list. */
  remove(source: string): Promise<boolean>;
}

/** Allow and block rules of the operator. */
export interface RuleStore {
  /** Returns all rules by expression. */
  all(): Promise<Rule[]>;
  find(expressions: readonly string[]): Promise<Rule[]>;
  /** Adds a rule. It replaces an earlier one for the same expression. */
  put(rule: Rule): Promise<void>;
  /** Returns false when there is no such rule. */
  remove(expression: string): Promise<boolean>;
  /** Returns a text that differs after every change of a rule, by any process. */
  revision(): Promise<string>;
}

/** Sources of threat lists, each with its last update. */
export interface ListSourceStore {
  /** Returns all sources by name. */
  all(): Promise<(ListSource & { readonly lastUpdate: UpdateRecord | null })[]>;
  /** Adds or replaces a source. The last update stays. */
  put(source: ListSource): Promise<void>;
  /** Returns false when there is no such source. */
  remove(name: string): Promise<boolean>;
  /** Records an update. Ignored when the source was removed meanwhile. */
  recordUpdate(update: UpdateRecord): Promise<void>;
}
