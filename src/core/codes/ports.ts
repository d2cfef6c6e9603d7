import type { Design } from '../designs/design.ts';
import type { ShownPausedTexts } from '../labels.ts';
import type { Acting, Actor, QrCursor } from '../ports.ts';
import type { UncountedKind } from '../scans/hit.ts';
import type { HourlyScans } from '../scans/ports.ts';
import type { LinkLabels, QrLabels } from './fields.ts';
import type { IdempotencyKey } from './idempotency.ts';
import type { CaptionLine, SheetLayout } from './print/sheet-layout.ts';
import type { NewQr, Qr, QrStatus } from './qr.ts';
import type { LinkForms, NamedLink } from './urls/resolve.ts';

/** The interfaces that adapters implement for codes and their short links, see `core/ports.ts`. */

/** An earlier destination of a code, and until when it was set. */
export interface FormerDestination {
  readonly destination: string;
  readonly untilMs: number;
  /** Whether a planned change replaced it. */
  readonly isReplacedAsPlanned: boolean;
}

/** The matching codes of a batch, and the cursor of the next batch; null after the last. */
export interface QrBatch {
  readonly found: readonly Qr[];
  readonly next: QrCursor | null;
}

/** Selects codes of an account. What is left out does not matter. */
export interface CodeFilter {
  /** Whether archived codes are selected, instead of the others. */
  readonly isArchived?: boolean;
  readonly status?: QrStatus;
  /** Null for codes in no folder. */
  readonly folder?: string | null;
  readonly designId?: number;
  /** Codes whose destination was flagged after it was accepted. */
  readonly isFlagged?: boolean;
  readonly isNeverScanned?: boolean;
  /**
   * Codes that were scanned, but not since this time.
   * The time of the last scan of an imported link may be unknown.
   */
  readonly quietSinceMs?: number;
}

/** Orders of lists: newest first, names as people count, most scans first, latest scan first. */
export const codeSorts = ['newest', 'name', 'scans', 'last-scan'] as const;
export type CodeSort = (typeof codeSorts)[number];

/** A page of a list. */
export interface CodePage {
  readonly qrs: readonly Qr[];
  /** Null for a search that ended when the page was full, and where there are too many to count. */
  readonly total: number | null;
  readonly hasMore: boolean;
}

/**
 * A folder and the number of its codes, without archived ones.
 * The name is null for codes in no folder.
 */
export interface Folder {
  readonly name: string | null;
  /** Null where there are too many to count. */
  readonly codes: number | null;
}

/** Where the next codes of an index begin: after the last one that was read. */
export interface ListCursor {
  readonly major: number | string;
  readonly minor: number | string;
}

/** A code in a sorted list, by its id. */
export interface ListedCode {
  readonly id: number;
  /** The value by which it is sorted: a time, a key of {@link nameSortKey}, or a number of scans. */
  readonly key: number | string;
  /** Where keys are equal: the code in the order newest first, otherwise the id. */
  readonly tie: number | string;
}

/** What a filter selects of some codes that were read along an index. */
export interface ListSlice {
  /** The first of the selected codes, in the order of the list. */
  readonly codes: readonly ListedCode[];
  /** Number of selected codes. */
  readonly selected: number;
  /** Whether no code of a later slice sorts before these. */
  readonly isInOrder: boolean;
  /** Null after the last slice. */
  readonly next: ListCursor | null;
}

/** Codes of a list that were counted: how many, or that they are too many to count. */
export type CodeCount = number | 'many';

/**
 * Why a code cannot have a path: a code has it, or one that differs only in case, or another account gave it up lately.
 */
export type PathConflict = 'path exists' | 'path in another case' | 'path reserved';

/** What a code is searched by that may have been created before. */
export interface SameCode extends Pick<Qr, 'name' | 'destination'> {
  /** What its short link begins with; undefined for any. */
  readonly domain?: string | undefined;
}

