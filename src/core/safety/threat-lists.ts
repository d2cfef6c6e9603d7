/** A request about rules, threat lists or providers that is invalid; the message is for operators. */
export class InvalidListRequest extends Error {
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

/** A rule of the operator for a domain or URL. It wins over every list and provider. */
export interface Rule {
  readonly decision: 'allow' | 'block';
  /** A host, with the path if the rule is only for a part of it. */
  readonly expression: string;
  readonly addedAtMs: number;
  /** The operator's reason; may be empty. */
  readonly note: string;
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
