import { ApiError } from '../errors.ts';
import type { Acting, Actor, Clock, RandomBytes } from '../ports.ts';
import type { AuthorizationProblem } from '../reasons.ts';
import { type Account, requireActivePlan } from './account.ts';
import type { ApiKeyRecord, ApiKeyStore, KeyAdmission, KeyLimit } from './ports.ts';

const secretBytes = 20;

/**
 * How often the last use of a key is recorded.
 * The panel shows it to the minute; recording every use would double the writes of a request.
 */
export const keyUseIntervalMs = 60_000;

/**
 * Generates an API key, `<prefix>_<40 hex digits>` (SPEC, "Authentication").
 * Callers store only `hash` and `lastFour`, by which the panel identifies the key.
 */
export function generateKey(prefix: string, randomBytes: RandomBytes) {
  const key = `${prefix}_${randomBytes(secretBytes).toHex()}`;
  return { key, hash: hashKey(key), lastFour: lastFourOf(key) };
}

/** Returns the end of a key, by which people recognise it. */
export function lastFourOf(key: string): string {
  return key.slice(-4);
}

// A new key has an unused rate window: without a limit, generating keys would get round that of requests.
const keyLimit: KeyLimit = { count: 5, windowMs: 3_600_000 };

/** The longest time in which a replaced key works beside the new one, in hours. */
export const maxOverlapHours = 720;

/** Result of generating a key. `outdated`: the earlier one is not the expected one, so nothing was changed. */
export type IssuedKey =
  | { readonly outcome: 'issued'; readonly key: string }
  | { readonly outcome: 'outdated' };

/**
 * Generates a key that replaces the account's earlier one. The key cannot be read again.
 *
 * @param options.overlapHours how long the earlier one works beside it, in the same rate window; 0 for not at all
 * @param options.isLimited whether five keys in an hour are the most; false for an operator who replaces a key
 * @param options.expectedMs when the earlier one was created; null for none. Any when left out
 * @throws ApiError rate_limited
 */
export async function issueKey(
  acting: Acting,
  options: {
    keys: Pick<ApiKeyStore, 'replace'>;
    prefix: string;
    randomBytes: RandomBytes;
    nowMs: number;
    overlapHours: number;
    isLimited: boolean;
    expectedMs?: number | null | undefined;
  },
): Promise<IssuedKey> {
  const { keys, prefix, randomBytes, nowMs, overlapHours, isLimited, expectedMs } = options;
  const { key, hash, lastFour } = generateKey(prefix, randomBytes);
  const result = await keys.replace(acting, hash, lastFour, nowMs, {
    ...(expectedMs !== undefined && { expectedMs }),
    ...(isLimited && { limit: keyLimit }),
    formerUntilMs: overlapHours === 0 ? null : nowMs + overlapHours * 3_600_000,
  });
  switch (result.outcome) {
    case 'replaced':
      return { outcome: 'issued', key };
    case 'outdated':
      return { outcome: 'outdated' };
    case 'too many': {
      const seconds = Math.ceil((result.nextAtMs - nowMs) / 1000);
      const reason = { kind: 'too many keys', count: keyLimit.count, seconds } as const;
      throw new ApiError('rate_limited', reason, { 'Retry-After': String(seconds) });
    }
  }
}

/** Returns the SHA-256 of a key in hexadecimal. 160 random bits need no slower hash. */
export function hashKey(key: string): string {
  return Bun.CryptoHasher.hash('sha256', key, 'hex');
}

/**
 * Returns the key in an `Authorization` header, or null. The scheme is case-insensitive (RFC 9110,
 * 11.1). Two headers arrive joined by a comma and are no key.
 */
export function bearerKey(authorization: string | null): string | null {
  return /^bearer +([a-z][a-z0-9]*_[0-9a-f]{40})$/i.exec(authorization ?? '')?.[1] ?? null;
}

/** Returns whether a parameter of a query has an API key. */
function hasKey(search: string): boolean {
  return search.split(/[?&]/).some((parameter) => {
    const value = parameter.slice(parameter.indexOf('=') + 1);
    return /^(?:bearer(?:\+|%20))?[a-z][a-z0-9]*_[0-9a-f]{40}$/i.test(value);
  });
}

/**
 * Returns what is wrong with how a key was sent, or null if nothing is to be seen.
 *
 * @param search the query of the URL, where keys do not belong
 */
export function authorizationProblem(
  authorization: string | null,
  search: string,
): AuthorizationProblem | null {
  const header = authorization?.trim() ?? '';
  if (header === '') return hasKey(search) ? 'key in the URL' : null;
  if (/^bearer[\s:]+bearer\b/i.test(header)) return 'Bearer twice';
  if (/,/.test(header)) return 'comma';
  if (!/^bearer(?: |$)/i.test(header)) return 'no Bearer';
  return /^bearer +["'`<{[(“‘]/i.test(header) ? 'quotation marks' : null;
}

/** An account's API key with its recent use. */
export interface ApiKeyStatus {
  readonly record: ApiKeyRecord;
  /** Requests in the last minute. */
  readonly usedInWindow: number;
}

export type ApiKeys = ReturnType<typeof createApiKeys>;

/** Manages the API keys of accounts (SPEC, "Authentication"). */
export function createApiKeys(deps: {
  keys: ApiKeyStore;
  admission: Pick<KeyAdmission, 'used'>;
  clock: Clock;
  randomBytes: RandomBytes;
  prefix: string;
}) {
  const { keys, admission, clock, randomBytes, prefix } = deps;
  return {
    status: async (accountId: number): Promise<ApiKeyStatus | null> => {
      const record = await keys.findByAccount(accountId);
      if (record === null) return null;
      // An expired one is of no interest.
      const isBeside = record.former !== null && record.former.untilMs > clock.nowMs();
      const former = isBeside ? record.former : null;
      return { record: { ...record, former }, usedInWindow: await admission.used(record.hash) };
    },
    /**
     * Generates a key, see {@link issueKey}.
     *
     * @throws ApiError plan_required, or rate_limited after five keys in an hour
     */
    generate: async (
      account: Account,
      by: Actor,
      overlapHours: number,
      expectedMs: number | null,
    ): Promise<IssuedKey> => {
      const nowMs = clock.nowMs();
      requireActivePlan(account, nowMs);
      const deps = { keys, prefix, randomBytes, nowMs, overlapHours, expectedMs };
      return issueKey({ accountId: account.id, by }, { ...deps, isLimited: true });
    },
    /** Ends the key that was replaced before its time. */
    endFormer: (acting: Acting): Promise<boolean> => keys.endFormer(acting, clock.nowMs()),
    /** Revokes the account's keys. Resolves false when there was none. */
    revoke: (acting: Acting): Promise<boolean> => keys.revoke(acting, clock.nowMs()),
  };
}