export interface QrStore {
  /**
   * Stores a QR with its idempotency key in one transaction, which is on disk when this resolves.
   *
   * @param needsRecheck whether to queue the destination for a re-check
   * @returns the QR as it is stored; `taken` when the code exists, why its path cannot be had, and the earlier QR when
   *   the idempotency key was used in the last 24 hours: nothing was stored then
   */
  insert(
    qr: NewQr,
    idempotencyKey: IdempotencyKey | null,
    by: Actor,
    needsRecheck?: boolean,
  ): Promise<{ stored: Qr } | 'taken' | PathConflict | { earlier: Qr }>;
  /** Returns the QR created with an idempotency key in the last 24 hours. */
  findByIdempotencyKey(key: IdempotencyKey): Promise<Qr | null>;
  /** Returns a QR if it belongs to the account. */
  find(accountId: number, code: string): Promise<Qr | null>;
  /**
   * Returns a page of all QRs, newest first, then by code, and the account's total.
   * Archived ones are included.
   */
  listPage(accountId: number, limit: number, offset: number): Promise<{ qrs: Qr[]; total: number }>;
  /** Returns those of the codes that are the account's, in no order. At most 1,000 at a time. */
  findMany(accountId: number, codes: readonly string[]): Promise<Qr[]>;
  /**
   * Returns those of some names and destinations that a code of the account has, and of their domains.
   * Archived codes and imported links are left out. Reads only the codes of these names.
   */
  findSame<Asked extends SameCode>(accountId: number, asked: readonly Asked[]): Promise<Asked[]>;
  /**
   * Reads up to `limit` QRs along an index, newest first.
   * Returns those that a filter selects and that match, see `matchWithin`.
   *
   * @param cursor null starts at the newest QR
   * @param text what to search for; an empty text matches all
   */
  searchBatch(
    accountId: number,
    cursor: QrCursor | null,
    text: string,
    limit: number,
    filter?: CodeFilter,
  ): Promise<QrBatch>;
  /**
   * Changes the destination and records the former one, unless it is the same.
   *
   * @param needsRecheck whether to queue the destination for a re-check, also if it is the same
   * @returns the changed QR, or null when it is not the account's
   */
  changeDestination(
    acting: Acting,
    code: string,
    destination: string,
    atMs: number,
    needsRecheck?: boolean,
  ): Promise<Qr | null>;
  /**
   * Changes labels, or archives, in one transaction; what is undefined stays.
   * Other accounts cannot have a path that is given up for some time, see `pathKeptMs`, if the code was scanned while it
   * had the path.
   *
   * @returns the changed QR, null when it is not the account's, or why the path cannot be had; nothing is changed then
   */
  changeLabels(
    acting: Acting,
    code: string,
    labels: Partial<QrLabels & Pick<Qr, 'isArchived'>>,
    atMs: number,
  ): Promise<Qr | PathConflict | null>;
  /**
   * Changes the status if it is `from`, so that an owner cannot lift a block.
   * The message of an earlier pause goes. The same status twice changes only the message.
   *
   * @param pausedMessage becomes that of the code if it is paused afterwards, also if it was before
   * @returns the QR afterwards, or null when it is not the account's
   */
  changeStatus(
    acting: Acting,
    code: string,
    from: QrStatus,
    to: QrStatus,
    atMs: number,
    pausedMessage?: string | null,
  ): Promise<Qr | null>;
  /** Returns what the page of the code says while it is paused, or null for a code without an account. */
  pausedTexts(qrId: number): Promise<ShownPausedTexts | null>;
  /** Returns former destinations, newest first. */
  formerDestinations(qrId: number, limit: number): Promise<FormerDestination[]>;
  /**
   * Returns scans per hour from one hour to another, oldest first.
   * Empty hours are left out.
   */
  hourlyScans(qrId: number, sinceMs: number, untilMs: number): Promise<HourlyScans[]>;
  /** Returns the total of hits that are no scans, by kind. */
  uncountedHits(qrId: number): Promise<Record<UncountedKind, number>>;
}

/** Scans of one of several codes in an hour. */
interface HourlyScansOf extends HourlyScans {
  readonly qrId: number;
}

