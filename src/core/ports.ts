import type { Account } from './accounts/account.ts';
import type { ApiKeyRecord } from './accounts/api-key.ts';
import type { NewQr, Qr, QrStatus } from './codes/qr.ts';
import type { Design, Logo, ReadabilityResult } from './designs/design.ts';
import type { HitKind, UncountedKind } from './scans/hit.ts';

/**
 * What the core asks of the world. Every port is asynchronous, whatever stands behind it today;
 * whatever must happen at once or not at all is one call. Absence and conflict are values, a broken
 * adapter throws.
 */

/** Time, as an argument. */
export interface Clock {
  /** Wall clock in milliseconds since the epoch. May jump. */
  nowMs(): number;
  /** Milliseconds since some fixed instant. Never jumps. */
  monotonicMs(): number;
}

/** Chance, as an argument: a cryptographic source of bytes. */
export type RandomBytes = (length: number) => Uint8Array;

/** Names one POST for its retries: a digest over API key, `Idempotency-Key` header and body. */
export interface IdempotencyKey {
  readonly digest: Uint8Array;
  readonly atMs: number;
}

/** A destination that a code had before, and until when. */
export interface FormerDestination {
  readonly destination: string;
  readonly untilMs: number;
}

/** Scans in one hour that begins at `hourMs`. */
export interface HourlyScans {
  readonly hourMs: number;
  readonly scans: number;
}

export interface QrStore {
  /**
   * Stores a QR, and with it the key of its retries, in one transaction that is on disk when this
   * resolves.
   *
   * @param needsRecheck whether the destination is to be looked at again
   * @returns `taken` when the code exists already (nothing was stored), the earlier QR when the retry
   *   key was used within its 24 hours (nothing was stored)
   */
  insert(
    qr: NewQr,
    retry: IdempotencyKey | null,
    needsRecheck?: boolean,
  ): Promise<'stored' | 'taken' | { earlier: Qr }>;
  /** The QR that a retry key created, while its 24 hours last. */
  findByIdempotencyKey(retry: IdempotencyKey): Promise<Qr | null>;
  /** A QR by its code, if it belongs to the account. */
  find(accountId: number, code: string): Promise<Qr | null>;
  /** One page, newest first, the code as tie-break; the total comes from a counter. */
  listPage(accountId: number, limit: number, offset: number): Promise<{ qrs: Qr[]; total: number }>;
  /**
   * Changes the destination and remembers the old one; the one that it has already leaves no trace.
   *
   * @param needsRecheck whether the destination is to be looked at again, also where it stays
   * @returns the QR as it is then, or null when it is not the account's
   */
  changeDestination(
    accountId: number,
    code: string,
    destination: string,
    atMs: number,
    needsRecheck?: boolean,
  ): Promise<Qr | null>;
  /**
   * Changes the status if it is `from` at that moment, so that an owner never lifts a block.
   *
   * @returns the QR as it is then, or null when it is not the account's
   */
  changeStatus(accountId: number, code: string, from: QrStatus, to: QrStatus): Promise<Qr | null>;
  /** Newest first. */
  formerDestinations(qrId: number, limit: number): Promise<FormerDestination[]>;
  /** Scans per hour since an instant, oldest first; hours without scans are left out. */
  hourlyScans(qrId: number, sinceMs: number): Promise<HourlyScans[]>;
  /** Hits that were not counted, by kind, all time. */
  uncountedHits(qrId: number): Promise<Record<UncountedKind, number>>;
}

/** What a short link needs to know to redirect. */
export interface LinkTarget {
  readonly qrId: number;
  /** What `locationOf` makes of the destination. */
  readonly location: string;
  readonly status: QrStatus;
  /** The list that the destination has come onto since it was accepted, or null. */
  readonly flaggedBy: string | null;
}

/** The hot path's own view of the codes. */
export interface LinkTargetStore {
  /**
   * The target of a code by its number (`readCode`), whoever owns it; without a promise where it is at
   * hand. Sees every committed change in the next turn.
   */
  find(code: number): LinkTarget | null | Promise<LinkTarget | null>;
}

/**
 * Where scans are counted. Hits that arrive together are committed together.
 *
 * @see DESIGN "Promise: an answered redirect is on disk"
 */
export interface ScanLog {
  /**
   * Counts one hit. Resolves `committed` once it is on disk. When the database cannot be written it
   * resolves `waiting`: the hit is kept in memory and written as soon as it can be. Never rejects,
   * because a redirect must never fail for the sake of its count.
   */
  record(qrId: number, kind: HitKind, atMs: number): Promise<'committed' | 'waiting'>;
}

