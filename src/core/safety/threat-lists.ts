import { InvalidInput } from '../errors.ts';

/** A request about rules, threat lists or providers that is invalid; the message is for operators. */
export class InvalidListRequest extends InvalidInput {
  override readonly name: string = 'InvalidListRequest';
}

/** The content of a list cannot be used. */
export class UnreadableList extends InvalidListRequest {
  override readonly name = 'UnreadableList';
}

/** `text`: a domain, URL, line of a hosts file or adblock rule on each line. `csv`: a table. */
export const listFormats = ['text', 'csv'] as const;
export type ListFormat = (typeof listFormats)[number];

/** The format of a list, as far as the operator gave it; the rest is detected. */
export interface FormatOptions {
  readonly format?: ListFormat;
  /** Column of a CSV file: its heading, or its position from 1. */
  readonly column?: string | number;
}

/** An imported threat list, without its entries. */
export interface ThreatList {
  readonly source: string;
  /** Distinct entries. */
  readonly entries: number;
  readonly importedAtMs: number;
  /** Where an update downloaded it; null for an imported file. */
  readonly origin: ListOrigin | null;
}

/** Address and validators of a download, for the next conditional request (RFC 9110, 13.1). */
export interface ListOrigin {
  readonly url: string;
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/** An entry of a threat list, found by its hash. */
export interface ListedHash {
  readonly source: string;
  readonly importedAtMs: number;
  /** Index into the hashes that were looked up. */
  readonly index: number;
}

/** Threat lists and their entries: SHA-256 hashes of expressions, 32 bytes each. */
export interface ThreatListStore {
  /** All lists by name. */
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

/** A rule of the operator for a domain or URL. It wins over every list and provider. */
export interface Rule {
  readonly decision: 'allow' | 'block';
  /** A host, with the path if the rule is only for a part of it. */
  readonly expression: string;
  readonly addedAtMs: number;
  /** The operator's reason; may be empty. */
  readonly note: string;
}

/** Allow and block rules of the operator. */
export interface RuleStore {
  /** All rules by expression. */
  all(): Promise<Rule[]>;
  find(expressions: readonly string[]): Promise<Rule[]>;
  /** Adds a rule. It replaces an earlier one for the same expression. */
  put(rule: Rule): Promise<void>;
  /** Returns false when there is no such rule. */
  remove(expression: string): Promise<boolean>;
  /** Returns a text that differs after every change of a rule, by any process. */
  revision(): Promise<string>;
}

/** An address that a threat list is downloaded from. */
export interface ListSource extends FormatOptions {
  /** Of the source and of its list. */
  readonly name: string;
  /** An https address. */
  readonly url: string;
  readonly addedAtMs: number;
}

/** Result of the last update of a source. */
export interface UpdateRecord {
  readonly name: string;
  readonly checkedAtMs: number;
  readonly outcome: 'updated' | 'unchanged' | 'failed';
  /** Cause of a failure; null otherwise. */
  readonly reason: string | null;
}

/** Sources of threat lists, each with its last update. */
export interface ListSourceStore {
  /** All sources by name. */
  all(): Promise<(ListSource & { readonly lastUpdate: UpdateRecord | null })[]>;
  /** Adds or replaces a source. The last update stays. */
  put(source: ListSource): Promise<void>;
  /** Returns false when there is no such source. */
  remove(name: string): Promise<boolean>;
  /** Records an update. Ignored when the source was removed meanwhile. */
  recordUpdate(update: UpdateRecord): Promise<void>;
}
