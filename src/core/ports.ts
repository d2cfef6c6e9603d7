import type { Account, ListedAccount } from './accounts/account.ts';
import type { IdempotencyKey } from './codes/idempotency.ts';
import type { NewQr, Qr, QrLabels, QrStatus } from './codes/qr.ts';
import type { Design, Logo, ReadabilityResult } from './designs/design.ts';
import type { HitKind, UncountedKind } from './scans/hit.ts';

/**
 * The interfaces that adapters implement. Calls are asynchronous, and what must be atomic is one call.
 * Absence and conflict are return values; a failing adapter throws. Ports with a single user in core
 * are declared in its file.
 */

export interface Clock {
  /** Wall clock in milliseconds since the epoch. May jump. */
  nowMs(): number;
  /** Milliseconds since a fixed instant. Never jumps. */
  monotonicMs(): number;
}

/** A cryptographic source of random bytes. */
export type RandomBytes = (length: number) => Uint8Array;

// Accounts

export interface AccountStore {
  /** Creates an account with the plain design. */
  create(account: {
    email: string;
    isOperator: boolean;
    planUntilMs: number | null;
    passwordHash: string | null;
    atMs: number;
  }): Promise<Account | 'taken'>;
  find(id: number): Promise<ListedAccount | null>;
  findByEmail(email: string): Promise<ListedAccount | null>;
  /** Returns the oldest accounts whose e-mail contains a lower-case text, and the number of all. */
  search(
    text: string,
    limit?: number,
  ): Promise<{ readonly accounts: readonly ListedAccount[]; readonly total: number }>;
  /** Computes the totals of the server in small steps, so that redirects are not delayed. */
  totals(): Promise<{ readonly accounts: number; readonly qrs: number; readonly scans: number }>;
  changePlan(accountId: number, planUntilMs: number | null): Promise<void>;
  /** Takes effect at the account's next request. */
  changeOperator(accountId: number, isOperator: boolean): Promise<void>;
  /**
   * Changes the password in one transaction that also removes all sessions, trusted browsers and the
   * pending sign-in link of the account.
   */
  changePassword(accountId: number, passwordHash: string): Promise<void>;
}

/** The stored form of an account's API key. */
export interface ApiKeyRecord {
  /** Also names the rate window. */
  readonly hash: string;
  readonly lastFour: string;
  readonly createdAtMs: number;
  readonly lastUsedAtMs: number | null;
}

export interface ApiKeyStore {
  /** Sets the account's key. An earlier key is invalid at once. */
  replace(accountId: number, hash: string, lastFour: string, atMs: number): Promise<void>;
  /** Resolves false when there was no key. */
  revoke(accountId: number): Promise<boolean>;
  /** Returns the account of a key. Sees all changes that were committed before the call. */
  findAccount(hash: string): Promise<Account | null>;
  findByAccount(accountId: number): Promise<ApiKeyRecord | null>;
  /** Records the last use of the account's key. May be written later. */
  recordUse(accountId: number, atMs: number): void;
}

/** A sliding window per API key. */
export interface RateLimiter {
  /**
   * Counts a request if it fits the window, in one step. A rejected request is not counted.
   *
   * @param key names the window, such as the hash of an API key
   */
  admit(key: string): Promise<RateDecision>;
  /** Returns the number of requests in the window without counting one. */
  used(key: string): Promise<number>;
}

export interface RateDecision {
  readonly admitted: boolean;
  /** Requests per window. */
  readonly limit: number;
  /** Requests that would still be admitted now. */
  readonly remaining: number;
  /** Whole seconds until the oldest counted request leaves the window, at least 1. */
  readonly resetSeconds: number;
}

// Codes

/** An earlier destination of a code, and until when it was set. */
export interface FormerDestination {
  readonly destination: string;
  readonly untilMs: number;
}

/** Scans in the hour that begins at `hourMs`. */
export interface HourlyScans {
  readonly hourMs: number;
  readonly scans: number;
}

/** Keyset cursor in the order of the list, newest first. */
export type QrCursor = Pick<Qr, 'createdAtMs' | 'code'>;

/** The matching codes of a batch, and the cursor of the next batch; null after the last. */
export interface QrBatch {
  readonly found: readonly Qr[];
  readonly next: QrCursor | null;
}