export interface AccountStore {
  /** Creates an account wearing the plain design. */
  create(account: {
    email: string;
    isOperator: boolean;
    planUntilMs: number | null;
    passwordHash: string | null;
    atMs: number;
  }): Promise<Account | 'taken'>;
  findByEmail(email: string): Promise<Account | null>;
  /** In order of creation. */
  list(): Promise<(Account & { qrs: number })[]>;
  changePlan(accountId: number, planUntilMs: number | null): Promise<void>;
  /** The panel follows at the account's next request. */
  changeOperator(accountId: number, isOperator: boolean): Promise<void>;
  /**
   * Whatever the password was. Also ends every session of the account, forgets the browsers it is known to,
   * and ends the sign-in link that waits to be used, in one transaction; a link that is made afterwards works.
   */
  changePassword(accountId: number, passwordHash: string): Promise<void>;
}

export interface ApiKeyStore {
  /** Gives the account this key; an earlier one stops working at once. */
  replace(accountId: number, hash: string, lastFour: string, atMs: number): Promise<void>;
  /** False when there was none. */
  revoke(accountId: number): Promise<boolean>;
  /** The account whose key has this hash. Sees every change that was committed before the call. */
  findAccount(hash: string): Promise<Account | null>;
  findByAccount(accountId: number): Promise<ApiKeyRecord | null>;
  /** Notes that the account's key was used. Cheap enough for every request; may be written late. */
  recordUse(accountId: number, atMs: number): void;
}

export interface DesignStore {
  /** Adds a design and makes it the account's default. Existing codes keep theirs. */
  add(accountId: number, design: Design, atMs: number): Promise<number>;
  /** The design that new codes of the account get, with its id. */
  findDefault(accountId: number): Promise<{ id: number; design: Design }>;
  find(designId: number): Promise<Design>;
}

export interface Renderer {
  /**
   * Renders a short link in a design, reads it back and judges it as a phone would. Chooses how the
   * logo is drawn unless the design says that; the hash is of the picture drawn so.
   *
   * @throws RendererBusy when there is too much to do, or nothing to do it with
   */
  checkReadability(
    shortLink: string,
    design: Design,
  ): Promise<ReadabilityResult & { svgHash: Uint8Array }>;
  /** The SVG in UTF-8: the same bytes for the same link and design, for ever. */
  svg(shortLink: string, design: Design): Promise<Uint8Array>;
  /** A square PNG `widthPx` wide, modules on whole pixels: the same bytes for ever. */
  png(shortLink: string, design: Design, widthPx: number): Promise<Uint8Array>;
  /**
   * Makes a logo of whatever a person uploaded: PNG, JPEG, WebP or SVG, told apart by content.
   *
   * @throws InvalidLogo with what is wrong and what would be right
   */
  normalizeLogo(bytes: Uint8Array): Promise<Logo>;
}

/** The renderer cannot take this job now. Nothing is wrong with the job. */
export class RendererBusy extends Error {
  override readonly name = 'RendererBusy';
}

/** The database cannot take this write now (full disk, read-only, locked). Nothing was changed. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}

/** An uploaded logo that cannot be used; the message is for the person who uploaded it. */
export class InvalidLogo extends Error {
  override readonly name = 'InvalidLogo';
}

/** The safe-browsing check. */
export interface Reputation {
  /** @throws ApiError unavailable when there is no answer and the operator chose to refuse then */
  check(destination: string): Promise<ReputationResult>;
}

/**
 * What the check says. Unless it was checked `fully` a destination is allowed for now, to be looked at again
 * later. `locally`: the operator's rules and the lists were asked in full, the remote check gave no answer.
 * `partly`: some of the rules or lists could not be read.
 */
export type ReputationResult =
  | { readonly flagged: false; readonly checked: 'fully' | 'locally' | 'partly' }
  | {
      readonly flagged: true;
      /** Who flagged it, as `flaggedBy` reads it. */
      readonly list: string;
      /** What the list or provider knows the destination by. */
      readonly expression: string;
      /** The kind of danger, in the words of the list or provider. */
      readonly threat?: string;
      /** When the rule was added or the list imported. */
      readonly sinceMs?: number;
    };

/** A sliding window per API key. */
export interface RateLimiter {
  /**
   * Counts one request if it fits the window, as one step. A refused request is not counted.
   *
   * @param key names the window, for example the hash of an API key
   */
  admit(key: string): Promise<RateDecision>;
  /** Requests counted in the window that ends now, without counting one. */
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