/** Lists of the codes of an account, and its folders. A list counts scans as they were a second ago. */
export interface CodeListStore {
  /**
   * Counts the codes that a filter selects.
   *
   * @param max how far they are counted
   * @returns null when no index has exactly these codes
   */
  count(accountId: number, filter: CodeFilter, max: number): Promise<CodeCount | null>;
  /**
   * Returns the ids of a page, read along an index from its nearer end.
   *
   * @param total number of codes; null when it is not known, and the page is read from the beginning
   * @returns null when no index has the codes of the filter in this order
   */
  indexedPage(
    accountId: number,
    filter: CodeFilter,
    sort: CodeSort,
    limit: number,
    offset: number,
    total: number | null,
  ): Promise<number[] | null>;
  /**
   * Reads some thousand codes along an index of the filter, and sorts those that it selects.
   * It is one statement.
   *
   * @param cursor null for the first slice
   * @param most how many are returned
   */
  slice(
    accountId: number,
    filter: CodeFilter,
    sort: CodeSort,
    cursor: ListCursor | null,
    most: number,
  ): Promise<ListSlice>;
  /** Returns the codes of an account with these ids, in their order. */
  findByIds(accountId: number, ids: readonly number[]): Promise<Qr[]>;
  /**
   * Returns folders of an account in the order of their code points.
   *
   * @param after the name after which they begin; null for the first, with the codes in no folder before it
   * @param maxCodes if the account has more codes, they are not counted, and there may be none in no folder
   */
  folders(
    accountId: number,
    after: string | null,
    limit: number,
    maxCodes: number,
  ): Promise<Folder[]>;
  /**
   * Renames a folder, or with null removes it: its codes stay, without a folder.
   * A folder of the new name gets the codes too. They move in parts, so that others can write meanwhile. If the process
   * ends between two parts, each code is in one of both folders, and the same call moves the rest.
   *
   * @returns the number of codes that were moved, archived ones included
   */
  renameFolder(acting: Acting, name: string, newName: string | null, atMs: number): Promise<number>;
  /**
   * Returns the scans of codes per hour since the beginning of an hour.
   * Scans of the last second may be missing. Hours without scans are left out.
   */
  hourlyScans(qrIds: readonly number[], sinceMs: number): Promise<HourlyScansOf[]>;
  /**
   * Returns the scans of codes from the beginning of an hour to that of another.
   * Scans of the last second may be missing, and codes without scans.
   */
  scansBetween(
    qrIds: readonly number[],
    sinceMs: number,
    untilMs: number,
  ): Promise<{ readonly qrId: number; readonly scans: number }[]>;
}

/** A link to import. */
export interface NewLink extends LinkLabels {
  readonly path: string;
  /** As printed, if this server serves its host. */
  readonly shortLink: string;
  /** The served prefix of the printed address; null when it is another one, or only a path is known. */
  readonly prefix: string | null;
  readonly destination: string;
  readonly needsRecheck: boolean;
  readonly createdAtMs: number;
  readonly scans: number;
  /** Null when it is not known. */
  readonly lastScanMs: number | null;
  readonly status: Extract<QrStatus, 'active' | 'paused'>;
}

/** Stores imported links. */
export interface LinkImportStore {
  /** Returns those of the codes and paths that exist, in any account. At most 1,000 at a time. */
  taken(codes: readonly string[]): Promise<string[]>;
  /** Returns those of the folded paths that a path has, see `foldPath`. At most 1,000 at a time. */
  takenFolded(folded: readonly string[]): Promise<string[]>;
  /** Returns the codes and links that have one of the forms, and where they lead. */
  at(forms: LinkForms): Promise<(NamedLink & Pick<Qr, 'destination'>)[]>;
  /** Returns those of the paths that are kept from an account, see `pathKeptMs`. At most 1,000 at a time. */
  reserved(accountId: number, paths: readonly string[], atMs: number): Promise<string[]>;
  /**
   * Stores links in one transaction, during which other writes wait on SQLite.
   *
   * @param entryId what the first part of the same import returned; null for the first
   * @returns the id of its entry in the activity, or false when a path exists; nothing was stored then
   */
  add(
    acting: Acting,
    links: readonly NewLink[],
    atMs: number,
    entryId?: number | null,
  ): Promise<number | false>;
}

/** A code to draw on a sheet. */
export interface SheetCode {
  readonly shortLink: string;
  /** With the logo placement of the code. */
  readonly design: Design;
  /** Texts around the code. */
  readonly captions: readonly CaptionText[];
}

/** The places of the texts on the labels of a sheet. */
export type TextLayout = Pick<
  SheetLayout,
  'aboveText' | 'above' | 'caption' | 'captionAlign' | 'fontPt' | 'hasNameAbove' | 'namePt'
>;

/** A text of a code on its label. */
export interface CaptionText {
  readonly line: CaptionLine;
  readonly text: string;
}

/** A line of text on a label whose corner is at 0, 0. */
export interface TextLine {
  readonly text: string;
  readonly leftMm: number;
  readonly baselineMm: number;
  readonly widthMm: number;
  readonly fontPt: number;
  readonly isRightToLeft: boolean;
  readonly weight: 'medium' | 'bold';
  /** The colour of the pattern, black, or grey, which is black on rolls and in black only. */
  readonly tone: 'pattern' | 'ink' | 'soft';
}