export interface QrStore {
  /**
   * Stores a QR with its idempotency key in one transaction, which is on disk when this resolves.
   *
   * @param needsRecheck whether to queue the destination for a re-check
   * @returns `taken` when the code exists, the earlier QR when the idempotency key was used in the
   *   last 24 hours; nothing was stored then
   */
  insert(
    qr: NewQr,
    idempotencyKey: IdempotencyKey | null,
    needsRecheck?: boolean,
  ): Promise<'stored' | 'taken' | { earlier: Qr }>;
  /** Returns the QR created with an idempotency key in the last 24 hours. */
  findByIdempotencyKey(key: IdempotencyKey): Promise<Qr | null>;
  /** Returns a QR if it belongs to the account. */
  find(accountId: number, code: string): Promise<Qr | null>;
  /** Returns a page of QRs, newest first, then by code, and the account's total. */
  listPage(accountId: number, limit: number, offset: number): Promise<{ qrs: Qr[]; total: number }>;
  /** Returns those of the codes that are the account's, in no order. At most 1,000 at a time. */
  findMany(accountId: number, codes: readonly string[]): Promise<Qr[]>;
  /**
   * Reads up to `limit` QRs in the order of the list and returns those that match, see `searchMatcher`.
   *
   * @param cursor null starts at the newest QR
   * @param text what to search for; an empty text matches all
   */
  searchBatch(
    accountId: number,
    cursor: QrCursor | null,
    text: string,
    limit: number,
  ): Promise<QrBatch>;
  /**
   * Changes the destination and records the former one, unless it is the same.
   *
   * @param needsRecheck whether to queue the destination for a re-check, also if it is the same
   * @returns the changed QR, or null when it is not the account's
   */
  changeDestination(
    accountId: number,
    code: string,
    destination: string,
    atMs: number,
    needsRecheck?: boolean,
  ): Promise<Qr | null>;
  /** Changes name and note; what is undefined stays. Returns null when the QR is not the account's. */
  changeLabels(accountId: number, code: string, labels: Partial<QrLabels>): Promise<Qr | null>;
  /**
   * Changes the status if it is `from`, so that an owner cannot lift a block.
   *
   * @returns the QR afterwards, or null when it is not the account's
   */
  changeStatus(accountId: number, code: string, from: QrStatus, to: QrStatus): Promise<Qr | null>;
  /** Returns former destinations, newest first. */
  formerDestinations(qrId: number, limit: number): Promise<FormerDestination[]>;
  /** Returns scans per hour since an instant, oldest first, without empty hours. */
  hourlyScans(qrId: number, sinceMs: number): Promise<HourlyScans[]>;
  /** Returns the total of hits that are no scans, by kind. */
  uncountedHits(qrId: number): Promise<Record<UncountedKind, number>>;
}

/** What a short link needs to redirect. */
export interface LinkTarget {
  readonly qrId: number;
  /** The `Location` header, see `locationHeader`. */
  readonly location: string;
  readonly status: QrStatus;
  /** The list that flagged the destination after it was accepted, or null. */
  readonly flaggedBy: string | null;
}

/** A short link that is being followed. */
export interface FollowedLink {
  /**
   * Resolves when `target` is known and the hit is recorded: on disk, or buffered in memory because the
   * database cannot be written now. Null when there is nothing to wait for. Never rejects because of
   * the database, so that a redirect cannot fail.
   */
  readonly settled: Promise<void> | null;
  /**
   * What the code redirects to; valid once `settled` has resolved. Null for an unknown code;
   * `unavailable` when the database does not respond and the code is not in memory.
   */
  readonly target: LinkTarget | 'unavailable' | null;
}

export interface LinkStore {
  /**
   * Looks up a code number, or the path of an imported link, and records a hit if it is active, in one
   * step. Sees every change that was committed before the current event-loop tick.
   */
  follow(key: number | string, kind: HitKind, atMs: number): FollowedLink;
}

// Designs

/** A design that an account named, to choose it for new codes. */
export interface SavedDesign {
  readonly name: string;
  readonly designId: number;
  readonly savedAtMs: number;
}

export interface SavedDesignStore {
  /** Returns the saved designs in the order of their names. */
  list(accountId: number): Promise<SavedDesign[]>;
  find(accountId: number, name: string): Promise<SavedDesign | null>;
  /**
   * Adds a design and saves it under a name, in place of an earlier one of that name. The default design
   * stays. Returns the design's id.
   */
  save(accountId: number, name: string, design: Design, atMs: number): Promise<number>;
  /** Changes a name. Nothing changes when the new name is `taken` or the former one `missing`. */
  rename(accountId: number, from: string, to: string): Promise<'renamed' | 'taken' | 'missing'>;
  /** Forgets a name. Codes keep the design. Resolves false when there is no such name. */
  remove(accountId: number, name: string): Promise<boolean>;
}

export interface DesignStore {
  /** Adds a design as the account's default and returns its id. Existing codes keep theirs. */
  add(accountId: number, design: Design, atMs: number): Promise<number>;
  /** Makes an existing design of the account its default. Resolves false when it is not the account's. */
  setDefault(accountId: number, designId: number): Promise<boolean>;
  /** Returns the design of the account's new codes. */
  findDefault(accountId: number): Promise<{ id: number; design: Design }>;
  find(designId: number): Promise<Design>;
  /** Returns the SHA-256 of the design's sample PNG, see `hashSamplePng`. Null before its first code. */
  pngHash(designId: number): Promise<Uint8Array | null>;
  /** Records the hash of the sample PNG unless the design has one. */
  recordPngHash(designId: number, pngHash: Uint8Array): Promise<void>;
}

export interface Renderer {
  /**
   * Renders a short link in a design and checks that phones can read it. Chooses the logo placement
   * unless the design sets one.
   *
   * @throws RendererBusy when the queue is full or no worker starts
   */
  checkReadability(shortLink: string, design: Design): Promise<ReadabilityResult>;
  /** Does the same, and returns the SHA-256 of the SVG with that placement. */
  checkImage(
    shortLink: string,
    design: Design,
  ): Promise<ReadabilityResult & { readonly svgHash: Uint8Array }>;
  /** Returns the SVG in UTF-8. Equal arguments give equal bytes. */
  svg(shortLink: string, design: Design): Promise<Uint8Array>;
  /** Returns a square PNG, modules on whole pixels. Equal arguments give equal bytes. */
  png(shortLink: string, design: Design, widthPx: number): Promise<Uint8Array>;
  /**
   * Converts an uploaded PNG, JPEG, WebP or SVG, detected by content, to a logo.
   *
   * @throws InvalidLogo with the problem and what to do
   */
  normalizeLogo(bytes: Uint8Array): Promise<Logo>;
}

// Safety

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