/** Draws sheets. */
export interface SheetPrinter {
  /** Returns whether captions can show every character of a text. */
  isPrintable(text: string): boolean;
  /**
   * Breaks the texts of a label into lines, in smaller type where they do not fit otherwise.
   *
   * @returns the lines, whether texts were cut, with an ellipsis, or left out because they did not fit at all, and the
   *   size of a name in one line; null without one
   */
  layOutTexts(
    layout: TextLayout,
    captions: readonly CaptionText[],
  ): {
    readonly lines: readonly TextLine[];
    readonly isCut: boolean;
    readonly namePt: number | null;
  };
  /** Writes a PDF in pieces, with bounded memory. The codes are drawn in their order. */
  pdf(
    layout: SheetLayout,
    title: string,
    createdAtMs: number,
    codes: Iterable<SheetCode>,
  ): AsyncGenerator<Uint8Array>;
}

/** The safe-browsing check of destinations. */
export interface Reputation {
  /** @throws ApiError unavailable when the remote check fails and is set to reject then */
  check(destination: string): Promise<ReputationResult>;
}

/**
 * Result of a check. `fully`: everything was checked. `locally`: the remote check did not respond.
 * `partly`: some rules or lists could not be read. A destination that is not checked fully is allowed
 * and checked again later.
 */
export type ReputationResult =
  | { readonly flagged: false; readonly checked: 'fully' | 'locally' | 'partly' }
  | {
      readonly flagged: true;
      /** See `flagSource`. */
      readonly list: string;
      /** The host, or host and path, that is listed. */
      readonly expression: string;
    };

/** A domain beside the main one, `scheme://host[:port]` in lower case. */
export interface StoredDomain {
  readonly url: string;
  /** E-mail addresses of the accounts that may use it; null for all. */
  readonly accounts: readonly string[] | null;
  /** Where `/` leads; null for the front page of the server. */
  readonly frontUrl: string | null;
  /** Where unknown paths lead; null for a page that says so. */
  readonly notFoundUrl: string | null;
}

/** What changes of a domain. What is undefined stays. */
export interface DomainChange extends Partial<Pick<StoredDomain, 'frontUrl' | 'notFoundUrl'>> {
  /** Ids of the accounts that may use it; null for all. */
  readonly accountIds?: readonly number[] | null | undefined;
}

/** The domains of codes. Those of the main one have also other addresses, `scheme://host[:port][/path]`. */
export interface DomainStore {
  /** Returns the domains beside the main one in alphabetical order. */
  all(): Promise<StoredDomain[]>;
  /** Adds a domain, which no address of the main one is then. Returns false if its host is there already. */
  add(url: string, settings: DomainChange, by: Actor, atMs: number): Promise<boolean>;
  /** Changes a domain. Returns false if there is none. */
  set(url: string, change: DomainChange, by: Actor, atMs: number): Promise<boolean>;
  /** Removes a domain, or a former address of the main one. Its codes stay found under the others. */
  remove(url: string, by: Actor, atMs: number): Promise<void>;
  /** Returns the domains beside the main one that an account may use, in alphabetical order. */
  usable(accountId: number): Promise<string[]>;
  /**
   * Returns the domain of new codes for which nobody names one: that of their folder, else that of the account. Null is
   * the main one. One that the account may not use any more is left out.
   */
  defaultOf(accountId: number, folder: string | null): Promise<string | null>;
  /** Returns the domain of new codes in a folder: null for the main one, undefined for that of the account. */
  folderDefault(accountId: number, folder: string): Promise<string | null | undefined>;
  /** Sets the domain of new codes of an account; null for the main one. @throws Refused without the right */
  setDefault(acting: Acting, url: string | null, atMs: number): Promise<void>;
  /**
   * Sets the domain of new codes in a folder: null for the main one, undefined for that of the account.
   *
   * @throws Refused without the right
   */
  setFolderDefault(
    acting: Acting,
    folder: string,
    url: string | null | undefined,
    atMs: number,
  ): Promise<void>;
  /**
   * Returns the printed links of some codes after an id, in the order of their ids.
   * Those of codes that are stopped are left out.
   */
  printed(
    afterId: number,
    limit: number,
  ): Promise<{ readonly id: number; readonly shortLink: string }[]>;
  /** Keeps a number, which the server answers with, during a check. */
  withNonce<T>(nonce: string, atMs: number, check: () => Promise<T>): Promise<T>;
  /**
   * Records the short URL that is served from now on, and adds former ones as domains that no account may use for new
   * codes. Each account chooses among those that it may use, and nobody has asked for these.
   *
   * @param former those of the settings, see `aliasDomains`
   */
  serve(shortUrl: string, former: readonly string[], atMs: number): Promise<void>;
}
